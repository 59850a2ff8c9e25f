import { failureOf, initialQueueSettings } from '@autoposter/domain';
import type { QueueItem } from '@autoposter/persistence';
import { contentItem, FakeDatabase, minutesFromNow, NOW, publishAttempt, queueItem } from '@autoposter/testkit';
import { dispatchDue } from './dispatch-due';

const due = (values: Partial<QueueItem> = {}) => queueItem({ status: 'scheduled', scheduledFor: NOW, ...values });
const blockedNow = { enabled: true, startTime: '09:00', endTime: '11:00', timeZone: 'UTC' };
const outOfReach = failureOf('pictures_need_address');

/** Publishing with an account, a running queue and one due item, unless a case says otherwise. */
function dispatch(stubs: Record<string, unknown> = {}, input: object = {}, settings: object = {}) {
  const fake = new FakeDatabase({
    'queue.anyDue': true,
    'queue.lockDue': [due()],
    'items.findForUpdate': contentItem({ state: 'queued' }),
    'media.ofItem': [{ mediaType: 'video', sha256: 'aa' }],
    ...stubs,
  });
  const started = dispatchDue(fake.uow, {
    settings: { ...initialQueueSettings('UTC'), running: true, intervalMinutes: 60, ...settings },
    paused: false,
    accountId: 'account-1',
    whyNoPost: async () => null,
    whyNotPublishable: async () => null,
    ...input,
  });
  return { fake, started };
}

describe('dispatchDue', () => {
  it('starts posting the due item', async () => {
    const { fake, started } = dispatch();
    expect(await started).toBe('queue-1');
    expect(fake.argsOf('queue.transition')[0]?.[1]).toMatchObject({ from: 'scheduled', to: 'posting' });
    expect(fake.argsOf('jobs.create')[0]?.[0]).toMatchObject({ stage: 'post', subjectId: 'attempt-1' });
  });

  it('starts one item at a time', async () => {
    const { fake, started } = dispatch({ 'queue.lockDue': [due(), due({ id: 'queue-2' })] });
    expect([await started, fake.argsOf('attempts.open').length]).toEqual(['queue-1', 1]);
  });

  it.each([
    ['publishing is paused', {}, { paused: true }, {}],
    ['publishing is not configured', {}, { accountId: null }, {}],
    ['the account is on hold', { 'settings.get': { cause: 'quota', until: minutesFromNow(1).toISOString() } }, {}, {}],
    ['no item is due', { 'queue.anyDue': false }, {}, {}],
    ['no media is reachable', {}, { whyNoPost: async () => outOfReach }, {}],
    ['a concurrent gateway took the item', { 'queue.lockDue': [] }, {}, {}],
    [
      'another post is being published',
      { 'queue.listPosting': [{ queueItem: queueItem({ status: 'posting' }), posting: { job: 'running' } }] },
      {},
      {},
    ],
    [
      'nothing can be prepared for the post before',
      {
        'queue.listPosting': [
          {
            queueItem: queueItem({ scheduledFor: minutesFromNow(-600) }),
            posting: { job: 'waiting', attempt: 'open', rightsCheck: null, startedAt: minutesFromNow(-600) },
          },
        ],
      },
      {},
      {},
    ],
    ['the queue is stopped', {}, {}, { running: false }],
    ['the time is blocked', {}, {}, { timeBlocking: blockedNow }],
    ['the interval since the last post is not over', { 'queue.lastPostAt': minutesFromNow(-59) }, {}, {}],
    [
      'the interval since a post that waits for Instagram is not over',
      {
        'queue.listPosting': [
          { queueItem: queueItem({ scheduledFor: minutesFromNow(-30) }), posting: { job: 'waiting', startedAt: minutesFromNow(-30) } },
        ],
      },
      {},
      {},
    ],
    [
      'the interval since the start of a late post that waits for Instagram is not over',
      {
        'queue.listPosting': [
          { queueItem: queueItem({ scheduledFor: minutesFromNow(-600) }), posting: { job: 'waiting', startedAt: minutesFromNow(-59) } },
        ],
      },
      {},
      {},
    ],
    [
      'a pinned item is late and the interval since the last post is not over',
      { 'queue.lockDue': [due({ pinned: true, scheduledFor: minutesFromNow(-6) })], 'queue.lastPostAt': minutesFromNow(-59) },
      {},
      {},
    ],
    [
      'another post went out within the minute before a pinned one',
      { 'queue.lockDue': [due({ pinned: true })], 'queue.lastPostAt': minutesFromNow(-0.5) },
      {},
      {},
    ],
    ['the earlier attempt has an unknown outcome', { 'attempts.findOpenOf': publishAttempt({ state: 'unknown' }) }, {}, {}],
    ['a concurrent writer changed the queue item', { 'queue.transition': false }, {}, {}],
  ])('starts nothing while %s', async (_what, stubs, input, settings) => {
    const { fake, started } = dispatch(stubs, input, settings);
    expect(await started).toBeNull();
    expect([fake.argsOf('attempts.open'), fake.argsOf('jobs.create'), fake.events]).toEqual([[], [], []]);
  });

  it.each([
    ['the account hold is over', { 'settings.get': { until: minutesFromNow(0).toISOString() } }, {}],
    ['the interval is over', { 'queue.lastPostAt': minutesFromNow(-60) }, {}],
    [
      'the container of the post before is being prepared and the interval is over',
      {
        'queue.listPosting': [
          {
            queueItem: queueItem({ scheduledFor: minutesFromNow(-60) }),
            posting: { job: 'waiting', attempt: 'container', startedAt: minutesFromNow(-60) },
          },
        ],
      },
      {},
    ],
    [
      'the copyright check of a file keeps the post before back and the interval is over',
      {
        'queue.listPosting': [
          {
            queueItem: queueItem({ scheduledFor: minutesFromNow(-60) }),
            posting: { job: 'waiting', attempt: 'open', rightsCheck: { state: 'error', held: true }, startedAt: minutesFromNow(-60) },
          },
        ],
      },
      {},
    ],
    ['an immediate item ignores a stopped queue', { 'queue.lockDue': [due({ immediate: true })] }, { running: false }],
    ['an immediate item ignores blocked hours', { 'queue.lockDue': [due({ immediate: true })] }, { timeBlocking: blockedNow }],
    ['a pinned item ignores the interval', { 'queue.lockDue': [due({ pinned: true })], 'queue.lastPostAt': minutesFromNow(-1) }, {}],
  ])('starts posting if %s', async (_what, stubs, settings) => {
    expect(await dispatch(stubs, {}, settings).started).toBe('queue-1');
  });

  it('keeps a pinned item out of blocked hours', async () => {
    expect(await dispatch({ 'queue.lockDue': [due({ pinned: true })] }, {}, { timeBlocking: blockedNow }).started).toBeNull();
  });

  it.each([
    ['no processed file', { 'media.ofItem': [] }, {}, { code: 'post_not_sendable', fields: { reason: 'The post has no processed file.' } }],
    [
      'an item that was published already',
      { 'attempts.ofItems': new Map([['item-1', publishAttempt({ state: 'published', permalink: null })]]) },
      {},
      { code: 'post_not_sendable' },
    ],
  ])('fails a queue item with %s and makes its item ready', async (_what, stubs, input, failure) => {
    const { fake, started } = dispatch(stubs, input);
    expect(await started).toBeNull();
    expect(fake.argsOf('queue.transition')[0]?.[1]).toMatchObject({ from: 'scheduled', to: 'failed', patch: { failure, finishedAt: NOW } });
    expect(fake.argsOf('items.transition')[0]?.[1]).toMatchObject({ from: 'queued', to: 'ready' });
    expect(fake.events).toMatchObject([{ type: 'item.unqueued' }]);
  });

  it('holds a post with unreachable media in its place, and names the reason once', async () => {
    for (const [isNew, events] of [
      [true, [{ type: 'queue.changed', state: 'held' }]],
      [false, []],
    ] as const) {
      const { fake, started } = dispatch({ 'queue.markDelayed': isNew }, { whyNotPublishable: async () => outOfReach });
      expect(await started).toBeNull();
      expect(fake.argsOf('queue.markDelayed')).toMatchObject([['queue-1', { code: 'pictures_need_address' }]]);
      expect([fake.argsOf('queue.transition'), fake.events]).toMatchObject([[], events]);
    }
  });

  it('returns a post without its permission to those that wait for one', async () => {
    const waiting = due();
    const { fake, started } = dispatch({
      'permissions.stateOf': { refusal: { code: 'permission_missing' }, credit: null, collaborator: null },
      'queue.findOpenOf': waiting,
      'queue.findForUpdate': waiting,
    });
    expect(await started).toBeNull();
    expect(fake.argsOf('queue.transition')).toMatchObject([['queue-1', { from: 'scheduled', to: 'cancelled' }]]);
    const patch = { needsReview: true, reviewReasons: [{ code: 'permission_missing' }] };
    expect(fake.argsOf('items.transition')).toMatchObject([['item-1', { from: 'queued', to: 'ready', patch }]]);
    expect([fake.events, fake.argsOf('cases.open')]).toMatchObject([[{ type: 'item.unqueued', state: 'ready' }], []]);
  });

  it('starts the next item after one that it holds', async () => {
    let asked = 0;
    const items = [due(), due({ id: 'queue-2', itemId: 'item-2' })];
    const { started } = dispatch({ 'queue.lockDue': items }, { whyNotPublishable: async () => ((asked += 1) === 1 ? outOfReach : null) });
    expect(await started).toBe('queue-2');
  });
});
