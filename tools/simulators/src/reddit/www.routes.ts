import {
  type Handler,
  type SimResponse,
  basicOf,
  bearerOf,
  formOf,
  get,
  header,
  json,
  post,
  redirect,
  type Route,
  type SimRequest,
} from '../server/http';
import type { RequestWindow } from '../server/limits';
import { blocked, classifyUserAgent, errorResponse, notFound, type RedditClient, type TokenStore, tooManyJson } from './client-access';
import { permalinkOf } from './post-json';
import type { RedditStore, SimPost } from './reddit-content';

const INSTALLED_GRANT = 'https://oauth.reddit.com/grants/installed_client';

interface WwwParts {
  store: RedditStore;
  clients: readonly RedditClient[];
  tokens: TokenStore;
  budget: RequestWindow;
}

/** www.reddit.com: token endpoint, share links and short post URLs. Pages and `.json` are blocked for servers. */
export function wwwRoutes(parts: WwwParts): Route[] {
  const { store, tokens } = parts;
  // Anonymous requests are blocked: a descriptive User-Agent and a token are required.
  const known = (path: string, handle: Handler): Route =>
    get(path, (request) =>
      classifyUserAgent(header(request, 'user-agent')) === 'fine' && tokens.isValid(bearerOf(request)) ? handle(request) : blocked(),
    );
  return [
    post('/api/v1/access_token', (request) => accessToken(parts, request)),
    ...['r', 'u', 'user'].map((kind) => known(`/${kind}/:name/s/:code`, ({ params }) => shareLink(store, params.code ?? ''))),
    known('/video/:video', ({ params, origin }) => toPost(origin, store.postOfVideo(params.video ?? ''))),
    known('/comments/:id', ({ params, origin }) => toPost(origin, store.post(params.id ?? ''))),
    known('/gallery/:id', ({ params, origin }) => toPost(origin, store.post(params.id ?? ''))),
    get('/:rest*', blocked),
  ];
}

function accessToken(parts: WwwParts, request: SimRequest): SimResponse {
  if (!parts.budget.take() || classifyUserAgent(header(request, 'user-agent')) !== 'fine') return tooManyJson();
  const basic = basicOf(request);
  const client = parts.clients.find(({ id, secret }) => id === basic?.user && secret === basic.password);
  if (!client) return errorResponse(401, 'Unauthorized');
  const form = formOf(request);
  switch (form.get('grant_type')) {
    case 'client_credentials':
      return client.kind === 'installed' ? json(200, { error: 'unauthorized_client' }) : json(200, { ...parts.tokens.issue(), scope: '*' });
    case 'password':
      return passwordGrant(parts.tokens, client, form);
    case INSTALLED_GRANT:
      return installedGrant(parts.tokens, form.get('device_id') ?? '');
    case null:
      return errorResponse(400, 'Bad Request');
    default:
      return json(400, { error: 'unsupported_grant_type' });
  }
}

/** Reddit reports wrong passwords with status 200. */
function passwordGrant(tokens: TokenStore, { kind, owner }: RedditClient, form: URLSearchParams): SimResponse {
  if (kind !== 'script' || form.get('username') !== owner?.username) {
    return json(200, { error: 'unauthorized_client', error_description: 'Only script apps may use password auth' });
  }
  return form.get('password') === owner?.password ? json(200, { ...tokens.issue(), scope: '*' }) : json(200, { error: 'invalid_grant' });
}

function installedGrant(tokens: TokenStore, deviceId: string): SimResponse {
  const fits = deviceId === 'DO_NOT_TRACK_THIS_DEVICE' || (deviceId.length >= 20 && deviceId.length <= 30);
  if (!fits) return json(200, { error: 'invalid_request', error_description: 'bad device_id' });
  return json(200, { ...tokens.issue(), device_id: deviceId, scope: '*' });
}

/** Share links always redirect to www.reddit.com. */
function shareLink(store: RedditStore, code: string): SimResponse {
  const post = store.shareTarget(code);
  if (!post) return notFound();
  const tail = 'share_id=sim-share&utm_content=1&utm_medium=ios_app&utm_name=ioscss&utm_source=share&utm_term=1';
  return redirect(301, `https://www.reddit.com${permalinkOf(post)}?${tail}`);
}

function toPost(origin: string, post: SimPost | null): SimResponse {
  return post ? redirect(301, `${origin}${permalinkOf(post)}`) : blocked();
}
