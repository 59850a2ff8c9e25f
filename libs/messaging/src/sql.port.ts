/** What the bus on Postgres needs of a database. `query` answers the rows; parameters are `$1`, `$2`, … */
export interface SqlPort {
  query<R>(sql: string, params?: unknown[]): Promise<R[]>;
  /** READ COMMITTED; commits when `work` resolves, rolls back when it rejects. */
  transaction<T>(work: (tx: SqlPort) => Promise<T>): Promise<T>;
  /** Answers a function that stops listening. Connects again by itself when its connection ends; what is notified meanwhile is lost. */
  listen(channel: string, onNotify: (payload: string) => void): Promise<() => Promise<void>>;
}
