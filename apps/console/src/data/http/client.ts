import { LIMITS, type ErrorResponse, type Route } from '@autoposter/contracts';
import type { z } from 'zod';
import { readToken, sessionEnded } from '../session/session-token';

const names = new Map<string, string>();

/** Works without a secure context, too: an installation in a private network may have no certificate. */
function newName(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * The name under which the server does a call once. The same call keeps its name until it was done, so that a second click, or another
 * try after no answer came, gets the first one's answer instead of doing it again.
 */
export function nameOfCall(signature: string): string {
  const known = names.get(signature);
  if (known !== undefined) return known;
  const name = newName();
  names.set(signature, name);
  return name;
}

/** It was done: what is asked for from now on is meant anew. */
export const callDone = (signature: string): void => void names.delete(signature);

/** A failure of a call, with the sentence that the product gave. `status` is 0 when no answer came. */
export class CallError extends Error {
  override readonly name = 'CallError';

  constructor(
    message: string,
    readonly status: number,
    readonly detail: { requestId?: string; code?: string; nextAction?: string; issues?: readonly { field: string; rule: string }[] } = {},
  ) {
    super(message);
  }
}

type QueryValue = string | number | boolean | undefined | null;

interface CallInput<R extends Route> {
  params?: Record<string, string>;
  /** Empty values are left out. */
  query?: Record<string, QueryValue>;
  body?: R['body'] extends z.ZodType ? z.input<R['body']> : never;
  signal?: AbortSignal;
  timeoutMs?: number;
  /** Sent instead of the token of the session; what a 401 for it means is for the caller to say. */
  token?: string;
}

type Answer<R extends Route> = R['response'] extends z.ZodType ? z.output<R['response']> : void;

const address = (path: string, params: Record<string, string> = {}, query: Record<string, QueryValue> = {}): string => {
  const filled = path.replaceAll(/:(\w+)/gu, (_match, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value));
  }
  const text = search.toString();
  return text === '' ? filled : `${filled}?${text}`;
};

/** A success that says it is none counts as refused. */
const REFUSED = 422;

function failure(body: unknown, status: number): CallError {
  const known = (typeof body === 'object' ? body : null) as Partial<ErrorResponse> | null;
  const text = [known?.error, known?.message].find((part) => typeof part === 'string' && part !== '');
  return new CallError(text ?? `The server answered with ${status}`, status, known ?? {});
}

/**
 * Makes one call of the table of routes and returns its answer. Sends the session token, gives up after `timeoutMs`, and forgets the token
 * when the answer is 401; without a token nothing is sent. Throws `CallError`. Answers are taken as the table of routes describes them: the
 * server's tests hold them to it, and checking them again here would cost every visitor the whole set of schemas.
 */
export async function call<R extends Route>(route: R, input: CallInput<R> = {}): Promise<Answer<R>> {
  const token = input.token ?? readToken();
  if (token === null) throw new CallError('Please sign in again', 401);
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new Error('timeout')), input.timeoutMs ?? LIMITS.http.timeoutMs);
  const giveUp = () => controller.abort(input.signal?.reason);
  input.signal?.addEventListener('abort', giveUp, { once: true });
  const headers: Record<string, string> = { accept: 'application/json', authorization: `Bearer ${token}` };
  if (input.body !== undefined) headers['content-type'] = 'application/json';
  const target = address(route.path, input.params, input.query);
  const text = input.body === undefined ? null : JSON.stringify(input.body);
  const signature = `${target} ${text ?? ''}`;
  if (route.method === 'POST') headers['idempotency-key'] = nameOfCall(signature);
  try {
    const response = await fetch(target, {
      method: route.method,
      headers,
      signal: controller.signal,
      ...(text === null ? {} : { body: text }),
    });
    if (response.ok) callDone(signature);
    if (response.status === 401 && input.token === undefined) sessionEnded(token);
    const body: unknown = await response.json().catch(() => null);
    if (!response.ok) throw failure(body, response.status);
    if ((body as { success?: unknown } | null)?.success === false) throw failure(body, REFUSED);
    return body as Answer<R>;
  } catch (error) {
    if (error instanceof CallError || input.signal?.aborted) throw error;
    throw new CallError(controller.signal.aborted ? 'The server did not answer in time' : 'The server could not be reached', 0);
  } finally {
    clearTimeout(timer);
    input.signal?.removeEventListener('abort', giveUp);
  }
}

/** The sentence of a failure, whatever was thrown. */
export const errorText = (error: unknown, fallback = 'Something went wrong'): string =>
  error instanceof Error && error.message !== '' ? error.message : fallback;
