import { initialQueueSettings, type QueueSettings } from '@autoposter/domain';
import { aReadyItem, postgresKinds, useFreshDatabases, type FreshDatabase } from '@autoposter/testkit';
import { needsPlanning, PLANNED_AHEAD, planSlots } from './plan-slots';

const SETTINGS: QueueSettings = {
  ...initialQueueSettings('UTC'),
  running: true,
  intervalMinutes: 30,
  timeBlocking: { enabled: true, startTime: '01:00', endTime: '05:30', timeZone: 'Europe/Berlin' },
};

describe.each(postgresKinds().slice(0, 1))('planning on PostgreSQL (%s)', (kind) => {
  let fresh: FreshDatabase;
  useFreshDatabases(kind, (made) => {
    fresh = made;
  });

  const fill = async (count: number) => {
    const { id } = await fresh.database.unitOfWork((uow) => aReadyItem(uow));
    await fresh.database.sql.query('ALTER TABLE queue_items DROP CONSTRAINT IF EXISTS queue_items_item_id_fkey');
    await fresh.database.sql.query('DROP INDEX IF EXISTS queue_items_one_open');
    await fresh.database.sql.query(
      `INSERT INTO queue_items (id, item_id, status, caption, queued_by, priority, queued_at)
       SELECT gen_random_uuid(), $1, 'pending', repeat('caption ', 100), 'test', n % 11, now() - n * interval '1 second' FROM generate_series(1, $2::int) n`,
      [id, count],
    );
  };
  const plan = () => fresh.database.unitOfWork((uow) => planSlots(uow, SETTINGS));
  const count = async (where: string) => {
    const [row] = await fresh.database.sql.query<{ n: number }>(`SELECT count(*)::int AS n FROM queue_items WHERE ${where}`);
    return row?.n;
  };
  const cpuMs = async (work: () => Promise<unknown>, runs: number) => {
    const before = process.cpuUsage();
    for (let run = 0; run < runs; run += 1) await work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000 / runs;
  };

  it('plans the first posts of a queue and moves up the next ones when these are published', async () => {
    await fill(1_200);
    expect(await plan()).toEqual({ changed: PLANNED_AHEAD, isComplete: true });
    expect([await count("status = 'scheduled'"), await count("status = 'scheduled' AND priority < 8")]).toEqual([PLANNED_AHEAD, 0]);
    expect(await needsPlanning(fresh.database.read, SETTINGS, false)).toBe(false);
    const [first] = await fresh.database.sql.query<{ id: string }>('SELECT id FROM queue_items ORDER BY scheduled_for LIMIT 1');
    await fresh.database.sql.query("UPDATE queue_items SET status = 'cancelled' WHERE id = $1", [first?.id]);
    expect((await plan()).changed).toBeGreaterThan(0);
    expect(await count("status = 'scheduled'")).toBe(PLANNED_AHEAD);
  });

  it('takes the slot of a post that another one overtook beyond the planned ones', async () => {
    await fill(PLANNED_AHEAD + 1);
    await plan();
    await fresh.database.sql.query("UPDATE queue_items SET priority = 10, queued_at = now() - interval '1 day' WHERE status = 'pending'");
    await plan();
    expect([await count("status = 'scheduled'"), await count("status = 'pending' AND scheduled_for IS NULL")]).toEqual([PLANNED_AHEAD, 1]);
  });

  it('costs as much for 10,000 waiting posts as for 1,000', async () => {
    const tick = () => needsPlanning(fresh.database.read, SETTINGS, false);
    await fill(1_000);
    await plan();
    await cpuMs(tick, 30);
    const short = await cpuMs(tick, 60);
    await fresh.database.sql.query(`INSERT INTO queue_items (id, item_id, status, caption, queued_by, priority, queued_at)
      SELECT gen_random_uuid(), item_id, 'pending', caption, 'test', 0, now() FROM queue_items CROSS JOIN generate_series(1, 9)`);
    await fresh.database.sql.query('ANALYZE queue_items');
    const long = await cpuMs(tick, 60);
    expect(await count("status IN ('pending', 'scheduled')")).toBe(10_000);
    process.stdout.write(`planner tick: ${short.toFixed(1)} CPU-ms at 1,000 waiting posts, ${long.toFixed(1)} at 10,000\n`);
    expect(long).toBeLessThan(3 * short + 5);
  });
});
