import { STAGE_CATALOGUE, type StageCatalogue } from '@autoposter/contracts';
import { ITEM_STATES } from '@autoposter/domain';
import { acceptsManualCaption, progressTablesOf, stageProgressOf } from './stage-progress';

const statesOf = (progress: ReturnType<typeof stageProgressOf>) => progress.segments.map((segment) => segment.state).join(' ');

describe('stageProgressOf', () => {
  it.each([
    ['accepted', 'waiting todo todo todo todo'],
    ['downloading', 'running todo todo todo todo'],
    ['protected', 'done done waiting todo todo'],
    ['ready', 'done done done waiting todo'],
    ['queued', 'done done done waiting todo'],
    ['posting', 'done done done done running'],
    ['posted', 'done done done done done'],
    ['blocked', 'done failed todo todo todo'],
  ])('shows an item in state %s as: %s', (state, segments) =>
    expect(statesOf(stageProgressOf({ state, status: 'processing' }))).toBe(segments),
  );

  it('marks the failed stage', () => {
    const progress = stageProgressOf({ state: 'failed', status: 'failed', failedStage: 'ai' });
    expect(statesOf(progress)).toBe('done done failed todo todo');
    expect(progress.sentence).toBe('AI caption failed');
  });

  it('marks a running stage that waits for its quota as waiting', () => {
    expect(statesOf(stageProgressOf({ state: 'captioning', status: 'processing', waiting: { until: null, reason: 'quota' } }))).toBe(
      'done done waiting todo todo',
    );
  });

  it('describes every item state', () => {
    for (const state of ITEM_STATES) expect(stageProgressOf({ state, status: 'processing' }).sentence).not.toBe('Processing');
  });

  it('uses the status when the state is missing', () => {
    expect(stageProgressOf({ status: 'downloaded' }).sentence).toBe('Downloaded');
  });
});

const waiting = { until: null, reason: "The day's AI requests are used up (gemini)." };

describe('acceptsManualCaption', () => {
  it.each([
    [{ state: 'protected' }, true],
    [{ state: 'captioning', waiting }, true],
    [{ state: 'captioning', waiting: null }, false],
    [{ state: 'captioning' }, false],
    [{ state: 'failed', failedStage: 'ai' as const }, true],
    [{ state: 'failed', failedStage: 'dmca' as const }, false],
    [{ state: 'downloaded', waiting }, false],
    [{ state: 'ready' }, false],
  ])('for %j returns %s', (item, expected) => expect(acceptsManualCaption(item)).toBe(expected));
});

describe('progressTablesOf', () => {
  it('gives a stage that is added to the catalogue its segment and sentences', () => {
    const rights = STAGE_CATALOGUE.findIndex(({ name }) => name === 'dmca');
    const added = {
      ...STAGE_CATALOGUE[rights],
      name: 'watermark',
      label: 'Watermark',
      role: undefined,
      activeState: 'watermarking',
      doneState: 'watermarked',
      progress: { waiting: 'Waiting for its watermark', active: 'Getting its watermark', failed: 'Failed at the watermark' },
    } as StageCatalogue[number];
    const { names, states, failedAt } = progressTablesOf((STAGE_CATALOGUE as StageCatalogue).toSpliced(rights + 1, 0, added));
    expect(names).toEqual(['Download', 'DMCA', 'Watermark', 'AI', 'Queue', 'Posted']);
    expect(states).toMatchObject({
      protected: [2, 'waiting', 'Waiting for its watermark'],
      watermarking: [2, 'running', 'Getting its watermark'],
      watermarked: [3, 'waiting', 'Waiting for the AI caption'],
      ready: [4, 'waiting', 'Ready in Processed Content'],
    });
    expect(failedAt['watermark']).toEqual([2, 'failed', 'Failed at the watermark']);
  });
});
