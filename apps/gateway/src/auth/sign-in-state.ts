import { createHash, randomBytes } from 'node:crypto';
import { signInQuerySchema } from '@autoposter/contracts';
import type { Request } from 'express';
import { EXCHANGE_SECONDS, type SessionTokens } from './session-tokens';

const VALUE = /^[\w-]{43}$/u;

/**
 * Binds a sign-in to the browser that started it, by a random value in an HttpOnly cookie. The redirect token contains its hash, so that
 * a token from a log, a browser history or a shared link cannot be exchanged elsewhere.
 */
export class SignInBrowser {
  /** `__Host-` keeps a sibling subdomain from setting the cookie; browsers accept the prefix over https only. */
  private readonly name: string;

  constructor(private readonly secure: boolean) {
    this.name = secure ? '__Host-sign_in_browser' : 'sign_in_browser';
  }

  /** Concurrent sign-ins in two tabs share one value. Returns its hash. */
  begin(request: Request, seconds: number): string {
    const value = this.valueIn(request) ?? randomBytes(32).toString('base64url');
    request.res?.cookie(this.name, value, { httpOnly: true, sameSite: 'lax', secure: this.secure, path: '/', maxAge: seconds * 1000 });
    return hashOf(value);
  }

  /** `null` for a browser that started no sign-in. */
  hashIn(request: Request): string | null {
    const value = this.valueIn(request);
    return value === null ? null : hashOf(value);
  }

  private valueIn(request: Request): string | null {
    const value = (request.cookies as Record<string, unknown> | undefined)?.[this.name];
    return typeof value === 'string' && VALUE.test(value) ? value : null;
  }
}

const hashOf = (value: string): string => createHash('sha256').update(value).digest('base64url');

const SECONDS = 600;
const PATH = '/api/auth/google';
const PREFIX = 'signin_';
const nameOf = (state: string): string => `${PREFIX}${createHash('sha256').update(state).digest('hex').slice(0, 16)}`;
/** Sign-ins of a browser that may be unfinished at a time: with a few dozen, their cookies exceed what a request may carry in its headers. */
const MAX_UNFINISHED = 8;

type Stored = (error: Error | null, state?: string) => void;
type Loaded = (error: Error | null, verifier: string | false, info?: unknown) => void;

/**
 * Stores state and PKCE verifier in one encrypted cookie per sign-in: no server-side session is needed, any replica can handle the
 * callback, and concurrent tabs do not interfere.
 */
export class SignInState {
  private readonly browser: SignInBrowser;

  constructor(
    private readonly tokens: SessionTokens,
    private readonly secure: boolean,
  ) {
    this.browser = new SignInBrowser(secure);
  }

  // The strategy recognises a PKCE store by the arity of its methods: five and four parameters.
  store(request: Request, verifier: string, _state: unknown, _meta: unknown, done: Stored): void {
    const state = randomBytes(24).toString('base64url');
    // This runs before the handler's validation, and a URL of another site must never be stored.
    const query = signInQuerySchema.safeParse({ returnTo: request.query['returnTo'] });
    const returnTo = query.success ? query.data.returnTo : undefined;
    const kept = { state, verifier, ...(returnTo === undefined ? {} : { returnTo }) };
    this.tokens.seal(kept, SECONDS).then(
      (sealed) => {
        this.forgetOldest(request);
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

  /** Leaves space for one more. A browser sends the cookies of a path in the order of their creation (RFC 6265, section 5.4). */
  private forgetOldest(request: Request): void {
    const unfinished = Object.keys((request.cookies as Record<string, unknown> | undefined) ?? {}).filter((name) =>
      name.startsWith(PREFIX),
    );
    for (const name of unfinished.slice(0, 1 - MAX_UNFINISHED)) request.res?.clearCookie(name, this.attributes());
  }

  private attributes() {
    return { httpOnly: true, sameSite: 'lax', secure: this.secure, path: PATH } as const;
  }
}
