import { createHash, randomBytes } from 'node:crypto';
import { signInQuerySchema } from '@autoposter/contracts';
import type { Request } from 'express';
import { EXCHANGE_SECONDS, type SessionTokens } from './session-tokens';

const VALUE = /^[\w-]{43}$/u;

/**
 * Names the browser in which a sign-in began, by a random value in an HttpOnly cookie. The token of the redirect carries its hash, so that
 * only this browser can exchange it: a token from a log, a history or another person's link is worthless.
 */
export class SignInBrowser {
  /** `__Host-` keeps a sibling subdomain from setting the cookie; browsers take that prefix over https only. */
  private readonly name: string;

  constructor(private readonly secure: boolean) {
    this.name = secure ? '__Host-sign_in_browser' : 'sign_in_browser';
  }

  /** Two tabs that sign in share one value. */
  begin(request: Request, seconds: number): void {
    const value = this.valueIn(request) ?? randomBytes(32).toString('base64url');
    request.res?.cookie(this.name, value, { httpOnly: true, sameSite: 'lax', secure: this.secure, path: '/', maxAge: seconds * 1000 });
  }

  /** `null` for a browser in which no sign-in began. */
  hashIn(request: Request): string | null {
    const value = this.valueIn(request);
    return value === null ? null : createHash('sha256').update(value).digest('base64url');
  }

  private valueIn(request: Request): string | null {
    const value = (request.cookies as Record<string, unknown> | undefined)?.[this.name];
    return typeof value === 'string' && VALUE.test(value) ? value : null;
  }
}

const SECONDS = 600;
const PATH = '/api/auth/google';
const nameOf = (state: string): string => `signin_${createHash('sha256').update(state).digest('hex').slice(0, 16)}`;

type Stored = (error: Error | null, state?: string) => void;
type Loaded = (error: Error | null, verifier: string | false, info?: unknown) => void;

/**
 * Keeps the state and the PKCE verifier of a sign-in in an encrypted cookie of its own, so that no server-side session is needed, any
 * replica can take the answer, and two tabs do not disturb each other.
 */
export class SignInState {
  private readonly browser: SignInBrowser;

  constructor(
    private readonly tokens: SessionTokens,
    private readonly secure: boolean,
  ) {
    this.browser = new SignInBrowser(secure);
  }

  // Five and four parameters are how the strategy recognises a store that takes a verifier.
  store(request: Request, verifier: string, _state: unknown, _meta: unknown, done: Stored): void {
    const state = randomBytes(24).toString('base64url');
    // Checked here: this runs before the handler's own check, and an address of another site must never be kept.
    const asked = signInQuerySchema.safeParse({ returnTo: request.query['returnTo'] });
    const returnTo = asked.success ? asked.data.returnTo : undefined;
    const kept = { state, verifier, ...(returnTo === undefined ? {} : { returnTo }) };
    this.tokens.seal(kept, SECONDS).then(
      (sealed) => {
        request.res?.cookie(nameOf(state), sealed, { ...this.attributes(), maxAge: SECONDS * 1000 });
        this.browser.begin(request, SECONDS + EXCHANGE_SECONDS);
        done(null, state);
      },
      (error: unknown) => done(error as Error),
    );
  }

  verify(request: Request, given: unknown, _meta: unknown, done: Loaded): void {
    const state = typeof given === 'string' ? given : '';
    const sealed = (request.cookies as Record<string, unknown> | undefined)?.[nameOf(state)];
    request.res?.clearCookie(nameOf(state), this.attributes());
    this.tokens.unseal(typeof sealed === 'string' ? sealed : '').then(
      (kept) => {
        if (kept?.['state'] !== state || typeof kept['verifier'] !== 'string') return done(null, false, { message: 'state' });
        return done(null, kept['verifier'], { returnTo: kept['returnTo'] });
      },
      (error: unknown) => done(error as Error, false),
    );
  }

  private attributes() {
    return { httpOnly: true, sameSite: 'lax', secure: this.secure, path: PATH } as const;
  }
}
