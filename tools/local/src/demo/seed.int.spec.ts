import { aSubreddit, freshDatabase, startPostgres, type FreshDatabase, type PostgresServer } from '@autoposter/testkit';
import { migrate } from '../database';
import { refuseForeign, seedDemo } from './seed';

let server: PostgresServer;
let fresh: FreshDatabase;
beforeAll(async () => (server = await startPostgres('embedded')));
afterAll(() => server.stop());
beforeEach(async () => (fresh = await freshDatabase(server)));
afterEach(() => fresh.drop());

const subreddits = async (): Promise<number> => {
  const [row] = await fresh.database.sql.query<{ count: number }>('SELECT count(*)::int AS count FROM subreddits');
  return row?.count ?? 0;
};

it('fills an empty database once', async () => {
  await refuseForeign(fresh.database);
  await seedDemo(fresh.database);
  await refuseForeign(fresh.database);
  await seedDemo(fresh.database);
  expect(await subreddits()).toBe(2);
});

it('refuses a database that is in use, and one without any table is none', async () => {
  await fresh.database.unitOfWork((uow) => aSubreddit(uow));
  await expect(refuseForeign(fresh.database)).rejects.toMatchObject({
    name: 'PlainStop',
    message: expect.stringMatching(/not of the demo/u),
  });
  await fresh.database.sql.query('DROP SCHEMA public CASCADE');
  await refuseForeign(fresh.database);
});

it('says that a database belongs to something else, and leaves it as it is', async () => {
  await fresh.database.sql.query('DROP SCHEMA public CASCADE');
  await fresh.database.sql.query('CREATE SCHEMA public');
  await fresh.database.sql.query('CREATE TABLE settings (theirs text)');
  await refuseForeign(fresh.database);
  await expect(migrate(fresh.database)).rejects.toMatchObject({ name: 'PlainStop', message: expect.stringContaining('"settings"') });
  expect(await fresh.database.sql.query('SELECT theirs FROM settings')).toEqual([]);
});
