import type { StageJob } from '@autoposter/persistence';

/** Bugs of a database, its statements or its bus, planted to show that the simulation finds them. */
export const PLANTED_BUGS = [
  'an old fence writes',
  'a live lease is claimed',
  'a claim keeps the fence',
  'a claim takes locked rows',
  'an end needs no running job',
  'a group ends jobs that it lost',
  'a rollback keeps its writes',
  'a commit forgets its messages',
  'an intent is not written',
  'an account runs two jobs',
  'a due job stays waiting',
  'a message is settled on delivery',
  'a journal entry is lost',
] as const;
export type PlantedBug = (typeof PLANTED_BUGS)[number];

export type OutboxRow = {
  id: string;
  topic: string;
  key: string;
  jobId: string | null;
  requestNumber: number;
  dueAt: number;
  attempts: number;
  failure: string | null;
};

/** What stages commit about a job, beside its row. */
export interface CommittedResult {
  jobId: string;
  requestNumber: number;
  fence: number;
  kind: 'started' | 'done' | 'skipped' | 'failed' | 'waiting' | 'intended' | 'unknown';
}

interface Row<T> {
  committed: T | null;
  /** The version of the transaction that holds the lock. */
  pending: T | null;
  holder: Transaction | null;
  waiters: (() => void)[];
}

class SqlError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

const deadlock = (): Error => new SqlError('40P01', 'deadlock detected');
export const connectionLost = (): Error => new SqlError('ECONNRESET', 'the connection was lost');
const lockTimeout = (): Error => new SqlError('55P03', 'canceling statement due to lock timeout');
const aborted = (): Error => new SqlError('25P02', 'current transaction is aborted');
const terminated = (): Error => new SqlError('57P01', 'terminating connection due to idle-in-transaction timeout');

/** As `Database.isOutage`, for the codes that this model produces. */
export const isOutage = (error: unknown): boolean =>
  ['ECONNRESET', '55P03', '57P01'].includes((error as { code?: string } | null)?.code ?? '');
export const isConflict = (error: unknown): boolean => (error as { code?: string } | null)?.code === '40P01';

/** As `TIME_LIMITS` of the product. */
const LOCK_MS = 10_000;
const IDLE_IN_TRANSACTION_MS = 60_000;

/** A transaction (READ COMMITTED) with its row locks. */
export class Transaction {
  /** What `now()` returns, from its first statement on. */
  startedAtMs: number | null = null;
  state: 'open' | 'failed' | 'ended' = 'open';
  waitsFor: Transaction | null = null;
  readonly held: Row<object>[] = [];
  readonly results: CommittedResult[] = [];
  readonly facts: { type: string; subjectId: string }[] = [];
  /** The fences under which it wrote. */
  readonly writes: { jobId: string; fence: number }[] = [];
  /** Ends a wait for a lock. */
  interrupt: ((error: Error) => void) | null = null;
  /** Restarts with each statement. */
  cancelIdleLimit: () => void = () => undefined;

  /** Without `isInteractive` it has one statement. */
  constructor(
    readonly isInteractive: boolean,
    readonly lockMs = LOCK_MS,
  ) {}
}

/** Rows with locks. A reader sees the committed version, or its own. */
export class Table<T extends object> {
  private readonly rows = new Map<string, Row<T>>();

  constructor(private readonly after: (ms: number, onTimeout: () => void) => () => void) {}

  visible(id: string, tx: Transaction): T | null {
    const row = this.rows.get(id);
    if (row === undefined) return null;
    return row.holder === tx ? row.pending : row.committed;
  }

  committed(): T[] {
    return [...this.rows.values()].flatMap(({ committed }) => committed ?? []);
  }

  /** Visible rows with their ids, in the order of their insertion. */
  entries(tx: Transaction): [id: string, value: T][] {
    const found: [string, T][] = [];
    for (const [id, row] of this.rows) {
      const value = row.holder === tx ? row.pending : row.committed;
      if (value !== null) found.push([id, value]);
    }
    return found;
  }

  /** What a transaction is about to commit. */
  changes(tx: Transaction): [before: T | null, after: T | null][] {
    return [...this.rows.values()].flatMap(({ holder, committed, pending }) =>
      holder === tx ? [[committed, pending] as [T | null, T | null]] : [],
    );
  }

  isLockedByOther(id: string, tx: Transaction): boolean {
    const holder = this.rows.get(id)?.holder ?? null;
    return holder !== null && holder !== tx;
  }

  /** A version that another transaction has not committed yet. */
  uncommitted(tx: Transaction): [id: string, before: T | null, after: T | null][] {
    return [...this.rows].flatMap(([id, row]) =>
      row.holder !== null && row.holder !== tx ? [[id, row.committed, row.pending] as [string, T | null, T | null]] : [],
    );
  }

  insert(id: string, value: T, tx: Transaction): void {
    const row: Row<T> = { committed: null, pending: value, holder: tx, waiters: [] };
    this.rows.set(id, row);
    tx.held.push(row as unknown as Row<object>);
  }

  /** Locks a row, waiting for its holder. Rejects after a deadlock or the time limit. */
  async lock(id: string, tx: Transaction): Promise<void> {
    const row = this.rows.get(id);
    if (row === undefined) return;
    while (row.holder !== null && row.holder !== tx) await this.wait(row, tx, row.holder);
    this.take(row, tx);
  }

  /** Locks a row that no other transaction holds. */
  lockNow(id: string, tx: Transaction): void {
    const row = this.rows.get(id);
    if (row === undefined || (row.holder !== null && row.holder !== tx)) throw new Error('the row cannot be locked now');
    this.take(row, tx);
  }

  /** Waits until no other transaction holds the row. */
  async settled(id: string, tx: Transaction): Promise<void> {
    const row = this.rows.get(id);
    while (row !== undefined && row.holder !== null && row.holder !== tx) await this.wait(row, tx, row.holder);
  }

  /** Writes a row that the transaction has locked; `null` deletes it. */
  write(id: string, value: T | null, tx: Transaction): void {
    const row = this.rows.get(id);
    if (row === undefined || row.holder !== tx) throw new Error('a write needs the lock of its row');
    row.pending = value;
  }

  private take(row: Row<T>, tx: Transaction): void {
    if (row.holder === tx) return;
    row.holder = tx;
    row.pending = row.committed;
    tx.held.push(row as unknown as Row<object>);
  }

  private wait(row: Row<T>, tx: Transaction, holder: Transaction): Promise<void> {
    for (let next: Transaction | null = holder; next !== null; next = next.waitsFor) if (next === tx) return Promise.reject(deadlock());
    tx.waitsFor = holder;
    return new Promise<void>((resolve, reject) => {
      tx.interrupt = reject;
      const cancel = this.after(tx.lockMs, () => reject(lockTimeout()));
      row.waiters.push(() => (cancel(), resolve()));
    }).finally(() => {
      tx.waitsFor = null;
      tx.interrupt = null;
    });
  }
}

interface ServerSettings {
  /** Calls a function after milliseconds; returns a function that cancels it. */
  after(ms: number, run: () => void): () => void;
  nowMs(): number;
  bug?: PlantedBug | null;
  /** Called before the writes of a transaction become visible, and after. */
  onCommit?(tx: Transaction): void;
  onCommitted?(): void;
}

/** A database server with the tables of the engine. Statements are functions; each runs at one instant, except while it waits for a lock. */
export class ServerModel {
  readonly jobs: Table<StageJob>;
  readonly outbox: Table<OutboxRow>;
  readonly results: CommittedResult[] = [];
  readonly facts: { type: string; subjectId: string }[] = [];
  private ids = 0;

  constructor(private readonly settings: ServerSettings) {
    this.jobs = new Table(settings.after);
    this.outbox = new Table(settings.after);
  }

  get bug(): PlantedBug | null {
    return this.settings.bug ?? null;
  }

  /** `clock_timestamp()`. */
  get clock(): number {
    return this.settings.nowMs();
  }

  newId(): string {
    return `00000000-0000-7000-8000-${String((this.ids += 1)).padStart(12, '0')}`;
  }

  /** Runs a statement inside a transaction. */
  async execute<T>(tx: Transaction, statement: (tx: Transaction) => T | Promise<T>): Promise<T> {
    if (tx.state === 'ended') throw terminated();
    if (tx.state === 'failed') throw aborted();
    tx.startedAtMs ??= this.clock;
    tx.cancelIdleLimit();
    try {
      return await statement(tx);
    } catch (error) {
      if (tx.state === 'open') tx.state = 'failed';
      throw error;
    } finally {
      if (tx.isInteractive) tx.cancelIdleLimit = this.settings.after(IDLE_IN_TRANSACTION_MS, () => this.rollback(tx));
    }
  }

  /** Runs a statement as a transaction of its own. */
  async executeAlone<T>(statement: (tx: Transaction) => T | Promise<T>): Promise<T> {
    const tx = new Transaction(false);
    try {
      const result = await this.execute(tx, statement);
      this.commit(tx);
      return result;
    } catch (error) {
      this.rollback(tx);
      throw error;
    }
  }

  commit(tx: Transaction): void {
    if (tx.state === 'ended') throw terminated();
    if (tx.state === 'failed') {
      this.rollback(tx);
      throw new Error('nothing was committed: a statement of this transaction had failed before');
    }
    this.settings.onCommit?.(tx);
    this.results.push(...tx.results);
    this.facts.push(...tx.facts);
    this.release(tx, true);
    this.settings.onCommitted?.();
  }

  rollback(tx: Transaction): void {
    tx.interrupt?.(terminated());
    this.release(tx, this.bug === 'a rollback keeps its writes');
  }

  private release(tx: Transaction, keep: boolean): void {
    if (tx.state === 'ended') return;
    tx.state = 'ended';
    tx.cancelIdleLimit();
    for (const row of tx.held) {
      if (keep) row.committed = row.pending;
      row.pending = null;
      row.holder = null;
      for (const wake of row.waiters.splice(0)) wake();
    }
  }
}
