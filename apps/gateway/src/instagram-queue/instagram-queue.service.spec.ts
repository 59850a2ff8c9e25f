import { initialQueueSettings } from '@autoposter/domain';
import type { QueueItem } from '@autoposter/persistence';
import { MediaReach } from '../instagram/media-reach';
import { contentItem, FakeDatabase, minutesFromNow, NOW, publishAttempt, queueItem } from '@autoposter/testkit';
import { gatewaySettings, storedSettings } from '../testing/fake-settings';
import { InstagramQueueService } from './instagram-queue.service';
import { asReply } from '../testing/as-reply';

const ACTOR = 'admin@example.com';
const VIDEO = { mediaType: 'video', sha256: 'aa', role: 'processed' };
const PICTURE = { ...VIDEO, mediaType: 'image' };
const POST_NOW = { postImmediately: true };
const QUEUE = { postImmediately: false };

function arrange(stubs: Record<string, unknown> = {}, { settings = {}, stored = {} }: { settings?: object; stored?: object } = {}) {
  const fake = new FakeDatabase({
    'items.findForUpdate': contentItem(),
    'captions.of': { caption: 'A fox.', hashtags: ['fox'] },
    'media.ofItem': [VIDEO],
    'queue.findWithSource': { queueItem: queueItem() },
    ...stubs,
  });
  const own = gatewaySettings(settings);
  return {
    fake,
    service: new InstagramQueueService(
      fake.database,
      storedSettings({ account: { userId: own.instagramAccountId }, ...stored }),
      new MediaReach(own),
      own,
    ),
  };
}
const inQueue = (values: Partial<QueueItem>) => ({ 'queue.findOpenOf': queueItem(values), 'queue.findForUpdate': queueItem(values) });

describe('InstagramQueueService.page', () => {
  it('marks the rows that have a cover', async () => {
    const rows = ['a', 'b', 'c'].map((itemId) => ({ queueItem: queueItem({ itemId }) }));
    const files = new Map([
      ['a', [{ role: 'processed' }, { role: 'cover' }]],
      ['b', [VIDEO, { role: 'uploaded_cover', sha256: 'ab' }]],
    ]);
    const { service } = arrange({ 'queue.page': { rows, total: 7 }, 'media.ofItems': files });
    const { shown, total } = await service.page({ page: 1, limit: 20 } as never);
    expect([shown.map(({ hasCover }) => hasCover), total]).toEqual([[true, false, false], 7]);
    expect(shown.map(({ uploadedCover }) => uploadedCover)).toEqual([null, 'ab', null]);
  });
});

describe('InstagramQueueService.setOptions', () => {
  const stored = { shareToFeed: false, userTags: [{ username: 'b', x: 0.5, y: 0.5 }] };
  const arrangeStored = () =>
    arrange({ ...inQueue({ status: 'scheduled', options: stored }), 'permissions.stateOf': { status: null, collaborator: null } });

  it.each([{}, { shareToFeed: false }, { ...stored, altText: 'A fox' }])(
    'saves nothing over options that are not %j any more',
    async (replaces) => {
      const { fake, service } = arrangeStored();
      await expect(service.setOptions('queue-1', { story: true, replaces }, ACTOR)).rejects.toThrow(
        'These options were changed meanwhile.',
      );
      expect(fake.argsOf('queue.setOptions')).toEqual([]);
    },
  );

  it.each([{ replaces: { userTags: [{ y: 0.5, x: 0.5, username: 'b' }], shareToFeed: false } }, {}])(
    'saves over the stored options: %j',
    async (seen) => {
      const { fake, service } = arrangeStored();
      await service.setOptions('queue-1', { shareToFeed: true, ...seen }, ACTOR);
      expect(fake.argsOf('queue.setOptions')).toEqual([['queue-1', { shareToFeed: true }]]);
    },
  );
});

describe('InstagramQueueService.preview', () => {
  it('lists waiting items in order of their slots, then free slots', async () => {
    const waiting = [
      queueItem({ id: 'later', queuedAt: minutesFromNow(1) }),
      queueItem({ id: 'first' }),
      queueItem({ id: 'pinned', pinned: true, scheduledFor: minutesFromNow(600) }),
    ];
    const queue = { ...initialQueueSettings('UTC'), intervalMinutes: 60, randomization: { enabled: false, maxDelayMinutes: 0 } };
    const { service, fake } = arrange(
      { 'queue.waiting': waiting.map((item) => ({ queueItem: item, title: item.id })) },
      { stored: { queue } },
    );
    const { slots } = await service.preview({ count: 4 });
    expect(slots.map(({ queueItemId, scheduledFor, why }) => [queueItemId, scheduledFor, why.basis === 'pinned'])).toEqual([
      ['first', NOW.toISOString(), false],
      ['later', minutesFromNow(60).toISOString(), false],
      [null, minutesFromNow(120).toISOString(), false],
      ['pinned', minutesFromNow(600).toISOString(), true],
    ]);
    expect(fake.argsOf('queue.transition')).toEqual([]);
  });
});

describe('InstagramQueueService.add', () => {
  it('queues a ready item', async () => {
    const { fake, service } = arrange();
    await service.add('item-1', QUEUE as never, ACTOR);
    expect(fake.argsOf('queue.create')[0]?.[0]).toMatchObject({ status: 'pending', immediate: false, queuedBy: ACTOR });
    expect([fake.events.map(({ type }) => type), fake.auditActions]).toEqual([['item.queued'], ['queue.add']]);
  });

  it('posts a ready item immediately', async () => {
    const { fake, service } = arrange({
      'items.findForUpdate': () => contentItem({ state: fake.argsOf('queue.create').length > 0 ? 'queued' : 'ready' }),
    });
    await service.add('item-1', POST_NOW as never, ACTOR);
    expect(fake.argsOf('attempts.open')[0]?.[0]).toMatchObject({ accountId: 'account-1', kind: 'reel' });
    expect(fake.auditActions).toEqual(['queue.post_now']);
  });

  it('posts a queued item immediately with its queued caption', async () => {
    const { fake, service } = arrange({ 'items.findForUpdate': contentItem({ state: 'queued' }), ...inQueue({ status: 'scheduled' }) });
    await service.add('item-1', POST_NOW as never, ACTOR);
    expect(fake.argsOf('queue.patchWaiting')[0]).toEqual(['queue-1', { caption: 'Queued caption', options: {}, immediate: true }]);
    expect([fake.argsOf('queue.create'), fake.argsOf('attempts.open').length]).toEqual([[], 1]);
  });

  it('plans the slots of a running queue', async () => {
    const { fake, service } = arrange({ 'queue.listWaiting': [queueItem()] }, { stored: { queue: { running: true } } });
    await service.add('item-1', QUEUE as never, ACTOR);
    expect(fake.argsOf('queue.assignSlots')).toMatchObject([[[{ id: 'queue-1', slot: expect.any(Date) }]]]);
  });

  it.each([
    ['an unknown item', { 'items.findForUpdate': null }, QUEUE, {}, 404, 'There is no such post.'],
    ['a queued item', { 'items.findForUpdate': contentItem({ state: 'queued' }) }, QUEUE, {}, 409, 'This post is already in the queue.'],
    [
      'a post being published',
      { 'items.findForUpdate': contentItem({ state: 'posting' }) },
      POST_NOW,
      {},
      409,
      'This post is being published right now.',
    ],
    ['a published post', { 'items.findForUpdate': contentItem({ state: 'posted' }) }, QUEUE, {}, 409, 'This post was already published.'],
    [
      'an item before captioning',
      { 'items.findForUpdate': contentItem({ state: 'protected' }) },
      QUEUE,
      {},
      409,
      'Only a ready post can be queued; this one is protected.',
    ],
    ['pictures without a public address', { 'media.ofItem': [PICTURE] }, QUEUE, {}, 422, 'pictures and galleries'],
    ['a caption of 2,201 characters', { 'captions.of': { caption: 'x'.repeat(2_201), hashtags: [] } }, QUEUE, {}, 422, '2200'],
    [
      'a published item that was restored',
      { 'attempts.ofItems': new Map([['item-1', publishAttempt({ state: 'published', permalink: 'https://x' })]]) },
      QUEUE,
      {},
      422,
      'This post was published already (https://x).',
    ],
    ['an item that a concurrent writer moved', { 'items.transition': false }, QUEUE, {}, 409, 'changed at the same time'],
    [
      'posting without an account',
      {},
      POST_NOW,
      { settings: { instagramMissing: ['INSTAGRAM_ACCESS_TOKEN'], instagramAccountId: null } },
      409,
      'Instagram API not configured: please set INSTAGRAM_ACCESS_TOKEN.',
    ],
    [
      'posting during a pause',
      {},
      POST_NOW,
      { stored: { publishing: { paused: true, reason: 'Token refused.' } } },
      409,
      'Publishing is paused; resume it first. Token refused.',
    ],
    [
      'posting with an unknown outcome',
      { 'attempts.findOpenOf': publishAttempt({ state: 'unknown' }) },
      POST_NOW,
      {},
      409,
      'is unknown; it is being reconciled',
    ],
    ['posting without a processed file', { 'media.ofItem': [] }, POST_NOW, {}, 409, 'The post has no processed file.'],
    [
      'posting while a worker started the queued item',
      { 'items.findForUpdate': contentItem({ state: 'queued' }), ...inQueue({ status: 'posting' }) },
      POST_NOW,
      {},
      409,
      'already in the queue',
    ],
  ])('refuses %s', async (_what, stubs, body, options, status, message) => {
    const { fake, service } = arrange(stubs, options);
    await expect(asReply(service.add('item-1', body as never, ACTOR))).rejects.toMatchObject({
      status,
      message: expect.stringContaining(message) as string,
    });
    expect([fake.argsOf('queue.create'), fake.argsOf('attempts.open'), fake.auditActions]).toEqual([[], [], []]);
  });
});

describe('InstagramQueueService.setPriority', () => {
  it('changes a waiting item', async () => {
    const { fake, service } = arrange(inQueue({}));
    await service.setPriority('queue-1', 9, ACTOR);
    expect(fake.argsOf('queue.patchWaiting')[0]).toEqual(['queue-1', { priority: 9 }]);
    expect([fake.events, fake.auditActions]).toMatchObject([[{ type: 'queue.changed', state: 'priority' }], ['queue.priority']]);
  });

  it.each([
    [null, 404, 'There is no such queue item.'],
    ['posting', 409, 'This post is being published and can no longer be changed.'],
    ['posted', 409, 'This post was already published.'],
    ['failed', 409, 'This post could not be published; retry it before you change it.'],
    ['cancelled', 409, 'This post was removed from the queue.'],
  ] as const)('refuses an item with status %s', async (status, code, message) => {
    const { fake, service } = arrange({ 'queue.findForUpdate': status && queueItem({ status }) });
    await expect(asReply(service.setPriority('queue-1', 9, ACTOR))).rejects.toMatchObject({ status: code, message });
    expect(fake.argsOf('queue.patchWaiting')).toEqual([]);
  });
});

describe('InstagramQueueService.setSchedule', () => {
  it('pins an item to a time', async () => {
    const { fake, service } = arrange(inQueue({}));
    await service.setSchedule('queue-1', minutesFromNow(30), ACTOR);
    expect(fake.argsOf('queue.transition')[0]?.[1]).toMatchObject({
      to: 'scheduled',
      patch: { scheduledFor: minutesFromNow(30), pinned: true },
    });
  });

  it('moves a pinned item without a transition', async () => {
    const { fake, service } = arrange(inQueue({ status: 'scheduled', pinned: true }));
    await service.setSchedule('queue-1', minutesFromNow(30), ACTOR);
    expect(fake.argsOf('queue.patchWaiting')[0]).toEqual(['queue-1', { scheduledFor: minutesFromNow(30), pinned: true }]);
  });

  it('returns a pinned item to the planner', async () => {
    const { fake, service } = arrange(inQueue({ status: 'scheduled', pinned: true }));
    await service.setSchedule('queue-1', null, ACTOR);
    expect(fake.argsOf('queue.transition')[0]?.[1]).toMatchObject({ to: 'pending', patch: { scheduledFor: null, pinned: false } });
  });

  it('accepts a time in the last minute', async () => {
    const { fake, service } = arrange(inQueue({}));
    await service.setSchedule('queue-1', minutesFromNow(-1), ACTOR);
    expect(fake.argsOf('queue.transition')).toHaveLength(1);
  });

  it.each([
    ['a time far ahead', new Date('9999-12-31T23:59:59Z'), 'This time is more than a year ahead; choose an earlier one.'],
    ['a time that has passed', minutesFromNow(-2), 'This time has passed; choose a later one.'],
    [
      'a blocked time',
      new Date('2026-05-06T03:00:00Z'),
      'Nothing is published between 00:00 and 06:00 (UTC); choose a time outside of the blocked hours.',
    ],
  ])('refuses %s', async (_what, at, message) => {
    const timeBlocking = { enabled: true, startTime: '00:00', endTime: '06:00', timeZone: 'UTC' };
    const { fake, service } = arrange(inQueue({}), { stored: { queue: { timeBlocking } } });
    await expect(asReply(service.setSchedule('queue-1', at, ACTOR))).rejects.toMatchObject({ status: 422, message });
    expect(fake.argsOf('queue.transition')).toEqual([]);
  });
});

describe('InstagramQueueService.find', () => {
  it('refuses an unknown queue item', async () => {
    await expect(asReply(arrange({ 'queue.findWithSource': null }).service.find('queue-1'))).rejects.toMatchObject({ status: 404 });
  });
});
