import type { FailureKind } from '@autoposter/contracts';
import type { Failure } from '../errors/failure';
import { admit, aiDay, CLOSED, concernsProvider, refused, type ProviderBreaker } from './provider-breaker';

const NOW = new Date('2026-03-01T12:00:00Z');
const later = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1000);
const failureOf = (kind: FailureKind, retryAt?: Date): Failure => ({
  code: 'gemini_overloaded',
  kind,
  message: 'No.',
  side: 'gemini',
  nextAction: 'Wait.',
  ...(retryAt ? { retryAt: retryAt.toISOString() } : {}),
});
const job = { jobId: 'one', byPerson: false };
const person = { jobId: 'one', byPerson: true };

describe('provider breaker', () => {
  it('stays open for the seconds that the provider asked for, counted on the clock that it is given', () => {
    const asked = refused(CLOSED, NOW, { ...failureOf('rate_limited'), retryAfterSeconds: 90 });
    expect(asked).toMatchObject({ retryAt: later(90), failure: { retryAt: later(90).toISOString() } });
    expect(asked.failure).not.toHaveProperty('retryAfterSeconds');
  });

  const open = refused(CLOSED, NOW, failureOf('quota_exceeded', later(7200)));

  it('admits every call while it is closed', () => {
    expect(admit(CLOSED, NOW, job)).toEqual({ admitted: true, probe: false });
  });

  it('holds every call back until the date that the provider names', () => {
    expect(open).toMatchObject({ retryAt: later(7200), refusals: 1 });
    expect(admit(open, later(7199), job)).toMatchObject({ admitted: false, retryAt: later(7200), failure: { kind: 'quota_exceeded' } });
    expect(admit(open, later(7200), job)).toEqual({ admitted: true, probe: true });
  });

  it('lets one job probe at a time, and another one once the probe is overdue', () => {
    const probing: ProviderBreaker = { ...open, probeJob: 'one', probeUntil: later(7290) };
    expect(admit(probing, later(7200), { ...job, jobId: 'two' })).toMatchObject({ admitted: false, retryAt: later(7215) });
    expect(admit(probing, later(7200), job)).toMatchObject({ admitted: true });
    expect(admit(probing, later(7291), { ...job, jobId: 'two' })).toMatchObject({ admitted: true, probe: true });
  });

  it('lets a person probe early, but not right after a refusal', () => {
    expect(admit(open, later(299), person)).toMatchObject({ admitted: false });
    expect(admit(open, later(300), person)).toEqual({ admitted: true, probe: true });
  });

  it.each(['not_authorised', 'not_configured', 'not_offered'] as const)('lets a person check soon whether %s is repaired', (kind) => {
    const refusal = refused(CLOSED, NOW, failureOf(kind));
    expect(admit(refusal, later(9), person)).toMatchObject({ admitted: false });
    expect(admit(refusal, later(10), job)).toMatchObject({ admitted: false });
    expect(admit(refusal, later(10), person)).toEqual({ admitted: true, probe: true });
  });

  it('doubles the pause with each refused probe, up to an hour', () => {
    let breaker: ProviderBreaker = CLOSED;
    const pauses: number[] = [];
    for (let probe = 0; probe < 8; probe += 1) {
      breaker = refused({ ...breaker, probeJob: 'one' }, NOW, failureOf('rate_limited'));
      pauses.push(((breaker.retryAt?.getTime() ?? 0) - NOW.getTime()) / 1000);
    }
    expect(pauses).toEqual([60, 120, 240, 480, 960, 1920, 3600, 3600]);
  });

  it('counts refusals of calls that were under way when it opened once, and keeps the later date', () => {
    const again = refused(open, later(1), failureOf('rate_limited', later(30)));
    expect(again).toMatchObject({ refusals: 1, retryAt: later(7200) });
  });

  it('takes quota, key and model for trouble of the provider, and a refused post for trouble of the post', () => {
    for (const kind of ['rate_limited', 'quota_exceeded', 'not_authorised', 'not_configured', 'not_offered'] as const)
      expect(concernsProvider(failureOf(kind))).toBe(true);
    for (const kind of ['policy', 'transient', 'too_large', 'upstream_rejected'] as const)
      expect(concernsProvider(failureOf(kind))).toBe(false);
    expect(concernsProvider({ ...failureOf('not_authorised'), side: 'storage' })).toBe(false);
  });
});

describe('day of a provider', () => {
  it.each([
    ['2026-07-01T06:59:00Z', '2026-06-30', '2026-07-01T07:00:00.000Z'],
    ['2026-07-01T07:00:00Z', '2026-07-01', '2026-07-02T07:00:00.000Z'],
    ['2026-12-31T23:30:00Z', '2026-12-31', '2027-01-01T08:00:00.000Z'],
    // 23 and 25 hours
    ['2026-03-08T08:00:00Z', '2026-03-08', '2026-03-09T07:00:00.000Z'],
    ['2026-11-01T07:00:00Z', '2026-11-01', '2026-11-02T08:00:00.000Z'],
  ])('of Gemini at %s is %s in Pacific time and ends at %s', (now, day, endsAt) => {
    expect(aiDay('gemini', new Date(now))).toEqual({ day, endsAt: new Date(endsAt) });
  });

  it('ends the day of Groq at midnight UTC', () => {
    expect(aiDay('groq', NOW)).toEqual({ day: '2026-03-01', endsAt: new Date('2026-03-02T00:00:00Z') });
  });
});
