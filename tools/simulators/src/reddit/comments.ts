import { stableId36, stableSequence } from '../server/stable-random';
import { authorId, listingOf, permalinkOf, type Thing } from './post-json';
import type { SimPost } from './reddit-content';

interface SimComment {
  id: string;
  author: string | null;
  body: string;
  score: number;
  stickied: boolean;
  parent: SimComment | null;
  replies: SimComment[];
  createdAtSeconds: number;
}

/** Deterministic comments of a post: a stickied moderator comment, nested threads, deleted and removed comments. */
function commentsOf(post: SimPost): SimComment[] {
  const next = stableSequence(`comments ${post.id}`);
  const top: SimComment[] = [];
  const all: SimComment[] = [];
  for (let index = 0; index < post.comments; index += 1) {
    const parent = index > 2 && next() < 0.45 ? (all[Math.floor(next() * all.length)] ?? null) : null;
    const comment = makeComment(post, index, parent && depthOf(parent) < 4 && !parent.stickied ? parent : null, next);
    (comment.parent?.replies ?? top).push(comment);
    all.push(comment);
  }
  return top;
}

function makeComment(post: SimPost, index: number, parent: SimComment | null, next: () => number): SimComment {
  const moderator = index === 0 && post.comments > 3;
  const author = REMARK_AUTHORS[Math.floor(next() * REMARK_AUTHORS.length)] ?? 'someone';
  const body = REMARKS[Math.floor(next() * REMARKS.length)] ?? 'Nice.';
  const fate = next();
  return {
    id: stableId36(`comment ${post.id} ${index}`, 7),
    author: moderator ? 'AutoModerator' : fate > 0.95 ? null : author,
    body: moderator ? 'Please read the rules before commenting.' : fate > 0.95 ? '[deleted]' : fate > 0.92 ? '[removed]' : body,
    score: moderator ? 1 : Math.round((next() - 0.08) * post.score * 0.3),
    stickied: moderator,
    parent,
    replies: [],
    createdAtSeconds: post.createdAtSeconds + 60 * (index + 1),
  };
}

function depthOf(comment: SimComment): number {
  return comment.parent ? depthOf(comment.parent) + 1 : 0;
}

const ORDERS: Readonly<Record<string, (a: SimComment, b: SimComment) => number>> = {
  new: (a, b) => b.createdAtSeconds - a.createdAtSeconds,
  old: (a, b) => a.createdAtSeconds - b.createdAtSeconds,
  controversial: (a, b) => a.score - b.score,
  top: (a, b) => b.score - a.score,
};

function inOrder(comments: readonly SimComment[], sort: string): SimComment[] {
  const order = ORDERS[sort] ?? ORDERS.top;
  return [...comments].sort((a, b) => Number(b.stickied) - Number(a.stickied) || (order?.(a, b) ?? 0));
}

interface Walk {
  post: SimPost;
  sort: string;
  /** Comments that the listing may still contain. */
  left: number;
  deepest: number;
}

/** The comments listing of a post: at most `limit` comments down to `depth`; `more` objects reference the rest. */
export const commentListing = (post: SimPost, sort: string, limit: number, depth: number): Thing =>
  listingOf(level({ post, sort, left: limit, deepest: depth }, commentsOf(post), 0), { dist: null });

function level(walk: Walk, comments: readonly SimComment[], depth: number): Thing[] {
  const things: Thing[] = [];
  const rest: SimComment[] = [];
  for (const comment of inOrder(comments, walk.sort)) {
    if (walk.left <= 0) {
      rest.push(comment);
      continue;
    }
    walk.left -= 1;
    things.push(commentThing(walk.post, comment, replies(walk, comment, depth)));
  }
  if (rest.length > 0) things.push(moreThing(rest, depth));
  return things;
}

function replies(walk: Walk, comment: SimComment, depth: number): Thing | '' {
  if (comment.replies.length === 0) return '';
  if (depth + 1 >= walk.deepest) return listingOf([continueThread(comment, depth + 1)], { dist: null });
  const children = level(walk, comment.replies, depth + 1);
  return children.length > 0 ? listingOf(children, { dist: null }) : '';
}

function countAll(comments: readonly SimComment[]): number {
  return comments.reduce((sum, comment) => sum + 1 + countAll(comment.replies), 0);
}

function moreThing(rest: readonly SimComment[], depth: number): Thing {
  const first = rest[0];
  const parent = first?.parent ? `t1_${first.parent.id}` : undefined;
  return {
    kind: 'more',
    data: { count: countAll(rest), name: `t1_${first?.id}`, id: first?.id, parent_id: parent, depth, children: rest.map(({ id }) => id) },
  };
}

function continueThread(comment: SimComment, depth: number): Thing {
  return { kind: 'more', data: { count: 0, name: 't1__', id: '_', parent_id: `t1_${comment.id}`, depth, children: [] } };
}

function commentThing(post: SimPost, comment: SimComment, repliesBelow: Thing | ''): Thing {
  const deleted = comment.author === null;
  return {
    kind: 't1',
    data: {
      subreddit: post.community.name,
      author: comment.author ?? '[deleted]',
      ...(deleted ? {} : { author_fullname: authorId(comment.author) }),
      id: comment.id,
      name: `t1_${comment.id}`,
      body: comment.body,
      body_html: `<div class="md"><p>${comment.body}</p>\n</div>`,
      score: comment.score,
      ups: comment.score,
      downs: 0,
      score_hidden: false,
      created: comment.createdAtSeconds,
      created_utc: comment.createdAtSeconds,
      edited: false,
      stickied: comment.stickied,
      distinguished: comment.stickied ? 'moderator' : null,
      is_submitter: comment.author === post.author,
      parent_id: comment.parent ? `t1_${comment.parent.id}` : `t3_${post.id}`,
      link_id: `t3_${post.id}`,
      permalink: `${permalinkOf(post)}${comment.id}/`,
      depth: depthOf(comment),
      controversiality: 0,
      collapsed: comment.score < -5,
      collapsed_reason: null,
      collapsed_reason_code: deleted ? 'DELETED' : comment.score < -5 ? 'LOW_SCORE' : null,
      locked: false,
      replies: repliesBelow,
    },
  };
}

/** The comments with these ids and their descendants as a flat list. */
export function moreChildren(post: SimPost, ids: readonly string[]): Thing[] {
  const wanted = new Set(ids);
  const things: Thing[] = [];
  const visit = (comment: SimComment, taken: boolean): void => {
    const take = taken || wanted.has(comment.id);
    if (take) things.push(commentThing(post, comment, ''));
    comment.replies.forEach((reply) => visit(reply, take));
  };
  commentsOf(post).forEach((comment) => visit(comment, false));
  return things;
}

const REMARK_AUTHORS = 'maple_static tiny_lantern northbound_kel OrbitalBreakfast plainoldmoss sevenfoldpaper kitchen_comet'.split(' ');

const REMARKS = [
  'I could watch this for an hour and call it therapy.',
  'The sound at the end is the best part.',
  'Somebody give this person a raise.',
  'My brain just did a little happy stretch.',
  'Where was this taken? I need to go there & stay there.',
  'I did not expect it to fit. It fit.',
  'This is the calmest thing I have seen all week.',
  'Ten out of ten, would scroll back up again.',
  'The colours look edited until you have stood there yourself.',
  'Look at those paws > everything else today.',
  'I showed this to my dog and now we are both confused.',
  'Perfect loop, took me three rounds to notice.',
  'How many attempts did this take?',
  'Saved for the next bad day.',
  'The light in the second half is unreal.',
  'I have the same one at home and it never does this.',
] as const;
