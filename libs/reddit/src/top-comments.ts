import { objectIn, type SourceComment } from '@autoposter/domain';
import { decodeEntities } from './decode-entities';
import { commentSchema, listingSchema, type RawComment } from './raw-post';

const MAX_COMMENTS = 20;
const GONE = new Set(['[deleted]', '[removed]', '']);

/**
 * The best top-level comments of a comment listing, highest score first, at most 20. Left out: deleted and removed ones, what is
 * stickied or spoken by moderators, and bots, which come first whatever the order asked for.
 */
export function topComments(listing: unknown): SourceComment[] {
  return childrenOf(listing)
    .filter((child) => child.kind === 't1')
    .map((child) => commentSchema.safeParse(child.data))
    .flatMap((parsed) => (parsed.success && isWorthKeeping(parsed.data) ? [toComment(parsed.data)] : []))
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_COMMENTS);
}

function isWorthKeeping(comment: RawComment): boolean {
  if (comment.stickied || comment.distinguished) return false;
  if (GONE.has((comment.body ?? '').trim()) || GONE.has((comment.author ?? '').trim())) return false;
  return !isBot(comment.author ?? '');
}

/** By Reddit's habit programs are called `…bot`; moderators' shared accounts end in `-ModTeam`. */
const isBot = (author: string): boolean => /^automoderator$|bot\d*$|-modteam$/i.test(author);

const toComment = (comment: RawComment): SourceComment => ({
  id: comment.id,
  author: comment.author ?? '',
  score: comment.score ?? 0,
  body: decodeEntities(comment.body ?? '').trim(),
  replies: countReplies(comment.replies),
});

/** Visible descendants plus the `count` of what hides behind "more". */
function countReplies(replies: unknown): number {
  return childrenOf(replies).reduce((sum, child) => {
    const data = objectIn(child.data);
    if (child.kind === 'more') return sum + (typeof data['count'] === 'number' ? data['count'] : 0);
    return child.kind === 't1' ? sum + 1 + countReplies(data['replies']) : sum;
  }, 0);
}

function childrenOf(listing: unknown): { kind: string; data?: unknown }[] {
  const parsed = listingSchema.safeParse(listing);
  return parsed.success ? parsed.data.data.children : [];
}
