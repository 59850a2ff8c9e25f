import { consentPage } from '../google/consent-page';
import { html, redirect, type SimRequest, type SimResponse } from '../server/http';
import { type AccessToken, scopesOf, SIXTY_DAYS_MS } from './access-tokens';
import type { InstagramParts } from './graph-call';
import { graphError } from './graph-errors';

const HOUR_MS = 3_600_000;

/** Token endpoints, which need no access token; `null` for any other path. */
export function tokenCall(parts: InstagramParts, path: string, params: ReadonlyMap<string, string>, method: string): unknown {
  switch (path) {
    case 'oauth/access_token':
      return method === 'POST' || params.get('grant_type') === 'authorization_code'
        ? exchangeInstagramCode(parts, params)
        : facebookToken(parts, params);
    case 'access_token':
      return longLivedInstagramToken(parts, params);
    case 'refresh_access_token':
      return refreshedToken(parts, params);
    case 'debug_token':
      return debugToken(parts, params);
    default:
      return null;
  }
}

function requireApp({ app }: InstagramParts, params: ReadonlyMap<string, string>, withId: boolean): void {
  const known = params.get('client_secret') === app.secret && (!withId || params.get('client_id') === app.id);
  if (!known) throw graphError('bad_param', { what: 'Error validating client secret.' });
}

/** The login page of both flavours: the person chooses an account, or declines. */
export function loginPage({ accounts, app, usedCodes }: InstagramParts, { query, path }: SimRequest): SimResponse {
  const isOfInstagram = path.endsWith('/authorize');
  const target = URL.parse(query.get('redirect_uri') ?? '');
  if (query.get('client_id') !== app.id || target === null) return html(400, '<p>Invalid platform app</p>');
  const chosen = accounts.find(({ id }) => id === query.get('choose'));
  if (!chosen && !query.has('deny')) {
    const choices = accounts.map(({ id, username, name }) => ({ value: id, title: name, detail: `@${username}` }));
    return html(200, consentPage(choices, query), { 'cache-control': 'no-store' });
  }
  target.searchParams.set('state', query.get('state') ?? '');
  const answer = chosen ? { code: `sim-${chosen.id}-${usedCodes.size}${Date.now().toString(36)}` } : DECLINED;
  for (const [name, value] of Object.entries(answer)) target.searchParams.set(name, value);
  // Instagram appends these characters, which are not part of the code
  return redirect(302, `${target.toString()}${isOfInstagram ? '#_' : ''}`);
}

const DECLINED = {
  error: 'access_denied',
  error_reason: 'user_denied',
  error_description: 'The user denied your request',
};

/** Redeems a code `sim-…` once. Returns the account that was chosen on the login page, or the default account. */
function redeem({ usedCodes, account, accounts }: InstagramParts, params: ReadonlyMap<string, string>): InstagramParts['account'] {
  const code = params.get('code') ?? '';
  if (!params.get('redirect_uri')) throw graphError('bad_param', { what: 'The parameter redirect_uri is required.' });
  if (!/^sim-[\w-]+$/.test(code)) throw graphError('bad_param', { what: 'Invalid verification code format.' });
  if (usedCodes.has(code)) throw graphError('bad_param', { what: 'This authorization code has been used.' });
  usedCodes.add(code);
  const [, chosen] = /^sim-(\d{17})-/.exec(code) ?? [];
  return accounts.find(({ id }) => id === chosen) ?? account;
}

function exchangeInstagramCode(parts: InstagramParts, params: ReadonlyMap<string, string>): unknown {
  requireApp(parts, params, true);
  if (params.get('grant_type') !== 'authorization_code') throw graphError('bad_param', { what: 'Unsupported grant_type.' });
  const { id } = redeem(parts, params);
  const token = parts.tokens.add('instagram', id, null, HOUR_MS);
  return { access_token: token.value, user_id: id, permissions: scopesOf('instagram', parts.settings).join(',') };
}

function longLivedInstagramToken(parts: InstagramParts, params: ReadonlyMap<string, string>): unknown {
  if (params.get('grant_type') !== 'ig_exchange_token') throw graphError('bad_param', { what: 'Unsupported grant_type.' });
  requireApp(parts, params, false);
  const old = parts.tokens.require(params.get('access_token') ?? null);
  if (old.flavour !== 'instagram') throw graphError('bad_token');
  return tokenAnswer(parts, parts.tokens.add(old.flavour, old.accountId, null, SIXTY_DAYS_MS));
}

/** Exchanges a code, or a short-lived token for a long-lived one. */
function facebookToken(parts: InstagramParts, params: ReadonlyMap<string, string>): unknown {
  requireApp(parts, params, true);
  if (params.get('grant_type') !== 'fb_exchange_token') {
    return tokenAnswer(parts, parts.tokens.add('facebook', redeem(parts, params).id, null, 2 * HOUR_MS));
  }
  const old = parts.tokens.require(params.get('fb_exchange_token') ?? null);
  if (old.flavour !== 'facebook') throw graphError('bad_token');
  return tokenAnswer(parts, parts.tokens.add('facebook', old.accountId, null, SIXTY_DAYS_MS));
}

/** The token of the Page behind an account: it does not expire. */
export const pageToken = ({ tokens }: InstagramParts, of: AccessToken): AccessToken => tokens.add('facebook', of.accountId, null, null);

function refreshedToken(parts: InstagramParts, params: ReadonlyMap<string, string>): unknown {
  if (params.get('grant_type') !== 'ig_refresh_token') throw graphError('bad_param', { what: 'Unsupported grant_type.' });
  return tokenAnswer(parts, parts.tokens.refresh(parts.tokens.require(params.get('access_token') ?? null)));
}

function tokenAnswer({ clock }: InstagramParts, token: { value: string; expiresAt: number | null }): unknown {
  const expires = token.expiresAt === null ? {} : { expires_in: Math.floor((token.expiresAt - clock.now()) / 1000) };
  return { access_token: token.value, token_type: 'bearer', ...expires };
}

/** `debug_token` requires an app access token. */
function debugToken({ tokens, app, clock, settings }: InstagramParts, params: ReadonlyMap<string, string>): unknown {
  if (params.get('access_token') !== `${app.id}|${app.secret}`) throw graphError('bad_token');
  const token = tokens.find(params.get('input_token') ?? '');
  if (!token) return { data: { is_valid: false, scopes: [], error: { code: 190, message: 'Invalid OAuth access token.' } } };
  const isValid = token.expiresAt === null || token.expiresAt > clock.now();
  return {
    data: {
      app_id: app.id,
      type: 'USER',
      is_valid: isValid,
      scopes: scopesOf(token.flavour, settings),
      expires_at: token.expiresAt === null ? 0 : Math.floor(token.expiresAt / 1000),
    },
  };
}
