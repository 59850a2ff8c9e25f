import { Inject, Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import { Strategy } from 'passport-oauth2';
import { SETTINGS, type GatewaySettings } from '../bootstrap/settings';
import { requestProvider } from './sign-in-provider';
import { SessionTokens } from './session-tokens';
import { SignInError } from './sign-in-error';
import { SignInProvider } from './sign-in-provider';
import { SignInState } from './sign-in-state';

/** What the userinfo endpoint tells; `email_verified` decides whether the address may be believed. */
export interface GoogleProfile {
  sub: string;
  email: string;
  emailVerified: boolean;
  name: string | null;
  picture: string | null;
}

const CALLBACK_PATH = '/api/auth/google/callback';

type TokenAnswer = (error: unknown, accessToken?: string, refreshToken?: string, result?: unknown) => void;
interface OAuthClient {
  _authorizeUrl: string;
  getOAuthAccessToken(code: string, params: Record<string, string>, done: TokenAnswer): void;
}

/**
 * Sign-in with Google: authorisation code with PKCE (S256) and state. The two calls to Google are made here and not by the strategy's own
 * client, which has no timeout, takes redirects for success and sends the access token in the query.
 */
@Injectable()
export class GoogleStrategy extends PassportStrategy(Strategy, 'google', 5) {
  private readonly client: OAuthClient;

  constructor(
    @Inject(SETTINGS) settings: GatewaySettings,
    @Inject(SessionTokens) tokens: SessionTokens,
    @Inject(SignInProvider) private readonly provider: SignInProvider,
  ) {
    const google = settings.google;
    super({
      // Known for certain only when somebody signs in: another issuer tells its addresses itself.
      authorizationURL: 'http://not-known-yet.invalid/',
      tokenURL: 'http://not-known-yet.invalid/',
      clientID: google?.clientId ?? 'not-configured',
      clientSecret: google?.clientSecret ?? '',
      callbackURL: `${settings.publicUrl}${CALLBACK_PATH}`,
      scope: ['openid', 'email', 'profile'],
      pkce: true,
      state: true,
      store: new SignInState(tokens, settings.publicUrl.startsWith('https://')) as never,
    });
    this.client = (this as unknown as { _oauth2: OAuthClient })._oauth2;
    this.client.getOAuthAccessToken = (code, params, done) => {
      const body = { ...params, code, client_id: google?.clientId ?? '', client_secret: google?.clientSecret ?? '' };
      this.exchange(body).then(({ accessToken, subject }) => done(null, accessToken, undefined, { subject }), done);
    };
    this.userProfile = (accessToken: string, done: (error: unknown, profile?: unknown) => void) => {
      this.provider
        .endpoints()
        .then(({ userinfoUrl }) => profileFrom(userinfoUrl, accessToken))
        .then((profile) => done(null, profile), done);
    };
  }

  override authenticate(request: Request, options?: object): void {
    this.provider.endpoints().then(
      ({ authorizationUrl }) => {
        this.client._authorizeUrl = authorizationUrl;
        super.authenticate(request, options);
      },
      (error: unknown) => this.error(error as Error),
    );
  }

  override authorizationParams(): object {
    return { prompt: 'select_account', access_type: 'online' };
  }

  /** Called with what the token endpoint led to; the id token and the userinfo endpoint have to speak of the same account. */
  validate(_accessToken: string, _refreshToken: string, { subject }: { subject: string | null }, profile: GoogleProfile): GoogleProfile {
    if (subject !== null && subject !== profile.sub) {
      throw new SignInError('sign_in_failed', 'The id token and the userinfo endpoint speak of different accounts.');
    }
    return profile;
  }

  private async exchange(form: Record<string, string>): Promise<{ accessToken: string; subject: string | null }> {
    const { tokenUrl } = await this.provider.endpoints();
    const { accessToken, idToken } = await tokensFrom(tokenUrl, form);
    return { accessToken, subject: await this.provider.subjectOf(idToken) };
  }
}

async function tokensFrom(url: string, form: Record<string, string>): Promise<{ accessToken: string; idToken: string | null }> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };
  const { status, body } = await requestProvider(url, { method: 'POST', headers, body: new URLSearchParams(form) });
  const token = body?.['access_token'];
  const idToken = body?.['id_token'];
  if (status === 200 && typeof token === 'string') return { accessToken: token, idToken: typeof idToken === 'string' ? idToken : null };
  const error = typeof body?.['error'] === 'string' ? body['error'] : `HTTP ${status}`;
  if (error === 'invalid_grant') throw new SignInError('sign_in_expired', 'The sign-in was used twice or took too long.');
  if (status >= 500 || body === null) throw new SignInError('google_unreachable', `Google's token endpoint answered ${error}.`);
  throw new SignInError('sign_in_failed', `Google refused the sign-in: ${error}.`);
}

async function profileFrom(url: string, accessToken: string): Promise<GoogleProfile> {
  const headers = { authorization: `Bearer ${accessToken}`, accept: 'application/json' };
  const { status, body } = await requestProvider(url, { headers });
  if (status >= 500 || (status === 200 && body === null)) {
    throw new SignInError('google_unreachable', `Google's userinfo endpoint answered HTTP ${status}.`);
  }
  if (status !== 200 || body === null) throw new SignInError('sign_in_failed', `Google would not say who signed in (HTTP ${status}).`);
  const text = (name: string): string | null => (typeof body[name] === 'string' && body[name] !== '' ? body[name] : null);
  const sub = text('sub');
  const email = text('email');
  if (sub === null || email === null) throw new SignInError('email_missing', 'Google did not tell an e-mail address.');
  return { sub, email, emailVerified: body['email_verified'] === true, name: text('name'), picture: text('picture') };
}
