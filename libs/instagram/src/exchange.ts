import { PipelineError, readJson } from '@autoposter/domain';

/** One HTTP answer, read completely. `json` is `undefined` where the body is not JSON. */
export interface Answer {
  status: number;
  headers: Headers;
  json: unknown;
}

export interface Question {
  url: string;
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: string | AsyncIterable<Uint8Array>;
}

const MAX_BYTES = 4 * 1024 * 1024;

/**
 * One request, sent once, and its whole answer. Redirects are never followed: a 307 would send a publish call a second time. Throws
 * `transient` where no complete answer came; every status is an answer.
 */
export async function exchange(fetchFn: typeof fetch, question: Question, timeoutMs: number): Promise<Answer> {
  const timer = new AbortController();
  const timeout = setTimeout(() => timer.abort(), timeoutMs);
  try {
    const { url, method, headers, body } = question;
    const streamed = body !== undefined && typeof body !== 'string';
    // Node sends a stream only when told that the answer does not start before the request has ended.
    const init = { method, headers, body, redirect: 'manual', signal: timer.signal, ...(streamed ? { duplex: 'half' } : {}) };
    const response = await fetchFn(url, init as RequestInit);
    return { status: response.status, headers: response.headers, json: readJson(await readText(response)) };
  } catch (error) {
    const code = (error as { cause?: { code?: unknown } } | null)?.cause?.code;
    const what = timer.signal.aborted
      ? `gave no answer within ${Math.round(timeoutMs / 1000)} s`
      : 'could not be reached or cut its answer short';
    throw new PipelineError(
      {
        kind: 'transient',
        message: `Instagram ${what}.`,
        side: 'instagram',
        nextAction: 'It is tried again by itself; look at the network if it lasts.',
        detail: { code: typeof code === 'string' ? code : null },
      },
      { cause: error },
    );
  } finally {
    clearTimeout(timeout);
  }
}

async function readText(response: Response): Promise<string> {
  if (!response.body) return '';
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(chunks).toString('utf8');
    bytes += value.byteLength;
    if (bytes > MAX_BYTES) {
      await reader.cancel();
      throw new Error('answer too long');
    }
    chunks.push(value);
  }
}
