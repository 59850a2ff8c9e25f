import type { Failure, FailureKind } from '../errors/failure';
import { accountTroubleOf } from './account-trouble';

const now = new Date('2026-11-21T12:00:00Z');
const failure = (kind: FailureKind, more: Partial<Failure> = {}): Failure => ({
  kind,
  message: 'What happened.',
  side: 'instagram',
  nextAction: 'What to do.',
  ...more,
});

describe('what a failure says about the whole account', () => {
  it.each([
    ['not_authorised', 'token'],
    ['policy', 'account'],
  ] as const)('%s stops it because of the %s, with what to do', (kind, cause) => {
    expect(accountTroubleOf(failure(kind), now)).toEqual({ stop: { cause, reason: 'What happened.', nextAction: 'What to do.' } });
  });

  it.each([
    ['rate_limited', 'rate_limit'],
    ['quota_exceeded', 'quota'],
  ] as const)('%s holds it until the named time, else for an hour', (kind, cause) => {
    const retryAt = '2026-11-21T12:20:00.000Z';
    expect(accountTroubleOf(failure(kind, { retryAt }), now)).toEqual({ hold: { cause, reason: 'What happened.', until: retryAt } });
    expect(accountTroubleOf(failure(kind), now)).toMatchObject({ hold: { until: '2026-11-21T13:00:00.000Z' } });
  });

  it('is nothing where one post is meant', () => {
    for (const kind of ['transient', 'invalid_input', 'unsupported_media', 'conflict', 'not_configured', 'not_found'] as const) {
      expect(accountTroubleOf(failure(kind), now)).toBeNull();
    }
    expect(accountTroubleOf(failure('policy', { side: 'ours' }), now)).toBeNull();
  });
});
