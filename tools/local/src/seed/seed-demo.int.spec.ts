import { aSubreddit, freshDatabase, startPostgres, type FreshDatabase, type PostgresServer } from '@autoposter/testkit';
import { migrate } from './fill-database';
import { refuseForeignDatabase, seedDemo } from './seed-demo';

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

it('seeds an empty database once', async () => {
  await refuseForeignDatabase(fresh.database);
  await seedDemo(fresh.database);
  await refuseForeignDatabase(fresh.database);
  await seedDemo(fresh.database);
  expect(await subreddits()).toBe(2);
});

it('refuses a database that is in use, and accepts one without tables', async () => {
  await fresh.database.unitOfWork((uow) => aSubreddit(uow));
  await expect(refuseForeignDatabase(fresh.database)).rejects.toMatchObject({
    name: 'CommandError',
    message: expect.stringMatching(/the demo did not create/u),
  });
  await fresh.database.sql.query('DROP SCHEMA public CASCADE');
  await refuseForeignDatabase(fresh.database);
});

it('refuses a database with tables of another program and leaves them unchanged', async () => {
  await fresh.database.sql.query('DROP SCHEMA public CASCADE');
  await fresh.database.sql.query('CREATE SCHEMA public');
  await fresh.database.sql.query('CREATE TABLE settings (theirs text)');
  await refuseForeignDatabase(fresh.database);
  await expect(migrate(fresh.database)).rejects.toMatchObject({ name: 'CommandError', message: expect.stringContaining('"settings"') });
  expect(await fresh.database.sql.query('SELECT theirs FROM settings')).toEqual([]);
});
