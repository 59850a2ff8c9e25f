import { faultSchema, type Fault, type FaultInput, type SystemName } from './fault';

export interface ActiveFault {
  id: number;
  preset: string | null;
  fault: Fault;
  /** Calls that matched so far, and how often the fault struck. */
  seen: number;
  fired: number;
}

/** A fault that strikes one call, with the groups of its path expression put into the body. */
export interface StruckFault {
  fault: Fault;
  preset: string | null;
  body: string | undefined;
}

/** Holds the faults in force, oldest first. The first one that strikes wins; the others count the call as seen. */
export class FaultInjector {
  private readonly active: ActiveFault[] = [];
  private nextId = 1;

  add(input: FaultInput, preset: string | null = null): ActiveFault {
    const entry: ActiveFault = { id: this.nextId++, preset, fault: faultSchema.parse(input), seen: 0, fired: 0 };
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
  strike(system: SystemName, method: string, pathAndQuery: string): StruckFault | null {
    let struck: StruckFault | null = null;
    for (const entry of this.active) {
      const groups = matches(entry.fault, system, method, pathAndQuery);
      if (!groups) continue;
      entry.seen += 1;
      if (struck || !isDue(entry)) continue;
      entry.fired += 1;
      struck = { fault: entry.fault, preset: entry.preset, body: bodyText(entry.fault.body, groups) };
    }
    return struck;
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
  return entry.fired < (times ?? (nth === undefined ? Number.POSITIVE_INFINITY : 1));
}

function bodyText(body: unknown, groups: ArrayLike<string>): string | undefined {
  if (body === undefined) return undefined;
  const source = typeof body === 'string' ? body : JSON.stringify(body);
  return source.replace(/\$([1-9])/g, (whole, index: string) => groups[Number(index)] ?? whole);
}
