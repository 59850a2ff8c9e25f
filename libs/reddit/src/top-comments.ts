import { objectIn, type SourceComment, type SourceReply } from '@autoposter/domain';
import { commentSchema, decodeEntities, listingSchema, type RawComment } from './raw-post';

const MAX_COMMENTS = 20;
const GONE = new Set(['[deleted]', '[removed]', '']);

/**
 * The best top-level comments of a comment listing, highest score first, at most 20. Left out: deleted and removed ones,
 * stickied ones and those of moderators and bots, which come first in any order.
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

/** Programs whose names end in `bot` without a boundary, as many words and surnames do. */
const KNOWN_BOTS = new Set([
  'automoderator',
  'gifreversingbot',
  'haikusbot',
  'remindmebot',
  'repostsleuthbot',
  'savevideobot',
  'sneakpeekbot',
  'wikitextbot',
]);

/** Programs are called `…_bot`, `…-bot` or `…Bot`, moderators' shared accounts `…-ModTeam`. u/Talbot and u/MrRobot are people. */
const isBot = (author: string): boolean =>
  KNOWN_BOTS.has(author.toLowerCase()) ||
  /[_-]bot[_-]?\d*$/i.test(author) ||
  /[a-z0-9]B(?:ot|OT)[_-]?\d*$/.test(author) ||
  /-modteam$/i.test(author);

const toComment = (comment: RawComment): SourceComment => ({
  id: comment.id,
  author: comment.author ?? '',
  score: comment.score ?? 0,
  body: decodeEntities(comment.body ?? '').trim(),
  replies: countReplies(comment.replies),
  replyList: firstReplies(comment.replies),
});

const MAX_REPLIES = 10;
const MAX_REPLY_CHARACTERS = 300;

function firstReplies(listing: unknown): SourceReply[] {
  return childrenOf(listing)
    .filter((child) => child.kind === 't1')
    .map((child) => commentSchema.safeParse(child.data))
    .flatMap((parsed) => (parsed.success && isWorthKeeping(parsed.data) ? [parsed.data] : []))
    .slice(0, MAX_REPLIES)
    .map(({ id, author, score, body }) => ({
      id,
      author: author ?? '',
      score: score ?? 0,
      body: [...decodeEntities(body ?? '').trim()].slice(0, MAX_REPLY_CHARACTERS).join(''),
    }));
}

/** Visible descendants plus the `count` of each collapsed "more". */
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
