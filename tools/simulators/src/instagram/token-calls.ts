import { SIXTY_DAYS_MS } from './access-tokens';
import { graphRefusal } from './graph-refusal';
import type { InstagramParts } from './instagram-parts';

const HOUR_MS = 3_600_000;

/** Calls about tokens, which need no bearer token of their own. `null` for any other path. */
export function tokenCall(parts: InstagramParts, path: string, params: ReadonlyMap<string, string>, method: string): unknown {
  switch (path) {
    case 'oauth/access_token':
      return method === 'POST' || params.get('grant_type') === 'authorization_code'
        ? codeForToken(parts, params)
        : longFacebookToken(parts, params);
    case 'access_token':
      return longInstagramToken(parts, params);
    case 'refresh_access_token':
      return refreshed(parts, params);
    case 'debug_token':
      return debug(parts, params);
    default:
      return null;
  }
}

function requireApp({ app }: InstagramParts, params: ReadonlyMap<string, string>, withId: boolean): void {
  const known = params.get('client_secret') === app.secret && (!withId || params.get('client_id') === app.id);
  if (!known) throw graphRefusal('bad_param', { what: 'Error validating client secret.' });
}

/** Any code of the form `sim-…` counts as granted by the account's owner. */
function codeForToken(parts: InstagramParts, params: ReadonlyMap<string, string>): unknown {
  requireApp(parts, params, true);
  if (!params.get('code')?.startsWith('sim-')) throw graphRefusal('bad_param', { what: 'This authorization code has been used.' });
  const token = parts.tokens.add('instagram', parts.account.id, null, HOUR_MS);
  const permissions = 'instagram_business_basic,instagram_business_content_publish,instagram_business_manage_insights';
  return { access_token: token.value, user_id: parts.account.id, permissions };
}

function longInstagramToken(parts: InstagramParts, params: ReadonlyMap<string, string>): unknown {
  if (params.get('grant_type') !== 'ig_exchange_token') throw graphRefusal('bad_param', { what: 'Unsupported grant_type.' });
  requireApp(parts, params, false);
  const old = parts.tokens.require(params.get('access_token') ?? null);
  return tokenAnswer(parts, parts.tokens.add(old.flavour, old.accountId, null, SIXTY_DAYS_MS));
}

function longFacebookToken(parts: InstagramParts, params: ReadonlyMap<string, string>): unknown {
  requireApp(parts, params, true);
  if (params.get('grant_type') !== 'fb_exchange_token') {
    if (!params.get('code')?.startsWith('sim-')) throw graphRefusal('bad_param', { what: 'This authorization code has been used.' });
    return tokenAnswer(parts, parts.tokens.add('facebook', parts.account.id, null, 2 * HOUR_MS));
  }
  const old = parts.tokens.require(params.get('fb_exchange_token') ?? null);
  return tokenAnswer(parts, parts.tokens.add('facebook', old.accountId, null, SIXTY_DAYS_MS));
}

function refreshed(parts: InstagramParts, params: ReadonlyMap<string, string>): unknown {
  if (params.get('grant_type') !== 'ig_refresh_token') throw graphRefusal('bad_param', { what: 'Unsupported grant_type.' });
  return tokenAnswer(parts, parts.tokens.refresh(parts.tokens.require(params.get('access_token') ?? null)));
}

function tokenAnswer({ clock }: InstagramParts, token: { value: string; expiresAt: number | null }): unknown {
  const expires = token.expiresAt === null ? {} : { expires_in: Math.floor((token.expiresAt - clock.now()) / 1000) };
  return { access_token: token.value, token_type: 'bearer', ...expires };
}

function debug({ tokens, app, clock }: InstagramParts, params: ReadonlyMap<string, string>): unknown {
  const token = tokens.find(params.get('input_token') ?? '');
  if (!token) return { data: { is_valid: false, scopes: [], error: { code: 190, message: 'Invalid OAuth access token.' } } };
  const isValid = token.expiresAt === null || token.expiresAt > clock.now();
  const scopes = ['instagram_basic', 'instagram_content_publish', 'instagram_manage_insights', 'pages_show_list', 'pages_read_engagement'];
  return {
    data: {
      app_id: app.id,
      type: 'USER',
      is_valid: isValid,
      scopes,
      expires_at: token.expiresAt === null ? 0 : Math.floor(token.expiresAt / 1000),
    },
  };
}
