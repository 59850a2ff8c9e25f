import { Inject, Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { Strategy } from 'passport-oauth2';
import { SETTINGS, type GatewaySettings } from '../wiring/settings';
import { SessionTokens } from './session-tokens';
import { SignInProblem } from './sign-in-problem';
import { SignInState } from './sign-in-state';

/** What the userinfo endpoint tells; `email_verified` decides whether the address may be believed. */
export interface GoogleProfile {
  sub: string;
  email: string;
  emailVerified: boolean;
  name: string | null;
  picture: string | null;
}

const TIMEOUT_MS = 10_000;
export const CALLBACK_PATH = '/api/auth/google/callback';

type TokenAnswer = (error: unknown, accessToken?: string, refreshToken?: string, result?: unknown) => void;
interface OAuthClient {
  getOAuthAccessToken(code: string, params: Record<string, string>, done: TokenAnswer): void;
}

/**
 * Sign-in with Google: authorisation code with PKCE (S256) and state. The two calls to Google are made here and not by the strategy's own
 * client, which has no timeout, takes redirects for success and sends the access token in the query.
 */
@Injectable()
export class GoogleStrategy extends PassportStrategy(Strategy, 'google') {
  constructor(@Inject(SETTINGS) settings: GatewaySettings, @Inject(SessionTokens) tokens: SessionTokens) {
    const google = settings.google;
    super({
      authorizationURL: google?.authorizationUrl ?? 'http://not-configured.invalid/',
      tokenURL: google?.tokenUrl ?? 'http://not-configured.invalid/',
      clientID: google?.clientId ?? 'not-configured',
      clientSecret: google?.clientSecret ?? '',
      callbackURL: `${settings.publicUrl}${CALLBACK_PATH}`,
      scope: ['openid', 'email', 'profile'],
      pkce: true,
      state: true,
      store: new SignInState(tokens, settings.publicUrl.startsWith('https://')) as never,
    });
    const client = (this as unknown as { _oauth2: OAuthClient })._oauth2;
    client.getOAuthAccessToken = (code, params, done) => {
      const body = { ...params, code, client_id: google?.clientId ?? '', client_secret: google?.clientSecret ?? '' };
      accessTokenFrom(google?.tokenUrl ?? '', body).then((token) => done(null, token, undefined, {}), done);
    };
    this.userProfile = (accessToken: string, done: (error: unknown, profile?: unknown) => void) => {
      profileFrom(google?.userinfoUrl ?? '', accessToken).then((profile) => done(null, profile), done);
    };
  }

  override authorizationParams(): object {
    return { prompt: 'select_account', access_type: 'online' };
  }

  validate(_accessToken: string, _refreshToken: string, profile: GoogleProfile): GoogleProfile {
    return profile;
  }
}

async function ask(url: string, init: RequestInit): Promise<{ status: number; body: Record<string, unknown> | null }> {
  try {
    const response = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
    const text = await response.text();
    const body: unknown = text.startsWith('{') ? JSON.parse(text) : null;
    return { status: response.status, body: body as Record<string, unknown> | null };
  } catch (cause) {
    throw new SignInProblem('google_unreachable', 'Google did not answer in time.', { cause });
  }
}

async function accessTokenFrom(url: string, form: Record<string, string>): Promise<string> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };
  const { status, body } = await ask(url, { method: 'POST', headers, body: new URLSearchParams(form) });
  const token = body?.['access_token'];
  if (status === 200 && typeof token === 'string') return token;
  const error = typeof body?.['error'] === 'string' ? body['error'] : `HTTP ${status}`;
  if (error === 'invalid_grant') throw new SignInProblem('sign_in_expired', 'The sign-in was used twice or took too long.');
  if (status >= 500 || body === null) throw new SignInProblem('google_unreachable', `Google's token endpoint answered ${error}.`);
  throw new SignInProblem('sign_in_failed', `Google refused the sign-in: ${error}.`);
}

async function profileFrom(url: string, accessToken: string): Promise<GoogleProfile> {
  const headers = { authorization: `Bearer ${accessToken}`, accept: 'application/json' };
  const { status, body } = await ask(url, { headers });
  if (status >= 500 || (status === 200 && body === null)) {
    throw new SignInProblem('google_unreachable', `Google's userinfo endpoint answered HTTP ${status}.`);
  }
  if (status !== 200 || body === null) throw new SignInProblem('sign_in_failed', `Google would not say who signed in (HTTP ${status}).`);
  const text = (name: string): string | null => (typeof body[name] === 'string' && body[name] !== '' ? body[name] : null);
  const sub = text('sub');
  const email = text('email');
  if (sub === null || email === null) throw new SignInProblem('email_missing', 'Google did not tell an e-mail address.');
  return { sub, email, emailVerified: body['email_verified'] === true, name: text('name'), picture: text('picture') };
}
