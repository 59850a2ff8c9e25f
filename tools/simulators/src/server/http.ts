import type { IncomingHttpHeaders } from 'node:http';
import type { SystemName } from '../control/faults';

/** The server sends file bodies with range support. */
export interface SimResponse {
  status: number;
  headers: Record<string, string>;
  body: string | { path: string };
}

type Headers = Record<string, string>;

const typed =
  (type: string) =>
  (status: number, body: string, headers: Headers = {}): SimResponse => ({ status, headers: { 'content-type': type, ...headers }, body });

export const html = typed('text/html; charset=UTF-8');
export const text = typed('text/plain; charset=UTF-8');
const encoded = typed('application/json; charset=UTF-8');
export const json = (status: number, value: unknown, headers?: Headers): SimResponse => encoded(status, JSON.stringify(value), headers);
export const empty = (status: number, headers: Headers = {}): SimResponse => ({ status, headers, body: '' });

export function redirect(status: 301 | 302 | 303, location: string): SimResponse {
  return html(status, `<html><body>You are being <a href="${location.replaceAll('&', '&amp;')}">redirected</a>.</body></html>`, {
    location,
  });
}

export function file(path: string, contentType: string): SimResponse {
  return { status: 200, headers: { 'content-type': contentType }, body: { path } };
}

/** Thrown by a handler to respond immediately. */
export class ResponseError extends Error {
  constructor(readonly response: SimResponse) {
    super(`rejected with ${response.status}`);
  }
}

/** A request with its body read and its path matched. */
export interface SimRequest {
  system: SystemName | 'control';
  method: string;
  path: string;
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** Public origin of this server, without a trailing slash. */
  origin: string;
  /** Flags set by the fault that applies to this request. */
  behaviours: ReadonlySet<string>;
}

export type Handler = (request: SimRequest) => SimResponse | Promise<SimResponse>;

export interface Route {
  method: 'GET' | 'POST' | 'DELETE';
  /** `/r/:subreddit/about`: `:name` matches one path segment, `:name*` matches the rest of the path. */
  path: string;
  handle: Handler;
}

export const get = (path: string, handle: Handler): Route => ({ method: 'GET', path, handle });
export const post = (path: string, handle: Handler): Route => ({ method: 'POST', path, handle });
export const remove = (path: string, handle: Handler): Route => ({ method: 'DELETE', path, handle });

/** The routes with every handler wrapped, for example in a check of the API key. */
export const guarded = (routes: readonly Route[], guard: (handle: Handler) => Handler): Route[] =>
  routes.map((route) => ({ ...route, handle: guard(route.handle) }));

/** Responds immediately. */
export function reject(response: SimResponse): never {
  throw new ResponseError(response);
}

export function header(request: SimRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** The fields of a form body; empty for any other content type. */
export function formOf(request: SimRequest): URLSearchParams {
  const type = header(request, 'content-type') ?? '';
  return new URLSearchParams(type.includes('application/x-www-form-urlencoded') ? request.body.toString('utf8') : '');
}

/** The JSON body, or `undefined` when it does not parse. */
export function jsonOf(request: SimRequest): unknown {
  try {
    return JSON.parse(request.body.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}

/** User and password of `Authorization: Basic`, or `null`. */
export function basicOf(request: SimRequest): { user: string; password: string } | null {
  const match = /^Basic\s+(.+)$/i.exec(header(request, 'authorization') ?? '');
  if (!match?.[1]) return null;
  const decoded = Buffer.from(match[1], 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  return colon < 0 ? null : { user: decoded.slice(0, colon), password: decoded.slice(colon + 1) };
}

/** The token of `Authorization: Bearer` or `OAuth`, or `null`. */
export function bearerOf(request: SimRequest): string | null {
  return /^(?:Bearer|OAuth)\s+(\S+)$/i.exec(header(request, 'authorization') ?? '')?.[1] ?? null;
}

export const notFound = (): SimResponse => json(404, { message: 'Not Found', error: 404 });
