import { boundsOf, positionsOf, rangeInDay, rangeOfPage, reasonsOf, rowsOf, type SkippedPageQuery } from './skipped-pages';

const query = (values: Partial<SkippedPageQuery> = {}): SkippedPageQuery => ({
  page: 1,
  limit: 10,
  sortBy: 'skippedAt',
  sortOrder: 'desc',
  ...values,
});

describe('skipped post pages', () => {
  it('count positions from the requested end', () => {
    const bounds = { low: 5, high: 30 };
    expect(positionsOf(query({ sortOrder: 'asc', page: 2 }), bounds)).toEqual({ low: 15, high: 25 });
    expect(positionsOf(query({ page: 2 }), bounds)).toEqual({ low: 10, high: 20 });
  });

  it('end with a shorter page and no page after it', () => {
    const bounds = { low: 5, high: 30 };
    expect(positionsOf(query({ sortOrder: 'asc', page: 3 }), bounds)).toEqual({ low: 25, high: 30 });
    expect(positionsOf(query({ page: 3 }), bounds)).toEqual({ low: 5, high: 10 });
    expect(positionsOf(query({ page: 4 }), bounds)).toBeNull();
    expect(rangeOfPage(query({ page: 4 }), 30)).toBeNull();
  });

  it.each([
    ['start', { low: 102, high: 112 }, { day: '2026-01-02', backwards: false, skip: 2, take: 10 }],
    ['end', { low: 180, high: 190 }, { day: '2026-01-02', backwards: true, skip: 10, take: 10 }],
    ['start if the page continues on the next day', { low: 195, high: 205 }, { day: '2026-01-02', backwards: false, skip: 95, take: 10 }],
  ])('read from the nearer end of the day: its %s', (_end, positions, range) => {
    expect(rangeInDay(positions, { day: '2026-01-02', below: 100, posts: 100 })).toEqual(range);
  });

  it('read the list from its nearer end', () => {
    expect(rangeOfPage(query({ sortOrder: 'asc' }), 100)).toEqual({ day: null, backwards: false, skip: 0, take: 10 });
    expect(rangeOfPage(query({ sortOrder: 'asc', page: 10 }), 100)).toEqual({ day: null, backwards: true, skip: 0, take: 10 });
    expect(rangeOfPage(query({ page: 10 }), 100)).toEqual({ day: null, backwards: false, skip: 0, take: 10 });
  });

  it('pass every filter as a parameter', () => {
    const from = new Date(1_000);
    const before = new Date(2_000);
    const scope = { subreddit: 'pics', reason: 'nsfw_filter', from, before } as const;
    expect(boundsOf(scope).values).toEqual(['pics', 'nsfw_filter', from, before]);
    expect(boundsOf({}).values).toEqual(['*', '*']);
    expect(rowsOf(scope, 'redditData.score', { day: null, backwards: false, skip: 3, take: 4 })).toEqual({
      text: expect.stringMatching(/subreddit = \$1 AND reason = \$2 AND skipped_at >= \$3 AND skipped_at < \$4[^]*LIMIT \$5 OFFSET \$6/u),
      values: ['pics', 'nsfw_filter', from, before, 4, 3],
    });
    expect(rowsOf({}, 'skippedAt', { day: '2026-01-02', backwards: true, skip: 0, take: 4 }).values).toEqual(['2026-01-02', 4, 0]);
    expect(reasonsOf(scope).values).toEqual(['pics', from, before]);
  });
});
