import type { Publishing } from '../api/publishing.api';
import { SAMPLE_TIME } from './item.sample';

export const publishingSample: Publishing = { paused: true, by: 'ada@example.com', since: SAMPLE_TIME };
export const publishingRunningSample: Publishing = { paused: false, by: null, since: null };
