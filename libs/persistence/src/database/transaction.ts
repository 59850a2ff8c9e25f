import type { DataSource, EntityManager } from 'typeorm';
import type { PreparedClient } from './prepared-client';

export interface Statement {
  text: string;
  values: unknown[];
}

/** Keys of advisory locks: arbitrary numbers, listed together so that no two are equal. */
export const LOCKS = {
  /** Held during a migration. */
  migration: 4_217_330_981,
  /** Shared by each commit that numbers events, until it ends: its holders tell readers which numbers are still to come. */
  eventNumbers: 4_217_330_982,
  /** Shared by transactions that commit rows naming files, exclusive while files are marked for deletion. */
  files: 4_217_330_983,
  /** Exclusive from a claim's last search of the items until its commit, shared by transactions that write fingerprints of items. */
  register: 4_217_330_984,
  /** Held from numbering an item of the register until the commit, so that numbers are in the order of the commits. */
  registerNumbers: 4_217_330_985,
} as const;

/** The result of a transaction and its last statement. */
interface Work<T> {
  result: T;
  last: Statement | null;
}

/**
 * Runs `work` in one transaction (READ COMMITTED) that `begin` opens; commits when it resolves and rolls back when it rejects. Saves two round
 * trips: BEGIN is sent together with the first statement, the last statement together with COMMIT. If that last statement fails, the server
 * turns the COMMIT behind it into a rollback.
 */
export async function inTransaction<T>(source: DataSource, begin: string, work: (manager: EntityManager) => Promise<Work<T>>): Promise<T> {
  const runner = source.createQueryRunner();
  let broken: Error | undefined;
  try {
    const client = (await runner.connect()) as PreparedClient;
    const begun = client.query(begin);
    begun.catch(() => undefined);
    // TypeORM has to know of the transaction: it makes a nested one a savepoint
    Object.assign(runner, { isTransactionActive: true, transactionDepth: 1 });
    try {
      const { result, last } = await work(runner.manager);
      await begun;
      const wrote = last === null ? null : client.query(last.text, last.values);
      const committed = client.query('COMMIT');
      committed.catch(() => undefined);
      await wrote;
      // if the caller swallowed a failed statement, the server answers COMMIT with a rollback and no error
      if ((await committed).command !== 'COMMIT')
        throw new Error('nothing was committed: a statement of this transaction had failed before');
      return result;
    } catch (error) {
      // a connection that cannot roll back must not return to the pool
      await client.query('ROLLBACK').catch((reason: unknown) => (broken = reason as Error));
      throw error;
    } finally {
      client.setAnswerTimeout(null);
    }
  } finally {
    Object.assign(runner, { isTransactionActive: false, transactionDepth: 0 });
    if (broken === undefined) await runner.release();
    else await (runner as unknown as { releasePostgresConnection(error: Error): Promise<void> }).releasePostgresConnection(broken);
  }
}
