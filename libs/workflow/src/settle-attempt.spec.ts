import { failureOf } from '@autoposter/domain';
import { contentItem, FakeDatabase, minutesFromNow, NOW, publishAttempt, queueItem } from '@autoposter/testkit';
import { requestReconcile, settleFailed, settlePublished, settleUnknown, transitionAttempt } from './settle-attempt';

const ACTOR = 'admin@example.com';
const failure = failureOf('publish_lost', { retried: false });

const fakeWith = (stubs: Record<string, unknown> = {}) =>
  new FakeDatabase({
    'queue.find': queueItem({ traceparent: 'trace' }),
    'queue.findForUpdate': queueItem({ status: 'posting' }),
    'items.findForUpdate': contentItem({ state: 'posting' }),
    'cases.reopenHeld': [],
    ...stubs,
  });
const steps = (fake: FakeDatabase) => ['attempts', 'queue', 'items'].map((name) => fake.argsOf(`${name}.transition`)[0]?.[1]);
/** A queue item and an item that a person changed meanwhile. */
const MOVED_ON = { 'queue.findForUpdate': queueItem({ status: 'cancelled' }), 'items.findForUpdate': contentItem({ state: 'ready' }) };
const GONE = { 'queue.findForUpdate': null, 'items.findForUpdate': null };

describe('settlePublished', () => {
  it('updates attempt, queue item and item', async () => {
    const fake = fakeWith();
    const at = minutesFromNow(-1);
    await settlePublished(
      fake.uow,
      publishAttempt({ state: 'intent' }),
      { mediaId: 'm1', permalink: 'https://x', mediaType: 'REELS', publishedAt: at },
      'answer' as never,
    );
    expect(steps(fake)).toEqual([
      {
        fromVersion: 1,
        from: 'intent',
        to: 'published',
        patch: { mediaId: 'm1', permalink: 'https://x', mediaType: 'REELS', publishedAt: at, settledBy: 'answer', failure: null },
      },
      { fromVersion: 1, from: 'posting', to: 'posted', patch: { finishedAt: at, outcome: null, failure: null } },
      { fromVersion: 1, from: 'posting', to: 'posted' },
    ]);
  });

  it('uses the database clock if the platform names no time', async () => {
    const fake = fakeWith();
    await settlePublished(fake.uow, publishAttempt(), { mediaId: null }, 'person');
    expect(steps(fake)[0]).toMatchObject({ patch: { mediaId: null, permalink: null, mediaType: null, publishedAt: NOW } });
  });

  it.each([
    ['before its call', -30, minutesFromNow(-20)],
    ['in the future', 30, NOW],
  ])('counts the interval to the next post by the database clock if the platform dates the post %s', async (_what, minutes, finishedAt) => {
    const fake = fakeWith();
    const publishedAt = minutesFromNow(minutes);
    const attempt = publishAttempt({ state: 'unknown', calledAt: minutesFromNow(-20) });
    await settlePublished(fake.uow, attempt, { mediaId: 'm1', publishedAt }, 'reconcile');
    expect(steps(fake)).toMatchObject([{ patch: { publishedAt } }, { to: 'posted', patch: { finishedAt } }, { to: 'posted' }]);
  });

  it.each([
    ['moved on', MOVED_ON],
    ['are gone', GONE],
  ])('leaves queue item and item that %s', async (_what, stubs) => {
    const fake = fakeWith(stubs);
    await settlePublished(fake.uow, publishAttempt(), { mediaId: 'm1' }, 'person');
    expect(steps(fake).slice(1)).toEqual([undefined, undefined]);
  });
});

describe('settlePublished of a post that counted as unpublished', () => {
  const late = async (stubs: Record<string, unknown>) => {
    const fake = fakeWith({ 'queue.findForUpdate': queueItem({ status: 'failed' }), ...stubs });
    await settlePublished(fake.uow, publishAttempt({ state: 'failed' }), { mediaId: 'm1' }, 'reconcile');
    return fake.argsOf('cases.open');
  };
  const claimed = { 'rights.findMatches': [{ kind: 'claim', id: 'claim-1', strength: 'block' }] };

  it.each(['blocked', 'discarded', 'deleted'] as const)('opens a case for the claim on an item that is %s', async (state) => {
    const opened = await late({ 'items.findForUpdate': contentItem({ state }), ...claimed });
    expect(opened).toMatchObject([
      [{ reason: 'claim', claimId: 'claim-1', itemId: 'item-1', itemState: state, state: 'open', dueInHours: 24 }],
    ]);
  });

  it('opens a case for a claim that names the item and does not allow it', async () => {
    const item = contentItem({ state: 'discarded', author: 'painter', subreddit: 'art' });
    const claim = { id: 'claim-2', title: 'Dusk', target: { kind: 'author', key: 'reddit:painter' } };
    const named = (allowed: object[]) => late({ 'items.findForUpdate': item, 'claims.onTargets': [{ ...claim, allowed }] });
    expect(await named([])).toMatchObject([[{ claimId: 'claim-2' }]]);
    expect(await named([{ kind: 'subreddit', key: 'art' }])).toEqual([]);
  });

  it('opens the case again that a claim closed when it stopped the item', async () => {
    expect(await late({ 'items.findForUpdate': contentItem({ state: 'blocked' }), ...claimed, 'cases.reopenHeld': ['claim-1'] })).toEqual(
      [],
    );
  });

  it('keeps as evidence what the item shows of the work, and that the claim names it', async () => {
    const item = contentItem({ state: 'discarded', author: 'painter' });
    const claim = { id: 'claim-1', title: 'Dusk', target: { kind: 'author', key: 'reddit:painter' }, allowed: [] };
    const stubs = { 'queue.findForUpdate': queueItem({ status: 'failed' }), 'items.findForUpdate': item, 'claims.onTargets': [claim] };
    const fake = fakeWith({ ...stubs, ...claimed });
    await settlePublished(fake.uow, publishAttempt({ state: 'failed' }), { mediaId: 'm1' }, 'reconcile');
    expect(fake.argsOf('provenance.append')).toContainEqual([
      'item-1',
      'claim',
      expect.objectContaining({ claimId: 'claim-1', verdict: 'blocked', named: 'author', matches: claimed['rights.findMatches'] }),
    ]);
  });

  it('opens the case within the deadline of the notice of its claim', async () => {
    const notice = { id: 'notice-1', receivedAt: NOW, counterReceivedAt: null, closedAt: null };
    const opened = await late({ 'items.findForUpdate': contentItem({ state: 'discarded' }), ...claimed, 'notices.ofClaim': notice });
    expect(opened).toMatchObject([[{ reason: 'notice', noticeId: 'notice-1', claimId: 'claim-1', dueAt: minutesFromNow(24 * 60) }]]);
  });

  it.each(['refused', 'revoked', 'expired'])('opens a case for a permission that was %s meanwhile, once', async (status) => {
    const stubs = {
      'items.findForUpdate': contentItem({ state: 'ready' }),
      'permissions.stateOf': { refusal: { code: `permission_${status}`, fields: { grantor: 'Ada' } } },
    };
    expect(await late(stubs)).toMatchObject([[{ reason: `permission_${status}`, claimId: null, itemId: 'item-1', state: 'open' }]]);
    expect(await late({ ...stubs, 'cases.reopenHeld': ['item-1'] })).toEqual([]);
  });

  it('opens none where a permission is missing that was not required before', async () => {
    expect(await late({ 'permissions.stateOf': { refusal: { code: 'permission_missing' } } })).toEqual([]);
  });

  it.each(['flag', 'pass'])('opens none for a match that is a %s', async (strength) => {
    expect(await late({ 'rights.findMatches': [{ kind: 'claim', id: 'claim-1', strength }] })).toEqual([]);
  });
});

describe('settleFailed', () => {
  it('fails attempt and queue item and makes the item ready, with the error', async () => {
    const fake = fakeWith();
    await settleFailed(fake.uow, publishAttempt(), failure, 'person');
    expect(steps(fake)).toMatchObject([
      { to: 'failed', patch: { failure, settledBy: 'person' } },
      { from: 'posting', to: 'failed', patch: { failure, outcome: null, finishedAt: NOW } },
      { from: 'posting', to: 'ready' },
    ]);
    const { message, nextAction, kind } = failure;
    expect(fake.argsOf('items.addError')).toEqual([['item-1', { stage: 'post', message, timestamp: NOW.toISOString(), nextAction, kind }]]);
  });

  it.each([
    ['moved on', MOVED_ON],
    ['are gone', GONE],
  ])('leaves queue item and item that %s', async (_what, stubs) => {
    const fake = fakeWith(stubs);
    await settleFailed(fake.uow, publishAttempt(), failure);
    expect([steps(fake).slice(1), fake.argsOf('items.addError')]).toEqual([[undefined, undefined], []]);
  });
});

describe('settleUnknown', () => {
  it('marks the outcome and requests reconciliation in the trace of the post', async () => {
    const fake = fakeWith();
    await settleUnknown(fake.uow, publishAttempt({ state: 'intent' }), { actor: ACTOR, correlationId: 'c' });
    expect([steps(fake)[0], fake.argsOf('queue.markOutcomeUnknown')]).toMatchObject([{ from: 'intent', to: 'unknown' }, [['queue-1']]]);
    expect(fake.argsOf('jobs.create')[0]?.[0]).toMatchObject({
      stage: 'reconcile',
      subjectId: 'attempt-1',
      messageKey: 'account-1',
      correlationId: 'c',
      traceparent: 'trace',
    });
  });
});

describe('requestReconcile', () => {
  it('needs no queue item', async () => {
    const fake = fakeWith({ 'queue.find': null });
    await requestReconcile(fake.uow, publishAttempt(), { actor: ACTOR });
    expect(fake.argsOf('jobs.create')[0]?.[0]).toMatchObject({ stage: 'reconcile', traceparent: null });
  });
});

describe('transitionAttempt', () => {
  it('throws, so that the transaction rolls back, if a locked attempt changed all the same', async () => {
    const fake = fakeWith({ 'attempts.transition': false });
    await expect(transitionAttempt(fake.uow, publishAttempt(), 'abandoned', {})).rejects.toThrow(
      'a locked attempt was changed concurrently',
    );
  });
});
