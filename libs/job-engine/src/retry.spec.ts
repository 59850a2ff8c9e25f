import { type Failure, FAILURE_KINDS, FAILURE_POLICY } from '@autoposter/domain';
import { decideFailure } from './decide-failure';
import { backoffSeconds, LONGEST_PAUSE_SECONDS } from './retry';

const NOW = new Date('2026-03-01T12:00:00Z');
const failureOf = (kind: Failure['kind'], retryAt?: string): Failure => ({
  kind,
  message: 'No.',
  side: 'ours',
  nextAction: 'Wait.',
  ...(retryAt ? { retryAt } : {}),
});

describe('backoffSeconds', () => {
  it('waits longer with each attempt, up to a limit', () => {
    expect([1, 2, 3, 4].map((attempt) => backoffSeconds(attempt, 10, 1))).toEqual([10, 40, 160, 640]);
    expect(backoffSeconds(50, 10, 1)).toBe(LONGEST_PAUSE_SECONDS);
  });

  it('spreads over the whole of its time, but never comes back at once', () => {
    expect(backoffSeconds(2, 10, 0)).toBeCloseTo(4);
    expect(backoffSeconds(2, 10, 0.5)).toBeCloseTo(22);
  });
});

describe('decideFailure', () => {
  it.each(FAILURE_KINDS)('knows what %s means for a job', (kind) => {
    const expected = { backoff: 'retrying', wait: 'waiting', never: 'dead' }[FAILURE_POLICY[kind]];
    expect(decideFailure(failureOf(kind), { attempts: 1, maxAttempts: 3 }, NOW, 10).state).toBe(expected);
  });

  it('gives up with the last attempt, but never for a quota', () => {
    expect(decideFailure(failureOf('transient'), { attempts: 3, maxAttempts: 3 }, NOW, 10).state).toBe('dead');
    expect(decideFailure(failureOf('quota_exceeded'), { attempts: 3, maxAttempts: 3 }, NOW, 10).state).toBe('waiting');
  });

  it.each([
    ['It is tried again by itself.', 'It was tried 3 times; try it again by hand once the cause is gone.'],
    ['Nothing: it is tried again by itself.', 'It was tried 3 times; try it again by hand once the cause is gone.'],
    [
      'Look at the log; it is fetched again by itself.',
      'Look at the log; it was tried 3 times; try it again by hand once the cause is gone.',
    ],
    ['Free the disk.', 'Free the disk.'],
  ])('promises no further try with the last one: %s', (nextAction, told) => {
    const failure = { ...failureOf('transient'), nextAction };
    expect(decideFailure(failure, { attempts: 3, maxAttempts: 3 }, NOW, 10)).toMatchObject({
      state: 'dead',
      failure: { nextAction: told },
    });
    expect(decideFailure(failure, { attempts: 2, maxAttempts: 3 }, NOW, 10)).toMatchObject({ state: 'retrying', failure: { nextAction } });
  });

  it.each([
    ['2026-03-01T12:05:00Z', 300],
    ['2026-03-01T11:00:00Z', 1],
    ['2027-03-01T12:00:00Z', 26 * 3600],
    ['soon', 3600],
    [undefined, 3600],
  ])('waits until %s', (retryAt, seconds) => {
    expect(decideFailure(failureOf('quota_exceeded', retryAt), { attempts: 1, maxAttempts: 3 }, NOW, 10)).toMatchObject({
      state: 'waiting',
      inSeconds: seconds,
    });
  });

  it.each([
    [3600, 3600],
    [0, 1],
    [200_000, 26 * 3600],
  ])('waits for %d seconds whatever the clocks say', (retryAfterSeconds, inSeconds) => {
    const failure = { ...failureOf('rate_limited'), retryAfterSeconds };
    for (const now of [NOW, new Date(0), new Date('2040-01-01')])
      expect(decideFailure(failure, { attempts: 1, maxAttempts: 3 }, now, 10)).toMatchObject({ state: 'waiting', inSeconds });
  });
});
