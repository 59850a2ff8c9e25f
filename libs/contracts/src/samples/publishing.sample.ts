import type { Publishing } from '../api/publishing.api';
import { SAMPLE_TIME } from './item.sample';

export const publishingStoppedSample: Publishing = {
  paused: true,
  by: 'autoposter',
  since: SAMPLE_TIME,
  cause: 'token',
  reason: 'The Instagram access token has expired.',
  nextAction: 'Create a new access token and set INSTAGRAM_ACCESS_TOKEN.',
};
export const publishingRunningSample: Publishing = { paused: false, by: null, since: null };
