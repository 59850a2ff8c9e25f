import { originalityOf, refusedRepostShare } from './originality';

const counts = (repost: number, original = 0) => ({ original, edited: 0, collaboration: 0, repost });
const rule = (maxRepostShare: number, holdReposts = true) => ({ holdReposts, maxRepostShare });

describe('originalityOf', () => {
  it.each([
    ['no posts', counts(0), 0.5, { repostShare: null, repostsLeft: 0, othersNeeded: 0 }],
    ['room for two reposts', counts(2, 4), 0.5, { repostShare: 2 / 6, repostsLeft: 2, othersNeeded: 0 }],
    ['exactly the greatest share', counts(3, 7), 0.3, { repostShare: 0.3, repostsLeft: 0, othersNeeded: 0 }],
    ['too many reposts', counts(6, 2), 0.5, { repostShare: 0.75, repostsLeft: 0, othersNeeded: 4 }],
    ['any number of reposts', counts(6, 2), 1, { repostShare: 0.75, repostsLeft: null, othersNeeded: 0 }],
  ])('measures the distance of %s', (_what, posts, share, expected) => {
    const found = originalityOf(posts, rule(share));
    expect(found).toEqual(expected);
    // the promised number of reposts fits, and one more does not
    if (found.repostsLeft === null || posts.repost + posts.original === 0) return;
    const after = (more: number) => (posts.repost + more) / (posts.repost + posts.original + more);
    if (found.othersNeeded === 0) expect(after(found.repostsLeft)).toBeLessThanOrEqual(share + 1e-9);
    expect(after(found.repostsLeft + 1)).toBeGreaterThan(share);
  });
});

describe('refusedRepostShare', () => {
  it('refuses a repost that would make the share too great', () => {
    expect(refusedRepostShare(counts(4, 4), rule(0.5))).toBeCloseTo(5 / 9);
    expect(refusedRepostShare(counts(3, 4), rule(0.5))).toBeNull();
  });

  it('refuses nothing while the rule is off, or while few posts were published', () => {
    expect(refusedRepostShare(counts(9), rule(0.5, false))).toBeNull();
    expect(refusedRepostShare(counts(4), rule(0.5))).toBeNull();
    expect(refusedRepostShare(counts(5), rule(0.5))).toBe(1);
  });
});
