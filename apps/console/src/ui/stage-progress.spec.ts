import { STAGE_CATALOGUE, type StageCatalogue } from '@autoposter/contracts';
import { ITEM_STATES } from '@autoposter/domain';
import { acceptsManualCaption, progressTablesOf, stageProgressOf } from './stage-progress';

const word = (rail: ReturnType<typeof stageProgressOf>) => rail.segments.map((segment) => segment.state).join(' ');

describe('the way of an item', () => {
  it.each([
    ['accepted', 'waiting todo todo todo todo'],
    ['downloading', 'running todo todo todo todo'],
    ['protected', 'done done waiting todo todo'],
    ['ready', 'done done done waiting todo'],
    ['queued', 'done done done waiting todo'],
    ['posting', 'done done done done running'],
    ['posted', 'done done done done done'],
    ['blocked', 'done failed todo todo todo'],
  ])('%s', (state, segments) => expect(word(stageProgressOf({ state, status: 'processing' }))).toBe(segments));

  it('shows the failure at the stage that failed', () => {
    const rail = stageProgressOf({ state: 'failed', status: 'failed', failedStage: 'ai' });
    expect(word(rail)).toBe('done done failed todo todo');
    expect(rail.sentence).toBe('Failed at the AI caption');
  });

  it('shows a stage that waits as waiting', () => {
    expect(word(stageProgressOf({ state: 'captioning', status: 'processing', waiting: { until: null, reason: 'quota' } }))).toBe(
      'done done waiting todo todo',
    );
  });

  it('has words for every state', () => {
    for (const state of ITEM_STATES) expect(stageProgressOf({ state, status: 'processing' }).sentence).not.toBe('In work');
  });

  it('goes by the status where the state is not told', () => {
    expect(stageProgressOf({ status: 'downloaded' }).sentence).toBe('Downloaded');
  });
});

const waiting = { until: null, reason: "The day's AI requests are used up (gemini)." };

describe('whether a caption may be written by hand', () => {
  it.each([
    [{ state: 'protected' }, true],
    [{ state: 'captioning', waiting }, true],
    [{ state: 'captioning', waiting: null }, false],
    [{ state: 'captioning' }, false],
    [{ state: 'failed', failedStage: 'ai' as const }, true],
    [{ state: 'failed', failedStage: 'dmca' as const }, false],
    [{ state: 'downloaded', waiting }, false],
    [{ state: 'ready' }, false],
  ])('%j', (item, wanted) => expect(acceptsManualCaption(item)).toBe(wanted));
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
      watermarked: [3, 'waiting', 'Waiting for its AI caption'],
      ready: [4, 'waiting', 'Ready in Processed Content'],
    });
    expect(failedAt['watermark']).toEqual([2, 'failed', 'Failed at the watermark']);
  });
});
