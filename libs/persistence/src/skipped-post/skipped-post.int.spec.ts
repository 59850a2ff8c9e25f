import { SKIPPED_SORTS, SORT_ORDERS, type SkippedPostsQuery, type SkipReason } from '@autoposter/contracts';
import { freshDatabase, postgresKinds, startPostgres, type FreshDatabase, type PostgresServer } from '@autoposter/testkit';
import type { SkippedPageQuery } from './skipped-pages';
import type { SkippedPost } from './skipped-post.entity';

const ROWS = 240;
const REASONS: readonly SkipReason[] = ['min_score_filter', 'nsfw_filter', 'duplicate_post'];

/** Compares rows, smallest first; ids make the order total. */
const KEYS: Record<SkippedPostsQuery['sortBy'], (row: SkippedPost) => (string | number)[]> = {
  skippedAt: ({ skippedAt, id }) => [skippedAt.getTime(), id],
  'redditData.score': ({ score, id }) => [score, id],
  'redditData.created': ({ sourceCreatedAt, id }) => [sourceCreatedAt?.getTime() ?? -Infinity, id],
  'redditData.subreddit': ({ subreddit, skippedAt, id }) => [subreddit, skippedAt.getTime(), id],
};

function compare(one: readonly (string | number)[], other: readonly (string | number)[]): number {
  const place = one.findIndex((value, index) => value !== other[index]);
  const [a = 0, b = 0] = [one[place], other[place]];
  return place < 0 ? 0 : a < b ? -1 : 1;
}

describe('skipped post pages', () => {
  let server: PostgresServer;
  let fresh: FreshDatabase;
  let all: SkippedPost[];

  const sql = (text: string, values: unknown[] = []) => fresh.database.sql.query<Record<string, unknown>>(text, values);
  const readAll = async (): Promise<SkippedPost[]> => {
    const query = { page: 1, limit: 1000, sortBy: 'skippedAt', sortOrder: 'asc' } as const;
    return (await fresh.database.read.skipped.page(query)).rows;
  };

  beforeAll(async () => {
    const [kind] = postgresKinds();
    if (kind === undefined) throw new Error('no PostgreSQL to test on');
    server = await startPostgres(kind);
    fresh = await freshDatabase(server);
    // days of very different size, with equal values in every order
    await sql(
      `INSERT INTO skipped_posts (id, subreddit, source_id, original_url, reason, score, skipped_at, source_created_at)
       SELECT gen_random_uuid(), (ARRAY['aww','pics','zoo'])[1 + n % 3], 's' || n, 'https://x', ($2::text[])[1 + n % 7 % 3], n % 5,
         timestamptz '2026-03-01T00:00:00Z' + (n * n % 40) * interval '5 hours', CASE WHEN n % 4 > 0 THEN timestamptz '2026-01-01' + n % 11 * interval '1 hour' END
       FROM generate_series(1, $1::int) AS n`,
      [ROWS, REASONS],
    );
    all = await readAll();
  });
  afterAll(async () => {
    await fresh?.drop();
    await server?.stop();
  });

  const matching = ({ subreddit, reason, from, before }: Partial<SkippedPageQuery>): SkippedPost[] =>
    all.filter(
      (row) =>
        (subreddit === undefined || row.subreddit === subreddit) &&
        (reason === undefined || row.reason === reason) &&
        (from === undefined || row.skippedAt >= from) &&
        (before === undefined || row.skippedAt < before),
    );

  const TIMES = [
    {},
    { from: new Date('2026-03-03T05:30:00Z') },
    { before: new Date('2026-03-05T22:00:00Z') },
    { from: new Date('2026-03-02T22:00:00Z'), before: new Date('2026-03-03T22:00:00Z') },
    { from: new Date('2026-03-04T01:00:00Z'), before: new Date('2026-03-04T11:00:00Z') },
    { from: new Date('2027-01-01T00:00:00Z') },
  ];
  const SCOPES = TIMES.flatMap((time) =>
    [undefined, 'aww', 'unknown'].flatMap((subreddit) =>
      [undefined, 'nsfw_filter' as const].map((reason) => ({ ...time, ...(subreddit && { subreddit }), ...(reason && { reason }) })),
    ),
  );

  it('contain all seeded rows', () => {
    expect(new Set(all.map(({ id }) => id)).size).toBe(ROWS);
  });

  it.each(SKIPPED_SORTS.flatMap((sortBy) => SORT_ORDERS.map((sortOrder) => [sortBy, sortOrder] as const)))(
    'by %s %s: every page and total equals a sort of all rows, with any filter',
    async (sortBy, sortOrder) => {
      for (const scope of SCOPES) {
        const sorted = matching(scope).sort((a, b) => compare(KEYS[sortBy](a), KEYS[sortBy](b)));
        const wanted = (sortOrder === 'desc' ? sorted.reverse() : sorted).map(({ id }) => id);
        const pages = Math.max(1, Math.ceil(wanted.length / 7));
        for (const page of new Set([1, 2, Math.ceil(pages / 2), pages - 1, pages, pages + 1].filter((one) => one > 0))) {
          const { rows, total } = await fresh.database.read.skipped.page({ ...scope, page, limit: 7, sortBy, sortOrder });
          expect({ scope, page, total, ids: rows.map(({ id }) => id) }).toEqual({
            scope,
            page,
            total: wanted.length,
            ids: wanted.slice((page - 1) * 7, page * 7),
          });
        }
      }
    },
  );

  it('count reasons with any filter', async () => {
    for (const { subreddit, from, before } of SCOPES) {
      const counts = new Map<string, number>();
      for (const { reason } of matching({ subreddit, from, before })) counts.set(reason, (counts.get(reason) ?? 0) + 1);
      const found = await fresh.database.read.skipped.statistics({ subreddit, from, before });
      expect(Object.fromEntries(found.map(({ reason, count }) => [reason, count]))).toEqual(Object.fromEntries(counts));
      expect(found.map(({ count }) => count)).toEqual([...counts.values()].sort((a, b) => b - a));
    }
  });

  it('keep their counts through every kind of change', async () => {
    const exact = async () => {
      const differing = await sql(
        `SELECT * FROM (
           SELECT coalesce(subreddit, '*') AS subreddit, coalesce(reason, '*') AS reason, (skipped_at AT TIME ZONE 'UTC')::date AS day, count(*) AS posts
           FROM skipped_posts GROUP BY GROUPING SETS ((subreddit, reason, 3), (subreddit, 3), (reason, 3), 3)) counted
         FULL JOIN (SELECT * FROM skipped_post_counts WHERE posts <> 0) kept USING (subreddit, reason, day, posts)
         WHERE counted IS NULL OR kept IS NULL`,
      );
      expect(differing).toEqual([]);
    };
    await exact();
    const [first] = all;
    if (first === undefined) throw new Error('there is no post');
    const { id: _id, skippedAt: _skippedAt, ...post } = first;
    // skipped again today for another reason
    await fresh.database.unitOfWork((uow) => uow.skipped.record({ ...post, reason: 'max_age_filter' }));
    await fresh.database.unitOfWork((uow) => uow.skipped.record({ ...post, sourceId: 'new', subreddit: 'new' }));
    await exact();
    expect(await fresh.database.read.skipped.subreddits()).toEqual(['aww', 'new', 'pics', 'zoo']);
    await sql(`DELETE FROM skipped_posts WHERE subreddit = 'new' OR score = 2`);
    await sql(`UPDATE skipped_posts SET skipped_at = skipped_at + interval '1 day', subreddit = 'pics' WHERE score = 3`);
    await exact();
    expect(await fresh.database.read.skipped.subreddits()).toEqual(['aww', 'pics', 'zoo']);
    await sql('TRUNCATE skipped_posts');
    await exact();
    expect(await fresh.database.read.skipped.page({ page: 1, limit: 5, sortBy: 'skippedAt', sortOrder: 'desc' })).toEqual({
      rows: [],
      total: 0,
    });
    expect(await fresh.database.read.skipped.subreddits()).toEqual([]);
  });
});
