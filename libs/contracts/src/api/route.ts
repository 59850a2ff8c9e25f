import type { z } from 'zod';
import { idParamsSchema } from './envelope.api';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Who may call: `public` needs nothing, `admin` a session, `media` a session or a signed query, `loopback` a peer on the same machine. */
export type RouteAccess = 'public' | 'admin' | 'media' | 'loopback';

/**
 * One call of the HTTP API. `path` is written with `:name` parameters. Query values arrive as text and are coerced by their schema; a body
 * that is missing counts as `{}`. `response` is the answer of a success; a failure is always `errorResponseSchema`. Answers that are no
 * JSON (redirect, media, event stream) have no `response`.
 */
export interface Route {
  method: HttpMethod;
  path: `/api/${string}`;
  access: RouteAccess;
  summary: string;
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
  /** Maximum size of the body in bytes; by default 64 KB. */
  maxBodyBytes?: number;
  /** The body is one file of at most this many bytes, which the handler reads as a stream; the response has no timeout. */
  uploadBytes?: number;
  response?: z.ZodType;
}

/** Keeps the literal types of a table of routes while checking its shape. */
export const defineRoutes = <const T extends Record<string, Route>>(routes: T): T => routes;

const bound =
  <const M extends HttpMethod>(method: M) =>
  <const P extends Route['path'], const Parts extends Pick<Route, 'query' | 'body' | 'maxBodyBytes' | 'uploadBytes' | 'response'> = object>(
    path: P,
    summary: string,
    parts?: Parts,
  ) => ({
    method,
    path,
    access: 'admin' as const,
    summary,
    ...(path.includes('/:id') ? { params: idParamsSchema } : {}),
    ...(parts as Parts),
  });

/** Routes for administrators. A path with `:id` has `idParamsSchema`. */
export const get = bound('GET');
export const post = bound('POST');
export const put = bound('PUT');
export const patch = bound('PATCH');
export const del = bound('DELETE');
