import { Database } from '@autoposter/persistence';
import { createDatabase, startEmbeddedPostgres } from '@autoposter/testkit';

export interface BenchPostgres {
  pid: number;
  version: string;
  /** Address of a database of its own, empty or with the product's schema. */
  freshDatabase(content: 'empty' | 'product'): Promise<string>;
  stop(): Promise<void>;
}

/** The embedded PostgreSQL, as durable as the product runs it. */
export async function startPostgres(): Promise<BenchPostgres> {
  const server = await startEmbeddedPostgres({ durable: true });
  const database = await Database.connect({ url: server.url, poolSize: 1 });
  const [answer] = await database.sql.query<{ server_version: string }>('SHOW server_version');
  await database.close();
  return {
    pid: server.pid,
    version: answer?.server_version ?? 'unknown',
    freshDatabase: (content) => createDatabase(server, content === 'product' ? 'schema' : 'empty'),
    stop: () => server.stop(),
  };
}
