import { z } from 'zod';
import { FACT_TYPES } from '../messages';
import { STAGES } from '../stages/stages';
import { momentSchema } from './envelope.api';
import { defineRoutes, get } from './route';

/**
 * `data` of one server-sent event of type `fact`; its `id` is `seq`. A reader that reconnects sends the last id it received in the header
 * `Last-Event-ID` or as `lastEventId`, and receives the events that it missed.
 */
export const liveFactSchema = z.object({
  seq: z.int().min(1),
  type: z.enum(FACT_TYPES),
  subjectId: z.uuid(),
  itemId: z.uuid().nullable(),
  stage: z.enum(STAGES).nullable(),
  state: z.string().nullable(),
  reason: z.string().nullable(),
  occurredAt: momentSchema,
});
export type LiveFact = z.infer<typeof liveFactSchema>;

/** Event types of the stream. `gap`: missed events are no longer stored, so the client has to refetch everything. `beat`: the connection is alive. */
export const LIVE_EVENTS = ['fact', 'gap', 'beat'] as const;
export const LIVE_BEAT_MS = 15_000;

export const eventsQuerySchema = z.object({ lastEventId: z.coerce.number().int().min(0).optional() });
export type EventsQuery = z.infer<typeof eventsQuerySchema>;

export const liveRoutes = defineRoutes({
  events: get('/api/events', 'What happens, as server-sent events', { query: eventsQuerySchema }),
});
