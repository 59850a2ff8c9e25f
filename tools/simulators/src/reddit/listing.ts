import { postThing } from './post-json';
import type { SimPost } from './reddit-world';

export type ListingSort = 'hot' | 'new' | 'top' | 'rising' | 'controversial' | 'best';

const WINDOW_SECONDS: Readonly<Record<string, number>> = {
  hour: 3_600,
  day: 86_400,
  week: 7 * 86_400,
  month: 30 * 86_400,
  year: 365 * 86_400,
};
const DEEPEST = 1_000;

/** The public posts in the order of `sort`; `t` counts for top and controversial only. */
export function ordered(posts: readonly SimPost[], sort: ListingSort, t: string, nowSeconds: number): SimPost[] {
  const live = posts.filter((post) => post.removedBy === null);
  const window = WINDOW_SECONDS[t] ?? (t === 'all' ? Number.POSITIVE_INFINITY : WINDOW_SECONDS.day);
  const recent = live.filter((post) => nowSeconds - post.createdAtSeconds <= (window ?? 0));
  switch (sort) {
    case 'new':
      return live.slice(0, DEEPEST);
    case 'top':
      return [...recent].sort((a, b) => b.score - a.score).slice(0, DEEPEST);
    case 'controversial':
      return [...recent].sort((a, b) => a.ratio - b.ratio).slice(0, DEEPEST);
    case 'rising':
      return live.filter((post) => nowSeconds - post.createdAtSeconds <= 6 * 3_600).sort((a, b) => heat(b) - heat(a));
    default: {
      const sticky = live.filter((post) => post.stickied).slice(0, 2);
      const rest = live.filter((post) => !sticky.includes(post)).sort((a, b) => heat(b) - heat(a));
      return [...sticky, ...rest].slice(0, DEEPEST);
    }
  }
}

/** Score on a logarithmic scale against age, as the public description of "hot" has it. */
function heat(post: SimPost): number {
  return Math.log10(Math.max(post.score, 1)) + post.createdAtSeconds / 45_000;
}

/**
 * One page of a listing. `after` is null at the end; an unknown cursor gives an empty page. The first `onTop` posts come in addition to
 * the page's size.
 */
export function page(posts: readonly SimPost[], query: URLSearchParams, mediaOrigin: string, onTop = 0): Record<string, unknown> {
  const limit = pageSize(query.get('limit'));
  const after = query.get('after');
  const before = query.get('before');
  let start = 0;
  if (after) start = indexAfter(posts, after);
  else if (before) start = Math.max(0, indexAfter(posts, before) - 1 - limit);
  const slice = posts.slice(start, Math.max(start, onTop) + limit);
  const more = start + slice.length < posts.length;
  const last = slice.at(-1);
  return {
    kind: 'Listing',
    data: {
      after: more && last ? `t3_${last.id}` : null,
      dist: slice.length,
      modhash: null,
      geo_filter: null,
      children: slice.map((post) => postThing(post, mediaOrigin)),
      before: start > 0 && slice[0] ? `t3_${slice[0].id}` : null,
    },
  };
}

function pageSize(value: string | null): number {
  const limit = Number(value ?? 25);
  return Number.isInteger(limit) && limit >= 1 ? Math.min(limit, 100) : 25;
}

function indexAfter(posts: readonly SimPost[], fullname: string): number {
  const index = posts.findIndex((post) => `t3_${post.id}` === fullname);
  return index < 0 ? posts.length : index + 1;
}
