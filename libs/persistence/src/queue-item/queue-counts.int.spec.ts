import { aReadyItem, freshDatabase, postgresKinds, startPostgres, type FreshDatabase, type PostgresServer } from '@autoposter/testkit';
import type { QueryRunner } from 'typeorm';
import { CountTheQueue1763745000001 } from '../migrations/1763745000001-count-the-queue';

jest.setTimeout(60_000);

const STATUSES = ['pending', 'scheduled', 'posting', 'posted', 'failed', 'cancelled'] as const;

/** Numbers from 0 up to `below`, the same ones in each run. */
function dice(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

describe.each(postgresKinds())('counts of the queue on PostgreSQL (%s)', (kind) => {
  let server: PostgresServer;
  let fresh: FreshDatabase;
  beforeAll(async () => {
    server = await startPostgres(kind);
  }, 120_000);
  afterAll(() => server?.stop());
  beforeEach(async () => (fresh = await freshDatabase(server)));
  afterEach(() => fresh.drop());

  const query = <R>(sql: string, params: unknown[] = []) => fresh.database.sql.query<R>(sql, params);
  const counted = async () => {
    const rows = await query<{ status: string; n: number }>('SELECT status, count(*)::int AS n FROM queue_items GROUP BY status');
    return STATUSES.map((status) => rows.find((row) => row.status === status)?.n ?? 0);
  };
  const told = async () => {
    const page = { page: 1, limit: 1, sortBy: 'priority', sortOrder: 'asc' } as const;
    const each: number[] = [];
    for (const status of STATUSES) each.push((await fresh.database.read.queue.page({ ...page, status })).total);
    expect((await fresh.database.read.queue.page(page)).total).toBe(each.reduce((sum, n) => sum + n, 0));
    return each;
  };
  const INSERT = `INSERT INTO queue_items (id, item_id, status, caption, queued_by)
    SELECT gen_random_uuid(), $1, $2, '', 'test' FROM generate_series(1, $3::int)`;
  const CLOSED = ['posted', 'failed', 'cancelled'];
  const SOME = `id IN (SELECT id FROM queue_items ORDER BY id OFFSET $1 LIMIT $2 FOR UPDATE SKIP LOCKED)`;

  async function change(roll: ReturnType<typeof dice>, itemId: string, sql: { query: typeof query }): Promise<void> {
    const kindOfChange = roll(4);
    if (kindOfChange === 0) await sql.query(INSERT, [itemId, CLOSED[roll(3)], 1 + roll(5)]);
    if (kindOfChange === 1) await sql.query(`UPDATE queue_items SET status = $3 WHERE ${SOME}`, [roll(30), roll(8), CLOSED[roll(3)]]);
    if (kindOfChange === 2) await sql.query(`UPDATE queue_items SET priority = 7 WHERE ${SOME}`, [roll(30), roll(8)]);
    if (kindOfChange === 3) await sql.query(`DELETE FROM queue_items WHERE ${SOME}`, [roll(30), roll(3)]);
  }

  it('are those of count(*) after whatever happened, also to changes that were taken back, and while they are added up', async () => {
    const { id } = await fresh.database.unitOfWork((uow) => aReadyItem(uow));
    await query(INSERT, [id, 'posted', 40]);
    await query(INSERT, [id, 'scheduled', 1]);
    const many = async (seed: number) => {
      const roll = dice(seed);
      for (let step = 0; step < 40; step += 1) {
        const isTakenBack = roll(5) === 0;
        await fresh.database.sql
          .transaction(async (sql) => {
            await change(roll, id, { query: (text, params) => sql.query(text, params) });
            if (isTakenBack) throw new Error('taken back');
          })
          .catch((error: Error) => expect(error.message).toBe('taken back'));
      }
    };
    const fold = async () => {
      for (let time = 0; time < 10; time += 1) await fresh.database.read.queue.foldCounts();
    };
    await Promise.all([many(1), many(2), many(3), fold(), fold()]);
    const truth = await counted();
    expect(truth.filter((n) => n > 0).length).toBeGreaterThan(2);
    expect(await told()).toEqual(truth);
    await fresh.database.read.queue.foldCounts();
    expect(await told()).toEqual(truth);
    // one row per status that there is
    const [rows] = await query<{ n: number }>('SELECT count(*)::int AS n FROM queue_item_counts');
    expect(rows?.n).toBe(truth.filter((n) => n > 0).length);
    await query('TRUNCATE queue_items CASCADE');
    expect(await told()).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it('follow a place through the queue, one difference per step', async () => {
    const { id } = await fresh.database.unitOfWork((uow) => aReadyItem(uow));
    await query(INSERT, [id, 'pending', 1]);
    for (const status of ['scheduled', 'posting', 'posted'] as const) {
      await query('UPDATE queue_items SET status = $1', [status]);
      expect(await told()).toEqual(STATUSES.map((one) => (one === status ? 1 : 0)));
    }
    const before = await query<{ n: number }>('SELECT count(*)::int AS n FROM queue_item_counts');
    await query("UPDATE queue_items SET status = status, caption = 'other', version = version + 1");
    expect(await query('SELECT count(*)::int AS n FROM queue_item_counts')).toEqual(before);
  });

  it('begin with what is there', async () => {
    const { id } = await fresh.database.unitOfWork((uow) => aReadyItem(uow));
    const runner = { query: (text: string) => query(text) } as unknown as QueryRunner;
    const migration = new CountTheQueue1763745000001();
    await migration.down(runner);
    await query(INSERT, [id, 'failed', 3]);
    await migration.up(runner);
    await query(INSERT, [id, 'failed', 2]);
    expect(await told()).toEqual([0, 0, 0, 0, 5, 0]);
  });
});
