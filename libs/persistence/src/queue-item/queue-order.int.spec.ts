import { QUEUE_SORTS, SORT_ORDERS } from '@autoposter/contracts';
import { aReadyItem, freshDatabase, startPostgres, type FreshDatabase, type PostgresServer } from '@autoposter/testkit';

/** Reference implementation over the whole list. */
const COLUMNS = {
  'scheduling.scheduledFor': 'scheduled_for',
  'scheduling.queuedAt': 'queued_at',
  priority: 'priority',
  'sourceData.subreddit': 'subreddit_key',
} as const;

describe('queue order', () => {
  let server: PostgresServer;
  let fresh: FreshDatabase;
  beforeAll(async () => {
    server = await startPostgres('embedded');
    fresh = await freshDatabase(server);
    const { id } = await fresh.database.unitOfWork((uow) => aReadyItem(uow));
    // four years with gaps, equal times, times at the edges of spans, and one in seven without a slot
    await fresh.database.sql.query(
      `INSERT INTO queue_items (id, item_id, status, caption, queued_by, priority, scheduled_for, queued_at, finished_at, immediate)
       SELECT md5('place' || n)::uuid, $1, CASE WHEN n % 3 = 0 THEN 'failed' ELSE 'posted' END, '', 'test', n % 4,
         CASE WHEN n % 7 <> 0 THEN at END, CASE WHEN n % 5 = 0 THEN to_timestamp(700 * 2419200) ELSE at - n * interval '9 days' END, at, n % 2 = 0
       FROM (SELECT n, to_timestamp((700 + n / 16) * 2419200 + (n % 8) * 302400 - (n % 2) * 0.001) AS at FROM generate_series(1, 400) AS n) spread`,
      [id],
    );
    await fresh.database.sql.query(`UPDATE queue_items SET subreddit_key = CASE WHEN priority > 0 THEN 'r' || priority END`);
  });
  afterAll(async () => {
    await fresh?.drop();
    await server?.stop();
  });

  describe.each([undefined, 'posted', 'failed', 'pending'] as const)('with the status %s', (status) => {
    it.each(QUEUE_SORTS.flatMap((sortBy) => SORT_ORDERS.map((sortOrder) => ({ sortBy, sortOrder }))))(
      'is the same page by page: $sortBy $sortOrder',
      async ({ sortBy, sortOrder }) => {
        const whole = await fresh.database.sql.query<{ id: string }>(
          `SELECT id FROM queue_items ${status === undefined ? '' : `WHERE status = '${status}'`}
           ORDER BY ${COLUMNS[sortBy]} ${sortOrder} NULLS LAST, id ${sortOrder}`,
        );
        const limit = 17;
        const listed: string[] = [];
        for (let page = 1; page <= whole.length / limit + 1; page += 1) {
          const { rows, total } = await fresh.database.read.queue.page({ page, limit, sortBy, sortOrder, ...(status && { status }) });
          expect(total).toBe(whole.length);
          listed.push(...rows.map(({ queueItem }) => queueItem.id));
        }
        expect(listed).toEqual(whole.map(({ id }) => id));
      },
    );
  });
});
