import { z } from 'zod';

/** One name per origin that the simulators serve. */
export const SYSTEMS = ['reddit-auth', 'reddit-api', 'instagram-graph', 'instagram-upload', 'gemini', 'groq', 'google', 'media'] as const;
export type SystemName = (typeof SYSTEMS)[number];

/**
 * One fault. Whatever goes wrong with an outside system is said with these fields:
 *
 * - `match` picks the calls: system, method, a regular expression on path and query, the `nth` matching call (from 1) and how many
 *   `times` from then on (without it: until reset).
 * - `when`: `before` the effect (the call changes nothing) or `after` it (the system did its work and the answer is lost or changed).
 * - `delayMs` waits; `status`, `headers` and `body` replace the answer (`$1`…`$9` in the body stand for the groups of the path
 *   expression); `cut` drops the connection, `true` before the first byte, a number after so many bytes of the body.
 * - `truncate` ends a file after that share of its bytes as if it were whole: with the length of the part, or with none and a closed
 *   connection (`share: 1` with `none` is a whole file without a length).
 * - `behaviour` sets a switch which the system's own code obeys for this call.
 *
 * A fault with none of these but a delay is a slow call with its true answer.
 */
export const faultSchema = z.strictObject({
  match: z.strictObject({
    system: z.enum(SYSTEMS).optional(),
    method: z.string().toUpperCase().optional(),
    path: z.string().refine(isPattern, 'not a regular expression').optional(),
    nth: z.int().min(1).optional(),
    times: z.int().min(1).optional(),
  }),
  when: z.enum(['before', 'after']).default('before'),
  delayMs: z.int().min(0).max(3_600_000).optional(),
  status: z.int().min(100).max(599).optional(),
  headers: z.record(z.string(), z.string()).optional(),
  body: z.unknown().optional(),
  cut: z.union([z.literal(true), z.int().min(0)]).optional(),
  truncate: z.strictObject({ share: z.number().min(0).max(1), length: z.enum(['short', 'none']).default('short') }).optional(),
  behaviour: z.string().optional(),
});

export type Fault = z.output<typeof faultSchema>;
export type FaultInput = z.input<typeof faultSchema>;

function isPattern(source: string): boolean {
  try {
    new RegExp(source);
    return true;
  } catch {
    return false;
  }
}
