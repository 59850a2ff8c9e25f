import type { FailureKind } from '@autoposter/contracts';
import { execFileSync } from 'node:child_process';
import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { failureOf, PipelineError, reviewReason, type CaptionModel, type VisionModel } from '@autoposter/domain';
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
import type { AiTools } from '../ai.tools';
import { AiBudget } from './ai-budget';
import { aiStage } from './ai.stage';

const GEMINI = { provider: 'gemini', model: 'gemini', apiKey: 'a key', url: 'https://gemini.test' } as const;
const folder = mkdtempSync(join(tmpdir(), 'captioning-'));
const objects = new LocalStore({ folder: join(folder, 'objects') });

describe('captioning', () => {
  let server: PostgresServer;
  let fresh: FreshDatabase;
  let harness: StageTestHarness;
  let tools: AiTools;
  const offline: Pick<AiTools, 'vision' | 'captions'> = { vision: new OfflineVision(), captions: new OfflineCaptions() };

  beforeAll(async () => {
    server = await startPostgres('embedded');
    execFileSync('ffmpeg', [
      '-v',
      'error',
      '-y',
      '-f',
      'lavfi',
      '-i',
      'mandelbrot=s=720x900',
      '-frames:v',
      '1',
      join(folder, 'picture.jpg'),
    ]);
  });
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    fresh = await freshDatabase(server);
    tools = {
      media: new MediaTools(),
      objects,
      budget: new AiBudget(fresh.database, 50, [GEMINI]),
      maxHashtags: 5,
      combined: null,
      ...offline,
    };
    harness = await StageTestHarness.open(fresh.database, [bindStage(aiStage, tools)]);
  });
  afterEach(async () => {
    await harness.close();
    await fresh.drop();
  });

  /** Models that answer as a test wants; every call is counted. */
  const counted = <Model extends VisionModel | CaptionModel>(model: Model, calls: string[], fail?: () => Error | null): Model =>
    new Proxy(model, {
      get(target, name) {
        if (name === 'name' || name === 'provider') return 'gemini';
        const method = Reflect.get(target, name) as (...parameters: unknown[]) => Promise<unknown>;
        return (...parameters: unknown[]) => {
          calls.push(String(name));
          const error = fail?.() ?? null;
          return error === null ? method.apply(target, parameters) : Promise.reject(error);
        };
      },
    });

  async function caption(
    autoProcessStage: ContentItem['autoProcessStage'],
    ends: 'done' | 'dead' | 'waiting' = 'done',
  ): Promise<ContentItem> {
    const stored = await objects.put('processed', createReadStream(join(folder, 'picture.jpg')), 'image/jpeg', 'jpg');
    const item = await fresh.database.unitOfWork(async (uow) => {
      const created = await anItem(uow, { state: 'protected', mediaType: 'image', autoProcessStage, title: 'A fox in the snow' });
      await uow.media.replace(created.id, 'processed', [fileFields({ mediaType: 'image', objectKey: stored.key, sha256: stored.sha256 })]);
      await advance(uow, created, { by: 'person', wants: 'ai' }, { actor: 'test' });
      return created;
    });
    await harness.latestJob('ai', item.id, ends);
    const ended = await fresh.database.read.items.find(item.id);
    if (ended === null) throw new Error('the item is gone');
    return ended;
  }

  it('writes caption, variations and analysis, and stops before the queue as the setting says', async () => {
    const item = await caption('processedContent');
    expect(item.state).toBe('ready');
    const written = await fresh.database.read.captions.of(item.id);
    expect(written).toMatchObject({ captionModel: 'offline', visionModel: 'offline' });
    expect(written?.caption).not.toBe('');
    expect(written?.analysis).toMatch(/^Not analysed: [^{}]+ Stay with the title\.$/u);
    expect(written?.hashtags.length).toBeGreaterThan(0);
    expect(written?.textAnalysis?.wordCount).toBe(written?.caption.split(/\s+/).filter(Boolean).length);
  });

  it('puts a fully automatic item into the queue, with credit and hashtags in the text', async () => {
    tools.captions = { name: 'model', write: (...asked) => offline.captions.write(...asked) };
    const item = await caption('queuePost');
    expect(item.state).toBe('queued');
    const place = await fresh.database.read.queue.findOpenOf(item.id);
    expect(place?.caption).toContain('u/fox_watcher');
    expect(place?.caption).toContain('#');
  });

  it.each([
    [5, '#a #b #c #d #e'],
    [7, '#a #b #c #d #e #f #g'],
    [0, 'aww'],
  ])('keeps as many hashtags as the installation sets, and queues them: %d', async (maxHashtags, end) => {
    tools.maxHashtags = maxHashtags;
    const hashtags = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    const model: CaptionModel = { name: 'test', write: async (...asked) => ({ ...(await offline.captions.write(...asked)), hashtags }) };
    tools.captions = model;
    const { id } = await caption('queuePost');
    expect((await fresh.database.read.captions.of(id))?.hashtags).toHaveLength(maxHashtags);
    const place = await fresh.database.read.queue.findOpenOf(id);
    expect(place?.caption.endsWith(end)).toBe(true);
  });

  it('stops before the queue when what was written needs a look', async () => {
    tools.captions = {
      name: 'model',
      write: async (...asked) => ({
        ...(await offline.captions.write(...asked)),
        caption: 'See https://example.test/ for more of this fox',
      }),
    };
    const item = await caption('queuePost');
    expect(item).toMatchObject({ state: 'ready', needsReview: true });
    expect(item.reviewReasons).toEqual([{ code: 'contains_url' }]);
  });

  it('fails with a reason when the caption could not go out at all', async () => {
    tools.captions = {
      name: 'offline',
      write: async (...asked) => ({ ...(await offline.captions.write(...asked)), caption: 'a'.repeat(2300) }),
    };
    const item = await caption('queuePost', 'dead');
    expect(item).toMatchObject({ state: 'failed', failedStage: 'ai' });
    expect(item.processingErrors[0]?.message).toContain('2200');
    const skipped = await fresh.database.sql.query('SELECT reason FROM skipped_posts WHERE source_id = $1', [item.sourceId]);
    expect(skipped).toEqual([{ reason: 'ai_failure' }]);
  });

  it('does not describe the frames again when only the writing failed', async () => {
    const looks: string[] = [];
    const writes: string[] = [];
    const away = {
      code: 'gemini_overloaded',
      kind: 'transient',
      message: 'The model is overloaded.',
      side: 'gemini',
      nextAction: 'Wait.',
    } as const;
    tools.vision = counted(offline.vision, looks);
    tools.captions = counted(offline.captions, writes, () => (writes.length < 3 ? new PipelineError(away) : null));
    expect((await caption('processedContent')).state).toBe('ready');
    expect([looks.length, writes.length]).toEqual([1, 3]);
  });

  it("waits for the next day when the day's requests are used up, without losing an attempt", async () => {
    tools.vision = counted(offline.vision, []);
    tools.budget = new AiBudget(fresh.database, 0, [GEMINI]);
    const item = await caption('processedContent', 'waiting');
    expect(item.state).toBe('captioning');
    const job = await fresh.database.read.jobs.findOpen('ai', item.id);
    expect(job).toMatchObject({ state: 'waiting', attempts: 0 });
    expect(job?.waitReason).toContain('used up');
  });

  const problem = (kind: FailureKind) =>
    new PipelineError({ ...failureOf('gemini_overloaded'), kind, retryAt: new Date(Date.now() + 7_200_000).toISOString() });

  it.each(['quota_exceeded', 'not_authorised', 'not_configured'] as const)(
    'waits with the reason as data while the provider answers %s',
    async (kind) => {
      tools.vision = counted(offline.vision, [], () => problem(kind));
      const item = await caption('processedContent', 'waiting');
      expect(item).toMatchObject({ state: 'captioning', processingErrors: [] });
      const job = await fresh.database.read.jobs.findOpen('ai', item.id);
      expect(job).toMatchObject({
        state: 'waiting',
        attempts: 0,
        waitCode: kind,
        waitSide: 'gemini',
        waitReason: problem(kind).failure.message,
      });
    },
  );

  it('makes one call for a post where one provider both sees and writes', async () => {
    const asked: string[] = [];
    tools.combined = {
      name: 'gemini',
      provider: 'gemini',
      describeAndWrite: async (frames, source, options, signal) => {
        asked.push(source.title);
        const visuals = await offline.vision.describe(frames, source, signal);
        return { visuals, written: await offline.captions.write(source, visuals, options, signal) };
      },
    };
    const item = await caption('processedContent');
    expect(item.state).toBe('ready');
    expect(asked).toEqual(['A fox in the snow']);
    expect(await fresh.database.read.captions.of(item.id)).toMatchObject({ visionModel: 'gemini', captionModel: 'gemini' });
  });

  describe('of a post that has a caption', () => {
    const writes = (text: string): void => {
      tools.captions = {
        name: 'test',
        write: async (...asked) => ({ ...(await offline.captions.write(...asked)), caption: text, hashtags: ['fresh'] }),
      };
    };
    /** As the gateway asks. */
    async function again(id: string, ends: 'done' | 'dead', options: Record<string, unknown> = {}): Promise<ContentItem> {
      await fresh.database.unitOfWork(async (uow) => {
        const asked = await advance(uow, await uow.items.lock(id), { by: 'person', wants: 'ai' }, { actor: 'test', options });
        expect(asked.outcome).toBe('entered');
      });
      await harness.latestJob('ai', id, ends);
      const item = await fresh.database.read.items.find(id);
      if (item === null) throw new Error('the item is gone');
      return item;
    }
    const edit = (id: string) =>
      fresh.database.unitOfWork(async (uow) => {
        const before = await uow.captions.of(id);
        if (before === null) throw new Error('no caption');
        await uow.captions.save({
          ...before,
          caption: 'My own words',
          hashtags: ['mine'],
          editedBy: 'admin@example.com',
          editedAt: await uow.now(),
        });
      });

    it('keeps what an administrator edited and offers the new text as a variation', async () => {
      const { id } = await caption('processedContent');
      await edit(id);
      writes('A fresh text about this fox');
      expect(await again(id, 'done')).toMatchObject({ state: 'ready' });
      const kept = await fresh.database.read.captions.of(id);
      expect(kept).toMatchObject({ caption: 'My own words', hashtags: ['mine'], editedBy: 'admin@example.com', captionModel: 'test' });
      expect(kept?.variations[0]).toMatchObject({ caption: 'A fresh text about this fox' });
    });

    it('replaces what an administrator edited only where that is asked for', async () => {
      const { id } = await caption('processedContent');
      await edit(id);
      writes('A fresh text about this fox');
      await again(id, 'done', { replaceEdited: true });
      const written = await fresh.database.read.captions.of(id);
      expect(written).toMatchObject({ caption: 'A fresh text about this fox', editedBy: null });
      expect(written?.options).not.toHaveProperty('replaceEdited');
    });

    it('clears the review reasons of the earlier caption and keeps the others', async () => {
      writes('See https://example.test/ for more of this fox');
      const { id, reviewReasons } = await caption('processedContent');
      const nsfw = reviewReason('nsfw_at_source');
      await fresh.database.read.items.patch(id, { reviewReasons: [nsfw, ...reviewReasons] });
      expect(reviewReasons).not.toEqual([]);
      writes('A fresh text about this fox');
      expect(await again(id, 'done')).toMatchObject({ needsReview: true, reviewReasons: [nsfw] });
      await fresh.database.read.items.patch(id, { reviewReasons: [] });
      expect(await again(id, 'done')).toMatchObject({ needsReview: false, reviewReasons: [] });
    });

    it('stays unchanged when it moves while the models are at work', async () => {
      const { id } = await caption('processedContent');
      const before = await fresh.database.read.captions.of(id);
      for (const [ends, fails] of [
        ['done', false],
        ['dead', true],
      ] as const) {
        await fresh.database.sql.query(`UPDATE content_items SET state = 'ready' WHERE id = $1`, [id]);
        tools.captions = {
          name: 'test',
          write: async (...asked) => {
            await fresh.database.sql.query(`UPDATE content_items SET state = 'discarded' WHERE id = $1`, [id]);
            if (fails) throw problem('policy');
            return { ...(await offline.captions.write(...asked)), caption: 'Too late' };
          },
        };
        expect(await again(id, ends)).toMatchObject({ state: 'discarded', processingErrors: [] });
        expect((await fresh.database.read.captions.of(id))?.caption).toBe(before?.caption);
      }
    });

    it('stays ready for a person, whatever the setting', async () => {
      const { id } = await caption('processedContent');
      await fresh.database.read.items.patch(id, { autoProcessStage: 'queuePost' });
      expect(await again(id, 'done')).toMatchObject({ state: 'ready' });
      expect(await fresh.database.read.queue.findOpenOf(id)).toBeNull();
    });

    it.each(['policy', 'quota_exceeded', 'not_authorised'] as const)(
      'stays ready with its caption where the models answer %s',
      async (kind) => {
        writes('The first text about this fox');
        const { id } = await caption('processedContent');
        tools.vision = counted(offline.vision, [], () => problem(kind));
        const item = await again(id, 'dead');
        expect(item).toMatchObject({ state: 'ready', failedStage: null });
        expect(item.processingErrors).toEqual([
          expect.objectContaining({ stage: 'ai', kind, message: failureOf('gemini_overloaded').message }),
        ]);
        expect((await fresh.database.read.captions.of(id))?.caption).toBe('The first text about this fox');
      },
    );
  });
});
