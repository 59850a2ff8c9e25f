import type { FailureKind } from '@autoposter/contracts';
import { type Failure, failureOf } from '../errors/failure';
import { accountTroubleOf, ofConnectedAccount, publishUnanswered, repeatedFailure } from './account-trouble';

const failure = (kind: FailureKind, more: Partial<Failure> = {}): Failure => ({
  code: 'instagram_unknown_error',
  kind,
  message: 'What happened.',
  side: 'instagram',
  nextAction: 'What to do.',
  ...more,
});

describe('accountTroubleOf', () => {
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

  it('is null for a failure of one post', () => {
    for (const kind of ['transient', 'invalid_input', 'unsupported_media', 'conflict', 'not_configured', 'not_found'] as const) {
      expect(accountTroubleOf(failure(kind))).toBeNull();
    }
    expect(accountTroubleOf(failure('policy', { side: 'ours' }))).toBeNull();
  });
});

describe('repeatedFailure', () => {
  const refused = (code: number, more: Partial<Failure> = {}) => ({
    failure: failure('upstream_rejected', { code: 'instagram_value_refused', detail: { code, subcode: null }, ...more }),
  });
  const published = { failure: null };

  it('stops the account with the cause and the next action', () => {
    expect(repeatedFailure([refused(100), refused(100)], 2)).toEqual({
      cause: 'account',
      reason: 'Instagram refused 2 posts in a row for the same reason: What happened.',
      nextAction: 'Remove the cause, then resume publishing; every post keeps its place in the queue.',
    });
  });

  it('stops the account after as many failures as the queue allows', () => {
    const three = [refused(100), refused(100), refused(100)];
    expect([repeatedFailure(three.slice(1), 3), repeatedFailure([refused(100), published], 1)?.cause]).toEqual([null, 'account']);
    expect(repeatedFailure(three, 3)?.reason).toContain('refused 3 posts in a row');
  });

  it('stops the account if the refused value is a defect of ours', () => {
    const ours = refused(100, { side: 'ours' });
    expect(repeatedFailure([ours, ours], 2)).toMatchObject({ cause: 'account' });
  });

  it('stops the account at the first refusal that the contract does not list', () => {
    for (const code of ['instagram_refused', 'instagram_processing_unlisted'] as const)
      expect(repeatedFailure([refused(77, { code }), published], 2)).toMatchObject({ cause: 'account' });
  });

  it('stops the account if the platform answered publish calls whose outcomes are unknown', () => {
    const answered = { failure: failure('unknown_outcome', { code: 'publication_undecided', answer: refused(100).failure }) };
    expect(repeatedFailure([refused(100), answered], 2)).toMatchObject({ cause: 'account' });
  });

  it.each([
    ['nothing ended', []],
    ['the newest was published', [published, refused(100), refused(100)]],
    ['one failed', [refused(100)]],
    ['a published one is between them', [refused(100), published, refused(100)]],
    ['the codes of the platform differ', [refused(100), refused(9004)]],
    ['the codes differ', [refused(100), refused(100, { code: 'media_lost_twice' })]],
    ['the platform did not refuse', Array(2).fill({ failure: failure('invalid_input', { side: 'operator', code: 'caption_refused' }) })],
  ])('does not stop the account if %s', (_when, newest) => {
    expect(repeatedFailure(newest, 2)).toBeNull();
  });
});

describe('publishUnanswered', () => {
  const answerOf = (kind: FailureKind, status: number) => {
    const said = failure(kind, { detail: { status, code: 506 } });
    return publishUnanswered({ code: '506', message: 'No.', failure: said }).answer?.kind;
  };

  it('keeps an error that no retry resolves', () => {
    expect(answerOf('conflict', 400)).toBe('conflict');
  });

  it('keeps the details of every answer', () => {
    const said = failure('transient', { detail: { status: 503, code: 2, userMessage: 'Inténtalo más tarde.' } });
    const { detail } = publishUnanswered({ code: '2', message: 'No.', failure: said });
    expect(detail).toEqual({ status: 503, code: '2', userMessage: 'Inténtalo más tarde.' });
  });

  it('keeps no passing error, no server error and no missing answer', () => {
    expect([answerOf('transient', 400), answerOf('rate_limited', 400), answerOf('conflict', 503)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(publishUnanswered({ code: null, message: 'Cut.' })).not.toHaveProperty('answer');
  });
});

describe('ofConnectedAccount', () => {
  it.each([
    ['instagram_token_expired', 'Connect the account again under Settings.'],
    ['instagram_permission_missing', 'Connect the account again and grant all permissions that the login lists.'],
    ['instagram_checkpoint', 'Sign in at Instagram or Facebook, then connect the account again under Settings.'],
    ['instagram_object_unknown', 'Check the account under Settings; it says what is wrong and connects it again.'],
  ] as const)('says of %s what to do without a variable of the environment', (code, nextAction) => {
    const found = ofConnectedAccount(failureOf(code));
    expect(found).toMatchObject({ code, nextAction, message: failureOf(code).message });
  });

  it('does not change other failures', () => {
    const spam = failureOf('instagram_spam_suspected');
    expect(ofConnectedAccount(spam)).toBe(spam);
  });
});
