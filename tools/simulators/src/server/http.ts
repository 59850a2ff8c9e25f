import type { IncomingHttpHeaders } from 'node:http';
import type { SystemName } from '../control/faults';

/** The server sends file bodies with range support. */
export interface SimResponse {
  status: number;
  headers: Record<string, string>;
  body: string | Uint8Array | FileBody;
}

interface FileBody {
  path: string;
}

export function isFileBody(body: SimResponse['body']): body is FileBody {
  return typeof body === 'object' && !(body instanceof Uint8Array);
}

export function json(status: number, value: unknown, headers: Record<string, string> = {}): SimResponse {
  return { status, headers: { 'content-type': 'application/json; charset=UTF-8', ...headers }, body: JSON.stringify(value) };
}

export function html(status: number, body: string, headers: Record<string, string> = {}): SimResponse {
  return { status, headers: { 'content-type': 'text/html; charset=UTF-8', ...headers }, body };
}

export function text(status: number, body: string, headers: Record<string, string> = {}): SimResponse {
  return { status, headers: { 'content-type': 'text/plain; charset=UTF-8', ...headers }, body };
}

export function empty(status: number, headers: Record<string, string> = {}): SimResponse {
  return { status, headers, body: '' };
}

export function redirect(status: 301 | 302 | 303, location: string): SimResponse {
  return html(status, `<html><body>You are being <a href="${location.replaceAll('&', '&amp;')}">redirected</a>.</body></html>`, {
    location,
  });
}

export function file(path: string, contentType: string, headers: Record<string, string> = {}): SimResponse {
  return { status: 200, headers: { 'content-type': contentType, ...headers }, body: { path } };
}

/** Thrown by a handler to respond immediately. */
export class ResponseError extends Error {
  constructor(readonly response: SimResponse) {
    super(`rejected with ${response.status}`);
  }
}

/** A request with its body read and its path matched. */
export interface SimRequest {
  system: SystemName;
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

export interface Route {
  method: 'GET' | 'POST' | 'DELETE' | 'PUT';
  /** `/r/:subreddit/about`: `:name` matches one path segment, `:name*` matches the rest of the path. */
  path: string;
  handle(request: SimRequest): SimResponse | Promise<SimResponse>;
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

/** The token of `Authorization: Bearer` (any case), or `null`. */
export function bearerOf(request: SimRequest): string | null {
  return /^(?:Bearer|OAuth)\s+(\S+)$/i.exec(header(request, 'authorization') ?? '')?.[1] ?? null;
}

export type NotFound = (request: SimRequest) => SimResponse;

export const notFound: NotFound = () => json(404, { message: 'Not Found', error: 404 });
