import { aReadyItem, pollUntil, postgresKinds, useFreshDatabases, type FreshDatabase } from '@autoposter/testkit';
import { queuePerAccount, rankTheQueue } from '../migrations/queue';

const STATUSES = ['pending', 'scheduled', 'posting', 'posted', 'failed', 'cancelled'] as const;

/** Deterministic numbers from 0 to below `below`. */
function dice(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

describe.each(postgresKinds())('queue counts on PostgreSQL (%s)', (kind) => {
  let fresh: FreshDatabase;
  useFreshDatabases(kind, (made) => {
    fresh = made;
  });

  const query = <R>(sql: string, params: unknown[] = []) => fresh.database.sql.query<R>(sql, params);
  const counted = async () => {
    const rows = await query<{ status: string; n: number }>('SELECT status, count(*)::int AS n FROM queue_items GROUP BY status');
    return STATUSES.map((status) => rows.find((row) => row.status === status)?.n ?? 0);
  };
  const counts = async () => {
    const { queue } = fresh.database.read;
    const each: number[] = [];
    for (const sortBy of ['priority', 'scheduling.scheduledFor', 'scheduling.queuedAt'] as const) {
      const page = { page: 1, limit: 1, sortBy, sortOrder: 'asc' } as const;
      const totals: number[] = [];
      for (const status of STATUSES) totals.push((await queue.page({ ...page, status })).total);
      expect((await queue.page(page)).total).toBe(totals.reduce((sum, n) => sum + n, 0));
      if (each.length === 0) each.push(...totals);
      expect(totals).toEqual(each);
    }
    const [waited] = await query<{ hours: number }>(
      `SELECT coalesce(extract(epoch FROM avg(finished_at - queued_at)) / 3600, 0)::float8 AS hours FROM queue_items
       WHERE status = 'posted' AND NOT immediate`,
    );
    const [pending = 0, scheduled = 0, , posted = 0, failed = 0] = each;
    expect(await queue.statistics()).toEqual({
      totalPosts: each.reduce((sum, n) => sum + n, 0),
      pendingPosts: pending + scheduled,
      completedPosts: posted,
      failedPosts: failed,
      averageQueueTimeHours: expect.closeTo(waited?.hours ?? 0, 5),
    });
    expect((await queue.next()).waiting).toBe(pending + scheduled);
    return each;
  };
  const INSERT = `INSERT INTO queue_items (id, item_id, status, caption, queued_by)
    SELECT gen_random_uuid(), $1, $2, '', 'test' FROM generate_series(1, $3::int)`;
  const CLOSED = ['posted', 'failed', 'cancelled'];
  const SOME = `id IN (SELECT id FROM queue_items ORDER BY id OFFSET $1 LIMIT $2 FOR UPDATE SKIP LOCKED)`;

  async function change(roll: ReturnType<typeof dice>, itemId: string, sql: { query: typeof query }): Promise<void> {
    const kindOfChange = roll(6);
    if (kindOfChange === 0) await sql.query(INSERT, [itemId, CLOSED[roll(3)], 1 + roll(5)]);
    if (kindOfChange === 1) await sql.query(`UPDATE queue_items SET status = $3 WHERE ${SOME}`, [roll(30), roll(8), CLOSED[roll(3)]]);
    if (kindOfChange === 2) await sql.query(`UPDATE queue_items SET priority = 7 WHERE ${SOME}`, [roll(30), roll(8)]);
    if (kindOfChange === 3) await sql.query(`DELETE FROM queue_items WHERE ${SOME}`, [roll(30), roll(3)]);
    const time = `CASE WHEN $3 < 30 THEN NULL ELSE timestamptz '2026-01-01T00:00:00Z' + $3::int * interval '7 days' END`;
    if (kindOfChange === 4) await sql.query(`UPDATE queue_items SET scheduled_for = ${time} WHERE ${SOME}`, [roll(30), roll(8), roll(100)]);
    if (kindOfChange === 5)
      await sql.query(`UPDATE queue_items SET finished_at = ${time}, immediate = $3 % 4 = 0 WHERE ${SOME}`, [roll(30), roll(8), roll(100)]);
  }

  it('equal count(*) after random changes, rollbacks and concurrent folding', async () => {
    const { id } = await fresh.database.unitOfWork((uow) => aReadyItem(uow));
    await query(INSERT, [id, 'posted', 40]);
    await query(INSERT, [id, 'scheduled', 1]);
    const many = async (seed: number) => {
      const roll = dice(seed);
      for (let step = 0; step < 40; step += 1) {
        const isRolledBack = roll(5) === 0;
        await fresh.database.sql
          .transaction(async (sql) => {
            await change(roll, id, { query: (text, params) => sql.query(text, params) });
            if (isRolledBack) throw new Error('rolled back');
          })
          .catch((error: Error) => expect(error.message).toBe('rolled back'));
      }
    };
    const fold = async () => {
      for (let time = 0; time < 10; time += 1) await fresh.database.read.queue.foldCounts();
    };
    await Promise.all([many(1), many(2), many(3), fold(), fold()]);
    const truth = await counted();
    expect(truth.filter((n) => n > 0).length).toBeGreaterThan(2);
    expect(await counts()).toEqual(truth);
    await fresh.database.read.queue.foldCounts();
    expect(await counts()).toEqual(truth);
    // one row per status and span of four weeks
    const [rows] = await query<{ n: number }>('SELECT count(*)::int AS n FROM queue_item_counts');
    const [kinds] = await query<{ n: number }>('SELECT count(DISTINCT (status, slot_span, age_span))::int AS n FROM queue_item_counts');
    expect(rows?.n).toBe(kinds?.n);
    const [statuses] = await query<{ n: number }>('SELECT count(DISTINCT status)::int AS n FROM queue_item_counts');
    expect(statuses?.n).toBe(truth.filter((n) => n > 0).length);
    await query('TRUNCATE queue_items CASCADE');
    expect(await counts()).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it('follow an item through the queue with one difference per step', async () => {
    const { id } = await fresh.database.unitOfWork((uow) => aReadyItem(uow));
    await query(INSERT, [id, 'pending', 1]);
    for (const status of ['scheduled', 'posting', 'posted'] as const) {
      await query('UPDATE queue_items SET status = $1', [status]);
      expect(await counts()).toEqual(STATUSES.map((one) => (one === status ? 1 : 0)));
    }
    const before = await query<{ n: number }>('SELECT count(*)::int AS n FROM queue_item_counts');
    await query(
      "UPDATE queue_items SET status = status, caption = 'other', version = version + 1, scheduled_for = scheduled_for, immediate = immediate",
    );
    expect(await query('SELECT count(*)::int AS n FROM queue_item_counts')).toEqual(before);
  });

  /** The migrations of the counts, in their order or back, in one transaction. */
  const inOne = (step: 'up' | 'down'): Promise<void> =>
    fresh.database.sql.transaction(async (sql) => {
      const migrations = step === 'up' ? [rankTheQueue, queuePerAccount] : [queuePerAccount, rankTheQueue];
      for (const statement of migrations.flatMap((migration) => migration[step])) await sql.query(statement);
    });

  it('start with the existing rows', async () => {
    const { id } = await fresh.database.unitOfWork((uow) => aReadyItem(uow));
    await inOne('down');
    await query(INSERT, [id, 'failed', 3]);
    await inOne('up');
    await query(INSERT, [id, 'failed', 2]);
    expect(await counts()).toEqual([0, 0, 0, 0, 5, 0]);
  });

  it('are migrated while another transaction holds a row that it will move', async () => {
    const { id } = await fresh.database.unitOfWork((uow) => aReadyItem(uow));
    await query(INSERT, [id, 'failed', 1]);
    for (const step of ['down', 'up'] as const) {
      const changed = await fresh.database.sql.transaction(async (sql) => {
        await sql.query('SELECT * FROM queue_items FOR UPDATE');
        const changing = inOne(step);
        changing.catch(() => undefined);
        await pollUntil(async () => (await query('SELECT 1 FROM pg_locks WHERE NOT granted')).length > 0);
        await sql.query("UPDATE queue_items SET status = 'posted', scheduled_for = now()");
        return { changing };
      });
      await changed.changing;
    }
    expect(await counts()).toEqual([0, 0, 0, 1, 0, 0]);
  });
});
