import { z } from 'zod';

/**
 * The frame of every message. `id` is the identity for deduplication, `subjectId` what the message is about (item, collect run
 * or publish attempt), `correlationId` the journey it belongs to, `causationId` the message that led to it. Payloads hold ids and
 * decisions, never rows, tokens or media; a whole message stays under 2 KB.
 */
export const envelopeSchema = z.strictObject({
  id: z.uuid(),
  type: z.string().min(3).max(64),
  occurredAt: z.iso.datetime(),
  subjectId: z.uuid(),
  correlationId: z.uuid(),
  causationId: z.uuid().nullable(),
  traceparent: z.string().max(64).nullable(),
});

type EnvelopeFrame = z.infer<typeof envelopeSchema>;
export type Envelope<P = unknown> = EnvelopeFrame & { payload: P };

export const withPayload = <T extends string, P extends z.ZodType>(type: T, payload: P) =>
  envelopeSchema.extend({ type: z.literal(type), payload });
