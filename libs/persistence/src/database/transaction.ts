import type { DataSource, EntityManager } from 'typeorm';
import type { PreparedClient } from './prepared-client';

export interface Statement {
  text: string;
  values: unknown[];
}

/** What a transaction came to, and what it writes last. */
export interface Work<T> {
  result: T;
  last: Statement | null;
}

/**
 * Runs `work` in one transaction (READ COMMITTED) that `begin` opens, commits where it resolves and rolls back where it rejects. The way to the server is
 * saved twice: BEGIN leaves together with the first statement, the last statement together with COMMIT, for nobody waits in between. Where that last one fails, the
 * server makes a rollback of the COMMIT behind it.
 */
export async function inTransaction<T>(source: DataSource, begin: string, work: (manager: EntityManager) => Promise<Work<T>>): Promise<T> {
  const runner = source.createQueryRunner();
  let broken: Error | undefined;
  try {
    const client = (await runner.connect()) as PreparedClient;
    const begun = client.query(begin);
    begun.catch(() => undefined);
    // TypeORM is told, so that a transaction inside of this one becomes a savepoint
    Object.assign(runner, { isTransactionActive: true, transactionDepth: 1 });
    try {
      const { result, last } = await work(runner.manager);
      await begun;
      const wrote = last === null ? null : client.query(last.text, last.values);
      const committed = client.query('COMMIT');
      committed.catch(() => undefined);
      await wrote;
      // where the failure of a statement was swallowed, the server answers COMMIT with a rollback and no error
      if ((await committed).command !== 'COMMIT')
        throw new Error('nothing was committed: a statement of this transaction had failed before');
      return result;
    } catch (error) {
      // a connection that cannot be rolled back does not go back to the pool
      await client.query('ROLLBACK').catch((reason: unknown) => (broken = reason as Error));
      throw error;
    } finally {
      client.answerWithin(null);
    }
  } finally {
    Object.assign(runner, { isTransactionActive: false, transactionDepth: 0 });
    if (broken === undefined) await runner.release();
    else await (runner as unknown as { releasePostgresConnection(error: Error): Promise<void> }).releasePostgresConnection(broken);
  }
}
