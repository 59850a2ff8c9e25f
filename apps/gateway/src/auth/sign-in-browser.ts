import { createHash, randomBytes } from 'node:crypto';
import type { Request } from 'express';

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
