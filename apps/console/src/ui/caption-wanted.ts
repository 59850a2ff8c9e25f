import type { Download } from '@autoposter/contracts';

/** Whether a person may write the caption in place of a model: none was asked yet, it refused, or it waits for its quota. */
export const captionWanted = ({ state, failedStage, waiting }: Pick<Download, 'state' | 'failedStage' | 'waiting'>): boolean =>
  state === 'protected' ||
  (state === 'captioning' && waiting !== null && waiting !== undefined) ||
  (state === 'failed' && failedStage === 'ai');
