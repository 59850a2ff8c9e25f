import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { PipelineError, retryAfterOf, type Failure, type FailureKind } from '@autoposter/domain';
import { addressRefusal } from './address-rules';
import { announcedLength, httpGet, type Answer } from './http-get';

export interface FetchLimits {
  /** Bytes of one file. */
  maxBytes: number;
  /** Milliseconds without a byte before the transfer is given up. */
  stallMs: number;
  maxRedirects: number;
}

export const DEFAULT_FETCH_LIMITS: FetchLimits = { maxBytes: 512 * 1024 * 1024, stallMs: 20_000, maxRedirects: 5 };

/** Milliseconds until a connection is up, TLS included. */
const CONNECT_MS = 10_000;
const DEFAULT_PAUSE_SECONDS = 60;
const LONGEST_PAUSE_SECONDS = 3600;

export interface FetchedFile {
  bytes: number;
  contentType: string | null;
}

/**
 * Fetches media files from the platforms' media hosts to local files. Checks every hop's address, and the IP address in the socket's
 * own lookup, so that neither a redirect nor a changed DNS answer leads inside. Throws `PipelineError` of side `reddit` or `instagram`.
 */
export class MediaFetcher {
  constructor(
    private readonly extraOrigins: ReadonlySet<string>,
    private readonly limits: FetchLimits = DEFAULT_FETCH_LIMITS,
    /** Whether the added origins have to be public too, as in production. */
    private readonly publicOnly = false,
  ) {}

  /** Streams one file to `file`; at most `maxBytes`, an incomplete file is removed. */
  async toFile(address: string, file: string, signal: AbortSignal, maxBytes = this.limits.maxBytes): Promise<FetchedFile> {
    const answer = await this.open(address, signal);
    const announced = announcedLength(answer.headers);
    if (announced !== null && announced > maxBytes) {
      answer.discard();
      throw failed('too_large', `The file is ${announced} bytes, at most ${maxBytes} are taken.`, 'Leave this post out.', address);
    }
    let bytes = 0;
    try {
      await pipeline(
        answer.body,
        async function* limited(source: AsyncIterable<Buffer>) {
          for await (const chunk of source) {
            bytes += chunk.length;
            if (bytes > maxBytes) throw failed('too_large', `The file is larger than ${maxBytes} bytes.`, 'Leave this post out.', address);
            yield chunk;
          }
        },
        createWriteStream(file, { flags: 'w' }),
        { signal },
      );
      if (bytes === 0)
        throw failed('transient', 'The media host sent an empty file.', 'The download is tried again automatically.', address);
    } catch (error) {
      await rm(file, { force: true });
      throw this.classify(error, address, signal);
    }
    return { bytes, contentType: answer.headers['content-type'] ?? null };
  }

  /** Reads a small text (a manifest), at most `maxBytes`. */
  async text(address: string, signal: AbortSignal, maxBytes = 256 * 1024): Promise<string> {
    const answer = await this.open(address, signal);
    const chunks: Buffer[] = [];
    let bytes = 0;
    try {
      for await (const chunk of answer.body) {
        bytes += chunk.length;
        if (bytes > maxBytes) throw failed('too_large', 'The manifest is too large.', 'Leave this post out.', address);
        chunks.push(chunk);
      }
    } catch (error) {
      throw this.classify(error, address, signal);
    }
    return Buffer.concat(chunks).toString('utf8');
  }

  private async open(address: string, signal: AbortSignal): Promise<Answer> {
    let url = parsed(address);
    for (let hop = 0; hop <= this.limits.maxRedirects; hop += 1) {
      const publicOnly = this.publicOnly || !this.extraOrigins.has(url.origin);
      const refusal = addressRefusal(url, this.extraOrigins, publicOnly);
      if (refusal !== null) throw failed('invalid_input', refusal, 'Leave this post out.', url.href);
      let answer: Answer;
      try {
        const { stallMs } = this.limits;
        answer = await httpGet(url, { signal, connectMs: CONNECT_MS, stallMs, publicOnly });
      } catch (error) {
        throw this.classify(error, url.href, signal);
      }
      if (answer.status === 200) return answer;
      answer.discard();
      const { location, date, 'retry-after': retryAfter } = answer.headers;
      if (answer.status >= 300 && answer.status < 400 && location !== undefined) {
        url = parsed(location, url.href);
        // where imgur sends whoever asks for something that was taken down
        if (url.pathname.endsWith('/removed.png')) throw statusFailure(410, url.href);
        continue;
      }
      throw statusFailure(answer.status, url.href, retryAfterOf({ retryAfter, date }));
    }
    throw failed('upstream_rejected', 'The address redirects without end.', 'Leave this post out.', address);
  }

  private classify(error: unknown, address: string, signal: AbortSignal): unknown {
    if (error instanceof PipelineError) return error;
    if (signal.aborted) return signal.reason ?? error;
    const code = (error as { code?: string }).code ?? (error instanceof Error ? error.name : 'unknown');
    if (code === 'ENOSPC') {
      return new PipelineError(
        {
          kind: 'transient',
          message: 'The disk is full.',
          side: 'operator',
          nextAction: 'Free space on the disk; the download is tried again.',
        },
        { cause: error },
      );
    }
    const sentence = TRANSFER_SENTENCES[code] ?? 'The connection to the media host broke off.';
    const cause = failure('transient', sentence, 'The download is tried again.', address);
    return new PipelineError({ ...cause, detail: { ...cause.detail, code } }, { cause: error });
  }
}

const UNREACHABLE = 'The media host could not be reached.';

/** What an administrator reads; the code itself travels in `detail`. */
const TRANSFER_SENTENCES: Record<string, string> = {
  INCOMPLETE: 'The media host ended the file early.',
  BAD_ENCODING: 'The media host sent the file in an encoding that cannot be read.',
  STALLED: 'The media host stopped sending.',
  CONNECT_TIMEOUT: UNREACHABLE,
  ECONNREFUSED: UNREACHABLE,
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  ENOTFOUND: UNREACHABLE,
  EAI_AGAIN: UNREACHABLE,
};

function parsed(address: string, base?: string): URL {
  try {
    return new URL(address, base);
  } catch (error) {
    throw failed('invalid_input', 'The media address cannot be read.', 'Leave this post out.', address, error);
  }
}

const STATUS_KIND: Record<number, FailureKind> = {
  206: 'transient',
  403: 'upstream_rejected',
  404: 'not_found',
  410: 'not_found',
  416: 'upstream_rejected',
};

function statusFailure(status: number, address: string, asked: number | null = null): PipelineError {
  if (status === 429) {
    return new PipelineError({
      ...failure('rate_limited', 'The media host asks us to slow down.', 'The download is tried again automatically.', address),
      retryAfterSeconds: Math.min(Math.max(asked ?? DEFAULT_PAUSE_SECONDS, 1), LONGEST_PAUSE_SECONDS),
    });
  }
  const kind = STATUS_KIND[status] ?? (status >= 500 ? 'transient' : 'upstream_rejected');
  const next =
    kind === 'transient'
      ? 'The download is tried again automatically.'
      : 'Open the post at its source and see whether the media is still there.';
  return failed(kind, `The media host answered ${status}.`, next, address);
}

/** Queries of signed media links stay out of messages and logs. */
const failure = (kind: FailureKind, message: string, nextAction: string, address: string): Failure => {
  const host = URL.canParse(address) ? new URL(address).host : '';
  return { kind, message, side: /instagram|fbcdn/.test(host) ? 'instagram' : 'reddit', nextAction, detail: { host } };
};

const failed = (kind: FailureKind, message: string, nextAction: string, address: string, cause?: unknown): PipelineError =>
  new PipelineError(failure(kind, message, nextAction, address), { cause });
