import type { Failure } from '../errors/failure';
import type { FailureKind } from '../errors/failure-kinds';
import { accountTroubleOf } from './account-trouble';

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
    expect(accountTroubleOf(failure(kind))).toEqual({ stop: { cause, reason: 'What happened.', nextAction: 'What to do.' } });
  });

  it.each([
    ['rate_limited', 'rate_limit'],
    ['quota_exceeded', 'quota'],
  ] as const)('%s holds it for the named time, else for an hour', (kind, cause) => {
    const held = accountTroubleOf(failure(kind, { retryAfterSeconds: 1200 }));
    expect(held).toEqual({ hold: { cause, reason: 'What happened.', seconds: 1200 } });
    expect(accountTroubleOf(failure(kind))).toMatchObject({ hold: { seconds: 3600 } });
  });

  it('is nothing where one post is meant', () => {
    for (const kind of ['transient', 'invalid_input', 'unsupported_media', 'conflict', 'not_configured', 'not_found'] as const) {
      expect(accountTroubleOf(failure(kind))).toBeNull();
    }
    expect(accountTroubleOf(failure('policy', { side: 'ours' }))).toBeNull();
  });
});
