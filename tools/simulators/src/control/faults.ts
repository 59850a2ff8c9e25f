import { z } from 'zod';

/** One name per origin that the simulators serve. */
export const SYSTEMS = ['reddit-auth', 'reddit-api', 'instagram-graph', 'instagram-upload', 'gemini', 'groq', 'google', 'media'] as const;
export type SystemName = (typeof SYSTEMS)[number];

/**
 * One fault. Whatever goes wrong with an outside system is said with these fields:
 *
 * - `match` picks the calls: system, method, a regular expression on path and query, the `nth` matching call (from 1) and how many
 *   `times` from then on (without it: until reset).
 * - `when`: `before` the effect (the call changes nothing) or `after` it (the system did its work and the response is lost or changed).
 * - `delayMs` waits; `status`, `headers` and `body` replace the response (`$1`…`$9` in the body stand for the groups of the path
 *   expression); `cut` drops the connection, `true` before the first byte, a number after so many bytes of the body.
 * - `truncate` ends a file after that share of its bytes as if it were whole: with the length of the part, or with none and a closed
 *   connection (`share: 1` with `none` is a whole file without a length).
 * - `behaviour` sets a switch which the system's own code obeys for this call.
 *
 * A fault with none of these but a delay is a slow call with its true response.
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

export interface ActiveFault {
  id: number;
  preset: string | null;
  fault: Fault;
  /** Calls that matched so far, and how often the fault matched. */
  seen: number;
  applied: number;
}

/** A fault that strikes one call, with the groups of its path expression put into the body. */
export interface MatchedFault {
  fault: Fault;
  preset: string | null;
  body: string | undefined;
}

/** Holds the faults in force, oldest first. The first one that strikes wins; the others count the call as seen. */
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

  /** Asks once per call, with the path and its query. */
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
  // `nth` alone means that one call, not all from there on.
  return entry.applied < (times ?? (nth === undefined ? Number.POSITIVE_INFINITY : 1));
}

function bodyText(body: unknown, groups: ArrayLike<string>): string | undefined {
  if (body === undefined) return undefined;
  const source = typeof body === 'string' ? body : JSON.stringify(body);
  return source.replace(/\$([1-9])/g, (whole, index: string) => groups[Number(index)] ?? whole);
}

/**
 * A named fault, ready to be applied with `POST /control/presets/{name}`; the body of that call may change any part of it
 * (`{"match":{"times":3}}`). Where nothing else is said a preset strikes once.
 */
export interface Preset {
  /** What a person sees in the list: what happens, in one sentence. */
  about: string;
  fault: FaultInput;
}

export function preset(about: string, match: FaultInput['match'], fault: Omit<FaultInput, 'match'>): Preset {
  return { about, fault: { ...fault, match } };
}

export type PresetTable = Readonly<Record<string, Preset>>;

export const HTML_PAGE = '<!doctype html><html><head><title>Error</title></head><body><h1>Sorry, something went wrong.</h1></body></html>';
