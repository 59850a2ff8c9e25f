import { LIMITS, type OriginalityKind, type OriginalityRule, type OriginalityState } from '@autoposter/contracts';

/** Posts published within the window, by kind. */
export type OriginalityCounts = Record<OriginalityKind, number>;

const { minPosts, maxRepostShare } = LIMITS.originality;

/** The queue holds nothing back until an administrator decides so. */
export const INITIAL_ORIGINALITY_RULE: OriginalityRule = { holdReposts: false, maxRepostShare: maxRepostShare.default };

const totalOf = ({ original, edited, collaboration, repost }: OriginalityCounts): number => original + edited + collaboration + repost;
/** Shares such as 0.3 are not exact. */
const ROUNDING = 1e-9;

/**
 * The share of plain reposts, how many more the rule allows, and how many other posts would bring the share down to the limit. With r reposts of t
 * posts and the limit s: r + more <= s * (t + more), and r <= s * (t + others).
 */
export function originalityOf(
  counts: OriginalityCounts,
  { maxRepostShare: greatest }: OriginalityRule,
): Pick<OriginalityState, 'repostShare' | 'repostsLeft' | 'othersNeeded'> {
  const total = totalOf(counts);
  const left = Math.floor((greatest * total - counts.repost) / (1 - greatest) + ROUNDING);
  return {
    repostShare: total === 0 ? null : counts.repost / total,
    repostsLeft: greatest >= 1 ? null : Math.max(0, left),
    othersNeeded: Math.max(0, Math.ceil(counts.repost / greatest - total - ROUNDING)),
  };
}

/** The share of plain reposts after one more, if the rule forbids it; `null` if the post may be published. */
export function refusedRepostShare(counts: OriginalityCounts, { holdReposts, maxRepostShare: greatest }: OriginalityRule): number | null {
  const total = totalOf(counts) + 1;
  const share = (counts.repost + 1) / total;
  return holdReposts && total > minPosts && share > greatest + ROUNDING ? share : null;
}
