import { cutText } from '@autoposter/domain';
import type { Envelope } from '@autoposter/contracts';
import type { z } from 'zod';

type ReadMessage = { ok: true; envelope: Envelope } | { ok: false; reason: string };

/** Parses a message into an envelope, or returns a sentence that says why it cannot. */
export const readMessage = (text: string, schema: z.ZodType): ReadMessage => {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return { ok: false, reason: 'The message is not JSON.' };
  }
  const result = schema.safeParse(parsed);
  if (result.success) return { ok: true, envelope: result.data as Envelope };
  const [issue] = result.error.issues;
  const place = issue && issue.path.length > 0 ? issue.path.join('.') : 'the message';
  return { ok: false, reason: cutText(`The message does not fit its schema at ${place}: ${issue?.message ?? 'unknown'}`, 300) };
};
