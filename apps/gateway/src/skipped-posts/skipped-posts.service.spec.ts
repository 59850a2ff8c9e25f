import { skippedPostSchema } from '@autoposter/contracts';
import type { SkippedPost } from '@autoposter/persistence';
import { presentPagination } from '../http/api-route';
import { formatAge, presentSkipped } from './skipped-posts.service';

const row: SkippedPost = {
  id: '01890000-0000-7000-8000-000000000001',
  subreddit: 'aww',
  platform: 'reddit',
  sourceId: '1abcde',
  originalUrl: 'https://www.reddit.com/comments/1abcde',
  reason: 'min_score_filter',
  additionalInfo: 'Score 0, at least 1 wanted.',
  errorMessage: null,
  title: null,
  author: null,
  postType: 'video',
  score: 0,
  sourceCreatedAt: new Date('2026-05-05T08:30:00Z'),
  skippedAt: new Date('2026-05-05T10:00:00Z'),
  itemId: null,
};

describe('a skipped post on the wire', () => {
  it('has the age that it had when it was skipped', () => {
    const shown = presentSkipped(row);
    expect(skippedPostSchema.parse(shown)).toEqual(shown);
    expect([shown.postAgeFormatted, shown.postAgeHours]).toEqual(['1h 30m', 1.5]);
  });

  it('names no subreddit for a post of Instagram', () => {
    expect(presentSkipped({ ...row, platform: 'instagram', subreddit: 'instagram' }).redditData.subreddit).toBeNull();
    expect(presentSkipped({ ...row, subreddit: 'instagram' }).redditData.subreddit).toBe('instagram');
  });

  it('has no age where the source told no time', () => {
    const shown = presentSkipped({ ...row, sourceCreatedAt: null });
    expect([shown.postAgeFormatted, shown.postAgeHours, shown.redditData.created]).toEqual([null, null, null]);
  });

  it.each([
    [0, '0m'],
    [59 * 60_000, '59m'],
    [24 * 3_600_000, '1d 0h'],
    [53 * 3_600_000, '2d 5h'],
  ])('age of %d ms', (age, words) => expect(formatAge(age)).toBe(words));

  it('counts pages', () => {
    expect(presentPagination(1, 50, 0)).toMatchObject({ totalPages: 0, hasPrevPage: false, hasNextPage: false });
    expect(presentPagination(2, 50, 101)).toMatchObject({ totalPages: 3, hasPrevPage: true, hasNextPage: true });
    expect(presentPagination(3, 50, 101).hasNextPage).toBe(false);
  });
});
