import type { SimulatedClock } from '../server/clock';
import { type SimResponse, bearerOf, formOf, get, header, html, json, post, type Route, type SimRequest, text } from '../server/http';
import type { RequestWindow } from '../server/limits';
import { stableId36 } from '../server/stable-random';
import {
  blocked,
  closedCommunity,
  classifyUserAgent,
  notFound,
  errorResponse,
  rateHeaders,
  type TokenStore,
  tooManyJson,
  unauthorized,
  unknownCommunity,
} from './client-access';
import { commentListing, moreChildren } from './comments';
import { listingOf, postThing, type Thing } from './post-json';
import type { Community, RedditStore, SimPost } from './reddit-content';

const SORTS: readonly ListingSort[] = ['hot', 'new', 'top', 'rising', 'controversial'];

interface ApiParts {
  store: RedditStore;
  tokens: TokenStore;
  budget: RequestWindow;
  settings: { requestLimit: number; unknownSubredditStatus: number };
  clock: SimulatedClock;
  mediaOrigin: () => string;
}

/** The read API of oauth.reddit.com. */
export function apiRoutes(parts: ApiParts): Route[] {
  const read = (path: string, response: (request: SimRequest) => SimResponse): Route => get(path, guarded(parts, response));
  const more = (request: SimRequest): SimResponse => moreComments(parts, request);
  return [
    read('/r/:names/about', (request) => about(parts, request)),
    ...SORTS.map((sort) => read(`/r/:names/${sort}`, (request) => listing(parts, request, sort))),
    read('/r/:names', (request) => listing(parts, request, 'hot')),
    ...SORTS.map((sort) => read(`/${sort}`, (request) => listing(parts, request, sort))),
    ...['', '/r/:names'].flatMap((scope) =>
      ['', '/:slug', '/:slug/:comment'].map((rest) => read(`${scope}/comments/:id${rest}`, (request) => postPage(parts, request))),
    ),
    read('/api/info', ({ query }) =>
      query.has('url') ? byMediaUrl(parts, query.get('url') ?? '') : byNames(parts, query.get('id') ?? ''),
    ),
    read('/by_id/:ids', ({ params }) => byNames(parts, params.ids ?? '')),
    read('/api/morechildren', more),
    post('/api/morechildren', guarded(parts, more)),
    read('/subreddits/search', () => json(200, page([], new URLSearchParams(), ''))),
  ];
}

/** Checks User-Agent, token and rate limit, and escapes the response unless `raw_json=1` is set. */
function guarded(parts: ApiParts, response: (request: SimRequest) => SimResponse): (request: SimRequest) => SimResponse {
  return (request) => {
    const judged = classifyUserAgent(header(request, 'user-agent'));
    if (judged === 'browser') return blocked();
    if (judged === 'library') return tooManyJson();
    if (!parts.tokens.isValid(bearerOf(request))) return unauthorized();
    // Rejections have no rate limit headers: clients must remember the previous ones.
    if (!parts.budget.take()) return tooManyJson();
    const given = response(request);
    const escaped = given.status === 200 && request.query.get('raw_json') !== '1' ? escapeAnswer(given) : given;
    return given.status === 200
      ? { ...escaped, headers: { ...escaped.headers, ...rateHeaders(parts.budget, parts.settings.requestLimit) } }
      : escaped;
  };
}

/** Without `raw_json=1` Reddit escapes `&`, `<` and `>` in every string, URLs included. */
function escapeAnswer(response: SimResponse): SimResponse {
  const escape = (value: string): string => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const body = JSON.stringify(JSON.parse(String(response.body)), (_key, value: unknown) =>
    typeof value === 'string' ? escape(value) : value,
  );
  return { ...response, body };
}

function listing(parts: ApiParts, request: SimRequest, sort: ListingSort): SimResponse {
  const { store, clock } = parts;
  const names = request.params.names?.split('+') ?? null;
  const communities = names?.map((name) => store.community(name)) ?? store.allCommunities().filter(({ access }) => access === 'public');
  const closed = communities.find((community): community is Community => community !== null && closedCommunity(community) !== null);
  if (names?.length === 1 && closed) return closedCommunity(closed) ?? notFound();
  const open = communities.filter((community): community is Community => community !== null && community !== closed);
  if (open.length === 0) return unknownCommunity(request.origin, names?.[0] ?? '', parts.settings.unknownSubredditStatus);
  const posts = store.all().filter((post) => open.includes(post.community));
  const sorted = ordered(posts, sort, request.query.get('t') ?? 'day', clock.seconds());
  const onTop = sort === 'hot' ? sorted.slice(0, 2).filter(({ stickied }) => stickied).length : 0;
  return json(200, page(sorted, request.query, parts.mediaOrigin(), onTop));
}

function postPage(parts: ApiParts, { params, query }: SimRequest): SimResponse {
  const post = parts.store.post(params.id ?? '');
  if (!post) return notFound();
  const closed = closedCommunity(post.community);
  if (closed) return closed;
  const number = (name: string, fallback: number, most: number): number =>
    Math.min(Math.max(Number(query.get(name) ?? fallback) || fallback, 1), most);
  const thing = postThing(post, parts.mediaOrigin());
  const comments = commentListing(post, query.get('sort') ?? 'confidence', number('limit', 150, 500), number('depth', 10, 10));
  return json(200, [listingOf([{ ...thing, data: { ...thing.data, num_duplicates: 0 } }], { modhash: '' }), comments]);
}

/** Only fullnames (`t3_…`) are accepted, not bare ids. */
function postNamed(store: RedditStore, name: string): SimPost | null {
  return name.startsWith('t3_') ? store.post(name.slice(3)) : null;
}

function byNames(parts: ApiParts, list: string): SimResponse {
  const names = list.split(',').filter((name) => name !== '');
  if (names.length > 100) return text(414, 'Error: URI Too Long', { 'retry-after': '0' });
  const posts = names.map((name) => postNamed(parts.store, name)).filter((post): post is SimPost => post !== null);
  return infoListing(parts, posts);
}

function infoListing(parts: ApiParts, posts: readonly SimPost[]): SimResponse {
  return json(200, listingOf(posts.map((post) => postThing(post, parts.mediaOrigin()))));
}

/** Posts that link to a media file, crossposts included. */
function byMediaUrl(parts: ApiParts, address: string): SimResponse {
  const media = /^https:\/\/[iv]\.redd\.it\/([^/?#]+)/.exec(address)?.[1];
  const posts = parts.store.all().filter((post) => media !== undefined && (post.origin ?? post).mediaIds.includes(media));
  return infoListing(parts, posts);
}

function moreComments({ store }: ApiParts, request: SimRequest): SimResponse {
  const fields = request.method === 'POST' ? formOf(request) : request.query;
  const ids = (fields.get('children') ?? '').split(',').filter((id) => id !== '');
  if (ids.length > 100 && request.method === 'GET') return text(414, 'Error: URI Too Long', { 'retry-after': '0' });
  if (ids.some((id) => !/^[0-9a-z]+$/.test(id))) return html(400, '<html><body><h1>400 Bad Request</h1></body></html>');
  const post = postNamed(store, fields.get('link_id') ?? '');
  return json(200, { json: { errors: [], data: { things: post ? moreChildren(post, ids.slice(0, 100)) : [] } } });
}

function about({ store, settings }: ApiParts, { params, origin }: SimRequest): SimResponse {
  const name = params.names ?? '';
  const community = store.community(name);
  if (!community)
    return /^[A-Za-z0-9_]{2,21}$/.test(name)
      ? unknownCommunity(origin, name, settings.unknownSubredditStatus)
      : errorResponse(404, 'Not Found');
  const closed = closedCommunity(community);
  if (closed) return closed;
  const { name: displayName, title, subscribers, nsfw } = community;
  return json(200, {
    kind: 't5',
    data: {
      display_name: displayName,
      display_name_prefixed: `r/${displayName}`,
      name: `t5_${stableId36(`subreddit ${displayName}`, 5)}`,
      id: stableId36(`subreddit ${displayName}`, 5),
      title: title || displayName,
      public_description: title,
      subscribers,
      over18: nsfw,
      subreddit_type: 'public',
      quarantine: false,
      url: `/r/${displayName}/`,
    },
  });
}

type ListingSort = 'hot' | 'new' | 'top' | 'rising' | 'controversial' | 'best';

const HOURS: Readonly<Record<string, number>> = {
  hour: 1,
  day: 24,
  week: 7 * 24,
  month: 30 * 24,
  year: 365 * 24,
  all: Number.POSITIVE_INFINITY,
};
const DEEPEST = 1_000;

/** Public posts sorted by `sort`; `t` applies only to top and controversial. */
function ordered(posts: readonly SimPost[], sort: ListingSort, t: string, nowSeconds: number): SimPost[] {
  const live = posts.filter((post) => post.removedBy === null);
  const within = (hours: number): SimPost[] => live.filter((post) => nowSeconds - post.createdAtSeconds <= hours * 3_600);
  const recent = within(HOURS[t] ?? 24);
  switch (sort) {
    case 'new':
      return live.slice(0, DEEPEST);
    case 'top':
      return recent.sort((a, b) => b.score - a.score).slice(0, DEEPEST);
    case 'controversial':
      return recent.sort((a, b) => a.ratio - b.ratio).slice(0, DEEPEST);
    case 'rising':
      return within(6).sort((a, b) => heat(b) - heat(a));
    default: {
      const sticky = live.filter((post) => post.stickied).slice(0, 2);
      const rest = live.filter((post) => !sticky.includes(post)).sort((a, b) => heat(b) - heat(a));
      return [...sticky, ...rest].slice(0, DEEPEST);
    }
  }
}

/** Reddit's published "hot" ranking: logarithmic score plus time. */
function heat(post: SimPost): number {
  return Math.log10(Math.max(post.score, 1)) + post.createdAtSeconds / 45_000;
}

/**
 * One page of a listing. `after` is null on the last page; an unknown cursor returns an empty page. The first `onTop` (stickied) posts are
 * not counted against the limit.
 */
function page(posts: readonly SimPost[], query: URLSearchParams, mediaOrigin: string, onTop = 0): Thing {
  const limit = pageSize(query.get('limit'));
  const after = query.get('after');
  const before = query.get('before');
  let start = 0;
  if (after) start = indexAfter(posts, after);
  else if (before) start = Math.max(0, indexAfter(posts, before) - 1 - limit);
  const slice = posts.slice(start, Math.max(start, onTop) + limit);
  const more = start + slice.length < posts.length;
  const last = slice.at(-1);
  const cursors = { after: more && last ? `t3_${last.id}` : null, before: start > 0 && slice[0] ? `t3_${slice[0].id}` : null };
  return listingOf(
    slice.map((post) => postThing(post, mediaOrigin)),
    { geo_filter: null, ...cursors },
  );
}

function pageSize(value: string | null): number {
  const limit = Number(value ?? 25);
  return Number.isInteger(limit) && limit >= 1 ? Math.min(limit, 100) : 25;
}

function indexAfter(posts: readonly SimPost[], fullname: string): number {
  const index = posts.findIndex((post) => `t3_${post.id}` === fullname);
  return index < 0 ? posts.length : index + 1;
}
