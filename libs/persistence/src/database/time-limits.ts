/** Timeouts of everything that this process sends to the server, in milliseconds. */
export interface TimeLimits {
  /** To connect, or to get a connection from the pool. */
  connectMs: number;
  /** The server ends a statement that takes longer. */
  statementMs: number;
  /** The server ends a statement that waits longer for a lock. */
  lockMs: number;
  /** The server ends a session whose transaction is open without a statement. Longer than one publish to the event bus may take. */
  idleInTransactionMs: number;
  /** After this long without an answer the connection counts as dead and is closed. Longer than `statementMs`, whose error has to arrive first. */
  answerMs: number;
  /** Interval of the queries that check a connection that only listens. */
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

/** The given limits over the defaults; the error of a statement that the server ends has five seconds to arrive. */
export const completeLimits = (given: Partial<TimeLimits> = {}): TimeLimits => ({
  ...TIME_LIMITS,
  answerMs: (given.statementMs ?? TIME_LIMITS.statementMs) + 5_000,
  ...given,
});

/** For statements over whole tables that no person and no job waits for: tools that fill a database. */
export const BULK_LIMITS: Partial<TimeLimits> = { statementMs: 600_000 };

/** The operating system detects a dead peer even on an idle connection. */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };

/** The limits that the server enforces, for one transaction. */
export const limitTransaction = (limits: Partial<TimeLimits>): string =>
  Object.entries(limitSession(limits))
    .map(([name, ms]) => `SET LOCAL ${name} = ${ms}`)
    .join('; ');

/** The limits that the server enforces, for a session; the driver sends them when it connects. */
export const limitSession = ({ statementMs, lockMs, idleInTransactionMs }: Partial<TimeLimits>): Record<string, number> => ({
  ...(statementMs === undefined ? {} : { statement_timeout: statementMs }),
  ...(lockMs === undefined ? {} : { lock_timeout: lockMs }),
  ...(idleInTransactionMs === undefined ? {} : { idle_in_transaction_session_timeout: idleInTransactionMs }),
});
