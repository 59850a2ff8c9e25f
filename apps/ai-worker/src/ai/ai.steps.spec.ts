import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { LIMITS } from '@autoposter/contracts';
import {
  OFFLINE_MODEL,
  type CaptionModel,
  type CombinedModel,
  type VisionModel,
  type VisualDescription,
  type WrittenCaption,
} from '@autoposter/domain';
import type { MediaTools } from '@autoposter/media-tools';
import type { ObjectStore } from '@autoposter/object-store';
import type { ContentItem, MediaFile } from '@autoposter/persistence';
import { failing, stepContext } from '@autoposter/testkit';
import type { AiBudget, ModelCall } from './ai-budget';
import { applyCaptionPolicy } from './steps/apply-caption-policy.step';
import { describeVisuals } from './steps/describe-visuals.step';
import { extractFrames } from './steps/extract-frames.step';
import { writeCaptions } from './steps/write-captions.step';

const options = LIMITS.ai.options;
const source = { title: 'A fox in the snow', subreddit: 'aww', author: 'fox_watcher', topComments: [] };
const visuals: VisualDescription = {
  visualContent: 'A fox.',
  emotionalTone: 'Calm.',
  contentTheme: 'Nature.',
  instagramOptimization: '',
  captionDirection: '',
  confidence: 0.9,
  rawAnalysis: '',
};
const written: WrittenCaption = {
  caption: 'Snow day for this fox.',
  hashtags: ['fox', 'snow'],
  variations: [],
  sentiment: 'positive',
  hasCallToAction: false,
  hashtagCategories: {},
};
/** Passes every call on and records it; refuses with `kind` instead if given. */
const budgetOf = (calls: ModelCall[], kind?: 'quota_exceeded') =>
  ({
    spend: (call: ModelCall, run: () => Promise<unknown>) => (calls.push(call), kind === undefined ? run() : failing(kind)()),
  }) as unknown as AiBudget;

let workFolder: string;
beforeAll(() => {
  workFolder = mkdtempSync(join(tmpdir(), 'ai-steps-'));
});
afterAll(() => rmSync(workFolder, { recursive: true }));

describe('extractFrames', () => {
  const run = (
    processed: Partial<MediaFile>[],
    frames: MediaTools['extractFrames'],
    get: () => Promise<unknown> = () => Promise.resolve({ stream: Readable.from(['bytes']) }),
  ) => {
    const comments = Array.from({ length: 7 }, (_one, index) => ({ body: index === 0 ? 'x'.repeat(400) : 'Nice.' }));
    const item = { ...source, topComments: comments } as unknown as ContentItem;
    const input = { item, processed: processed as MediaFile[], options, byPerson: true, isRegeneration: false, replaceEdited: false };
    return extractFrames.run(
      input,
      { media: { extractFrames: frames } as MediaTools, objects: { get } as unknown as ObjectStore },
      stepContext({ workFolder }),
    );
  };
  const video = { position: 0, mediaType: 'video' as const, objectKey: 'processed/a' };

  it('takes four frames of a video and what the models need to know of the item', async () => {
    const frames = jest.fn<Promise<string[]>, Parameters<MediaTools['extractFrames']>>(() => Promise.resolve(['1', '2', '3', '4']));
    const result = await run([video], frames);
    expect(result).toMatchObject({
      kind: 'done',
      output: { frames: ['1', '2', '3', '4'], byPerson: true, source: { title: source.title } },
    });
    expect(frames.mock.calls[0]?.[1]).toEqual({ count: 4, maxPixels: 768 });
    const topComments = result.kind === 'done' ? result.output.source.topComments : [];
    expect([topComments.length, (topComments[0]?.length ?? 999) <= 300]).toEqual([5, true]);
  });

  it('takes one frame of each of the first four images', async () => {
    const frames = jest.fn((file: string) => Promise.resolve([file]));
    const result = await run(
      Array.from({ length: 6 }, (_one, position) => ({ position, mediaType: 'image', objectKey: `processed/${position}` })),
      frames,
    );
    expect(result.kind === 'done' && result.output.frames).toHaveLength(4);
    expect(frames).toHaveBeenCalledTimes(4);
  });

  it.each([
    ['missing', () => Promise.resolve([]), failing('not_found')],
    ['corrupt', failing('corrupt_media'), undefined],
  ] as [string, MediaTools['extractFrames'], (() => Promise<never>) | undefined][])(
    'resumes from DMCA protection if the file is %s',
    async (_what, frames, get) => {
      await expect(run([video], frames, get)).rejects.toMatchObject({ failure: { resumeFrom: 'dmca' } });
    },
  );
});

describe('describeVisuals', () => {
  const vision: VisionModel = { name: 'see-1', provider: 'gemini', describe: () => Promise.resolve(visuals) };
  const combined = {
    name: 'both-1',
    provider: 'gemini',
    describeAndWrite: () => Promise.resolve({ visuals, written }),
  } as unknown as CombinedModel;
  const run = (tools: { combined: CombinedModel | null; vision?: VisionModel }, budget: AiBudget) => {
    const frame = join(workFolder, 'frame.jpg');
    writeFileSync(frame, 'jpeg');
    return describeVisuals.run({ source, options, byPerson: true, frames: [frame] }, { vision, ...tools, budget }, stepContext());
  };

  it('describes the frames within the budget of the provider', async () => {
    const calls: ModelCall[] = [];
    const result = await run({ combined: null }, budgetOf(calls));
    expect(result).toMatchObject({ kind: 'done', output: { visuals, visionModel: 'see-1' } });
    expect(result.kind === 'done' && result.output.written).toBeUndefined();
    expect(calls).toEqual([expect.objectContaining({ provider: 'gemini', jobId: 'job-1', byPerson: true })]);
  });

  it('describes and writes in one request if one model does both', async () => {
    const calls: ModelCall[] = [];
    expect(await run({ combined }, budgetOf(calls))).toMatchObject({ output: { visuals, written, visionModel: 'both-1' } });
    expect(calls).toHaveLength(1);
  });

  it('throws the refusal of the budget and the failure of the model', async () => {
    await expect(run({ combined: null }, budgetOf([], 'quota_exceeded'))).rejects.toMatchObject({ failure: { kind: 'quota_exceeded' } });
    await expect(run({ combined: null, vision: { ...vision, describe: failing('transient') } }, budgetOf([]))).rejects.toMatchObject({
      failure: { kind: 'transient' },
    });
  });
});

describe('writeCaptions', () => {
  const captions: CaptionModel = { name: 'write-1', provider: 'groq', write: () => Promise.resolve(written) };
  const input = { source, options, byPerson: false, visuals, visionModel: 'see-1' };

  it('writes within the budget of the provider', async () => {
    const calls: ModelCall[] = [];
    const result = await writeCaptions.run(input, { captions, budget: budgetOf(calls) }, stepContext());
    expect(result).toMatchObject({ kind: 'done', output: { written, captionModel: 'write-1', visionModel: 'see-1' } });
    expect(calls).toEqual([expect.objectContaining({ provider: 'groq', byPerson: false })]);
  });

  it('makes no request if the caption was written together with the description', async () => {
    const calls: ModelCall[] = [];
    const result = await writeCaptions.run(
      { ...input, written },
      { captions: { ...captions, write: failing('internal') }, budget: budgetOf(calls) },
      stepContext(),
    );
    expect(result).toMatchObject({ output: { written, captionModel: 'see-1' } });
    expect(calls).toEqual([]);
  });

  it.each(['transient', 'policy'] as const)('throws a failure that is %s', async (kind) => {
    const tools = { captions: { ...captions, write: failing(kind) }, budget: budgetOf([]) };
    await expect(writeCaptions.run(input, tools, stepContext())).rejects.toMatchObject({ failure: { kind } });
  });
});

describe('applyCaptionPolicy', () => {
  const run = (change: Partial<WrittenCaption>, captionModel = 'write-1') =>
    applyCaptionPolicy.run(
      { source, visuals, visionModel: 'see-1', written: { ...written, ...change }, captionModel },
      { maxHashtags: 5 },
      stepContext(),
    );

  it('gives a caption that can be published as it is', async () => {
    expect(await run({})).toMatchObject({
      kind: 'done',
      output: { written: { caption: written.caption }, hashtags: ['fox', 'snow'], violations: [], maxHashtags: 5 },
    });
  });

  it('keeps as many hashtags as one post may have', async () => {
    const result = await run({ hashtags: ['a1', 'b1', 'c1', 'd1', 'e1', 'f1', 'g1'] });
    expect(result.kind === 'done' && result.output.hashtags.length).toBeLessThanOrEqual(5);
  });

  it.each([
    ['contains_url', { caption: 'More at https://evil.example/x' }, undefined],
    ['prompt_repeated', { leaksPrompt: true }, undefined],
    ['without_model', {}, OFFLINE_MODEL],
  ] as const)('marks %s for review', async (code, change, model) => {
    expect(await run(change, model)).toMatchObject({
      output: { violations: expect.arrayContaining([expect.objectContaining({ code, severity: 'review' })]) },
    });
  });

  it('fails for a caption that Instagram would refuse', async () => {
    expect(await run({ caption: 'a'.repeat(2201) })).toMatchObject({ kind: 'fail', failure: { kind: 'policy', side: 'ours' } });
  });
});
