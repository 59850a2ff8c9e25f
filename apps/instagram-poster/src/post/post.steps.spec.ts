import { type Failure, failureOf, PipelineError, type PublishedMedia, type PublishOutcome } from '@autoposter/domain';
import type { StepContext } from '@autoposter/job-engine';
import type { ObjectStore } from '@autoposter/object-store';
import type { ContentItem, MediaFile, PublishAttempt } from '@autoposter/persistence';
import { failing, stepContext } from '@autoposter/testkit';
import { FakePublisher } from '../testing/publisher.fake';
import { awaitChildren } from './steps/await-children.step';
import { type Awaited, awaitContainer } from './steps/await-container.step';
import { createChildren, type Prepared } from './steps/create-children.step';
import { createContainer } from './steps/create-container.step';
import { type PostInput, preflight } from './steps/preflight.step';
import { publish } from './steps/publish.step';
import { readPermalink } from './steps/read-permalink.step';
import { reserveQuota } from './steps/reserve-quota.step';

const pace = { containerPollSeconds: 60 };
const links = { isPublic: true, forMeta: jest.fn((key: string, _now: Date) => `https://cdn.example.test/${key}`) };
const file = (name: string, mediaType: MediaFile['mediaType'] = 'video'): MediaFile =>
  ({ objectKey: `processed/${name}`, mediaType, bytes: 10, coverSeconds: mediaType === 'video' ? 1.5 : null }) as MediaFile;
const inputOf = (attempt: Partial<PublishAttempt> = {}, processed = [file('a')]): PostInput => ({
  attempt: {
    accountId: new FakePublisher().accountId,
    caption: 'Snow day.',
    containerId: null,
    containersMade: 0,
    kind: 'reel',
    options: {},
    ...attempt,
  } as PublishAttempt,
  item: { id: 'item-1' } as ContentItem,
  processed,
  cover: null,
});
const cover = file('cover', 'image');

let publisher: FakePublisher;
beforeEach(() => {
  publisher = new FakePublisher();
});

it.each([
  ['preflight', () => preflight.run(inputOf(), { publisher: null } as never, stepContext())],
  ['reserve-quota', () => reserveQuota.run(inputOf(), { publisher: null } as never, stepContext())],
  ['create-children', () => createChildren.run({ ...inputOf(), quotaUsed: 0 }, { publisher: null } as never, stepContext())],
  ['create-container', () => createContainer.run({ containerId: null } as Prepared, { publisher: null } as never, stepContext())],
  ['await-children', () => awaitChildren.run({ children: [] } as unknown as Prepared, { publisher: null, pace } as never, stepContext())],
  ['await-container', () => awaitContainer.run({} as Awaited, { publisher: null } as never, stepContext())],
  ['publish', () => publish.run({} as Awaited, { publisher: null } as never, stepContext())],
  ['read-permalink', () => readPermalink.run({ mediaId: 'm' }, { publisher: null }, stepContext())],
])('%s fails as not configured without an account', async (_name, run) => {
  await expect(run()).rejects.toMatchObject({ failure: { kind: 'not_configured' } });
});

describe('preflight', () => {
  interface Change {
    isPaused?: boolean;
    earlier?: { permalink: string | null; mediaId: string | null } | null;
    access?: { images: boolean; videos: boolean };
    unreachable?: Failure | null;
    problemWith?: (file: { objectKey: string }) => Promise<Failure | null>;
  }
  const run = (
    input: PostInput,
    { isPaused = false, earlier = null, access = { images: true, videos: true }, unreachable = null, problemWith }: Change = {},
  ) => {
    const tools = {
      publisher,
      publishing: { isPaused: () => Promise.resolve(isPaused) },
      ledger: { findEarlier: () => Promise.resolve(earlier) },
      access,
      api: { flavour: 'instagram', version: 'v26.0' } as const,
      maxHashtags: 5,
      reach: { problemWith: problemWith ?? (() => Promise.resolve(unreachable)) },
    };
    return preflight.run(input, tools, stepContext());
  };
  const published = (caption: string): PublishedMedia => ({
    id: 'm1',
    caption,
    mediaType: 'VIDEO',
    productType: 'REELS',
    permalink: 'https://example.test/m1',
    timestamp: '2026-05-01T09:00:00Z',
  });

  it('refuses an option that the login does not offer', async () => {
    const options = { audioId: '12345' };
    expect(await run(inputOf({ options }))).toMatchObject({
      kind: 'fail',
      failure: { code: 'publish_option_unavailable', message: 'Licensed audio: Instagram offers it with Facebook Login only.' },
    });
  });

  it('holds a post whose file Instagram cannot fetch, with the cause, and prepares nothing', async () => {
    const unreachable = failureOf('media_address_refuses', { fields: { host: 'cdn.example.test', status: 403 } });
    expect(await run(inputOf(), { unreachable })).toMatchObject({
      kind: 'wait',
      seconds: 300,
      reason: expect.stringContaining('cdn.example.test answers the fetcher of Instagram with status 403.'),
    });
    expect(await run(inputOf({ containerId: 'c1' }), { unreachable })).toMatchObject({ kind: 'done' });
  });

  it('holds a picture for which no public address is set, unless Instagram has it already', async () => {
    const access = { images: false, videos: true };
    expect(await run(inputOf({}, [file('a', 'image')]), { access })).toMatchObject({
      kind: 'wait',
      seconds: 300,
      reason: expect.stringContaining('CDN_BASE_URL'),
    });
    expect(await run(inputOf({ containerId: 'c1' }, [file('a', 'image')]), { access })).toMatchObject({ kind: 'done' });
  });

  it('fails a post whose file is lost, and holds it while the object store is away', async () => {
    const away = failureOf('storage_unavailable', { fields: { operation: 'stat', code: 'ECONNREFUSED' } });
    expect(await run(inputOf(), { unreachable: away })).toMatchObject({
      kind: 'wait',
      reason: expect.stringContaining('The object storage is not available'),
    });
    const lost = failureOf('stored_file_missing', { fields: { key: 'processed/ab/c.mp4' } });
    expect(await run(inputOf(), { unreachable: lost })).toMatchObject({ kind: 'fail', failure: { code: 'stored_file_missing' } });
  });

  it('holds a reel whose uploaded cover Instagram cannot fetch', async () => {
    const unreachable = failureOf('media_address_refuses', { fields: { host: 'cdn.example.test', status: 403 } });
    const problemWith = ({ objectKey }: { objectKey: string }) => Promise.resolve(objectKey === cover.objectKey ? unreachable : null);
    expect(await run({ ...inputOf(), cover }, { problemWith })).toMatchObject({ kind: 'wait', seconds: 300 });
    expect(await run(inputOf(), { problemWith })).toMatchObject({ kind: 'done' });
  });

  it('refuses an uploaded cover for whose address Instagram has no way', async () => {
    expect(await run({ ...inputOf(), cover }, { access: { images: false, videos: true } })).toMatchObject({
      kind: 'fail',
      failure: { code: 'publish_option_unavailable', message: expect.stringContaining('CDN_BASE_URL') },
    });
  });

  it('passes a post that may be published', async () => {
    expect(await run(inputOf())).toMatchObject({ kind: 'done' });
    expect(await run(inputOf({ caption: '' }))).toMatchObject({ kind: 'done' });
  });

  it.each([
    ['another account', inputOf({ accountId: 'other' }), {}, 'conflict'],
    ['a caption beyond the limits', inputOf({ caption: 'a'.repeat(2201) }), {}, 'invalid_input'],
    ['a post that the ledger knows', inputOf(), { earlier: { permalink: null, mediaId: 'm1' } }, 'conflict'],
  ] as [string, PostInput, Change, Failure['kind']][])('fails for %s', async (_what, input, change, kind) => {
    expect(await run(input, change)).toMatchObject({ kind: 'fail', failure: { kind } });
  });

  it('fails if the account already shows the caption', async () => {
    publisher.media.push(published(' Snow day. '));
    expect(await run(inputOf())).toMatchObject({
      kind: 'fail',
      failure: { kind: 'conflict', message: expect.stringContaining('https://example.test/m1') },
    });
  });

  it('recognises a caption that Instagram stored in another form', async () => {
    publisher.media.push(published('Snow day \u2744\ufe0f\nWith foxes.'));
    const input = inputOf({ caption: 'Snow day \u2744 \nWith foxes.' });
    expect(await run(input)).toMatchObject({ kind: 'fail', failure: { code: 'same_caption_published' } });
  });

  it('waits while publishing is paused', async () => {
    expect(await run(inputOf(), { isPaused: true })).toMatchObject({ kind: 'wait', seconds: 60 });
  });

  it('does not compare again once the container exists', async () => {
    publisher.media.push(published('Snow day.'));
    expect(await run(inputOf({ containerId: 'container-1' }), { earlier: { permalink: null, mediaId: 'm1' } })).toMatchObject({
      kind: 'done',
    });
  });
});

describe('reserveQuota', () => {
  const hold = jest.fn(() => Promise.resolve());
  const run = () => reserveQuota.run(inputOf(), { publisher, account: { hold } as never }, stepContext());

  it('gives the number of posts that the window has used', async () => {
    expect(await run()).toMatchObject({ kind: 'done', output: { quotaUsed: 0 } });
    expect(hold).not.toHaveBeenCalled();
  });

  it('holds the account and waits when the quota is used up', async () => {
    publisher.quotaTotal = 0;
    expect(await run()).toMatchObject({ kind: 'wait', seconds: 1800, reason: expect.stringContaining('0 of 0') });
    expect(hold).toHaveBeenCalledWith(expect.objectContaining({ cause: 'quota', seconds: 1800 }));
  });
});

describe('createChildren', () => {
  const gallery = [file('a', 'image'), file('b'), file('c', 'image')];
  const run = (attempt: Partial<PublishAttempt>, processed: MediaFile[], context: Partial<StepContext> = {}) =>
    createChildren.run(
      { ...inputOf(attempt, processed), quotaUsed: 3 },
      { publisher, links, objects: {} as ObjectStore },
      stepContext(context),
    );

  it('makes one container per file of a gallery and saves each', async () => {
    const saveCheckpoint = jest.fn(() => Promise.resolve());
    expect(await run({}, gallery, { saveCheckpoint })).toMatchObject({
      output: { children: ['container-1', 'container-2', 'container-3'], earlier: 0, quotaUsed: 3 },
    });
    expect([...publisher.containers.values()].map(({ request }) => request.kind)).toEqual([
      'carousel_child_image',
      'carousel_child_video',
      'carousel_child_image',
    ]);
    expect(saveCheckpoint).toHaveBeenCalledTimes(3);
    expect(links.forMeta).toHaveBeenLastCalledWith('processed/c', stepContext().now);
  });

  it('gives each picture its alternative text', async () => {
    await run({ options: { altTexts: ['A fox', '', 'A dog'], locationId: '12345' } }, gallery);
    expect([...publisher.containers.values()].map(({ request }) => request.options)).toEqual([
      { altText: 'A fox' },
      {},
      { altText: 'A dog' },
    ]);
  });

  it('continues after the containers of an earlier attempt', async () => {
    expect(await run({}, gallery, { checkpoint: ['old-1', 'old-2'] })).toMatchObject({
      output: { children: ['old-1', 'old-2', 'container-1'] },
    });
  });

  it('makes no further container once the lease may have expired', async () => {
    let saved = 0;
    const saveCheckpoint = () => Promise.resolve(void (saved += 1));
    const assertHeld = () => {
      if (saved === 1) throw new Error('lease lost');
    };
    await expect(run({}, gallery, { saveCheckpoint, assertHeld })).rejects.toThrow('lease lost');
    expect(publisher.containers.size).toBe(1);
  });

  it('makes none for a single file, nor if the container exists', async () => {
    expect(await run({ containersMade: 2 }, [file('a')])).toMatchObject({ output: { children: [], containerId: null, earlier: 2 } });
    expect(await run({ containerId: 'c7', containersMade: 2 }, gallery)).toMatchObject({
      output: { children: [], containerId: 'c7', earlier: 1 },
    });
    expect(publisher.containers.size).toBe(0);
  });

  it('names the file that Instagram refuses', async () => {
    publisher.createContainer = failing('unsupported_media');
    await expect(run({}, gallery, { checkpoint: ['old-1'] })).rejects.toMatchObject({ failure: { file: { number: 2, of: 3 } } });
  });

  it('fails for more files than one post takes', async () => {
    const files = Array.from({ length: 11 }, (_one, index) => file(String(index)));
    expect(await run({}, files)).toMatchObject({ kind: 'fail', failure: { kind: 'unsupported_media' } });
  });
});

describe('createContainer', () => {
  const prepared = (change: Partial<Prepared> = {}): Prepared => ({
    quotaUsed: 3,
    caption: 'Snow day.',
    options: {},
    files: [file('a')],
    containerId: null,
    earlier: 0,
    children: [],
    ...change,
  });
  const run = (change: Partial<Prepared>, isPublic = true) => {
    const objects = { get: () => Promise.resolve({ stream: 'bytes' }) } as unknown as ObjectStore;
    return createContainer.run(prepared(change), { publisher, links: { ...links, isPublic }, objects }, stepContext());
  };
  const request = () => [...publisher.containers.values()][0]?.request;

  it.each([
    [
      'a reel with its cover',
      {},
      { kind: 'reel', coverSeconds: 1.5, mediaUrl: 'https://cdn.example.test/processed/a', caption: 'Snow day.' },
    ],
    ['an image', { files: [file('a', 'image')] }, { kind: 'image' }],
  ] as [string, Partial<Prepared>, object][])('makes the container of %s', async (_what, change, expected) => {
    const isVideo = change.files === undefined;
    expect(await run(change)).toMatchObject({ kind: 'done', output: { containerId: 'container-1', quotaUsed: 3, earlier: 0, isVideo } });
    expect(request()).toMatchObject(expected);
    expect(links.forMeta).toHaveBeenLastCalledWith('processed/a', stepContext().now);
  });

  it('names the options where Instagram does not say which value it refused', async () => {
    publisher.createContainer = () => Promise.reject(PipelineError.of('instagram_value_refused', { detail: { code: 100, subcode: null } }));
    const failure = { code: 'instagram_options_refused', side: 'operator', message: expect.stringContaining('collaborators') };
    expect(await run({ options: { collaborators: ['a.friend'] } })).toMatchObject({ kind: 'fail', failure });
    expect(await run({})).toMatchObject({ kind: 'fail', failure: { code: 'instagram_value_refused' } });
  });

  it('passes the address of an uploaded cover', async () => {
    const { output } = (await createChildren.run({ ...inputOf(), cover, quotaUsed: 0 }, { publisher } as never, stepContext())) as {
      output: Prepared;
    };
    expect(await run({ coverKey: output.coverKey ?? null })).toMatchObject({ kind: 'done' });
    expect(request()).toMatchObject({ kind: 'reel', coverUrl: 'https://cdn.example.test/processed/cover', coverSeconds: 1.5 });
  });

  it('passes the options', async () => {
    const options = { shareToFeed: false, collaborators: ['a.friend'] };
    await run({ options });
    expect(request()).toMatchObject({ options });
  });

  it('makes a carousel of its children', async () => {
    publisher.containers.set('c1', { request: {} as never, status: 'FINISHED' });
    const files = [file('a'), file('b')];
    expect(await run({ files, children: ['c1'] })).toMatchObject({ output: { containerId: 'container-2', isVideo: false } });
    expect(publisher.containers.get('container-2')?.request).toMatchObject({ kind: 'carousel', mediaUrl: null, children: ['c1'] });
  });

  it('uploads the bytes if Instagram cannot reach the media', async () => {
    await run({}, false);
    expect(request()).toMatchObject({ mediaUrl: null, upload: { bytes: 10 } });
    expect(await request()?.upload?.open()).toBe('bytes');
  });

  it('keeps the container that the attempt already has', async () => {
    expect(await run({ containerId: 'c9', earlier: 1 })).toMatchObject({ output: { containerId: 'c9', earlier: 1 } });
    expect(publisher.containers.size).toBe(0);
  });

  it.each(['instagram_object_unknown', 'instagram_media_missing'] as const)('prepares everything once more after %s', async (code) => {
    publisher.refuseContainer(1, failureOf(code));
    expect(await run({ children: ['c1', 'c2'] })).toMatchObject({ kind: 'wait', redo: 'create-children' });
    publisher.refuseContainer(1, failureOf(code));
    expect(await run({ earlier: 1 })).toMatchObject({ kind: 'fail', failure: { code: 'media_lost_twice' } });
  });

  it('checks the address of the file again after Instagram could not fetch it, and then leaves it to the retries', async () => {
    const unfetched = failureOf('instagram_fetch_failed');
    publisher.refuseContainer(1, unfetched);
    expect(await run({})).toMatchObject({ kind: 'wait', redo: 'create-children', reason: unfetched.message });
    publisher.refuseContainer(1, unfetched);
    await expect(run({ earlier: 1 })).rejects.toMatchObject({ failure: { code: 'instagram_fetch_failed' } });
  });

  it('throws without files, and throws a refusal of Instagram', async () => {
    await expect(run({ files: [] })).rejects.toThrow('at least one file');
    publisher.createContainer = failing('rate_limited');
    await expect(run({})).rejects.toMatchObject({ failure: { kind: 'rate_limited' } });
  });
});

describe('publish', () => {
  const input = (calls: number): Awaited => ({ containerId: 'c1', quotaUsed: 0, earlier: 0, calls });
  let kept: string[][];
  beforeEach(() => (kept = []));
  const answers = { keepAnswer: (...answer: string[]) => Promise.resolve(void kept.push(answer)) };
  const call = (answer: PublishOutcome, calls = 0, tools = { answers }) => {
    publisher.publish = () => Promise.resolve(answer);
    return publish.run(input(calls), { publisher, ...tools }, stepContext());
  };
  const refused = (kind: Failure['kind'], retryAfterSeconds: number): PublishOutcome => {
    const failure: Failure = {
      code: 'instagram_not_ready',
      kind,
      message: 'Not now.',
      side: 'instagram',
      nextAction: 'Wait.',
      detail: { code: 9007 },
    };
    return { outcome: 'refused', retryAfterSeconds, code: '9007', message: 'Not now.', failure };
  };

  it('waits longer after each refusal of a finished container', async () => {
    expect(await call(refused('transient', 20))).toMatchObject({ kind: 'wait', seconds: 20, evidence: { detail: { code: 9007 } } });
    expect(await call(refused('transient', 20), 3)).toMatchObject({ kind: 'wait', seconds: 80 });
  });

  it('waits as long as a limit of the account says', async () => {
    expect(await call(refused('rate_limited', 3600), 3)).toMatchObject({ kind: 'wait', seconds: 3600 });
  });

  it('waits longer after each refusal by the daily quota, whose window is rolling', async () => {
    expect(await call(refused('quota_exceeded', 3600), 3)).toMatchObject({ kind: 'wait', seconds: 4 * 3600 });
  });

  it('treats nothing but a media id as published', async () => {
    expect(await call({ outcome: 'published', mediaId: '17' })).toEqual({ kind: 'done', output: { mediaId: '17' } });
    expect(kept).toEqual([['subject-1', '17']]);
    expect(await call({ outcome: 'unknown', code: null, message: 'Cut.' })).toMatchObject({
      kind: 'unknown',
      failure: { kind: 'unknown_outcome' },
    });
  });

  it('publishes although the answer cannot be kept', async () => {
    const silent = { answers: { keepAnswer: () => Promise.reject(new Error('the database is away')) } };
    expect(await call({ outcome: 'published', mediaId: '17' }, 0, silent)).toMatchObject({ kind: 'done' });
  });

  it('checks the lease in the call itself and sends nothing once it is lost', async () => {
    const lost = () => {
      throw new Error('lease lost');
    };
    publisher.containers.set('c1', { request: {} as never, status: 'FINISHED' });
    await expect(async () => publish.run(input(0), { publisher, answers }, stepContext({ assertHeld: lost }))).rejects.toThrow(
      'lease lost',
    );
    expect(publisher.publishCalls).toBe(0);
  });
});

describe('readPermalink', () => {
  it('adds the address of the post', async () => {
    publisher.media.push({
      id: 'm1',
      caption: null,
      mediaType: 'VIDEO',
      productType: null,
      permalink: 'https://example.test/m1',
      timestamp: '',
    });
    expect(await readPermalink.run({ mediaId: 'm1' }, { publisher }, stepContext())).toEqual({
      kind: 'done',
      output: { mediaId: 'm1', permalink: 'https://example.test/m1' },
    });
  });

  it('finishes without the address if it cannot be read', async () => {
    publisher.permalink = failing('transient');
    expect(await readPermalink.run({ mediaId: 'm1' }, { publisher }, stepContext())).toMatchObject({
      kind: 'done',
      output: { permalink: null },
    });
  });
});
