import { ENVIRONMENT_ACCOUNT_ID } from '@autoposter/contracts';
import { aReadyItem, type FreshDatabase, postgresKinds, useFreshDatabases } from '@autoposter/testkit';
import type { QueueItem } from './queue-item.entity';

describe.each(postgresKinds())('queues with waiting items on PostgreSQL (%s)', (kind) => {
  let fresh: FreshDatabase;
  useFreshDatabases(kind, (made) => {
    fresh = made;
  });

  const waits = (values: Partial<QueueItem> = {}): Promise<QueueItem> =>
    fresh.database.unitOfWork(async (uow) => {
      const { id: itemId } = await aReadyItem(uow);
      const created = await uow.queue.create({ itemId, status: 'pending', caption: '', queuedBy: 'test', ...values });
      if (created === null) throw new Error('the item was queued already');
      return created;
    });
  const only = async () => {
    const [queue, ...others] = await fresh.database.read.queue.withWaiting();
    expect(others).toEqual([]);
    return queue;
  };
  const ends = ({ id, version, status }: QueueItem, to: 'posting' | 'posted' | 'failed', finishedAt: Date | null) =>
    fresh.database.read.queue.transition(id, { fromVersion: version, from: status, to, patch: { finishedAt } });

  it('are those with a post that waits, each with its earliest slot', async () => {
    expect(await only()).toBeUndefined();
    const post = await waits();
    expect(await only()).toMatchObject({ accountId: ENVIRONMENT_ACCOUNT_ID, nextAt: null, now: expect.any(Date) });
    const slots = [new Date('2026-05-06T10:00:00.000Z'), new Date('2026-05-05T10:00:00.000Z')];
    for (const scheduledFor of slots) await waits({ status: 'scheduled', scheduledFor });
    expect((await only())?.nextAt).toEqual(slots[1]);
    await fresh.database.sql.query(`DELETE FROM queue_items WHERE status = 'scheduled'`);
    await ends(post, 'posting', null);
    expect(await only()).toBeUndefined();
  });

  it('have another number of changes after each that concerns the plan, whichever transaction commits first', async () => {
    const seen = new Set<string>();
    const posted = await waits({ status: 'posting' });
    const failed = await waits({ status: 'failed', finishedAt: new Date('2026-05-04T10:00:00.000Z') });
    await waits();
    const look = async () => {
      const { changes } = (await only()) ?? { changes: '' };
      expect(seen).not.toContain(changes);
      seen.add(changes);
    };
    await look();
    await ends(posted, 'posted', new Date('2026-05-05T10:00:00.000Z'));
    await look();
    // an answer that arrived late
    await ends(failed, 'posted', new Date('2026-05-05T11:00:00.000Z'));
    await look();
    await fresh.database.unitOfWork(async (uow) => {
      const { id: itemId } = await aReadyItem(uow);
      await uow.queue.create({ itemId, status: 'pending', caption: '', queuedBy: 'test' });
      await waits();
      await look();
    });
    await look();
  });

  it('give their next post without reading the others that wait', async () => {
    const { sql } = fresh.database;
    await sql.query(`INSERT INTO content_items (id, platform, source_id, original_url, post_type, media_type, state, auto_process_stage)
      SELECT gen_random_uuid(), 'reddit', 'many' || n, 'https://x/' || n, 'video', 'video', 'queued', 'queuePost' FROM generate_series(1, 2000) n`);
    await sql.query(
      `INSERT INTO queue_items (id, item_id, status, caption, queued_by) SELECT gen_random_uuid(), id, 'pending', '', 'test' FROM content_items`,
    );
    const urgent = await waits({ priority: 9 });
    await sql.query('ANALYZE content_items, queue_items');
    const alone = await fresh.connectAgain(1);
    /** Rows of the queue that were read so far. */
    const read = async (): Promise<number> => {
      await alone.sql.query('SELECT pg_stat_force_next_flush()');
      const [row] = await alone.sql.query<{ rows: number }>(
        `SELECT (seq_tup_read + idx_tup_fetch)::int AS rows FROM pg_stat_user_tables WHERE relname = 'queue_items'`,
      );
      return row?.rows ?? Number.NaN;
    };
    await alone.read.queue.next();
    const before = await read();
    expect(await alone.read.queue.next()).toMatchObject({ next: { queueItem: { id: urgent.id } }, waiting: 2001 });
    expect((await read()) - before).toBeLessThan(20);
  });

  it('do not change while nothing happens', async () => {
    await waits();
    expect((await only())?.changes).toBe((await only())?.changes);
  });
});
