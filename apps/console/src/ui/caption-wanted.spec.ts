import { captionWanted } from './caption-wanted';

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
  ])('%j', (item, wanted) => expect(captionWanted(item)).toBe(wanted));
});
