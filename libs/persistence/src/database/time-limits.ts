/** How long anything may take that this process asks of the server; milliseconds. */
export interface TimeLimits {
  /** To connect, or to get a connection of the pool. */
  connectMs: number;
  /** The server ends a statement that takes longer. */
  statementMs: number;
  /** The server ends a statement that waits longer for a lock. */
  lockMs: number;
  /** The server ends a session whose transaction is left open without a statement. More than one publish to the event bus may take. */
  idleInTransactionMs: number;
  /** Without an answer for this long, the connection counts as dead and is cut. More than the server's own limit, which has to be heard first. */
  answerMs: number;
  /** A connection that only listens is asked for a sign of life this often. */
  heartbeatMs: number;
}

export const TIME_LIMITS: TimeLimits = {
  connectMs: 5_000,
  statementMs: 20_000,
  lockMs: 10_000,
  idleInTransactionMs: 60_000,
  answerMs: 25_000,
  heartbeatMs: 15_000,
};

/** For statements over whole tables that neither a person nor a job waits for: tools that fill a database. */
export const BULK_LIMITS: Partial<TimeLimits> = { statementMs: 600_000, answerMs: 605_000 };

/** The system notices a peer that is gone without a word, also while nothing is asked. */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };

/** The server's part, for the length of one transaction. */
export const limitTransaction = ({ statementMs, lockMs, idleInTransactionMs }: TimeLimits): string =>
  `SET LOCAL statement_timeout = ${statementMs}; SET LOCAL lock_timeout = ${lockMs}; ` +
  `SET LOCAL idle_in_transaction_session_timeout = ${idleInTransactionMs}`;

/** The server's part, for a whole session, as settings of the driver: it sends them when it connects. */
export const limitSession = ({ statementMs, lockMs, idleInTransactionMs }: TimeLimits) => ({
  statement_timeout: statementMs,
  lock_timeout: lockMs,
  idle_in_transaction_session_timeout: idleInTransactionMs,
});

/** A pooler that shares sessions between clients (PgBouncer) takes no settings of a session. */
export const refusesSessionSettings = (error: unknown): boolean => {
  const { code, message } = error as { code?: string; message?: string };
  return code === '08P01' && (message ?? '').includes('unsupported startup parameter');
};
