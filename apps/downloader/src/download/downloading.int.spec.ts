import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Platform } from '@autoposter/contracts';
import {
  PipelineError,
  type ClaimTarget,
  type Failure,
  type PostSource,
  type SourceMedia,
  type SourcePost,
  failureOf,
} from '@autoposter/domain';
import { MediaTools } from '@autoposter/media-tools';
import { LocalStore } from '@autoposter/object-store';
import { HttpServerFake } from '@autoposter/resilience';
import type { ContentItem } from '@autoposter/persistence';
import { bindStage } from '@autoposter/job-engine';
import { silentLogger } from '@autoposter/observability';
import { advance, discardStored } from '@autoposter/workflow';
import {
  anItem,
  pollUntil,
  freshDatabase,
  StageTestHarness,
  startPostgres,
  type FreshDatabase,
  type PostgresServer,
} from '@autoposter/testkit';
import type { KnownPost, KnownPosts } from '../collect/steps/drop-known.step';
import { MediaFetcher } from '../fetching/media-fetcher';
import { downloadStage } from './download.stage';
import { resolveSource } from './steps/resolve-source.step';

const folder = mkdtempSync(join(tmpdir(), 'downloading-'));
const served = join(folder, 'served');

/** Media that the local host serves: a picture track and its sound apart, as Reddit keeps them, and a picture. */
function makeMedia(): void {
  const ffmpeg = (...args: string[]) => execFileSync('ffmpeg', ['-v', 'error', '-y', ...args]);
  execFileSync('mkdir', ['-p', served]);
  ffmpeg(
    '-f',
    'lavfi',
    '-i',
    'testsrc2=s=320x568:r=30:d=2',
    '-pix_fmt',
    'yuv420p',
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    join(served, 'CMAF_480.mp4'),
  );
  ffmpeg('-f', 'lavfi', '-i', 'sine=d=2', '-c:a', 'aac', join(served, 'CMAF_AUDIO_128.mp4'));
  ffmpeg('-f', 'lavfi', '-i', 'mandelbrot=s=640x640', '-frames:v', '1', join(served, 'one.png'));
  ffmpeg('-f', 'lavfi', '-i', 'testsrc=s=300x200:r=5:d=1', join(served, 'wide.gif'));
  ffmpeg('-f', 'lavfi', '-i', 'testsrc=s=161x81', '-frames:v', '1', join(served, 'removed.png'));
  ffmpeg('-f', 'lavfi', '-i', 'testsrc=s=500x700', '-frames:v', '1', join(served, 'two.jpg'));
}

const MANIFEST = `<MPD xmlns="urn:mpeg:dash:schema:mpd:2011"><Period>
  <AdaptationSet contentType="video"><Representation bandwidth="900" mimeType="video/mp4"><BaseURL>CMAF_480.mp4</BaseURL></Representation></AdaptationSet>
  <AdaptationSet contentType="audio"><Representation bandwidth="128" mimeType="audio/mp4"><BaseURL>CMAF_AUDIO_128.mp4</BaseURL></Representation></AdaptationSet>
</Period></MPD>`;

describe('downloading', () => {
  let server: PostgresServer;
  let fresh: FreshDatabase;
  let harness: StageTestHarness;
  let host: HttpServerFake;
  let origin: string;
  let found: SourcePost;
  /** Requests of the job: posts at the source, files at their host. */
  let asked: string[] = [];
  /** Set: what the source says instead. */
  let refusal: Failure | null;
  let knownNow: KnownPosts['findKnown'];
  /** Called after a file was stored, before the step continues. */
  let whenStored: () => Promise<void>;

  beforeAll(async () => {
    makeMedia();
    host = await new HttpServerFake().start();
    origin = host.origin;
    host.handler = ({ path }, response) => {
      const name = path.slice(1);
      asked.push(name);
      if (name === 'DASHPlaylist.mpd') return void response.end(MANIFEST);
      if (name === 'lie.mp4') return void response.end('<html>blocked</html>');
      const cut = /^cut-([\d.]+)-(short|none)\/(.+)$/.exec(name);
      if (cut !== null) {
        const whole = readFileSync(join(served, cut[3] ?? ''));
        const part = whole.subarray(0, Math.ceil(whole.length * Number(cut[1])));
        const length = cut[2] === 'short' ? `Content-Length: ${part.length}\r\n` : '';
        response.socket?.write(`HTTP/1.1 200 OK\r\nConnection: close\r\n${length}\r\n`);
        return void response.socket?.end(part);
      }
      const file = name.split('/').at(-1) ?? '';
      const absent = name.startsWith('silent/') && file.includes('AUDIO');
      if (absent || !readdirSync(served).includes(file)) return void response.writeHead(403).end();
      response.end(readFileSync(join(served, file)));
    };
    server = await startPostgres('embedded');
  });
  afterAll(async () => {
    await server?.stop();
    await host.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  beforeEach(async () => {
    fresh = await freshDatabase(server);
    refusal = null;
    asked = [];
    const reddit: PostSource = {
      resolve: () => (
        asked.push(found.sourceId),
        refusal === null ? Promise.resolve({ post: found, topComments: [] }) : Promise.reject(new PipelineError(refusal))
      ),
    };
    whenStored = () => Promise.resolve();
    const objects = new LocalStore({ folder: join(folder, 'objects') });
    const put = objects.put.bind(objects);
    objects.put = async (...object) => {
      const stored = await put(...object);
      await whenStored();
      return stored;
    };
    knownNow = (platform, ids) => fresh.database.read.items.findKnown(platform, ids);
    const tools = {
      sources: { reddit, instagram: null },
      claims: fresh.database.read.claims,
      known: { findKnown: (platform: Platform, ids: readonly string[]) => knownNow(platform, ids) },
      fetcher: new MediaFetcher({ extraOrigins: new Set([origin]), publicOnly: false }),
      media: new MediaTools(),
      objects,
      storageType: 'local' as const,
    };
    harness = await StageTestHarness.open(fresh.database, [
      { ...bindStage(downloadStage, tools), discard: discardStored({ database: fresh.database, objects, logger: silentLogger }) },
    ]);
  });
  afterEach(async () => {
    await harness.close();
    await fresh.drop();
  });

  const media = (name: string, change: Partial<SourceMedia> = {}): SourceMedia => ({
    kind: name.endsWith('.mp4') ? 'video' : 'image',
    url: `${origin}/${name}`,
    audioUrl: null,
    manifestUrl: null,
    width: null,
    height: null,
    durationSeconds: null,
    ...change,
  });

  const post = (item: ContentItem, change: Partial<SourcePost>): SourcePost => ({
    platform: 'reddit',
    sourceId: item.sourceId,
    permalink: item.originalUrl,
    title: 'As the source has it',
    author: 'painter',
    subreddit: 'aww',
    postType: 'video',
    media: [],
    unfetchable: null,
    nsfw: false,
    spoiler: false,
    stickied: false,
    removed: false,
    score: 12,
    upvoteRatio: 0.9,
    likes: null,
    createdAt: new Date().toISOString(),
    ...change,
  });

  async function download(
    change: Partial<SourcePost>,
    ends: 'done' | 'dead' | 'retrying' = 'done',
    item?: ContentItem,
  ): Promise<ContentItem> {
    const subject = await fresh.database.unitOfWork(async (uow) => {
      const created = item ?? (await anItem(uow));
      found = post(created, change);
      await advance(uow, created, { by: 'person', wants: 'download' }, { actor: 'test' });
      return created;
    });
    await harness.latestJob('download', subject.id, ends);
    const ended = await fresh.database.read.items.find(subject.id);
    if (ended === null) throw new Error('the item is gone');
    return ended;
  }

  const originals = (item: ContentItem) => fresh.database.read.media.ofItem(item.id, 'original');

  const claimOn = (...targets: ClaimTarget[]) =>
    fresh.database.unitOfWork(async (uow) => {
      const { id } = await uow.rights.addClaim({ title: 'Dusk', claimant: 'A label', createdBy: 'admin@example.com' }, []);
      await uow.claims.addTargets(id, targets);
      return id;
    });

  it('deletes what it stored when all data was cleared meanwhile', async () => {
    rmSync(join(folder, 'objects'), { recursive: true, force: true });
    const item = await fresh.database.unitOfWork((uow) => anItem(uow));
    found = post(item, { media: [media('one.png'), media('two.jpg')] });
    let stored = 0;
    whenStored = async () => {
      if ((stored += 1) === 1) await fresh.database.unitOfWork((uow) => uow.clearing.clearAll());
    };
    await fresh.database.unitOfWork((uow) => advance(uow, item, { by: 'person', wants: 'download' }, { actor: 'test' }));
    const files = () => {
      if (!existsSync(join(folder, 'objects'))) return [];
      const entries = readdirSync(join(folder, 'objects'), { recursive: true, withFileTypes: true });
      return entries.filter((entry) => entry.isFile());
    };
    await pollUntil(() => Promise.resolve(stored === 2 && files().length === 0));
    expect((await fresh.database.read.items.find(item.id))?.state).toBe('deleted');
  });

  it.each([
    ['address', { kind: 'url', key: 'reddit:claimed1' }],
    ['author', { kind: 'author', key: 'reddit:fox_watcher' }],
    ['subreddit', { kind: 'subreddit', key: 'aww' }],
  ] as const)('requests nothing of a post whose %s is claimed', async (what, target) => {
    const id = await claimOn(target);
    const subject = await fresh.database.unitOfWork((uow) => anItem(uow, { sourceId: 'claimed1' }));
    const item = await download({ media: [media('one.png')] }, 'done', subject);
    expect([item.state, asked, await originals(item)]).toEqual(['failed', [], []]);
    expect(item.processingErrors.at(-1)).toMatchObject({ kind: 'rights_blocked', message: `The ${what} of this post is claimed: "Dusk".` });
    expect(await fresh.database.sql.query('SELECT item_id, reason FROM skipped_posts')).toEqual([
      { item_id: item.id, reason: 'dmca_failure' },
    ]);
    const [record] = await fresh.database.read.provenance.ofItem(item.id);
    expect([record?.kind, JSON.parse(record?.body ?? '{}')]).toEqual([
      'blocked',
      { code: 'claimed_source', reason: `The ${what} of this post is claimed: "Dusk".`, actor: 'downloader' },
    ]);
    await fresh.database.unitOfWork((uow) => uow.claims.setStatus(id, { from: 'active', to: 'withdrawn', note: null, expiresAt: null }));
    expect((await download({ media: [media('one.png')] }, 'done', item)).state).toBe('downloaded');
  });

  it('fetches no file of a post whose file, or whose original, turns out to be claimed', async () => {
    await claimOn({ kind: 'url', key: `${origin.replace('http://', '')}/one.png` }, { kind: 'url', key: 'reddit:original1' });
    for (const change of [{ media: [media('one.png?sig=1')] }, { media: [media('two.jpg')], originId: 'original1' }]) {
      const item = await download(change);
      expect([item.state, item.title, asked]).toEqual(['failed', 'As the source has it', [item.sourceId]]);
      asked = [];
    }
  });

  it('joins picture and sound, and stores what it says', async () => {
    const item = await download({ media: [media('CMAF_480.mp4', { manifestUrl: `${origin}/DASHPlaylist.mpd` })] });
    expect(item).toMatchObject({ state: 'downloaded', mediaType: 'video', title: 'As the source has it', author: 'painter' });
    expect(await originals(item)).toMatchObject([
      { mediaType: 'video', hasAudio: true, width: 320, height: 568, contentType: 'video/mp4' },
    ]);
  });

  it('guesses the sound where the manifest is gone, and takes the video for silent where no guess is right', async () => {
    const heard = await download({ media: [media('clip/CMAF_480.mp4', { manifestUrl: `${origin}/clip/gone.mpd` })] });
    expect(await originals(heard)).toMatchObject([{ hasAudio: true }]);
    const silent = await download({ media: [media('silent/CMAF_480.mp4', { manifestUrl: `${origin}/silent/gone.mpd` })] });
    expect(await originals(silent)).toMatchObject([{ hasAudio: false }]);
  });

  it.each(['CMAF_480.mp4', 'two.jpg', 'one.png', 'wide.gif'])(
    'refuses %s cut at 30 %% or 60 %%, with a length that is too short or without one, and stores nothing of it',
    async (name) => {
      for (const [share, length] of [
        [0.3, 'short'],
        [0.3, 'none'],
        [0.6, 'short'],
        [0.6, 'none'],
      ] as const) {
        const item = await download({ media: [media(`cut-${share}-${length}/${name}`)] }, 'retrying');
        expect(item).toMatchObject({ state: 'downloading' });
        expect(await originals(item)).toEqual([]);
        const [job] = await fresh.database.sql.query('SELECT attempts, failure FROM stage_jobs WHERE subject_id = $1', [item.id]);
        expect(job).toMatchObject({ attempts: 1, failure: { kind: 'integrity', side: 'reddit' } });
      }
    },
  );

  it('refuses a video that is much shorter than its source says, although its container is whole', async () => {
    const item = await download({ media: [media('CMAF_480.mp4', { durationSeconds: 9 })] }, 'retrying');
    const [job] = await fresh.database.sql.query('SELECT failure FROM stage_jobs WHERE subject_id = $1', [item.id]);
    expect(job).toMatchObject({ failure: { kind: 'integrity', detail: { announcedSeconds: 9 } } });
  });

  it('treats the placeholder of a removed picture as a removal, not as the post', async () => {
    const item = await download({ postType: 'image', media: [media('removed.png')] }, 'dead');
    expect(item).toMatchObject({ state: 'failed', failedStage: 'download', processingErrors: [{ kind: 'not_found' }] });
    expect(item.processingErrors[0]?.message).toBe('The post was removed or deleted at its source.');
    expect(await originals(item)).toEqual([]);
  });

  it('keeps the order of a gallery', async () => {
    const item = await download({ postType: 'gallery', media: [media('two.jpg'), media('one.png')] });
    expect((await originals(item)).map(({ position, contentType, width }) => [position, contentType, width])).toEqual([
      [0, 'image/jpeg', 500],
      [1, 'image/png', 640],
    ]);
    expect(item.mediaType).toBe('image');
  });

  it('fails with a reason when the media is not what was announced, and leaves a row in the skipped log', async () => {
    const item = await download({ media: [media('lie.mp4')] }, 'dead');
    // what was pasted as an address is told by what the source said about it
    const told = { title: 'As the source has it', author: 'painter', subreddit: 'aww', score: 12, upvoteRatio: 0.9 };
    expect(item).toMatchObject({ state: 'failed', failedStage: 'download', ...told });
    expect(item.processingErrors).toHaveLength(1);
    expect(await originals(item)).toEqual([]);
    const rows = await fresh.database.sql.query<{ reason: string }>('SELECT reason FROM skipped_posts');
    expect(rows).toEqual([{ reason: 'unsupported_format' }]);
  });

  it('waits for a video that the source still processes, without using up an attempt, for a limited time', async () => {
    const message = 'Reddit is still processing this video.';
    const pending = failureOf('reddit_post_pending', { fields: { message }, detail: { pending: true } });
    refusal = pending;
    const subject = await fresh.database.unitOfWork((uow) => anItem(uow));
    const ended = download({ media: [media('two.jpg')] }, 'done', subject);
    expect(await harness.latestJob('download', subject.id, 'waiting')).toMatchObject({ attempts: 0, waitReason: message });
    refusal = null;
    expect(await ended).toMatchObject({ state: 'downloaded' });
    const context = {
      checkpoint: '2026-05-01T10:00:00Z',
      saveCheckpoint: () => Promise.resolve(),
      now: new Date('2026-05-01T11:00:01Z'),
    } as never;
    const source: PostSource = { resolve: () => Promise.reject(new PipelineError(pending)) };
    const tools = {
      sources: { reddit: source, instagram: null },
      claims: fresh.database.read.claims,
      known: { findKnown: () => Promise.resolve(new Map()) },
    };
    expect(await resolveSource.run({ item: subject }, tools, context)).toMatchObject({
      kind: 'fail',
      failure: { kind: 'upstream_rejected', message },
    });
  });

  it('lets a collected post wait while Reddit denies access, and downloads it afterwards', async () => {
    refusal = {
      code: 'reddit_token_rejected',
      kind: 'not_authorised',
      message: 'Reddit rejected the credentials.',
      side: 'operator',
      nextAction: 'Check them.',
    };
    const item = await fresh.database.unitOfWork(async (uow) => {
      const created = await anItem(uow);
      found = post(created, { media: [media('two.jpg')] });
      await advance(uow, created, { by: 'person', wants: 'download' }, { actor: 'clock', forPerson: false });
      return created;
    });
    expect(await harness.latestJob('download', item.id, 'waiting')).toMatchObject({ attempts: 0, waitReason: refusal.message });
    refusal = null;
    await harness.latestJob('download', item.id, 'done');
    expect(await fresh.database.read.items.find(item.id)).toMatchObject({ state: 'downloaded' });
  });

  it('does not hold refused credentials against the post', async () => {
    refusal = {
      code: 'reddit_token_rejected',
      kind: 'not_authorised',
      message: 'Reddit rejected the credentials.',
      side: 'operator',
      nextAction: 'Check them.',
    };
    const item = await download({}, 'dead', await fresh.database.unitOfWork((uow) => anItem(uow, { subreddit: 'aww' })));
    expect(item).toMatchObject({ state: 'failed', processingErrors: [{ kind: 'not_authorised', nextAction: 'Check them.' }] });
    const rows = await fresh.database.sql.query<{ reason: string }>('SELECT reason FROM skipped_posts');
    expect(rows).toEqual([{ reason: 'other' }]);
  });

  it('leaves a text post out', async () => {
    const item = await download({ postType: 'text', unfetchable: 'A text post has no picture or video.' });
    expect(item).toMatchObject({ state: 'failed', title: 'As the source has it' });
    expect(item.processingErrors[0]?.message).toContain('text post');
    // the reason that the same post has where a subreddit lists it
    const rows = await fresh.database.sql.query<{ reason: string }>('SELECT reason FROM skipped_posts');
    expect(rows).toEqual([{ reason: 'content_type_filter' }]);
  });

  it('says of a post that is gone at its source which one it was', async () => {
    const item = await download({ removed: true }, 'dead');
    expect(item).toMatchObject({ state: 'failed', title: 'As the source has it', score: 12 });
    expect(item.processingErrors[0]).toMatchObject({ kind: 'not_found', nextAction: expect.stringContaining('Leave it out') });
  });

  it('requires a review of posts that are not safe for work', async () => {
    const item = await download({ nsfw: true, media: [media('two.jpg')] });
    expect(item).toMatchObject({ nsfw: true, needsReview: true });
  });

  describe('a share link', () => {
    const link = (path: string, change: Partial<ContentItem> = {}) =>
      fresh.database.unitOfWork((uow) => anItem(uow, { sourceId: `link:${path}`, ...change }));
    const follow = async (path: string, change: Partial<ContentItem> = {}) =>
      download({ sourceId: 'real1', permalink: REAL, media: [media('two.jpg')] }, 'done', await link(path, change));
    const real = () => fresh.database.read.items.findBySource('reddit', 'real1');
    const REAL = 'https://www.reddit.com/r/aww/comments/real1/';

    it('tells which post it is', async () => {
      expect(await follow('/r/aww/s/abc')).toMatchObject({ sourceId: 'real1', state: 'downloaded', originalUrl: REAL });
    });

    it('to a known post leaves one item, which continues if the link asks for more', async () => {
      await follow('/r/aww/s/abc');
      const second = await follow('/r/aww/s/def', { autoProcessStage: 'queuePost' });
      expect([second.state, second.processingErrors]).toEqual(['deleted', []]);
      expect(await real()).toMatchObject({ state: 'protecting', autoProcessStage: 'queuePost' });
      const rows = await fresh.database.sql.query('SELECT 1 FROM skipped_posts');
      expect(rows).toEqual([]);
    });

    it('to a post that a person removed brings it back, and followed a second time does so again', async () => {
      const first = await fresh.database.unitOfWork((uow) =>
        anItem(uow, { sourceId: 'real1', state: 'deleted', retryCount: 3, autoProcessStage: 'dmcaProtection' }),
      );
      const entry = await follow('/r/aww/s/abc', { autoProcessStage: 'dmcaProtection' });
      expect(entry.state).toBe('deleted');
      await harness.latestJob('download', first.id, 'done');
      expect(await real()).toMatchObject({ id: first.id, state: 'downloaded', retryCount: 0 });
      await fresh.database.sql.query("UPDATE content_items SET state = 'discarded' WHERE id = $1", [first.id]);
      await download({ sourceId: 'real1', permalink: REAL, media: [media('two.jpg')] }, 'done', entry);
      await pollUntil(async () => (await real())?.state === 'downloaded');
    });

    it('that turns out to be a known one only at the end is merged as well', async () => {
      const held = new Map<string, KnownPost>();
      knownNow = () => Promise.resolve(held);
      await fresh.database.unitOfWork((uow) => anItem(uow, { sourceId: 'real1', state: 'ready' }));
      const entry = await follow('/r/aww/s/abc');
      expect(entry).toMatchObject({ state: 'deleted', processingErrors: [] });
      expect((await real())?.state).toBe('ready');
      const events = await fresh.database.read.history.ofItem(entry.id);
      expect(events.at(-1)).toMatchObject({ type: 'download.skipped', state: 'deleted', reason: expect.stringContaining('here already') });
    });
  });
});
