import type { ReadyForDmca } from '../api/dmca.api';
import { SAMPLE_ID, SAMPLE_TIME } from './item.sample';

export const readyForDmcaSample: ReadyForDmca = {
  id: SAMPLE_ID,
  fileName: 'morning-fog.mp4',
  fileType: 'video/mp4',
  platform: 'reddit',
  subreddit: 'EarthPorn',
  author: 'fogwatcher',
  fileSize: 8_912_896,
  title: 'Morning fog rolling over the valley',
  state: 'downloaded',
  updatedAt: SAMPLE_TIME,
};

export const dmcaProcessAllBodySample = { batchSize: 1, delayBetweenFiles: 3000, maxFiles: 100 };
