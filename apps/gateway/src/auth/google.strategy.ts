import { type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { AuthGuard, PassportStrategy } from '@nestjs/passport';
import { cutText } from '@autoposter/domain';
import type { Request } from 'express';
import { Strategy } from 'passport-oauth2';
import { type GatewaySettings, SETTINGS } from '../bootstrap/settings';
import { requestProvider, SignInProvider } from './sign-in-provider';
import { SessionTokens } from './session-tokens';
import { SignInError } from './sign-in.filter';
import { SignInState } from './sign-in-state';

/** The userinfo response. */
export interface GoogleProfile {
  sub: string;
  email: string;
  emailVerified: boolean;
  name: string | null;
  picture: string | null;
}

/** Both are part of the token in the redirect; proxies limit the size of its header to a few kilobytes. */
const MAX_NAME_LENGTH = 200;
const MAX_PICTURE_LENGTH = 1_000;
const CALLBACK_PATH = '/api/auth/google/callback';

type TokenAnswer = (error: unknown, accessToken?: string, refreshToken?: string, result?: unknown) => void;
interface OAuthClient {
  _authorizeUrl: string;
  getOAuthAccessToken(code: string, params: Record<string, string>, done: TokenAnswer): void;
}

/**
 * Sign-in with Google: authorisation code with PKCE (S256) and state. The strategy's own client is replaced: it has no timeout, treats
 * redirects as success and sends the access token in the query.
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
      // resolved at sign-in, because another issuer announces its endpoints by discovery
      authorizationURL: 'http://unresolved.invalid/',
      tokenURL: 'http://unresolved.invalid/',
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

  /** The id token and the userinfo endpoint must name the same account. */
  validate(_accessToken: string, _refreshToken: string, { subject }: { subject: string | null }, profile: GoogleProfile): GoogleProfile {
    if (subject !== null && subject !== profile.sub) {
      throw new SignInError('sign_in_failed', 'The id token and the userinfo endpoint name different accounts.');
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
  if (error === 'invalid_grant') throw new SignInError('sign_in_expired', 'The sign-in expired or its code was used twice.');
  if (status >= 500 || body === null) throw new SignInError('google_unreachable', `Google's token endpoint failed: ${error}.`);
  throw new SignInError('sign_in_failed', `Google refused the sign-in: ${error}.`);
}

async function profileFrom(url: string, accessToken: string): Promise<GoogleProfile> {
  const headers = { authorization: `Bearer ${accessToken}`, accept: 'application/json' };
  const { status, body } = await requestProvider(url, { headers });
  if (status >= 500 || (status === 200 && body === null)) {
    throw new SignInError('google_unreachable', `Google's userinfo endpoint failed: HTTP ${status}.`);
  }
  if (status !== 200 || body === null)
    throw new SignInError('sign_in_failed', `Google's userinfo endpoint refused the access token (HTTP ${status}).`);
  const text = (name: string): string | null => (typeof body[name] === 'string' && body[name] !== '' ? body[name] : null);
  const sub = text('sub');
  const email = text('email');
  if (sub === null || email === null) throw new SignInError('email_missing', 'Google returned no e-mail address.');
  const name = text('name');
  const picture = text('picture');
  return {
    ...{ sub, email, emailVerified: body['email_verified'] === true },
    name: name === null ? null : cutText(name, MAX_NAME_LENGTH),
    picture: picture?.startsWith('https://') === true && picture.length <= MAX_PICTURE_LENGTH ? picture : null,
  };
}

/** Redirects the browser to Google and handles the callback. Every error becomes a `SignInError`. */
@Injectable()
export class GoogleGuard extends AuthGuard('google') {
  constructor(
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
    @Inject(SignInProvider) private readonly provider: SignInProvider,
  ) {
    super({ session: false });
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    if (this.settings.google === null) throw new SignInError('not_configured', 'Sign-in with Google is not configured.');
    const request = context.switchToHttp().getRequest<Request>();
    // Passport would start a new sign-in for a callback without code and error, for example a bookmarked one.
    const isCallback = request.path.endsWith('/callback');
    if (isCallback && !('code' in request.query) && !('error' in request.query)) {
      throw new SignInError('sign_in_failed', 'The sign-in callback was incomplete.');
    }
    if (isCallback) await this.provider.assertIssuer(request.query['iss']);
    return (await super.canActivate(context)) as boolean;
  }

  override handleRequest<TUser>(error: unknown, user: TUser | false, info: unknown, context: ExecutionContext): TUser {
    // the strategy wraps errors of the token endpoint
    const cause = (error as { oauthError?: unknown } | null)?.oauthError ?? error;
    if (cause instanceof SignInError) throw cause;
    if (error) throw new SignInError('sign_in_failed', 'The sign-in failed.', { cause: error });
    if (user) {
      const { returnTo } = ((info ?? {}) as { state?: { returnTo?: unknown } }).state ?? {};
      const request = context.switchToHttp().getRequest<Request & { signInReturnTo?: string }>();
      if (typeof returnTo === 'string') request.signInReturnTo = returnTo;
      return user;
    }
    const cancelled = context.switchToHttp().getRequest<Request>().query['error'] === 'access_denied';
    throw cancelled
      ? new SignInError('sign_in_cancelled', 'The sign-in was cancelled at Google.')
      : new SignInError('sign_in_expired', 'The sign-in expired or its callback was used twice.');
  }
}
