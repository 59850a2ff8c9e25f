import { Inject, Injectable, type ExecutionContext } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import type { Request } from 'express';
import { SETTINGS, type GatewaySettings } from '../bootstrap/settings';
import { SignInError } from './sign-in-error';
import { SignInProvider } from './sign-in-provider';

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
