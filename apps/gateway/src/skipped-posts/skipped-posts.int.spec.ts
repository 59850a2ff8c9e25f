import { skippedPostSchema } from '@autoposter/contracts';
import { describeGateway } from '../testing/gateway-fixture';
import { GatewayFixture } from '../testing/gateway-fixture';

describeGateway('skipped posts', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => {
    gateway = await GatewayFixture.start();
    const posts = [
      ['a', 'aww', 'min_score_filter', 5, '2026-05-04T21:59:59Z'],
      ['b', 'aww', 'nsfw_filter', 9, '2026-05-04T22:00:00Z'],
      ['c', 'funny', 'min_score_filter', 1, '2026-05-05T21:59:59Z'],
      ['d', 'funny', 'duplicate_post', 7, '2026-05-05T22:00:00Z'],
    ] as const;
    for (const [sourceId, subreddit, reason, score, at] of posts) {
      await gateway.database.read.skipped.record({
        sourceId,
        subreddit,
        reason,
        score,
        originalUrl: `https://x/${sourceId}`,
        title: sourceId,
      });
      await gateway.database.sql.query('UPDATE skipped_posts SET skipped_at = $2 WHERE source_id = $1', [sourceId, at]);
    }
    // Berlin is two hours ahead in May: its 5th of May begins at 22:00 of the 4th.
    const blocking = { enabled: false, startTime: '00:00', endTime: '06:00', timeZone: 'Europe/Berlin' };
    await gateway.call('put', '/api/instagram-queue/time-blocking', blocking).expect(200);
  });
  afterAll(() => gateway?.stop());

  const titles = async (query: string) => {
    const { body } = await gateway.call('get', `/api/skipped-posts${query}`);
    for (const post of body.data.posts) skippedPostSchema.strict().parse(post);
    return body.data.posts.map((post: { redditData: { title: string } }) => post.redditData.title).join('');
  };

  it('sorts newest first or as requested', async () => {
    expect(await titles('')).toBe('dcba');
    expect(await titles('?sortBy=redditData.score&sortOrder=asc')).toBe('cadb');
    expect(await titles('?page=2&limit=3')).toBe('a');
  });

  it('filters by subreddit, reason and whole days of the time zone, both ends included', async () => {
    expect(await titles('?subreddit=aww')).toBe('ba');
    expect(await titles('?subreddit=AWW')).toBe('ba');
    expect(await titles('?skipReason=min_score_filter')).toBe('ca');
    expect(await titles('?dateFrom=2026-05-05&dateTo=2026-05-05')).toBe('cb');
    expect(await titles('?dateTo=2026-05-04')).toBe('a');
    expect((await gateway.call('get', '/api/skipped-posts?dateFrom=yesterday')).status).toBe(422);
  });

  it('finds nothing between a day and an earlier one', async () => {
    for (const range of ['dateFrom=2026-05-06&dateTo=2026-05-04', 'dateFrom=2026-05-05&dateTo=2026-05-04']) {
      const { body } = await gateway.call('get', `/api/skipped-posts?${range}`).expect(200);
      expect(body.data).toMatchObject({ posts: [], pagination: { totalCount: 0, totalPages: 0 } });
      expect((await gateway.call('get', `/api/skipped-posts/statistics?${range}`)).body.data).toEqual([]);
    }
  });

  it('counts reasons within the same filters', async () => {
    const { body } = await gateway.call('get', '/api/skipped-posts/statistics?dateFrom=2026-05-05');
    expect(body.data).toEqual([
      { _id: 'duplicate_post', reason: 'duplicate_post', count: 1 },
      { _id: 'min_score_filter', reason: 'min_score_filter', count: 1 },
      { _id: 'nsfw_filter', reason: 'nsfw_filter', count: 1 },
    ]);
    expect((await gateway.call('get', '/api/skipped-posts/subreddits')).body.data).toEqual(['aww', 'funny']);
    expect((await gateway.call('get', '/api/skipped-posts/reasons')).body.data).toHaveLength(16);
  });
});
