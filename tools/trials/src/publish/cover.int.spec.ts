import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import path from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { loadConfig } from '@autoposter/config';
import type { PublishOptions } from '@autoposter/contracts';
import { bindStage, type Systems } from '@autoposter/job-engine';
import { silentLogger } from '@autoposter/observability';
import { fileFields, pollUntil, StageTestHarness, temporaryFolder } from '@autoposter/testkit';
import { describeGateway, GatewayFixture } from '../../../../apps/gateway/src/testing/gateway-fixture';
import { postStage } from '../../../../apps/instagram-poster/src/post/post.stage';
import { posterTools } from '../../../../apps/instagram-poster/src/poster.tools';
import { type LedgerEntry, type PublishLedger, type RunningSimulators, startSimulators } from '../../../simulators/src/index';

const REEL = [
  '-f',
  'lavfi',
  '-i',
  'testsrc=size=540x960:rate=30:duration=4',
  '-f',
  'lavfi',
  '-i',
  'anullsrc=r=48000:cl=stereo',
  '-shortest',
];
const CODING = [
  '-c:v',
  'libx264',
  '-preset',
  'ultrafast',
  '-pix_fmt',
  'yuv420p',
  '-c:a',
  'aac',
  '-movflags',
  '+faststart',
  '-use_editlist',
  '0',
];
const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

describeGateway('the cover of a reel that is published on the simulated Instagram', () => {
  let folder: string;
  let gateway: GatewayFixture;
  let simulators: RunningSimulators;
  let stages: StageTestHarness;
  let reel: Buffer;
  let picture: Buffer;

  beforeAll(async () => {
    folder = temporaryFolder('cover');
    const make = async (name: string, ...args: string[]): Promise<Buffer> => {
      const file = path.join(folder, name);
      await promisify(execFile)('ffmpeg', ['-v', 'error', '-y', ...args, file]);
      return readFile(file);
    };
    reel = await make('reel.mp4', ...REEL, ...CODING);
    picture = await make('cover.jpg', '-f', 'lavfi', '-i', 'testsrc2=s=1080x1920', '-frames:v', '1');
    simulators = await startSimulators({ dataDir: path.join(folder, 'simulators'), ffmpegPath: 'ffmpeg' });
    await control('POST', '/control/settings', { instagram: { videoProcessingMs: 0 } });
  });
  afterAll(async () => {
    await simulators?.close();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    gateway = await GatewayFixture.start({
      hasPublicAddress: true,
      instagramAccountId: simulators.credentials['INSTAGRAM_BUSINESS_ACCOUNT_ID'] ?? '',
    });
    const config = loadConfig('instagram-poster', {
      ...{ DATABASE_URL: 'postgres://localhost/none', CONTAINER_POLL_SECONDS: '1', CDN_BASE_URL: gateway.address },
      ...{ ...simulators.credentials, INSTAGRAM_GRAPH_URL: simulators.urls.INSTAGRAM_GRAPH_URL, LINK_KEY: 'l'.repeat(40) },
    });
    const { database, objects, settings } = gateway;
    const keys = { ...config.keys, link: settings.keys.link };
    const tools = posterTools({ config: { ...config, keys }, database, objects, logger: silentLogger } as unknown as Systems);
    stages = await StageTestHarness.open(database, [bindStage(postStage, tools)]);
  });
  afterEach(async () => {
    await stages?.close();
    // the clients of this process keep theirs open for longer than the gateway waits
    (gateway?.app.getHttpServer() as Server | undefined)?.closeAllConnections();
    await gateway?.stop();
  });

  async function control<T>(method: string, where: string, body?: unknown): Promise<T> {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${simulators.controlUrl}${where}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    expect(response.status).toBe(200);
    return (await response.json()) as T;
  }

  /** Queues a reel and lets `prepare` change it; returns what the account shows once it was sent. */
  async function published(options: PublishOptions, prepare: (path: string) => Promise<void>): Promise<LedgerEntry | undefined> {
    const { id } = await gateway.item('ready');
    const stored = await gateway.objects.put('processed', Readable.from([reel]), 'video/mp4', 'mp4');
    const form = { width: 540, height: 960, durationSeconds: 4, coverSeconds: 2 };
    const file = fileFields({ ...form, objectKey: stored.key, sha256: stored.sha256, bytes: reel.length });
    await gateway.database.unitOfWork((uow) => uow.media.replace(id, 'processed', [file]));
    const queued = await gateway.call('post', `/api/instagram-queue/${id}`, { options }).expect(200);
    await prepare(`/api/instagram-queue/${queued.body.data._id}/cover`);
    await gateway.call('post', `/api/instagram-queue/${id}`, { postImmediately: true }).expect(200);
    await pollUntil(async () => {
      await stages.fireWaitingJobs();
      const item = await gateway.database.read.items.find(id);
      const attempt = (await gateway.database.read.attempts.ofItems([id])).get(id);
      if (item?.state !== 'posted') throw new Error(`the post is ${item?.state}: ${attempt?.failure?.message ?? attempt?.state}`);
      return true;
    });
    const attempt = (await gateway.database.read.attempts.ofItems([id])).get(id);
    const ledger = await control<PublishLedger>('GET', '/control/ledger');
    return ledger.published.find(({ mediaId }) => mediaId === attempt?.mediaId);
  }

  it('is fetched by Instagram as it was uploaded and is shown to administrators', async () => {
    let shown = '';
    const post = await published({ thumbOffsetMs: 1_500 }, async (where) => {
      const { body } = await gateway.call('put', where).set('Content-Type', 'application/octet-stream').send(picture).expect(200);
      shown = sha256Of((await gateway.visitor.get(body.data.coverUrl).expect(200)).body as Buffer);
    });
    expect(post).toMatchObject({ mediaProductType: 'REELS', sha256: sha256Of(reel), cover: { sha256: shown } });
    // an uploaded cover replaces a frame of the reel
    expect(post?.options).toEqual(expect.objectContaining({ cover_url: expect.stringContaining(gateway.address) }));
    expect(post?.options).not.toHaveProperty('thumb_offset');
  });

  it.each<[string, PublishOptions, string]>([
    ['at the time that an administrator chose', { thumbOffsetMs: 1_500 }, '1500'],
    ['at the time that was chosen when it was normalised', {}, '2000'],
  ])('is a frame of the reel %s', async (_which, options, offset) => {
    const post = await published(options, () => Promise.resolve());
    expect(post).toMatchObject({ cover: null, options: { thumb_offset: offset } });
    expect(post?.options).not.toHaveProperty('cover_url');
  });
});
