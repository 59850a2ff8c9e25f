import { html, json, text, type Answer } from '../server/answer';
import type { SimulatedClock } from '../server/clock';
import { bearerOf, formOf, header, type Route, type SimRequest } from '../server/sim-request';
import { stableId36 } from '../server/stable-random';
import { commentListing, moreChildren } from './comments';
import { ordered, page, type ListingSort } from './listing';
import { postThing } from './post-json';
import type { Community } from './post-seed';
import { blocked, closedCommunity, notFound, refuse, tooManyJson, unauthorized, unknownCommunity } from './refusals';
import type { RequestBudget } from './request-budget';
import type { RedditWorld, SimPost } from './reddit-world';
import type { TokenDesk } from './token-desk';
import { judgeUserAgent } from './user-agent';

const SORTS: readonly ListingSort[] = ['hot', 'new', 'top', 'rising', 'controversial'];

export interface ApiParts {
  world: RedditWorld;
  desk: TokenDesk;
  budget: RequestBudget;
  clock: SimulatedClock;
  mediaOrigin: () => string;
}

/** What stands on oauth.reddit.com, for reading. */
export function apiRoutes(parts: ApiParts): Route[] {
  const get = (path: string, answer: (request: SimRequest) => Answer): Route => ({ method: 'GET', path, handle: guarded(parts, answer) });
  const comments = (request: SimRequest): Answer => postPage(parts, request);
  const more = (request: SimRequest): Answer => moreComments(parts, request);
  return [
    get('/r/:names/about', (request) => about(parts, request)),
    ...SORTS.map((sort) => get(`/r/:names/${sort}`, (request) => listing(parts, request, sort))),
    get('/r/:names', (request) => listing(parts, request, 'hot')),
    ...SORTS.map((sort) => get(`/${sort}`, (request) => listing(parts, request, sort))),
    get('/comments/:id', comments),
    get('/comments/:id/:slug', comments),
    get('/comments/:id/:slug/:comment', comments),
    get('/r/:names/comments/:id', comments),
    get('/r/:names/comments/:id/:slug', comments),
    get('/r/:names/comments/:id/:slug/:comment', comments),
    get('/api/info', ({ query }) => (query.has('url') ? byMediaUrl(parts, query.get('url') ?? '') : byNames(parts, query.get('id') ?? ''))),
    get('/by_id/:ids', ({ params }) => byNames(parts, params.ids ?? '')),
    get('/api/morechildren', more),
    { method: 'POST', path: '/api/morechildren', handle: guarded(parts, more) },
    get('/subreddits/search', () => json(200, page([], new URLSearchParams(), ''))),
  ];
}

/** Client, token and budget are asked before anything else; `raw_json` decides about escaping at the end. */
function guarded(parts: ApiParts, answer: (request: SimRequest) => Answer): (request: SimRequest) => Answer {
  return (request) => {
    const judged = judgeUserAgent(header(request, 'user-agent'));
    if (judged === 'browser') return blocked();
    if (judged === 'library') return tooManyJson();
    if (!parts.desk.isValid(bearerOf(request))) return unauthorized();
    // refusals tell nothing of the budget: a client has to remember what it was told before
    if (!parts.budget.take()) return tooManyJson();
    const given = answer(request);
    const escaped = given.status === 200 && request.query.get('raw_json') !== '1' ? escapeAnswer(given) : given;
    return given.status === 200 ? { ...escaped, headers: { ...escaped.headers, ...parts.budget.headers() } } : escaped;
  };
}

/** Without `raw_json=1` every string comes with `&`, `<` and `>` escaped, addresses included. */
function escapeAnswer(answer: Answer): Answer {
  const escape = (value: string): string => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const body = JSON.stringify(JSON.parse(String(answer.body)), (_key, value: unknown) =>
    typeof value === 'string' ? escape(value) : value,
  );
  return { ...answer, body };
}

function listing(parts: ApiParts, request: SimRequest, sort: ListingSort): Answer {
  const { world, clock } = parts;
  const names = request.params.names?.split('+') ?? null;
  const communities = names?.map((name) => world.community(name)) ?? world.allCommunities().filter(({ access }) => access === 'public');
  const closed = communities.find((community): community is Community => community !== null && closedCommunity(community) !== null);
  if (names?.length === 1 && closed) return closedCommunity(closed) ?? notFound();
  const open = communities.filter((community): community is Community => community !== null && community !== closed);
  if (open.length === 0) return unknownCommunity(request.origin, names?.[0] ?? '');
  const posts = world.all().filter((post) => open.includes(post.community));
  const sorted = ordered(posts, sort, request.query.get('t') ?? 'day', clock.seconds());
  const onTop = sort === 'hot' ? sorted.slice(0, 2).filter(({ stickied }) => stickied).length : 0;
  return json(200, page(sorted, request.query, parts.mediaOrigin(), onTop));
}

function postPage(parts: ApiParts, { params, query }: SimRequest): Answer {
  const post = parts.world.post(params.id ?? '');
  if (!post) return notFound();
  const closed = closedCommunity(post.community);
  if (closed) return closed;
  const number = (name: string, fallback: number, most: number): number =>
    Math.min(Math.max(Number(query.get(name) ?? fallback) || fallback, 1), most);
  const thing = postThing(post, parts.mediaOrigin());
  const first = {
    after: null,
    dist: 1,
    modhash: '',
    geo_filter: '',
    children: [{ ...thing, data: { ...thing.data, num_duplicates: 0 } }],
    before: null,
  };
  const comments = commentListing(post, query.get('sort') ?? 'confidence', number('limit', 150, 500), number('depth', 10, 10));
  return json(200, [{ kind: 'Listing', data: first }, comments]);
}

/** A fullname counts; the bare id is nobody's name. */
function postNamed(world: RedditWorld, name: string): SimPost | null {
  return name.startsWith('t3_') ? world.post(name.slice(3)) : null;
}

function byNames(parts: ApiParts, list: string): Answer {
  const names = list.split(',').filter((name) => name !== '');
  if (names.length > 100) return text(414, 'Error: URI Too Long', { 'retry-after': '0' });
  const posts = names.map((name) => postNamed(parts.world, name)).filter((post): post is SimPost => post !== null);
  return infoListing(parts, posts);
}

function infoListing(parts: ApiParts, posts: readonly SimPost[]): Answer {
  const children = posts.map((post) => postThing(post, parts.mediaOrigin()));
  return json(200, {
    kind: 'Listing',
    data: { after: null, dist: children.length, modhash: null, geo_filter: '', children, before: null },
  });
}

/** Posts that link a file of the media hosts, crossposts among them. */
function byMediaUrl(parts: ApiParts, address: string): Answer {
  const media = /^https:\/\/[iv]\.redd\.it\/([^/?#]+)/.exec(address)?.[1];
  const posts = parts.world.all().filter((post) => media !== undefined && (post.origin ?? post).mediaIds.includes(media));
  return infoListing(parts, posts);
}

function moreComments({ world }: ApiParts, request: SimRequest): Answer {
  const fields = request.method === 'POST' ? formOf(request) : request.query;
  const ids = (fields.get('children') ?? '').split(',').filter((id) => id !== '');
  if (ids.length > 100 && request.method === 'GET') return text(414, 'Error: URI Too Long', { 'retry-after': '0' });
  if (ids.some((id) => !/^[0-9a-z]+$/.test(id))) return html(400, '<html><body><h1>400 Bad Request</h1></body></html>');
  const post = postNamed(world, fields.get('link_id') ?? '');
  return json(200, { json: { errors: [], data: { things: post ? moreChildren(post, ids.slice(0, 100)) : [] } } });
}

function about({ world }: ApiParts, { params, origin }: SimRequest): Answer {
  const name = params.names ?? '';
  const community = world.community(name);
  if (!community) return /^[A-Za-z0-9_]{2,21}$/.test(name) ? unknownCommunity(origin, name) : refuse(404, 'Not Found');
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
