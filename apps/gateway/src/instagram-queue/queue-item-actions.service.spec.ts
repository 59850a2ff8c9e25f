import { failureOf } from '@autoposter/domain';
import type { PublishAttempt, QueueItem } from '@autoposter/persistence';
import { contentItem, FakeDatabase, minutesFromNow, NOW, publishAttempt, queueItem } from '@autoposter/testkit';
import { gatewaySettings, storedSettings } from '../testing/fake-settings';
import { QueueItemActionsService } from './queue-item-actions.service';
import { asReply } from '../testing/as-reply';

const ACTOR = 'admin@example.com';

function arrange(place: Partial<QueueItem> | null, stubs: Record<string, unknown> = {}) {
  const found = place && queueItem(place);
  const fake = new FakeDatabase({ 'queue.find': found, 'queue.findForUpdate': found, 'items.findForUpdate': contentItem(), ...stubs });
  return { fake, service: new QueueItemActionsService(fake.database, storedSettings(), gatewaySettings()) };
}
const withAttempt = (values: Partial<PublishAttempt>) => {
  const attempt = publishAttempt(values);
  return { 'attempts.findOpenOf': attempt, 'attempts.lockAfterJobs': attempt, 'attempts.lock': attempt };
};
const MISSING = { refusal: { code: 'permission_missing' }, credit: null, collaborator: null };
const TOO_LATE = 'This post was already sent to Instagram and cannot be removed from the queue; its outcome is being reconciled.';

describe('QueueItemActionsService.retryAll', () => {
  it('counts a post that was deleted meanwhile as refused and records the summary', async () => {
    const failed = { status: 'failed', finishedAt: NOW } as const;
    const { fake, service } = arrange(failed, { 'failures.failedWith': ['queue-1', 'queue-2'], 'items.findForUpdate': null });
    expect(await service.retryAll('timeout', ACTOR, 'account-2')).toEqual({ retried: 0, refused: 2 });
    expect(fake.argsOf('failures.failedWith')[0]).toEqual(['timeout', 500, 'account-2']);
    expect(fake.auditActions).toEqual(['failures.retried']);
  });
});

describe('QueueItemActionsService.retry', () => {
  const failed = { status: 'failed', finishedAt: NOW, pinned: true, immediate: true } as const;

  it('queues a failed post again without its former slot', async () => {
    const { fake, service } = arrange(failed);
    await service.retry('queue-1', ACTOR);
    const patch = {
      caption: 'Queued caption',
      queuedAt: NOW,
      scheduledFor: null,
      finishedAt: null,
      failure: null,
      outcome: null,
      pinned: false,
      immediate: false,
    };
    expect(fake.argsOf('queue.transition')[0]?.[1]).toMatchObject({ from: 'failed', to: 'pending', patch });
    expect(fake.argsOf('items.transition')[0]?.[1]).toMatchObject({ from: 'ready', to: 'queued' });
    expect([fake.events, fake.auditActions]).toMatchObject([[{ type: 'item.queued' }], ['queue.retried']]);
  });

  it.each([
    ['the caption that was edited since', { editedAt: minutesFromNow(1) }, 'Edited'],
    ['the caption that a model wrote since', { editedAt: null, processedAt: minutesFromNow(1) }, 'Edited'],
    ['the queued caption if it was edited before', { editedAt: minutesFromNow(-1) }, 'Queued caption'],
  ])('uses %s', async (_what, times, caption) => {
    const { fake, service } = arrange(failed, { 'captions.of': { caption: 'Edited', hashtags: [], ...times } });
    await service.retry('queue-1', ACTOR);
    const { patch } = fake.argsOf('queue.transition')[0]?.[1] as { patch: { caption: string } };
    expect(patch.caption.split('\n')[0]).toBe(caption);
  });

  it.each([
    ['an unknown queue item', null, {}, 404, 'There is no such queue item.'],
    ['a waiting post', { status: 'pending' }, {}, 409, 'Only a failed post can be retried; this one is pending.'],
    ['a deleted item', failed, { 'items.findForUpdate': null }, 404, 'There is no such post.'],
    ['a queued item', failed, { 'items.findForUpdate': contentItem({ state: 'queued' }) }, 409, 'This post is already in the queue.'],
    [
      'a published post',
      failed,
      { 'attempts.ofItems': new Map([['item-1', publishAttempt({ state: 'published' })]]) },
      409,
      'This post was already published.',
    ],
    ['a post with an unknown outcome', failed, withAttempt({ state: 'unknown' }), 409, 'is unknown; it is being reconciled'],
    ['a post without permission', failed, { 'permissions.stateOf': MISSING }, 422, 'requires the permission'],
    [
      'an edited caption that is too long',
      failed,
      { 'captions.of': { caption: 'x'.repeat(2_201), hashtags: [], editedAt: minutesFromNow(1) } },
      422,
      '2200',
    ],
  ] as const)('refuses %s', async (_what, place, stubs, status, message) => {
    const { fake, service } = arrange(place, stubs);
    await expect(asReply(service.retry('queue-1', ACTOR))).rejects.toMatchObject({
      status,
      message: expect.stringContaining(message) as string,
    });
    expect([fake.argsOf('queue.transition'), fake.auditActions]).toEqual([[], []]);
  });
});

describe('QueueItemActionsService.publishedInApp', () => {
  const failed = { status: 'failed', finishedAt: NOW } as const;
  const attempt = publishAttempt({ state: 'failed', queueItemId: 'queue-1' });
  const known = { 'attempts.ofItems': new Map([['item-1', attempt]]), 'attempts.lock': attempt };

  it('publishes the failed attempt, queue item and item on the word of the administrator', async () => {
    const { fake, service } = arrange(failed, known);
    await service.publishedInApp('queue-1', { permalink: 'https://www.instagram.com/p/x/' }, ACTOR);
    const patch = { mediaId: null, permalink: 'https://www.instagram.com/p/x/', settledBy: 'person', failure: null };
    expect(fake.argsOf('attempts.transition')[0]?.[1]).toMatchObject({ from: 'failed', to: 'published', patch });
    expect(fake.argsOf('queue.transition')[0]?.[1]).toMatchObject({ from: 'failed', to: 'posted' });
    expect(fake.argsOf('items.transition').map(([, change]) => (change as { to: string }).to)).toEqual(['queued', 'posting', 'posted']);
    expect(fake.argsOf('attempts.patch')[0]).toEqual([attempt.id, { nextCheckAt: NOW }]);
    expect([fake.events, fake.auditActions]).toMatchObject([[{ type: 'post.completed', state: 'posted' }], ['queue.published_in_app']]);
  });

  it('records what is on the account although a claim has blocked the post since', async () => {
    const { fake, service } = arrange(failed, { ...known, 'items.findForUpdate': contentItem({ state: 'blocked' }) });
    await service.publishedInApp('queue-1', {}, ACTOR);
    expect(fake.argsOf('attempts.transition')[0]?.[1]).toMatchObject({ to: 'published' });
    expect([fake.argsOf('items.transition'), fake.events]).toMatchObject([[], [{ type: 'post.completed', state: 'blocked' }]]);
  });

  it.each([
    ['an unknown queue item', null, {}, 404, 'There is no such queue item.'],
    ['a waiting post', { status: 'pending' }, {}, 409, 'Only a failed post can be published in the app instead; this one is pending.'],
    ['a queued item', failed, { ...known, 'items.findForUpdate': contentItem({ state: 'queued' }) }, 409, 'already in the queue'],
    ['a post with an unknown outcome', failed, withAttempt({ state: 'unknown' }), 409, 'is unknown; it is being reconciled'],
  ] as const)('refuses %s', async (_what, place, stubs, status, message) => {
    const { fake, service } = arrange(place, stubs);
    const refused = { status, message: expect.stringContaining(message) as string };
    await expect(asReply(service.publishedInApp('queue-1', {}, ACTOR))).rejects.toMatchObject(refused);
    expect([fake.argsOf('queue.transition'), fake.auditActions]).toEqual([[], []]);
  });
});

describe('QueueItemActionsService.inAppTask', () => {
  const CLAIM = { kind: 'claim', id: 'claim-1', title: 'Dusk', by: 'sha256', distance: 0, matched: 1, compared: 1, strength: 'block' };
  const refused = { status: 'failed', finishedAt: NOW, failure: failureOf('instagram_video_format') } as const;
  const free = { 'items.find': contentItem(), 'media.ofItem': [{ fileName: 'a.mp4' }] };

  it('gives out the files of a post that the API refused for good', async () => {
    const { service } = arrange(refused, free);
    expect(await service.inAppTask('queue-1')).toMatchObject({ queueItem: { id: 'queue-1' }, files: [{ fileName: 'a.mp4' }] });
  });

  it.each([
    ['an unknown queue item', null, {}, 404, 'There is no such queue item.'],
    ['a waiting post', { ...refused, status: 'pending' }, {}, 409, 'this one is pending.'],
    ['a post whose failure can be resolved', { ...refused, failure: failureOf('instagram_token_expired') }, {}, 409, 'did not refuse'],
    ['a blocked item', refused, { 'items.findForUpdate': contentItem({ state: 'blocked' }) }, 409, ''],
    ['a post that may be published', refused, withAttempt({ state: 'unknown' }), 409, 'is unknown; it is being reconciled'],
    ['a claimed work', refused, { 'rights.findMatches': [CLAIM] }, 409, 'Shows the claimed work'],
    ['a post without permission', refused, { 'permissions.stateOf': MISSING }, 409, 'permission'],
  ] as const)('refuses %s', async (_what, place, stubs, status, message) => {
    const { service } = arrange(place, { ...free, ...stubs });
    const answer = { status, message: expect.stringContaining(message) as string };
    await expect(asReply(service.inAppTask('queue-1'))).rejects.toMatchObject(answer);
  });
});

describe('QueueItemActionsService.remove', () => {
  it.each(['pending', 'scheduled'] as const)('removes a post that is %s and makes its item ready', async (status) => {
    const { fake, service } = arrange({ status }, { 'items.findForUpdate': contentItem({ state: 'queued' }) });
    await service.remove('queue-1', ACTOR);
    expect(fake.argsOf('queue.transition')[0]?.[1]).toMatchObject({ from: status, to: 'cancelled', patch: { finishedAt: NOW } });
    expect(fake.argsOf('items.transition')[0]?.[1]).toMatchObject({ from: 'queued', to: 'ready' });
    expect([fake.events.map(({ type }) => type), fake.auditActions]).toEqual([['item.unqueued', 'queue.changed'], ['queue.removed']]);
  });

  it.each(['open', 'container'] as const)('abandons an attempt that is %s, after cancelling its job', async (state) => {
    const { fake, service } = arrange(
      { status: 'posting' },
      { ...withAttempt({ state }), 'items.findForUpdate': contentItem({ state: 'posting' }) },
    );
    await service.remove('queue-1', ACTOR);
    expect(fake.argsOf('jobs.cancelOpen')).toEqual([['attempt-1']]);
    expect(fake.argsOf('attempts.transition')[0]?.[1]).toMatchObject({ from: state, to: 'abandoned', patch: { settledBy: 'person' } });
    expect(fake.argsOf('items.transition')[0]?.[1]).toMatchObject({ from: 'posting', to: 'ready' });
    expect(fake.argsOf('audit.record')[0]?.[0]).toMatchObject({ detail: { attempt: 'attempt-1' } });
  });

  it.each([
    ['an unknown queue item', null, {}, 404, 'There is no such queue item.'],
    ['a published post', { status: 'posted' }, {}, 409, 'This post was already published.'],
    ['a failed post', { status: 'failed' }, {}, 409, 'This post is no longer in the queue: it could not be published.'],
    ['a removed post', { status: 'cancelled' }, {}, 409, 'This post was already removed from the queue.'],
    ['a post after its intent', { status: 'posting' }, withAttempt({ state: 'intent' }), 409, TOO_LATE],
    ['a post that Instagram refused before', { status: 'posting' }, withAttempt({ state: 'container', calledAt: NOW }), 409, TOO_LATE],
    ['a post with an unknown outcome', { status: 'posting' }, withAttempt({ state: 'unknown' }), 409, TOO_LATE],
    ['a post whose outcome was unknown', { status: 'posting', outcome: 'unknown' }, withAttempt({ state: 'container' }), 409, TOO_LATE],
    ['a post whose attempt ended', { status: 'posting' }, {}, 409, TOO_LATE],
    ['a post whose open attempt is of another queue item', { status: 'posting' }, withAttempt({ queueItemId: 'other' }), 409, TOO_LATE],
  ] as const)('refuses %s', async (_what, place, stubs, status, message) => {
    const { fake, service } = arrange(place, stubs);
    await expect(asReply(service.remove('queue-1', ACTOR))).rejects.toMatchObject({ status, message });
    expect([fake.argsOf('queue.transition'), fake.argsOf('jobs.cancelOpen'), fake.auditActions]).toEqual([[], [], []]);
  });
});

describe('QueueItemActionsService.resolveOutcome', () => {
  const calledAt = minutesFromNow(-10);
  const CALLED = { state: 'unknown', containerId: 'c1', intentAt: calledAt, calledAt } as const;
  const unknown = withAttempt(CALLED);
  const resolve = (body: object, place: Partial<QueueItem> | null = { status: 'posting' }, stubs: Record<string, unknown> = unknown) => {
    const posting = contentItem({ state: 'posting' });
    const arranged = arrange(place, { 'attempts.findLinked': new Map(), 'items.findForUpdate': posting, ...stubs });
    return { ...arranged, done: arranged.service.resolveOutcome('queue-1', body as never, ACTOR) };
  };

  it('marks a live post as published at the time of its call', async () => {
    const { fake, done } = resolve({ outcome: 'live', mediaId: '17', permalink: 'https://x' });
    await done;
    const patch = { mediaId: '17', permalink: 'https://x', mediaType: 'REELS', publishedAt: calledAt, settledBy: 'person', failure: null };
    expect(fake.argsOf('attempts.transition')[0]?.[1]).toMatchObject({ from: 'unknown', to: 'published', patch });
    expect(fake.argsOf('queue.transition')[0]?.[1]).toMatchObject({ to: 'posted' });
    expect(fake.argsOf('items.transition')[0]?.[1]).toMatchObject({ to: 'posted' });
    expect([fake.events, fake.auditActions]).toMatchObject([[{ type: 'post.completed', state: 'posted' }], ['queue.settled_live']]);
  });

  it.each([
    ['may still be published', -20],
    // whether it was published before, only the platform knows
    ['has expired unless it was published', -1500],
  ])('reconciles an absent post whose container %s, at once and without another container', async (_what, minutes) => {
    const { fake, done } = resolve(
      { outcome: 'absent' },
      { status: 'posting' },
      withAttempt({ ...CALLED, calledAt: minutesFromNow(minutes) }),
    );
    await done;
    expect([fake.argsOf('attempts.transition'), fake.argsOf('items.transition')]).toEqual([[], []]);
    expect(fake.argsOf('attempts.patch')[0]?.[1]).toMatchObject({ absentAt: NOW, nextCheckAt: null });
    expect(fake.argsOf('jobs.cancelOpen')).toEqual([['attempt-1']]);
    expect(fake.argsOf('jobs.create').map(([job]) => (job as { stage: string }).stage)).toEqual(['reconcile']);
    expect(fake.events.map(({ type }) => type)).toEqual(['reconcile.requested', 'post.unknown']);
    expect(fake.auditActions).toEqual(['queue.settled_absent']);
  });

  it('makes an absent post without a container ready again', async () => {
    const { fake, done } = resolve({ outcome: 'absent' }, { status: 'posting' }, withAttempt({ ...CALLED, containerId: null }));
    await done;
    expect(fake.argsOf('attempts.transition')[0]?.[1]).toMatchObject({
      to: 'failed',
      patch: { failure: { code: 'absent_by_person' }, settledBy: 'person' },
    });
    expect(fake.argsOf('items.transition')[0]?.[1]).toMatchObject({ from: 'posting', to: 'ready' });
    expect([fake.events, fake.auditActions]).toMatchObject([[{ type: 'post.failed', state: 'ready' }], ['queue.settled_absent']]);
  });

  it.each([
    ['an unknown queue item', { outcome: 'absent' }, null, unknown, 404, 'There is no such queue item.'],
    [
      'a post without an open attempt',
      { outcome: 'absent' },
      { status: 'posted' },
      {},
      409,
      'Only a post with an unknown outcome can be resolved by hand; this one is posted.',
    ],
    [
      'a post with a known outcome',
      { outcome: 'absent' },
      { status: 'posting' },
      withAttempt({ state: 'container' }),
      409,
      'Only a post with an unknown outcome',
    ],
    [
      'the attempt of another queue item',
      { outcome: 'absent' },
      { status: 'failed' },
      withAttempt({ state: 'unknown', queueItemId: 'other' }),
      409,
      'this one is failed',
    ],
    [
      'a media id of another post',
      { outcome: 'live', mediaId: '17' },
      { status: 'posting' },
      { ...unknown, 'attempts.findLinked': new Map([['17', 'other']]) },
      409,
      'This media id already belongs to another post.',
    ],
    [
      'an answer before Instagram gave up',
      { outcome: 'absent' },
      { status: 'posting' },
      withAttempt({ state: 'unknown', intentAt: minutesFromNow(-9) }),
      409,
      'Instagram may still publish this post',
    ],
  ] as const)('refuses %s', async (_what, body, place, stubs, status, message) => {
    const { fake, done } = resolve(body, place, stubs);
    await expect(asReply(done)).rejects.toMatchObject({ status, message: expect.stringContaining(message) as string });
    expect([fake.argsOf('attempts.transition'), fake.auditActions]).toEqual([[], []]);
  });
});
