import { cutText, oneLine, readJson, retryAfterOf } from '@autoposter/domain';
import { redactText } from '@autoposter/observability';

/** One HTTP answer, read completely. `json` is `undefined` where the body is not JSON (HTML blocks, empty bodies). */
export interface Answer {
  status: number;
  headers: Headers;
  json: unknown;
}

export interface HttpRequest {
  url: string;
  method: 'GET' | 'POST' | 'DELETE';
  headers: Record<string, string>;
  body?: string | AsyncIterable<Uint8Array>;
}

export interface ExchangeLimits {
  timeoutMs: number;
  maxBytes: number;
}

/** Why no complete answer came. */
export interface ExchangeProblem {
  reason: 'timed_out' | 'too_large' | 'unreachable';
  /** The time limit in whole seconds. */
  seconds: number;
  /** Status of an answer that was too large. */
  status: number | null;
  /** Code of the connection's error, where it has one. */
  code: string | null;
}

class AnswerTooLarge extends Error {
  constructor(readonly status: number) {
    super('answer too long');
  }
}

/**
 * One request, sent once, and its whole answer; every status is an answer. Redirects are never followed: a 307 would send a publish call a
 * second time. Where no complete answer came (connection, timeout, cut or too long body) it throws what `explain` makes of that.
 */
export async function exchange(
  fetchFn: typeof fetch,
  { url, ...init }: HttpRequest,
  { timeoutMs, maxBytes }: ExchangeLimits,
  explain: (problem: ExchangeProblem, cause: unknown) => Error,
): Promise<Answer> {
  const timer = new AbortController();
  const timeout = setTimeout(() => timer.abort(), timeoutMs);
  // Node requires `duplex: 'half'` for a streamed body
  const streamed = init.body !== undefined && typeof init.body !== 'string' ? { duplex: 'half' } : {};
  try {
    const response = await fetchFn(url, { ...init, ...streamed, redirect: 'manual', signal: timer.signal } as RequestInit);
    return { status: response.status, headers: response.headers, json: readJson(await readText(response, maxBytes)) };
  } catch (error) {
    const tooLarge = error instanceof AnswerTooLarge;
    const code = (error as { cause?: { code?: unknown } } | null)?.cause?.code;
    const problem: ExchangeProblem = {
      reason: tooLarge ? 'too_large' : timer.signal.aborted ? 'timed_out' : 'unreachable',
      seconds: Math.round(timeoutMs / 1000),
      status: tooLarge ? error.status : null,
      code: typeof code === 'string' ? code : null,
    };
    throw explain(problem, error);
  } finally {
    clearTimeout(timeout);
  }
}

async function readText(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // leaving the loop early cancels the body
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new AnswerTooLarge(response.status);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Seconds that an answer asks to wait, `null` where it names none. */
export const retryAfterIn = (headers: Headers): number | null =>
  retryAfterOf({ retryAfter: headers.get('retry-after'), date: headers.get('date') });

/** Words of another system as details contain them: one line without secrets and control characters, at most `most` characters. */
export const wordsFrom = (text: string, most = 300): string => cutText(redactText(oneLine(text).replace(/\s+/g, ' ')).trim(), most);

export const withoutSlash = (origin: string): string => origin.replace(/(?<!\/)\/+$/, '');
