import type { Failure } from '@autoposter/domain';
import type { StageJob } from '@autoposter/persistence';
import { endOf, type AttemptOutcome, type EndedAttempt } from './attempt-commits';
import type { AnyStage } from './define-stage';

const failure = (kind: Failure['kind']): Failure => ({ code: 'unexpected_error', kind, message: 'No.', side: 'ours', nextAction: 'Wait.' });

const ended = (attempts: number, stage: Partial<AnyStage> = {}, input: unknown = {}): EndedAttempt => ({
  stage: { name: 'download', steps: [], ...stage } as AnyStage,
  job: { attempts, maxAttempts: 3 } as StageJob,
  input,
  now: new Date('2026-03-01T12:00:00Z'),
});
const fail = (kind: Failure['kind'], final = false): AttemptOutcome => ({ kind: 'fail', failure: failure(kind), step: 'fetch', final });

describe('endOf', () => {
  it.each<[AttemptOutcome, string]>([
    [{ kind: 'done', output: 1 }, 'done'],
    [{ kind: 'skip', reason: 'unsupported_format', details: 'A poll.' }, 'done'],
    [{ kind: 'unknown', failure: failure('unknown_outcome'), step: 'publish' }, 'done'],
    [{ kind: 'cancelled' }, 'cancelled'],
    [{ kind: 'released', step: 'fetch' }, 'released'],
  ])('ends a job by its outcome: %j', (outcome, state) => {
    expect(endOf(outcome, ended(1), 10)).toEqual({ state });
  });

  it('lets a waiting step continue after its time', () => {
    expect(endOf({ kind: 'wait', seconds: 60, reason: 'Not ready.' }, ended(1), 10)).toEqual({
      state: 'waiting',
      inSeconds: 60,
      reason: 'Not ready.',
    });
  });

  it('retries a transient failure until the last attempt', () => {
    expect(endOf(fail('transient'), ended(2), 10)).toMatchObject({ state: 'retrying' });
    expect(endOf(fail('transient'), ended(3), 10)).toMatchObject({ state: 'dead' });
  });

  it('ends a final failure as dead on the first attempt', () => {
    expect(endOf(fail('transient', true), ended(1), 10)).toMatchObject({ state: 'dead' });
  });

  it("applies the stage's retry rule only to an attempt that has its input", () => {
    const stage = { retryRule: () => 'never' as const };
    expect(endOf(fail('transient'), ended(1, stage), 10)).toMatchObject({ state: 'dead' });
    expect(endOf(fail('transient'), { ...ended(1, stage), input: undefined }, 10)).toMatchObject({ state: 'retrying' });
    expect(endOf(fail('transient'), ended(1, stage, null), 10)).toMatchObject({ state: 'retrying' });
  });
});
