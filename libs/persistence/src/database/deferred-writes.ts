import type { EntityManager } from 'typeorm';

type Write<Entry> = (entries: readonly Entry[]) => Promise<void>;

/**
 * Writes of a unit of work whose results are not needed at once. They are sent before its next statement and before its end, those of a kind with one
 * statement, so that every statement sees all writes before it.
 */
export class DeferredWrites {
  private readonly waiting = new Map<Write<never>, unknown[]>();
  private readonly keys = new Set<string>();
  private sent: Promise<void> = Promise.resolve();

  /** `areConditional`: writes that must find their row are deferred as well; one that finds none fails the unit of work. */
  constructor(readonly areConditional: boolean) {}

  add<Entry>(write: Write<Entry>, entry: Entry, key?: string): void {
    const entries = this.waiting.get(write);
    if (entries === undefined) this.waiting.set(write, [entry]);
    else entries.push(entry);
    if (key !== undefined) this.keys.add(key);
  }

  /** Whether a waiting write has this key; a statement cannot write one row twice. */
  has(key: string): boolean {
    return this.keys.has(key);
  }

  /** Resolves when everything that was added is written; rejects if a write failed, also an earlier one. */
  flush(): Promise<void> {
    if (this.waiting.size === 0) return this.sent;
    const writes = [...this.waiting] as [Write<unknown>, unknown[]][];
    this.waiting.clear();
    this.keys.clear();
    this.sent = this.sent.then(async () => {
      for (const [write, entries] of writes) await write(entries);
    });
    return this.sent;
  }
}

const PROPERTY = 'deferredWrites';

/** Lets the repositories over this connection defer writes until its unit of work ends. */
export function deferWrites({ queryRunner }: EntityManager, areConditional: boolean): DeferredWrites {
  if (queryRunner === undefined) throw new Error('only a unit of work can defer writes');
  const deferred = new DeferredWrites(areConditional);
  queryRunner.data[PROPERTY] = deferred;
  return deferred;
}

/** `undefined` outside of a unit of work. */
export const deferredWritesOf = ({ queryRunner }: EntityManager): DeferredWrites | undefined =>
  queryRunner?.data[PROPERTY] as DeferredWrites | undefined;
