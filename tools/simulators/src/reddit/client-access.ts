import { randomBytes } from 'node:crypto';
import type { SimulatedClock } from '../server/clock';
import { type SimResponse, html, json, redirect } from '../server/http';
import type { RequestWindow } from '../server/limits';
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

export const WINDOW_MS = 600_000;

/** As in the real headers, `used` is an integer and `remaining` a decimal. */
export const rateHeaders = ({ used, leftMs }: RequestWindow, limit: number): Record<string, string> => ({
  'x-ratelimit-used': String(Math.min(used, limit)),
  'x-ratelimit-remaining': Math.max(0, limit - used).toFixed(1),
  'x-ratelimit-reset': String(Math.ceil(leftMs / 1000)),
});

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

/** Unknown communities redirected to the search page until 2022; since then 404 is reported as well. */
export const unknownCommunity = (origin: string, name: string, status: number): SimResponse =>
  status === 404 ? notFound() : redirect(302, `${origin}/subreddits/search?q=${encodeURIComponent(name)}`);

/** Fields with which Reddit explains that a community is closed, by its kind of access. */
const CLOSED_TEXTS: Readonly<Record<string, { name: string; message: string }>> = {
  quarantined: { name: 'quarantine_message', message: 'This community is quarantined.' },
  gated: { name: 'interstitial_warning_message', message: 'This community asks for a confirmation.' },
};

export function closedCommunity({ access }: Pick<Community, 'access'>): SimResponse | null {
  if (access === 'public') return null;
  if (access === 'banned') return errorResponse(404, 'Not Found', { reason: access });
  const { name, message } = CLOSED_TEXTS[access] ?? {};
  return errorResponse(403, 'Forbidden', { reason: access, ...(name ? { [name]: message, [`${name}_html`]: `<p>${message}</p>` } : {}) });
}
