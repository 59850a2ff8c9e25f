import type { LoginFlavour } from '@autoposter/contracts';
import { missingScopes, objectIn, PipelineError } from '@autoposter/domain';
import { withoutSlash, wordsFrom } from '@autoposter/resilience';
import { ask, GRAPH_ORIGIN, GraphApi, type GraphSettings } from './graph-api';
import { graphFailureOf } from './graph-error';
import { nextCursor } from './graph-media';

/** An account that a login granted, with its long-lived token. */
export interface GrantedAccount {
  /** The id for publishing. */
  userId: string;
  username: string | null;
  accessToken: string;
  /** ISO time; `null` for a token that does not expire. */
  expiresAt: string | null;
  scopes: string[];
}

export interface LoginPlatform extends Omit<GraphSettings, 'graphUrl' | 'accessToken' | 'appSecret'> {
  /** `null`: that of the login. */
  graphUrl: string | null;
  /** Origin that exchanges codes of Instagram Login. */
  tokenUrl: string;
  app: { id: string; secret: string };
}

interface LoginCode {
  code: string;
  /** The same address as in the authorisation request. */
  redirectUri: string;
}

/**
 * Exchanges the code of a login for the accounts that it grants, with long-lived tokens. Throws `login_scopes_missing` where they could not
 * publish. A code is accepted once; nothing is retried.
 */
export async function redeemCode(login: LoginFlavour, platform: LoginPlatform, code: LoginCode): Promise<GrantedAccount[]> {
  try {
    return login === 'instagram' ? [await redeemInstagram(platform, code)] : await redeemFacebook(platform, code);
  } catch (error) {
    // code 100 refuses a value of the exchange, which is the code itself unless the application is set wrong
    if (error instanceof PipelineError && error.failure.detail?.['code'] === 100)
      throw PipelineError.of('login_code_refused', { detail: error.failure.detail });
    throw error;
  }
}

async function redeemInstagram(platform: LoginPlatform, { code: received, redirectUri }: LoginCode): Promise<GrantedAccount> {
  const { app, tokenUrl } = platform;
  // the redirect appends `#_`, which is no part of the code
  const code = received.replace(/#_$/, '');
  const form = { client_id: app.id, client_secret: app.secret, grant_type: 'authorization_code', redirect_uri: redirectUri, code };
  const answer = await ask(
    platform.fetch ?? fetch,
    {
      url: `${withoutSlash(tokenUrl)}/oauth/access_token`,
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: new URLSearchParams(form).toString(),
    },
    platform.timeoutMs ?? 30_000,
  );
  const body = objectIn(answer.json);
  // this host alone has errors of its own form, without a code that tells the cause
  if (answer.status >= 400 && answer.status < 500 && typeof body['error_message'] === 'string')
    throw PipelineError.of('login_code_refused', { detail: { status: answer.status, words: wordsFrom(body['error_message']) } });
  const refused = graphFailureOf(answer);
  if (refused) throw refused;
  // both forms have been seen
  const granted = Array.isArray(body['data']) ? objectIn(body['data'][0]) : body;
  const scopes = scopesIn(granted['permissions']);
  demandScopes('instagram', scopes);
  const api = apiOf('instagram', platform, textIn(granted, 'access_token'));
  const long = await api.getUnversioned('/access_token', {
    grant_type: 'ig_exchange_token',
    client_secret: app.secret,
    access_token: api.accessToken,
  });
  api.useToken(textIn(long, 'access_token'));
  const me = await api.get('/me', { fields: 'user_id,username' });
  const expiresAt = typeof long['expires_in'] === 'number' ? new Date(api.now() + long['expires_in'] * 1000).toISOString() : null;
  // `id` of the same answer is app-scoped and not accepted for publishing
  return { userId: textIn(me, 'user_id'), username: usernameIn(me), accessToken: api.accessToken, expiresAt, scopes };
}

/** Each Page that the person granted and that has an Instagram account; tokens of Pages do not expire. */
async function redeemFacebook(platform: LoginPlatform, { code, redirectUri }: LoginCode): Promise<GrantedAccount[]> {
  const { app, apiVersion } = platform;
  const api = apiOf('facebook', platform, '');
  const credentials = { client_id: app.id, client_secret: app.secret };
  const path = `/${apiVersion}/oauth/access_token`;
  const short = await api.getUnversioned(path, { ...credentials, redirect_uri: redirectUri, code });
  const long = await api.getUnversioned(path, {
    ...credentials,
    grant_type: 'fb_exchange_token',
    fb_exchange_token: textIn(short, 'access_token'),
  });
  api.useToken(textIn(long, 'access_token'));
  const facts = await api.getUnversioned('/debug_token', { input_token: api.accessToken, access_token: `${app.id}|${app.secret}` });
  const scopes = scopesIn(objectIn(facts['data'])['scopes']);
  demandScopes('facebook', scopes);
  const fields = 'id,name,access_token,instagram_business_account{id,username}';
  const accounts: GrantedAccount[] = [];
  for await (const { entries } of api.pages('/me/accounts', { fields, limit: '100' }, readPages)) {
    for (const page of entries) {
      const account = objectIn(page['instagram_business_account']);
      // Pages without an account or a token are listed as well
      if (typeof account['id'] !== 'string' || typeof page['access_token'] !== 'string') continue;
      accounts.push({
        userId: account['id'],
        username: usernameIn(account),
        accessToken: page['access_token'],
        expiresAt: null,
        scopes,
      });
    }
  }
  if (accounts.length === 0) throw PipelineError.of('login_without_account');
  return accounts;
}

/** Facebook Pages, each with a token and at most one Instagram account. */
const readPages = (answer: Record<string, unknown>): { entries: Record<string, unknown>[]; next: string | null } => ({
  entries: (Array.isArray(answer['data']) ? answer['data'] : []).map(objectIn),
  next: nextCursor(answer),
});

const apiOf = (login: LoginFlavour, platform: LoginPlatform, accessToken: string): GraphApi =>
  new GraphApi({ ...platform, graphUrl: platform.graphUrl ?? GRAPH_ORIGIN[login], accessToken, appSecret: platform.app.secret });

/** A list, or names separated by commas. */
const scopesIn = (value: unknown): string[] =>
  (Array.isArray(value) ? value.map(String) : String(value ?? '').split(',')).map((scope) => scope.trim()).filter((scope) => scope !== '');

function demandScopes(login: LoginFlavour, granted: readonly string[]): void {
  const missing = missingScopes(login, granted);
  if (missing.length > 0) throw PipelineError.of('login_scopes_missing', { fields: { scopes: missing.join(', ') } });
}

const usernameIn = (answer: Record<string, unknown>): string | null =>
  typeof answer['username'] === 'string' && answer['username'] !== '' ? answer['username'] : null;

function textIn(answer: Record<string, unknown>, name: string): string {
  const value = answer[name];
  if (typeof value === 'string' && value !== '') return value;
  throw PipelineError.of('instagram_answer_incomplete', { fields: { missing: name } });
}
