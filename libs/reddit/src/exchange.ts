import { PipelineError, readJson } from '@autoposter/domain';

/** One HTTP answer, read completely. `json` is `undefined` where the body is not JSON (HTML blocks, empty bodies). */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  json: unknown;
}

export interface Question {
  url: string;
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: string;
}

export interface ExchangeLimits {
  timeoutMs: number;
  maxBytes: number;
}

/**
 * One request and its whole answer, redirects not followed. Throws `transient` where no complete answer came (connection, timeout,
 * cut body) and `too_large` where the body is longer than `maxBytes`; every status is an answer, not an error.
 */
export async function exchange(fetchFn: typeof fetch, question: Question, limits: ExchangeLimits): Promise<Answer> {
  const timer = new AbortController();
  const timeout = setTimeout(() => timer.abort(), limits.timeoutMs);
  try {
    const { url, ...init } = question;
    const response = await fetchFn(url, { ...init, redirect: 'manual', signal: timer.signal });
    const text = await readText(response, limits.maxBytes);
    return { status: response.status, headers: response.headers, text, json: readJson(text) };
  } catch (error) {
    if (error instanceof PipelineError) throw error;
    throw unreachable(
      timer.signal.aborted ? `gave no answer within ${Math.round(limits.timeoutMs / 1000)} s` : 'could not be reached',
      error,
    );
  } finally {
    clearTimeout(timeout);
  }
}

async function readText(response: Response, maxBytes: number): Promise<string> {
  if (!response.body) return '';
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(chunks).toString('utf8');
    bytes += value.byteLength;
    if (bytes > maxBytes) {
      await reader.cancel();
      throw new PipelineError({
        kind: 'too_large',
        message: `Reddit's answer is longer than ${maxBytes} bytes.`,
        side: 'reddit',
        nextAction: 'Ask for fewer posts at a time.',
        detail: { status: response.status, maxBytes },
      });
    }
    chunks.push(value);
  }
}

function unreachable(what: string, cause: unknown): PipelineError {
  const code = (cause as { cause?: { code?: unknown } } | null)?.cause?.code;
  return new PipelineError(
    {
      kind: 'transient',
      message: `Reddit ${what}.`,
      side: 'reddit',
      nextAction: 'It is tried again by itself; look at the network if it lasts.',
      detail: { code: typeof code === 'string' ? code : null },
    },
    { cause },
  );
}
