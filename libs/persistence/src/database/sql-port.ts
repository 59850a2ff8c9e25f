/** Plain SQL for libraries that keep tables of their own in the same database. Parameters are `$1`, `$2`, … */
export interface SqlPort {
  query<R>(sql: string, params?: unknown[]): Promise<R[]>;
  /** Runs `work` in one transaction; a rejection rolls it back. */
  transaction<T>(work: (tx: SqlPort) => Promise<T>): Promise<T>;
  /** Hears a channel on a connection of its own, which comes back by itself; resolves with the way to stop. Messages of an outage are lost. */
  listen(channel: string, onNotify: (payload: string) => void): Promise<() => Promise<void>>;
}
