import { FAILURE_KINDS } from '@autoposter/contracts';
import { type Failure, FAILURE_POLICY, failureOf } from '@autoposter/domain';
import { backoffSeconds, decideFailure, MAX_PAUSE_SECONDS } from './decide-failure';

const NOW = new Date('2026-03-01T12:00:00Z');
const attempt = (attempts: number, startedAt: Date | null = NOW) => ({ attempts, maxAttempts: 3, startedAt });
const stored = (kind: Failure['kind'], retryAt?: string): Failure => ({
  code: 'unexpected_error',
  kind,
  message: 'No.',
  side: 'ours',
  nextAction: 'Wait.',
  ...(retryAt ? { retryAt } : {}),
});

describe('backoffSeconds', () => {
  it('quadruples the pause with each attempt, up to a limit', () => {
    expect([1, 2, 3, 4].map((attempt) => backoffSeconds(attempt, 10, 1))).toEqual([10, 40, 160, 640]);
    expect(backoffSeconds(50, 10, 1)).toBe(MAX_PAUSE_SECONDS);
  });

  it('spreads retries between 10 % and 100 % of the pause', () => {
    expect(backoffSeconds(2, 10, 0)).toBeCloseTo(4);
    expect(backoffSeconds(2, 10, 0.5)).toBeCloseTo(22);
  });
});

describe('decideFailure', () => {
  it.each(FAILURE_KINDS)('knows what %s means for a job', (kind) => {
    const expected = { backoff: 'retrying', outage: 'retrying', wait: 'waiting', never: 'dead' }[FAILURE_POLICY[kind]];
    expect(decideFailure(stored(kind), attempt(1), NOW, 10).state).toBe(expected);
  });

  it('ends as dead after the last attempt, except for quota failures', () => {
    expect(decideFailure(stored('transient'), attempt(3), NOW, 10).state).toBe('dead');
    expect(decideFailure(stored('quota_exceeded'), attempt(3), NOW, 10).state).toBe('waiting');
  });

  it.each([
    ['reddit_failed', 'It is retried automatically.', 'It was tried 3 times; retry it by hand once the cause is fixed.'],
    [
      'media_disk_full',
      'It is retried automatically. Free disk space.',
      'It was tried 3 times; retry it by hand once the cause is fixed. Free disk space.',
    ],
  ] as const)('promises no further retry after the last attempt: %s', (code, before, after) => {
    const failure = failureOf(code);
    expect(decideFailure(failure, attempt(2), NOW, 10)).toMatchObject({
      state: 'retrying',
      failure: { nextAction: before },
    });
    expect(decideFailure(failure, attempt(3), NOW, 10)).toMatchObject({
      state: 'dead',
      failure: { nextAction: after },
    });
  });

  it('promises no retry where a stage rules out what its kind allows', () => {
    const ended = decideFailure(failureOf('reddit_pause'), attempt(1), NOW, 10, 'never');
    expect(ended).toMatchObject({ state: 'dead', failure: { nextAction: 'It was tried once; retry it by hand once the cause is fixed.' } });
  });

  it('keeps the sentences of a failure that no retry would change', () => {
    const failure = failureOf('groq_key_rejected');
    expect(decideFailure(failure, attempt(3), NOW, 10)).toEqual({ state: 'dead', failure });
  });

  it.each([
    ['at its start', 0, 30],
    ['after four minutes', 240, 60],
    ['after a day', 24 * 3600, 600],
  ])('outlasts an outage without using up attempts: %s', (_when, seconds, inSeconds) => {
    const failure = failureOf('storage_unavailable', { fields: { operation: 'reading', code: 'ECONNREFUSED' } });
    const startedAt = new Date(NOW.getTime() - seconds * 1000);
    expect(decideFailure(failure, attempt(3, startedAt), NOW, 10)).toEqual({ state: 'retrying', inSeconds, failure, counts: false });
  });

  it('counts what still fails a day after the first attempt', () => {
    const startedAt = new Date(NOW.getTime() - 24 * 3_600_000 - 1);
    expect(decideFailure(failureOf('disk_full'), attempt(2, startedAt), NOW, 10)).toMatchObject({ state: 'retrying' });
    expect(decideFailure(failureOf('disk_full'), attempt(3, startedAt), NOW, 10)).toMatchObject({
      state: 'dead',
      failure: { nextAction: 'It was tried 3 times; retry it by hand once the cause is fixed. Free disk space.' },
    });
  });

  it.each([
    [120, 120],
    [undefined, 10],
    [200_000, 3600],
  ])('retries no earlier than the external system allows (%s s), and within the hour', (retryAfterSeconds, atLeast) => {
    const failure = { ...stored('transient'), ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) };
    jest.spyOn(Math, 'random').mockReturnValue(1);
    const end = decideFailure(failure, attempt(1), NOW, 10);
    jest.restoreAllMocks();
    expect(end).toMatchObject({ state: 'retrying', inSeconds: atLeast });
  });

  it.each([
    ['2026-03-01T12:05:00Z', 300],
    ['2026-03-01T11:00:00Z', 1],
    ['2027-03-01T12:00:00Z', 26 * 3600],
    ['soon', 3600],
    [undefined, 3600],
  ])('waits until %s', (retryAt, seconds) => {
    expect(decideFailure(stored('quota_exceeded', retryAt), attempt(1), NOW, 10)).toMatchObject({
      state: 'waiting',
      inSeconds: seconds,
    });
  });

  it.each([
    [3600, 3600],
    [0, 1],
    [200_000, 26 * 3600],
  ])('waits for %d seconds whatever the clocks say', (retryAfterSeconds, inSeconds) => {
    const failure = { ...stored('rate_limited'), retryAfterSeconds };
    for (const now of [NOW, new Date(0), new Date('2040-01-01')])
      expect(decideFailure(failure, attempt(1), now, 10)).toMatchObject({ state: 'waiting', inSeconds });
  });
});
