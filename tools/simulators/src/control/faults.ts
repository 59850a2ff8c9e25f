import { z } from 'zod';

/** Each system listens on an origin of its own. */
export const SYSTEMS = ['reddit-auth', 'reddit-api', 'instagram-graph', 'instagram-upload', 'gemini', 'groq', 'google', 'media'] as const;
export type SystemName = (typeof SYSTEMS)[number];

/**
 * Describes how an external system misbehaves:
 *
 * - `match` selects requests: system, method, regular expression on path and query, the `nth` matching request (from 1) and the number of
 *   `times` (unlimited by default).
 * - `when`: `before` the effect (the request changes nothing) or `after` it (the effect happens and the response is lost or replaced).
 * - `delayMs` delays; `status`, `headers` and `body` replace the response (`$1`…`$9` in the body are the groups of the path expression);
 *   `cut` closes the connection, `true` before the first byte, a number after that many bytes of the body.
 * - `truncate` sends only a share of a file: `short` with the matching content length, `none` without a content length and with the
 *   connection closed at the end (`share: 1` with `none` is a complete file without a content length).
 * - `behaviour` sets a flag that the handler of the simulated system evaluates for this request.
 *
 * A fault with only a delay is a slow request with its real response.
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

interface ActiveFault {
  id: number;
  preset: string | null;
  fault: Fault;
  /** Requests that matched so far, and requests to which the fault was applied. */
  seen: number;
  applied: number;
}

/** A fault to apply to one request, with the groups of its path expression inserted into the body. */
export interface MatchedFault {
  fault: Fault;
  preset: string | null;
  body: string | undefined;
}

/** The active faults, oldest first. The oldest due fault is applied; every matching fault counts the request as seen. */
export class FaultInjector {
  private readonly active: ActiveFault[] = [];
  private nextId = 1;

  add(input: FaultInput, preset: string | null = null): ActiveFault {
    const entry: ActiveFault = { id: this.nextId++, preset, fault: faultSchema.parse(input), seen: 0, applied: 0 };
    this.active.push(entry);
    return entry;
  }

  list(): readonly ActiveFault[] {
    return this.active;
  }

  remove(id: number): boolean {
    const index = this.active.findIndex((entry) => entry.id === id);
    if (index >= 0) this.active.splice(index, 1);
    return index >= 0;
  }

  reset(): void {
    this.active.length = 0;
  }

  /** Must be called once per request. */
  match(system: SystemName, method: string, pathAndQuery: string): MatchedFault | null {
    let matched: MatchedFault | null = null;
    for (const entry of this.active) {
      const groups = matches(entry.fault, system, method, pathAndQuery);
      if (!groups) continue;
      entry.seen += 1;
      if (matched || !isDue(entry)) continue;
      entry.applied += 1;
      matched = { fault: entry.fault, preset: entry.preset, body: bodyText(entry.fault.body, groups) };
    }
    return matched;
  }
}

function matches(fault: Fault, system: SystemName, method: string, pathAndQuery: string): RegExpExecArray | readonly string[] | null {
  const { match } = fault;
  if (match.system && match.system !== system) return null;
  if (match.method && match.method !== method) return null;
  return match.path === undefined ? [] : new RegExp(match.path).exec(pathAndQuery);
}

function isDue(entry: ActiveFault): boolean {
  const { nth, times } = entry.fault.match;
  if (nth !== undefined && entry.seen < nth) return false;
  // `nth` without `times` means that single request, not all following ones.
  return entry.applied < (times ?? (nth === undefined ? Number.POSITIVE_INFINITY : 1));
}

function bodyText(body: unknown, groups: ArrayLike<string>): string | undefined {
  if (body === undefined) return undefined;
  const source = typeof body === 'string' ? body : JSON.stringify(body);
  return source.replace(/\$([1-9])/g, (whole, index: string) => groups[Number(index)] ?? whole);
}
