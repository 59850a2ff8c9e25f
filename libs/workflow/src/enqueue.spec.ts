import { ENVIRONMENT_ACCOUNT_ID } from '@autoposter/contracts';
import { renderReviewReasons } from '@autoposter/domain';
import type { QueueItem } from '@autoposter/persistence';
import { contentItem, FakeDatabase, NOW, publishAttempt, queueItem, stageJob } from '@autoposter/testkit';
import { captionHash, enqueue, postQueuedNow, removeFromQueue, startPosting, type EnqueueRequest } from './enqueue';

const ACTOR = 'admin@example.com';
const VIDEO = { mediaType: 'video', sha256: 'aa' };
const PICTURE = { mediaType: 'image', sha256: 'bb' };
const REPOSTS = {
  'settings.get': { holdReposts: true, maxRepostShare: 0.5 },
  'originality.markOf': null,
  'originality.counts': { original: 1, edited: 0, collaboration: 0, repost: 8 },
};
const MISSING = { refusal: { code: 'permission_missing' }, credit: null, collaborator: null };
const TOGETHER = { 'permissions.stateOf': { refusal: null, credit: null, collaborator: 'ada' } };
const published = (permalink: string | null) => ({
  'attempts.ofItems': new Map([['item-1', publishAttempt({ state: 'published', permalink })]]),
});

function fakeWith(stubs: Record<string, unknown> = {}) {
  const fake: FakeDatabase = new FakeDatabase({
    'captions.of': { caption: 'A fox.', hashtags: ['fox'] },
    'media.ofItem': [VIDEO],
    'items.findForUpdate': () => contentItem({ state: 'queued' }),
    ...stubs,
  });
  return fake;
}

describe('captionHash', () => {
  it.each([
    ['surrounding white space', ' A fox.\n', 'A fox.'],
    ['white space at the end of a line', 'A fox. \r\nAnd a hen.', 'A fox.\nAnd a hen.'],
    ['the variant of an emoji', 'Love \u2764\uFE0F', 'Love \u2764'],
    ['the form of an accent', 'cafe\u0301', 'caf\u00e9'],
  ])('ignores %s', (_what, one, other) => {
    expect(captionHash(one)).toBe(captionHash(other));
  });

  it.each([
    ['white space between words', 'A  fox.', 'A fox.'],
    ['a line break', 'A fox.\n\nA hen.', 'A fox.\nA hen.'],
    ['the tone of an emoji', '\u{1F44B}\u{1F3FD}', '\u{1F44B}'],
  ])('tells captions apart by %s', (_what, one, other) => {
    expect(captionHash(one)).not.toBe(captionHash(other));
  });
});

describe('enqueue', () => {
  const put = (request: Partial<EnqueueRequest> = {}, stubs: Record<string, unknown> = {}) => {
    const fake = fakeWith(stubs);
    const item = contentItem();
    return { fake, item, result: enqueue(fake.uow, item, { immediate: false, actor: ACTOR, ...request }) };
  };
  const CREDIT = 'Credit: u/fox_watcher on Reddit in r/aww';

  it.each([
    ['the stored caption', {}, `A fox.\n\n${CREDIT}\n\n#fox`],
    ['the given caption', { caption: 'Mine.' }, `Mine.\n\n${CREDIT}\n\n#fox`],
  ])('queues %s with credit and hashtags', async (_what, request, caption) => {
    const { fake, item, result } = put(request);
    expect(await result).toMatchObject({ outcome: 'queued', queueItem: { caption, status: 'pending' }, attempt: null });
    expect([item.state, item.version, fake.events]).toMatchObject(['queued', 2, [{ type: 'item.queued', state: 'queued' }]]);
  });

  it('credits the author as the permission says', async () => {
    const stubs = { 'permissions.stateOf': { refusal: null, credit: 'Video: @fox', collaborator: null } };
    expect(await put({}, stubs).result).toMatchObject({ queueItem: { caption: 'A fox.\n\nVideo: @fox\n\n#fox' } });
  });

  it('refuses a post whose subreddit requires a permission that is missing', async () => {
    const { fake, item, result } = put({}, { 'permissions.stateOf': MISSING });
    expect(await result).toEqual({ outcome: 'refused', reasons: [{ code: 'permission_missing' }] });
    expect([item.state, fake.argsOf('queue.create')]).toEqual(['ready', []]);
  });

  it('asks for the permission that the account of its queue requires', async () => {
    const own = put();
    const other = put({ queueAccountId: 'second' });
    await Promise.all([own.result, other.result]);
    const asked = [own, other].map(({ fake }) => fake.argsOf('permissions.stateOf').map(([, queueAccountId]) => queueAccountId));
    expect(asked).toEqual([[ENVIRONMENT_ACCOUNT_ID], ['second']]);
  });

  it.each<[string, Partial<EnqueueRequest>, string[]]>([
    ['adds the collaborator that the permission requires', {}, ['ada']],
    ['keeps the other collaborators', { options: { collaborators: ['bob'] } }, ['bob', 'ada']],
    ['adds no collaborator twice', { options: { collaborators: ['ada'] } }, ['ada']],
    ['passes it to the attempt of Post Now', { immediate: true, accountId: '17' }, ['ada']],
  ])('%s', async (_what, request, collaborators) => {
    const { result } = put(request, TOGETHER);
    const attempt = request.immediate ? { options: { collaborators } } : null;
    expect(await result).toMatchObject({ outcome: 'queued', queueItem: { options: { collaborators } }, attempt });
  });

  it.each<[string, EnqueueRequest['options'], RegExp]>([
    ['a story', { story: true }, /a story cannot have it/u],
    ['three other collaborators', { collaborators: ['a', 'b', 'c'] }, /at most 3 collaborators/u],
  ])('refuses %s where the permission requires a collaboration', async (_what, options, why) => {
    const { result, item } = put({ options }, TOGETHER);
    const refused = await result;
    if (refused.outcome !== 'refused') throw new Error(`the post was ${refused.outcome}`);
    expect(renderReviewReasons(refused.reasons)).toMatch(why);
    expect(item.state).toBe('ready');
  });

  it('opens the attempt at once for Post Now with an account', async () => {
    const { item, result } = put({ immediate: true, accountId: '17' });
    expect(await result).toMatchObject({
      outcome: 'queued',
      queueItem: { status: 'posting', immediate: true },
      attempt: { accountId: '17' },
    });
    expect(item.state).toBe('posting');
  });

  it('leaves the attempt to the scheduler without an account', async () => {
    expect(await put({ immediate: true, accountId: null }).result).toMatchObject({ queueItem: { status: 'pending' }, attempt: null });
  });

  const review = { caption: 'More at foxes.app/win' };
  it.each([
    ['no caption', {}, { 'captions.of': null }, ['empty']],
    ['more hashtags than allowed', { caption: '#a #b #c', maxHashtags: 2 }, {}, ['too_many_hashtags']],
    ['a caption for review without a person', { ...review, unattended: true }, {}, ['contains_url']],
    ['a published item', {}, published('https://x'), ['published_before']],
    ['a published item without a permalink', {}, published(null), ['published_before']],
    ['a published item that was taken down', {}, { ...published('https://x'), 'cases.isRemoved': true }, ['removed_before']],
  ])('refuses %s', async (_what, request, stubs, codes) => {
    const { fake, item, result } = put(request, stubs);
    expect(await result).toMatchObject({ outcome: 'refused', reasons: codes.map((code) => ({ code })) });
    expect([item.state, fake.argsOf('queue.create'), fake.events]).toEqual(['ready', [], []]);
  });

  it('lets a person queue a caption for review', async () => {
    expect(await put(review).result).toMatchObject({ outcome: 'queued' });
  });

  it('loses against a concurrent writer', async () => {
    const { fake, result } = put({}, { 'items.transition': false });
    expect([await result, fake.argsOf('queue.create')]).toEqual([{ outcome: 'lost' }, []]);
  });

  it.each([
    ['another open queue item', { 'queue.create': null }, {}, 'had an open queue item'],
    ['an attempt that cannot be opened', { 'media.ofItem': [] }, { immediate: true, accountId: '17' }, 'could not be posted: refused'],
  ])('throws, so that the transaction rolls back, on %s', async (_what, stubs, request, message) => {
    await expect(put(request, stubs).result).rejects.toThrow(message);
  });
});

describe('postQueuedNow', () => {
  const waiting = queueItem({ status: 'scheduled', caption: 'Queued.' });
  const post = (request: Partial<EnqueueRequest> = {}, stubs: Record<string, unknown> = {}) => {
    const fake = fakeWith(stubs);
    const given = { immediate: true, accountId: '17', actor: ACTOR, ...request };
    return { fake, result: postQueuedNow(fake.uow, contentItem({ state: 'queued' }), waiting, given) };
  };

  it.each([
    ['its queued caption', {}, 'Queued.'],
    ['the given caption', { caption: 'Mine.' }, expect.stringMatching(/^Mine\.\n\nCredit: .*#fox$/su)],
  ])('posts with %s', async (_what, request, caption) => {
    const { fake, result } = post(request);
    expect(await result).toMatchObject({ outcome: 'queued', queueItem: { status: 'posting', caption }, attempt: { accountId: '17' } });
    expect(fake.argsOf('queue.patchWaiting')).toEqual([['queue-1', { caption, options: {}, immediate: true }]]);
  });

  it('leaves the attempt to the scheduler without an account', async () => {
    const { fake, result } = post({ accountId: null });
    expect([await result, fake.argsOf('attempts.open')]).toMatchObject([{ outcome: 'queued', attempt: null }, []]);
  });

  it.each([
    [
      'a caption that breaks a limit',
      { caption: 'x'.repeat(2_201) },
      {},
      { outcome: 'refused', reasons: [expect.objectContaining({ code: 'too_long' })] },
    ],
    ['an item without files', {}, { 'media.ofItem': [] }, { outcome: 'refused', reasons: [{ code: 'no_processed_file' }] }],
    ['a queue item that is no longer waiting', {}, { 'queue.patchWaiting': false }, { outcome: 'lost' }],
    ['a queue item that another process starts', {}, { 'queue.transition': false }, { outcome: 'lost' }],
  ])('does not post %s', async (_what, request, stubs, expected) => {
    const { fake, result } = post(request, stubs);
    expect([await result, fake.argsOf('attempts.open')]).toEqual([expected, []]);
  });
});

describe('startPosting', () => {
  const start = (stubs: Record<string, unknown> = {}, place: Partial<QueueItem> = {}) => {
    const fake = fakeWith(stubs);
    return {
      fake,
      result: startPosting(fake.uow, queueItem({ traceparent: 'trace', ...place }), { accountId: '17', actor: ACTOR, correlationId: 'c' }),
    };
  };

  it.each([
    ['a reel', [VIDEO], 'reel', 'aa'],
    ['an image', [PICTURE], 'image', 'bb'],
    ['a carousel', [VIDEO, PICTURE], 'carousel', expect.stringMatching(/^[0-9a-f]{64}$/u)],
  ])('opens the attempt of %s and requests its job', async (_what, files, kind, mediaSha256) => {
    const { fake, result } = start({ 'media.ofItem': files });
    expect(await result).toMatchObject({ outcome: 'started', queueItem: { status: 'posting', version: 2 } });
    expect(fake.argsOf('attempts.open')[0]?.[0]).toEqual({
      options: {},
      itemId: 'item-1',
      queueItemId: 'queue-1',
      accountId: '17',
      kind,
      caption: 'Queued caption',
      captionHash: captionHash('Queued caption'),
      mediaSha256,
    });
    expect(fake.argsOf('jobs.create')[0]?.[0]).toMatchObject({
      stage: 'post',
      subjectId: 'attempt-1',
      messageKey: '17',
      correlationId: 'c',
      traceparent: 'trace',
    });
    expect(fake.argsOf('items.transition')[0]?.[1]).toMatchObject({ from: 'queued', to: 'posting' });
  });

  it.each([
    ['an item that is gone', { 'items.findForUpdate': null }, { code: 'left_queue' }],
    ['an item that left the queue', { 'items.findForUpdate': contentItem() }, { code: 'left_queue' }],
    ['a published item', published(null), { code: 'published_before', fields: { permalink: null } }],
    ['an item that was taken down', { ...published(null), 'cases.isRemoved': true }, { code: 'removed_before' }],
    ['an item without files', { 'media.ofItem': [] }, { code: 'no_processed_file' }],
    ['a repost too many', REPOSTS, { code: 'too_many_reposts', fields: { share: 0.9, greatest: 0.5 } }],
  ])('refuses %s', async (_what, stubs, reason) => {
    const { fake, result } = start(stubs);
    expect([await result, fake.argsOf('attempts.open')]).toEqual([{ outcome: 'refused', reason }, []]);
  });

  it('adds the collaborator of a permission that was given while the item waited, to queue item and attempt', async () => {
    const { fake, result } = start(TOGETHER);
    const options = { collaborators: ['ada'] };
    expect(await result).toMatchObject({ outcome: 'started', queueItem: { options } });
    expect(fake.argsOf('attempts.open')[0]?.[0]).toMatchObject({ options });
    expect(fake.argsOf('queue.transition')[0]?.[1]).toMatchObject({ to: 'posting', patch: { options } });
  });

  it('counts a collaboration that the permission requires as no repost', async () => {
    expect(await start({ ...REPOSTS, ...TOGETHER }).result).toMatchObject({ outcome: 'started' });
  });

  it('refuses a story whose permission requires a collaboration since', async () => {
    const { fake, result } = start({ ...TOGETHER }, { options: { story: true } });
    expect(await result).toMatchObject({ outcome: 'refused', reason: { code: 'collaboration_unavailable' } });
    expect(fake.argsOf('attempts.open')).toEqual([]);
  });

  it('refuses an item whose permission ended, which may wait for another', async () => {
    const { fake, result } = start({ 'permissions.stateOf': MISSING });
    const refused = { outcome: 'refused', reason: { code: 'permission_missing' }, waits: true };
    expect([await result, fake.argsOf('attempts.open')]).toEqual([refused, []]);
  });

  it('loses against a concurrent writer', async () => {
    const { fake, result } = start({ 'queue.transition': false });
    expect([await result, fake.argsOf('attempts.open')]).toEqual([{ outcome: 'lost' }, []]);
  });

  it.each([
    ['another open attempt', { 'attempts.open': null }, 'is open already'],
    ['an open job', { 'jobs.create': null, 'jobs.findOpen': stageJob() }, 'had an open job'],
  ])('throws, so that the transaction rolls back, on %s', async (_what, stubs, message) => {
    await expect(start(stubs).result).rejects.toThrow(message);
  });
});

describe('removeFromQueue', () => {
  const remove = async (place: Partial<QueueItem> | null, open = place) => {
    const fake = fakeWith({ 'queue.findOpenOf': open && queueItem(open), 'queue.findForUpdate': place && queueItem(place) });
    return { removed: await removeFromQueue(fake.uow, 'item-1'), moves: fake.argsOf('queue.transition') };
  };

  it.each(['pending', 'scheduled'] as const)('cancels a queue item that is %s', async (status) => {
    const { removed, moves } = await remove({ status });
    expect([removed, moves[0]?.[1]]).toEqual([true, { fromVersion: 1, from: status, to: 'cancelled', patch: { finishedAt: NOW } }]);
  });

  it.each([
    ['no queue item', null, null],
    ['a queue item that is being posted', { status: 'posting' }, { status: 'posting' }],
    ['a queue item that a concurrent gateway starts', { status: 'posting' }, { status: 'pending' }],
  ] as const)('leaves %s', async (_what, place, open) => {
    expect(await remove(place, open)).toEqual({ removed: false, moves: [] });
  });
});
