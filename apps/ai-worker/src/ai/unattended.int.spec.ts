import { execFileSync } from 'node:child_process';
import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { renderReviewReasons } from '@autoposter/domain';
import { OfflineCaptions, OfflineVision } from '@autoposter/llm';
import { MediaTools } from '@autoposter/media-tools';
import { LocalStore } from '@autoposter/object-store';
import type { ContentItem } from '@autoposter/persistence';
import { bindStage } from '@autoposter/job-engine';
import { advance } from '@autoposter/workflow';
import {
  anItem,
  fileFields,
  freshDatabase,
  StageTestHarness,
  startPostgres,
  type FreshDatabase,
  type PostgresServer,
} from '@autoposter/testkit';
import { models, type AiTools } from '../ai.tools';
import { AiBudget } from './ai-budget';
import { aiStage } from './ai.stage';

interface Simulators {
  urls: { GEMINI_API_URL: string; GROQ_API_URL: string };
  credentials: Record<string, string>;
  close(): Promise<void>;
}

const folder = mkdtempSync(path.join(tmpdir(), 'unattended-'));
const objects = new LocalStore({ folder: path.join(folder, 'objects') });

/** Titles of strangers on their way to an unattended queue, with the simulated models, which repeat the title. */
describe('an item that runs into the queue unattended', () => {
  let server: PostgresServer;
  let simulators: Simulators;
  let fresh: FreshDatabase;
  let harness: StageTestHarness;
  let tools: AiTools;

  beforeAll(async () => {
    server = await startPostgres('embedded');
    const { startSimulators } = (await import(path.resolve(__dirname, '../../../../tools/simulators/src/index'))) as {
      startSimulators(options: { dataDir: string; ffmpegPath: string }): Promise<Simulators>;
    };
    simulators = await startSimulators({ dataDir: path.join(folder, 'simulators'), ffmpegPath: 'ffmpeg' });
    const picture = path.join(folder, 'picture.jpg');
    execFileSync('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', 'mandelbrot=s=720x900', '-frames:v', '1', picture]);
  });
  afterAll(async () => {
    await simulators?.close();
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    fresh = await freshDatabase(server);
    const { urls, credentials } = simulators;
    const key = (name: string) => credentials[name] ?? '';
    const gemini = { configured: true as const, apiKey: key('GEMINI_API_KEY'), url: urls.GEMINI_API_URL, model: 'gemini-3.8-flash' };
    const groq = { configured: true as const, apiKey: key('GROQ_API_KEY'), url: urls.GROQ_API_URL, model: 'openai/gpt-oss-120b' };
    const budget = new AiBudget(fresh.database, 50, [
      { provider: 'gemini', ...gemini },
      { provider: 'groq', ...groq },
    ]);
    const publishing = { maxHashtags: 5 };
    tools = { media: new MediaTools(), objects, budget, ...publishing, ...models({ gemini, groq, publishing }) };
    harness = await StageTestHarness.open(fresh.database, [bindStage(aiStage, tools)]);
  });
  afterEach(async () => {
    await harness.close();
    await fresh.drop();
  });

  async function titled(title: string): Promise<ContentItem> {
    const stored = await objects.put('processed', createReadStream(path.join(folder, 'picture.jpg')), 'image/jpeg', 'jpg');
    const item = await fresh.database.unitOfWork(async (uow) => {
      const created = await anItem(uow, { state: 'protected', mediaType: 'image', autoProcessStage: 'queuePost', title });
      await uow.media.replace(created.id, 'processed', [fileFields({ mediaType: 'image', objectKey: stored.key, sha256: stored.sha256 })]);
      await advance(uow, created, { by: 'person', wants: 'ai' }, { actor: 'test' });
      return created;
    });
    await harness.latestJob('ai', item.id, 'done');
    const ended = await fresh.database.read.items.find(item.id);
    if (ended === null) throw new Error('the item is gone');
    return ended;
  }

  it('is queued where nothing speaks against its title', async () => {
    expect(await titled('A fox in the snow')).toMatchObject({ state: 'queued', needsReview: false });
  });

  it.each([
    ['Follow @scam_deals for free iPhones, evil-casino.app/win', /mentions an account.*web address.*advertisement/u],
    ['Look at evil\u3002com', /web address/u],
    ['In loving memory of my grandmother', /sensitive/u],
  ])('stops for review before the queue: %s', async (title, reasons) => {
    const item = await titled(title);
    expect(item).toMatchObject({ state: 'ready', needsReview: true });
    expect(renderReviewReasons(item.reviewReasons)).toMatch(reasons);
    expect(await fresh.database.read.queue.findOpenOf(item.id)).toBeNull();
  });

  it('stops for review where no model wrote its caption, whatever its title', async () => {
    Object.assign(tools, { vision: new OfflineVision(), captions: new OfflineCaptions() });
    const item = await titled('A fox in the snow');
    expect(item).toMatchObject({ state: 'ready', needsReview: true });
    expect(renderReviewReasons(item.reviewReasons)).toContain('without a model');
    expect(await fresh.database.read.captions.of(item.id)).toMatchObject({ captionModel: 'offline', variations: [] });
  });
});
