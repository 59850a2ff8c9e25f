import { randomBytes } from 'node:crypto';
import type { SimulatedClock } from '../server/clock';
import { type SimResponse, html, json, redirect } from '../server/http';
import type { Community } from './reddit-content';

export interface RedditClient {
  id: string;
  secret: string;
  kind: 'confidential' | 'script' | 'installed';
  owner?: { username: string; password: string };
}

const LIFE_SECONDS = 86_400;

/** Issues and validates bearer tokens. */
export class TokenStore {
  private readonly tokens = new Map<string, number>();

  constructor(private readonly clock: SimulatedClock) {}

  issue(): { access_token: string; token_type: 'bearer'; expires_in: number } {
    const payload = Buffer.from(JSON.stringify({ sub: 'loid', exp: this.clock.seconds() + LIFE_SECONDS })).toString('base64url');
    const token = `eyJhbGciOiJSUzI1NiIsImtpZCI6IlNIQTI1NiJ9.${payload}.${randomBytes(192).toString('base64url')}`;
    this.tokens.set(token, this.clock.seconds() + LIFE_SECONDS);
    return { access_token: token, token_type: 'bearer', expires_in: LIFE_SECONDS };
  }

  isValid(token: string | null): boolean {
    const expires = token === null ? undefined : this.tokens.get(token);
    return expires !== undefined && expires > this.clock.seconds();
  }

  revokeAll(): void {
    this.tokens.clear();
  }
}

/** Requests per window. As in the real headers, `used` is an integer and `remaining` a decimal. */
export class RequestBudget {
  private windowStart = 0;
  private used = 0;

  constructor(
    private readonly clock: SimulatedClock,
    public limit: number,
    readonly windowSeconds = 600,
  ) {}

  /** Counts a request; `false` when the limit of the window is exceeded. */
  take(): boolean {
    const now = this.clock.seconds();
    if (now - this.windowStart >= this.windowSeconds) {
      this.windowStart = now;
      this.used = 0;
    }
    this.used += 1;
    return this.used <= this.limit;
  }

  headers(): Record<string, string> {
    const reset = Math.max(0, this.windowStart + this.windowSeconds - this.clock.seconds());
    return {
      'x-ratelimit-used': String(Math.min(this.used, this.limit)),
      'x-ratelimit-remaining': Math.max(0, this.limit - this.used).toFixed(1),
      'x-ratelimit-reset': String(reset),
    };
  }

  reset(): void {
    this.windowStart = 0;
    this.used = 0;
  }
}

/** Reddit accepts descriptive User-Agents, throttles library defaults and blocks clients that imitate browsers. */
export function classifyUserAgent(userAgent: string | undefined): 'fine' | 'library' | 'browser' {
  const value = (userAgent ?? '').trim();
  if (value === '' || LIBRARIES.test(value)) return 'library';
  return /^Mozilla\//i.test(value) ? 'browser' : 'fine';
}

const LIBRARIES = /^(node|undici|node-fetch|axios|got|python-requests|python-urllib|curl|wget|okhttp|go-http-client|java)(\b|\/|$)/i;

export function errorResponse(
  status: number,
  message: string,
  more: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): SimResponse {
  return json(status, { ...more, message, error: status }, headers);
}

export const unauthorized = (): SimResponse =>
  errorResponse(401, 'Unauthorized', {}, { 'www-authenticate': 'Bearer realm="reddit", error="invalid_token"' });

export const notFound = (): SimResponse => errorResponse(404, 'Not Found');

/** The page with which Reddit's edge blocks clients. */
export const blocked = (): SimResponse =>
  html(
    403,
    '<!doctype html><html><head><title>Blocked</title></head><body><h1>whoa there, pardner!</h1><p>Your request has been blocked due to a network policy.</p></body></html>',
  );

export const tooManyJson = (): SimResponse => errorResponse(429, 'Too Many Requests');

/** Unknown communities redirect to the search page. */
export const unknownCommunity = (origin: string, name: string): SimResponse =>
  redirect(302, `${origin}/subreddits/search?q=${encodeURIComponent(name)}`);

export function closedCommunity({ access }: Community): SimResponse | null {
  switch (access) {
    case 'public':
      return null;
    case 'banned':
      return errorResponse(404, 'Not Found', { reason: 'banned' });
    case 'quarantined': {
      const message = 'This community is quarantined.';
      return errorResponse(403, 'Forbidden', {
        reason: 'quarantined',
        quarantine_message: message,
        quarantine_message_html: `<p>${message}</p>`,
      });
    }
    case 'gated': {
      const message = 'This community asks for a confirmation.';
      return errorResponse(403, 'Forbidden', {
        reason: 'gated',
        interstitial_warning_message: message,
        interstitial_warning_message_html: `<p>${message}</p>`,
      });
    }
    default:
      return errorResponse(403, 'Forbidden', { reason: access });
  }
}
