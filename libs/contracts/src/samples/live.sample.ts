import type { LiveFact } from '../api/live.api';
import { SAMPLE_ID, SAMPLE_TIME } from './item.sample';

export const liveFactSample: LiveFact = {
  seq: 42,
  type: 'dmca.completed',
  subjectId: SAMPLE_ID,
  itemId: SAMPLE_ID,
  stage: 'dmca',
  state: 'protected',
  reason: null,
  occurredAt: SAMPLE_TIME,
};
export const eventsQuerySample = { lastEventId: '41' };
