import { loadConfig } from '@autoposter/config';
import { silentLogger } from '@autoposter/observability';
import { type PostgresServer, startPostgres } from '@autoposter/testkit';
import { openDatabase } from './systems';

describe('openDatabase', () => {
  let server: PostgresServer;

  beforeAll(async () => {
    server = await startPostgres('embedded');
  });
  afterAll(() => server?.stop());

  it.each([
    [{}, { statement: '20s', lock: '10s' }],
    [
      { DATABASE_STATEMENT_SECONDS: '7', DATABASE_LOCK_SECONDS: '3' },
      { statement: '7s', lock: '3s' },
    ],
  ])('sets the time limits of %j', async (environment, expected) => {
    const database = await openDatabase(loadConfig('dmca-worker', { DATABASE_URL: server.url, ...environment }), silentLogger);
    const sql = `SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock`;
    expect(await database.sql.query(sql)).toEqual([expected]);
    await database.close();
  });

  it.each([
    [{ EVENT_BUS: 'postgres' }, { requests: false, facts: false }],
    [
      { EVENT_BUS: 'kafka', KAFKA_BROKERS: '127.0.0.1:9092' },
      { requests: true, facts: false },
    ],
  ])('publishes messages only where a bus delivers them: %j', async (environment, publishing) => {
    const database = await openDatabase(loadConfig('dmca-worker', { DATABASE_URL: server.url, ...environment }), silentLogger);
    expect(database.publishing).toEqual(publishing);
    await database.close();
  });
});
