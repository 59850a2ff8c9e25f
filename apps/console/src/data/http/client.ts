import { type ErrorCode, type ErrorResponse, LIMITS, type Route } from '@autoposter/contracts';
import type { z } from 'zod';
import { readToken, sessionEnded } from '../session/session-token';
import { learnServerTime } from '../../store/clock';

const idempotencyKeys = new Map<string, string>();

/** `crypto.randomUUID` needs a secure context, which an installation in a private network may lack. */
const newIdempotencyKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/**
 * The same request keeps its key until it succeeds, so that a double click, or a retry after a timeout, receives the first response
 * instead of repeating the action.
 */
export function idempotencyKeyOf(signature: string): string {
  const key = idempotencyKeys.get(signature) ?? newIdempotencyKey();
  idempotencyKeys.set(signature, key);
  return key;
}

/** After a success, the same request means a new action. */
export const releaseIdempotencyKey = (signature: string): void => void idempotencyKeys.delete(signature);

/** A failed request, with the message of the server. `status` is 0 when no response arrived. */
export class CallError extends Error {
  override readonly name = 'CallError';

  constructor(
    message: string,
    readonly status: number,
    readonly detail: {
      requestId?: string;
      code?: ErrorCode;
      nextAction?: string;
      issues?: readonly { field: string; rule: string }[];
    } = {},
  ) {
    super(message);
  }
}

type QueryValue = string | number | boolean | undefined | null;
/** Empty values are omitted. */
export type Query = Record<string, QueryValue>;

interface CallInput<R extends Route> {
  params?: Record<string, string>;
  query?: Query;
  body?: R['body'] extends z.ZodType ? z.input<R['body']> : never;
  /** The body of an upload. */
  file?: Blob;
  signal?: AbortSignal;
  timeoutMs?: number;
  /** Replaces the session token; a 401 then does not end the session. */
  token?: string;
}

type Answer<R extends Route> = R['response'] extends z.ZodType ? z.output<R['response']> : void;

const urlOf = (path: string, params: Record<string, string> = {}, query: Query = {}): string => {
  const filled = path.replaceAll(/:(\w+)/gu, (_match, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value));
  }
  const text = search.toString();
  return text === '' ? filled : `${filled}?${text}`;
};

/** An answer that did not come from the product, such as the page of a proxy or of a sign-in portal. */
export const unreadable = (status = 200): CallError => new CallError('The server sent an answer that could not be read', status);

/** Status of an error for a 2xx response with `success: false`. */
const UNPROCESSABLE = 422;

function failure(body: unknown, status: number): CallError {
  const known = (typeof body === 'object' ? body : null) as Partial<ErrorResponse> | null;
  const text = [known?.error, known?.message].find((part) => typeof part === 'string' && part !== '');
  return new CallError(text ?? `The server answered with ${status}`, status, known ?? {});
}

/**
 * Calls a route of the contracts and returns its response. Throws `CallError`; a 401 ends the session, and without a token nothing is sent.
 * Responses are not validated here: the gateway's tests check them against the schemas, which would enlarge the bundle considerably.
 */
export async function call<R extends Route>(route: R, input: CallInput<R> = {}): Promise<Answer<R>> {
  const token = input.token ?? readToken();
  if (token === null) throw new CallError('Please sign in again', 401);
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new Error('timeout')), input.timeoutMs ?? LIMITS.http.timeoutMs);
  const onAbort = () => controller.abort(input.signal?.reason);
  input.signal?.addEventListener('abort', onAbort, { once: true });
  const headers: Record<string, string> = { accept: 'application/json', authorization: `Bearer ${token}` };
  if (input.body !== undefined) headers['content-type'] = 'application/json';
  if (input.file !== undefined) headers['content-type'] = 'application/octet-stream';
  const target = urlOf(route.path, input.params, input.query);
  const text = input.body === undefined ? null : JSON.stringify(input.body);
  const signature = `${target} ${text ?? ''}`;
  const sent = input.file ?? text;
  if (route.method === 'POST') headers['idempotency-key'] = idempotencyKeyOf(signature);
  const sentAt = Date.now();
  try {
    const response = await fetch(target, {
      method: route.method,
      headers,
      signal: controller.signal,
      ...(sent === null ? {} : { body: sent }),
    });
    learnServerTime(response.headers.get('date'), sentAt);
    if (response.ok) releaseIdempotencyKey(signature);
    if (response.status === 401 && input.token === undefined) sessionEnded(token);
    const body: unknown = await response.json().catch(() => null);
    if (!response.ok) throw failure(body, response.status);
    if (typeof body !== 'object' || body === null) throw unreadable(response.status);
    if ((body as { success?: unknown }).success === false) throw failure(body, UNPROCESSABLE);
    return body as Answer<R>;
  } catch (error) {
    if (error instanceof CallError || input.signal?.aborted) throw error;
    throw new CallError(controller.signal.aborted ? 'The server did not answer in time' : 'The server could not be reached', 0);
  } finally {
    clearTimeout(timer);
    input.signal?.removeEventListener('abort', onAbort);
  }
}

type DataOf<R extends Route> = Answer<R> extends { data: infer D } ? D : never;

/** A query function that resolves to the `data` of the response. */
export const fetchData =
  <R extends Route>(route: R, input: Omit<CallInput<R>, 'signal'> = {}) =>
  async ({ signal }: { signal: AbortSignal }): Promise<DataOf<R>> => {
    const { data } = (await call(route, { ...input, signal })) as { data?: DataOf<R> };
    if (data === undefined) throw unreadable();
    return data;
  };

/** Whether the server rejected the request, so that a retry is useless. */
export const isRejected = (error: unknown): boolean => error instanceof CallError && error.status >= 400 && error.status < 500;

export const errorText = (error: unknown, fallback = 'Something went wrong'): string =>
  error instanceof Error && error.message !== '' ? error.message : fallback;
