import { auditDuePosts, type DuePost } from './due-audit';

const INTERVAL = 60_000;
const post = (startedAtMs: number | null, values: Partial<DuePost> = {}): DuePost => ({
  ...{ accountId: 'a', attempts: 1, jobs: 1, startedAtMs, endedAtMs: startedAtMs === null ? null : startedAtMs + 1_000 },
  ...values,
});

describe('auditDuePosts', () => {
  it('measures how late posts start after the interval to the post before them on their account', () => {
    const posts = [post(0), post(61_500), post(500, { accountId: 'b' }), post(70_000, { accountId: 'b' })];
    expect(auditDuePosts(posts, INTERVAL)).toEqual({
      ...{ doubles: 0, misses: 0, early: 0 },
      lateness: [
        { dueAtMs: 61_000, lateMs: 500 },
        { dueAtMs: 61_500, lateMs: 8_500 },
      ],
    });
  });

  it.each([
    ['a post with two attempts', { doubles: 1 }, [post(0, { attempts: 2 })]],
    ['a post with two jobs', { doubles: 1 }, [post(0, { jobs: 2 })]],
    ['a post that was not started', { misses: 1 }, [post(null, { attempts: 0, jobs: 0 })]],
    ['an attempt without a job', { misses: 1 }, [post(0, { jobs: 0 })]],
    ['a post within the interval', { early: 1 }, [post(0), post(60_999)]],
    ['a post before the end of the one before it', { early: 1 }, [post(0, { endedAtMs: null }), post(90_000)]],
  ])('finds %s', (_what, found, posts) => expect(auditDuePosts(posts, INTERVAL)).toMatchObject(found));
});
