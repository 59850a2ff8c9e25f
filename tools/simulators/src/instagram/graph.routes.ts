import { type SimResponse, get, json, post, remove, type Route, type SimRequest } from '../server/http';
import { DAY_MS, type RequestWindow } from '../server/limits';
import { requirePermission } from './access-tokens';
import { createContainer, listOf, publishContainer, publishLate, quotaUsed } from './containers';
import { businessDiscovery, oembed } from './discovery';
import { graphCall, type GraphCall, type InstagramParts, paramsOf, requireParam, splitPath } from './graph-call';
import { graphError } from './graph-errors';
import { type Container, newGraphId, type PublishedItem, statusOf, statusText } from './instagram-state';
import { copyrightFields, type FieldNode, graphTime, mediaFields, parseFields, project } from './media-fields';
import { loginPage, pageToken, tokenCall } from './token-calls';

/** The object type of an id is unknown before the lookup, so one route handles all paths. */
export function graphRoutes(parts: InstagramParts, usage: RequestWindow): Route[] {
  const handleCall = async (request: SimRequest): Promise<SimResponse> =>
    LOGIN_PAGE.test(request.path) ? loginPage(parts, request) : json(200, await response(parts, usage, request));
  return [get('/:path*', handleCall), post('/:path*', handleCall), remove('/:path*', handleCall)];
}

const LOGIN_PAGE = /^\/(?:oauth\/authorize|v\d+\.\d+\/dialog\/oauth)$/;

async function response(all: InstagramParts, usage: RequestWindow, request: SimRequest): Promise<unknown> {
  const { version, parts: path } = splitPath(request.path);
  const [first = '', edge] = path;
  publishLate(all);
  const signIn = tokenCall(all, path.join('/'), paramsOf(request), request.method);
  if (signIn) return signIn;
  if (first === 'instagram_oembed') return oembed(all, request.query.get('url') ?? '');
  const call = graphCall(request, version, all);
  const parts = { ...all, account: all.accounts.find(({ id }) => id === call.token.accountId) ?? all.account };
  if (!usage.take()) throw graphError('usage_limit');
  requirePermission(call.token, 'basic', parts.settings);
  const { id, appScopedId } = parts.account;
  if (request.method === 'DELETE') return removeMedia(parts, call, first);
  if (request.method === 'POST') {
    // The `id` of `/me` under Instagram Login is valid for reading only.
    if (edge === 'comments') return comment(parts, call, first);
    if (first !== id) throw graphError('missing_object', { id: first });
    return postToAccount(parts, call, edge);
  }
  if (first === 'me') return me(parts, call, edge);
  if (first === id || (call.token.flavour === 'instagram' && first === appScopedId)) return readAccount(parts, call, edge);
  return readObject(parts, call, first, edge);
}

function postToAccount(parts: InstagramParts, call: GraphCall, edge: string | undefined): unknown {
  if (edge === 'media' || edge === 'media_publish') requirePermission(call.token, 'publish', parts.settings);
  if (edge === 'media') return createContainer(parts, call);
  if (edge === 'media_publish') return publishContainer(parts, call);
  throw graphError('unknown_path', { path: `/${edge ?? ''}` });
}

function readAccount(parts: InstagramParts, call: GraphCall, edge: string | undefined): unknown {
  switch (edge) {
    case undefined:
      return accountNode(parts, call);
    case 'media':
      return mediaPage(parts, call);
    case 'stories':
      return mediaPage(parts, call, 'stories');
    case 'content_publishing_limit':
      requirePermission(call.token, 'publish', parts.settings);
      return publishingLimit(parts, call);
    default:
      throw graphError('unknown_path', { path: `/${edge}` });
  }
}

function publishingLimit(parts: InstagramParts, call: GraphCall): unknown {
  const record: Record<string, unknown> = {
    quota_usage: quotaUsed(parts, sinceOf(call, parts.clock.now())),
    config: { quota_total: parts.settings.publishQuota, quota_duration: DAY_MS / 1000 },
  };
  const { id: _none, ...asked } = project(record, fieldsOf(call, 'quota_usage'), 'IGUserContentPublishingLimit');
  return { data: [asked] };
}

/** Converts a Unix time to milliseconds; throws when it is older than a day. */
function sinceOf(call: GraphCall, now: number): number | undefined {
  const since = call.params.get('since');
  if (since === undefined) return undefined;
  const ms = /^\d+$/.test(since) ? Number(since) * 1000 : Number.NaN;
  if (!(ms >= now - DAY_MS && ms <= now)) throw graphError('bad_param', { what: 'Param since must be a unix time of the last 24 hours.' });
  return ms;
}

function accountNode(parts: InstagramParts, call: GraphCall): unknown {
  const { account, state } = parts;
  const asked = fieldsOf(call, 'id');
  const discovery = asked.find(({ name }) => name === 'business_discovery');
  const record = {
    id: account.id,
    username: account.username,
    name: account.name,
    followers_count: account.followers,
    media_count: state.published.filter((item) => item.accountId === account.id).length,
    profile_picture_url: `${parts.mediaOrigin()}/scontent/${account.username}.jpg`,
    ...(discovery ? { business_discovery: businessDiscovery(parts, call, discovery) } : {}),
  };
  return project(
    record,
    asked.map((field) => ({ ...field, fields: [] })),
    'IGUser',
  );
}

/** The list of media contains no stories; the list of stories contains the last 24 hours. */
function mediaPage(parts: InstagramParts, call: GraphCall, edge: 'media' | 'stories' = 'media'): unknown {
  const limit = Math.min(Math.max(Number(call.params.get('limit') ?? 25) || 25, 1), 100);
  const time = (name: string, fallback: number): number => (call.params.has(name) ? Number(call.params.get(name)) * 1000 : fallback);
  const shownUntil = parts.clock.now() - parts.settings.listLagMs;
  const items = parts.state.published
    .filter((item) => item.accountId === parts.account.id)
    .filter((item) => (item.kind === 'STORIES') === (edge === 'stories') && item.publishedAt <= shownUntil)
    .filter((item) => !isOver(item, parts.clock.now()))
    .filter((item) => item.publishedAt >= time('since', 0) && item.publishedAt <= time('until', Number.POSITIVE_INFINITY));
  const after = call.params.get('after');
  const start = after ? items.findIndex((item) => cursor(item.id) === after) + 1 : 0;
  if (after && start === 0) throw graphError('bad_param', { what: 'Invalid cursor passed to after.' });
  const slice = items.slice(start, start + limit);
  const asked = fieldsOf(call, 'id');
  const data = slice.map((item) => mediaNode(parts, call, item, asked));
  const [first, last] = [slice[0], slice.at(-1)];
  if (!first || !last) return { data };
  const more = start + slice.length < items.length;
  const next = `https://graph.facebook.com/${call.version}/${parts.account.id}/${edge}?limit=${limit}&after=${cursor(last.id)}`;
  return { data, paging: { cursors: { before: cursor(first.id), after: cursor(last.id) }, ...(more ? { next } : {}) } };
}

/** Instagram shows a story for a day. */
const isOver = ({ kind, publishedAt }: PublishedItem, now: number): boolean => kind === 'STORIES' && now - publishedAt >= DAY_MS;

function cursor(id: string): string {
  return Buffer.from(`sim:${id}`).toString('base64url');
}

function readObject(parts: InstagramParts, call: GraphCall, id: string, edge: string | undefined): unknown {
  const container = parts.state.containers.get(id);
  if (container && !container.forgotten && edge === undefined) return containerNode(parts, call, container);
  const item = parts.state.published.find((candidate) => candidate.id === id);
  if (!item || isOver(item, parts.clock.now())) throw graphError('missing_object', { id });
  if (edge === 'insights') {
    requirePermission(call.token, 'insights', parts.settings);
    return insights(item, call, parts.clock.now());
  }
  if (edge === 'comments') return { data: item.comments.map(({ id: own, text, at }) => ({ id: own, text, timestamp: graphTime(at) })) };
  if (edge === 'children') return mediaFields(parts, item).children ?? { data: [] };
  if (edge !== undefined) throw graphError('unknown_path', { path: `/${edge}` });
  return mediaNode(parts, call, item, fieldsOf(call, 'id'));
}

/** `POST /{media-id}/comments`: a comment of the account itself. */
function comment({ state, clock, settings }: InstagramParts, call: GraphCall, id: string): { id: string } {
  requirePermission(call.token, 'comments', settings);
  const item = state.published.find((candidate) => candidate.id === id && !isOver(candidate, clock.now()));
  if (!item) throw graphError('missing_object', { id });
  if (item.kind === 'STORIES') throw graphError('bad_param', { what: 'A story has no comments.' });
  const added = { id: newGraphId(), text: requireParam(call, 'message'), at: clock.now() };
  item.comments.unshift(added);
  state.save();
  return { id: added.id };
}

/** `DELETE /{media-id}`: only with Facebook Login, and only media of the account itself. */
function removeMedia({ account, settings, state }: InstagramParts, { token }: GraphCall, id: string): { success: true } {
  const item = state.published.find((candidate) => candidate.id === id && candidate.accountId === account.id);
  if (!item || token.flavour !== 'facebook') throw graphError('missing_object', { id });
  requirePermission(token, 'removal', settings);
  state.published = state.published.filter((candidate) => candidate !== item);
  state.save();
  return { success: true };
}

/** Only tokens of Facebook Login see copyright matches. */
function mediaNode(parts: InstagramParts, call: GraphCall, item: PublishedItem, asked: readonly FieldNode[]): unknown {
  const { copyright_check_information, ...fields } = mediaFields(parts, item);
  return project(call.token.flavour === 'facebook' ? { ...fields, copyright_check_information } : fields, asked, 'IGMedia');
}

/** Failed containers are returned with status 200 as well. */
function containerNode(parts: InstagramParts, call: GraphCall, container: Container): unknown {
  const status = statusOf(container, parts.clock.now());
  const settled = status !== 'IN_PROGRESS';
  const record = {
    id: container.id,
    status_code: status,
    status: statusText(container, status),
    ...(call.token.flavour === 'facebook'
      ? copyrightFields(container.copyrightMatch, container.copyrightState ?? (settled ? 'completed' : 'in_progress'))
      : {}),
  };
  return project(record, fieldsOf(call, 'id'), 'IGContainer');
}

/** `/me` of Instagram Login returns both ids; `/me/accounts` of Facebook Login returns the page with its Instagram account. */
function me(parts: InstagramParts, call: GraphCall, edge: string | undefined): unknown {
  const { account } = parts;
  if (call.token.flavour === 'instagram') {
    if (edge === 'media') return mediaPage(parts, call);
    if (edge !== undefined) throw graphError('unknown_path', { path: `/${edge}` });
    const record = {
      id: account.appScopedId,
      user_id: account.id,
      username: account.username,
      name: account.name,
      account_type: 'BUSINESS',
      profile_picture_url: undefined,
    };
    return project(record, fieldsOf(call, 'id'), 'IGUser');
  }
  const page = { id: '104000000000001', name: account.name };
  if (edge !== 'accounts') return { name: account.name, id: '104000000000002' };
  const full = {
    ...page,
    access_token: pageToken(parts, call.token).value,
    instagram_business_account: { id: account.id, username: account.username },
  };
  return { data: [project(full, fieldsOf(call, 'id,name'), 'Page')] };
}

function fieldsOf(call: GraphCall, fallback: string): FieldNode[] {
  const fields = parseFields(call.params.get('fields') || fallback);
  if (!fields) throw graphError('bad_param', { what: 'Syntax error in the fields expression.' });
  return fields;
}

const COMMON = ['views', 'reach', 'likes', 'comments', 'saved', 'shares', 'total_interactions'];
const BY_PRODUCT: Readonly<Record<string, readonly string[]>> = {
  REELS: [...COMMON, 'ig_reels_avg_watch_time', 'ig_reels_video_view_total_time', 'reels_skip_rate'],
  FEED: [...COMMON, 'profile_visits', 'follows', 'profile_activity'],
  STORY: ['views', 'reach', 'shares', 'total_interactions', 'navigation', 'replies'],
};
const RETIRED = ['impressions', 'plays', 'video_views'];

/** New media have no metrics yet (empty list); one unsupported metric fails the whole request. */
function insights(item: PublishedItem, call: GraphCall, now: number): { data: unknown[] } {
  const asked = listOf(requireParam(call, 'metric'));
  const product = item.kind === 'REELS' ? 'REELS' : item.kind === 'STORIES' ? 'STORY' : 'FEED';
  const retired = asked.filter((metric) => RETIRED.includes(metric));
  if (retired.length > 0) {
    throw graphError('bad_param', {
      what: `Starting from version v22.0 and above, the ${retired.join(', ')} metric is no longer supported for the queried media.`,
    });
  }
  const unfit = asked.filter((metric) => !BY_PRODUCT[product]?.includes(metric));
  if (unfit.length > 0) {
    throw graphError('bad_param', {
      what: `The Media Insights API does not support the ${unfit.join(', ')} metric for this media product type.`,
    });
  }
  const hours = Math.floor((now - item.publishedAt) / 3_600_000);
  if (hours < 1) return { data: [] };
  const data = asked.map((name, index) => ({
    name,
    period: 'lifetime',
    values: [{ value: hours * (40 - index * 3) }],
    title: name.replaceAll('_', ' '),
    description: `[IG Insights] ${name}`,
    id: `${item.id}/insights/${name}/lifetime`,
  }));
  return { data };
}
