import { AUTO_PROCESS_STAGES, type AutoProcessStage, type ItemStage } from '@autoposter/contracts';
import { nextStage, resumeStage, type ItemPosition } from './next-stage';

const item = (change: Partial<ItemPosition> = {}): ItemPosition => ({
  state: 'downloading',
  autoProcessStage: 'dmcaProtection',
  needsReview: false,
  failedStage: null,
  ...change,
});

describe('nextStage after a stage', () => {
  const table: Record<AutoProcessStage, Record<ItemStage, string>> = {
    dmcaProtection: { download: 'wait downloaded', dmca: 'wait protected', ai: 'wait ready' },
    aiCaption: { download: 'enter dmca', dmca: 'wait protected', ai: 'wait ready' },
    processedContent: { download: 'enter dmca', dmca: 'enter ai', ai: 'wait ready' },
    queuePost: { download: 'enter dmca', dmca: 'enter ai', ai: 'enter queue' },
  };

  it.each(AUTO_PROCESS_STAGES.flatMap((setting) => (['download', 'dmca', 'ai'] as const).map((finished) => [setting, finished] as const)))(
    '%s: after %s',
    (setting, finished) => {
      const next = nextStage(item({ autoProcessStage: setting }), { by: 'stage', finished });
      const told = 'wait' in next ? `wait ${next.state}` : 'enter' in next ? `enter ${next.enter}` : 'refuse';
      expect(told).toBe(table[setting][finished]);
    },
  );

  it('stops before the queue when a person has to look, whatever the setting', () => {
    expect(nextStage(item({ autoProcessStage: 'queuePost', needsReview: true }), { by: 'stage', finished: 'ai' })).toEqual({
      wait: true,
      state: 'ready',
    });
  });
});

describe('nextStage for a person', () => {
  it.each([
    ['blocked', 'dmca', null],
    ['failed', 'download', 'download'],
    ['failed', 'dmca', 'dmca'],
    ['failed', 'ai', 'ai'],
    ['ready', 'queue', null],
  ] as const)('refuses a %s post whose source removed it into %s, with what to do', (state, wants, failedStage) => {
    const next = nextStage(item({ state, failedStage, sourceRemovedAt: new Date(0) }), { by: 'person', wants });
    expect(next).toMatchObject({ refuse: { code: 'item_removed_at_source', message: expect.stringContaining('delete it from the list') } });
  });

  it('lets a post that its source removed be downloaded again once it was deleted here', () => {
    const next = nextStage(item({ state: 'deleted', sourceRemovedAt: new Date(0) }), { by: 'person', wants: 'download' });
    expect(next).toEqual({ enter: 'download', state: 'downloading' });
  });

  it.each([
    ['downloaded', 'dmca', 'protecting'],
    ['protected', 'ai', 'captioning'],
    ['ready', 'queue', 'queued'],
    ['ready', 'ai', 'captioning'],
    ['deleted', 'download', 'downloading'],
  ] as const)('from %s into %s', (state, wants, becomes) => {
    expect(nextStage(item({ state }), { by: 'person', wants })).toEqual({ enter: wants, state: becomes });
  });

  it.each([
    ['downloaded', 'ai'],
    ['accepted', 'dmca'],
    ['protecting', 'dmca'],
    ['posted', 'queue'],
    ['queued', 'queue'],
    ['posting', 'download'],
  ] as const)('refuses from %s into %s with a sentence', (state, wants) => {
    const next = nextStage(item({ state }), { by: 'person', wants });
    expect(next).toHaveProperty('refuse');
    expect(next).toMatchObject({ refuse: { code: 'item_in_wrong_state', fields: { state }, message: expect.stringContaining(state) } });
  });

  it('lets a failed item into the stage that failed and into no other', () => {
    const failed = item({ state: 'failed', failedStage: 'dmca' });
    expect(nextStage(failed, { by: 'person', wants: 'dmca' })).toEqual({ enter: 'dmca', state: 'protecting' });
    expect(nextStage(failed, { by: 'person', wants: 'ai' })).toHaveProperty('refuse');
  });

  it('starts a failed item again at the stage that made its damaged input, and at no other', () => {
    const failed = item({ state: 'failed', failedStage: 'dmca', processingErrors: [{ stage: 'dmca', resumeFrom: 'download' }] });
    expect(resumeStage(failed)).toBe('download');
    expect(nextStage(failed, { by: 'person', wants: 'download' })).toEqual({ enter: 'download', state: 'downloading' });
    expect(nextStage(failed, { by: 'person', wants: 'dmca' })).toHaveProperty('refuse');
    const later = { ...failed, processingErrors: [...(failed.processingErrors ?? []), { stage: 'dmca' }] };
    expect(resumeStage(later)).toBe('dmca');
    expect(resumeStage({ ...failed, failedStage: 'ai' })).toBe('ai');
  });
});
