import { createHash, randomBytes } from 'node:crypto';
import { signInQuerySchema } from '@autoposter/contracts';
import type { Request } from 'express';
import { EXCHANGE_SECONDS, type SessionTokens } from './session-tokens';
import { SignInBrowser } from './sign-in-browser';

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
