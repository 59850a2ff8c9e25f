import type { ReadyForAi } from '../api/ai.api';
import { LIMITS } from '../limits';
import { SAMPLE_ID, SAMPLE_TIME } from './item.sample';

export const readyForAiSample: ReadyForAi = {
  id: SAMPLE_ID,
  filename: 'morning-fog.mp4',
  mediaType: 'video',
  platform: 'reddit',
  subreddit: 'EarthPorn',
  author: 'fogwatcher',
  fileSize: 7_340_032,
  title: 'Morning fog rolling over the valley',
  state: 'protected',
  updatedAt: SAMPLE_TIME,
};

export const captionOptionsSample = { ...LIMITS.ai.options };
export const aiProcessAllBodySample = { batchSize: 1, delayBetweenFiles: 5000, maxFiles: 10, ...LIMITS.ai.options };
export const updateCaptionBodySample = { caption: 'Fog, light and a quiet valley.', hashtags: ['#fog', 'valley'] };
