import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { type Failure, failureOf, PipelineError, retryAfterOf } from '@autoposter/domain';
import type { Platform } from '@autoposter/contracts';
import { addressRefusal, type AddressRules, mustBePublic } from './address-rules';
import { announcedLength, httpGet, type Answer } from './http-get';

interface FetchLimits {
  /** Bytes of one file. */
  maxBytes: number;
  /** Milliseconds without a byte after which the transfer is aborted. */
  stallMs: number;
  maxRedirects: number;
}

export const DEFAULT_FETCH_LIMITS: FetchLimits = { maxBytes: 512 * 1024 * 1024, stallMs: 20_000, maxRedirects: 5 };

/** Timeout for a connection, including TLS. */
const CONNECT_MS = 10_000;
const DEFAULT_PAUSE_SECONDS = 60;
const MAX_PAUSE_SECONDS = 3600;

export interface FetchedFile {
  bytes: number;
  contentType: string | null;
}

/**
 * Fetches media files from the platforms' media hosts, or from any, to local files. Checks the address of every redirect, and the IP address
 * in the socket's own lookup, so that neither a redirect nor a changed DNS answer reaches an internal host. Throws `PipelineError` of side
 * `reddit` or `instagram`.
 */
export class MediaFetcher {
  constructor(
    private readonly rules: AddressRules,
    private readonly limits: FetchLimits = DEFAULT_FETCH_LIMITS,
  ) {}

  /** Streams one file to `file`; at most `maxBytes`, an incomplete file is removed. */
  async toFile(address: string, file: string, signal: AbortSignal, maxBytes = this.limits.maxBytes): Promise<FetchedFile> {
    const answer = await this.open(address, signal);
    // hosts sometimes answer a block page or a notice with status 200
    if (/^text\/html\b/iu.test(answer.headers['content-type'] ?? '')) {
      answer.discard();
      throw failed(failureOf('media_host_sent_page', at(address)));
    }
    const announced = announcedLength(answer.headers);
    if (announced !== null && announced > maxBytes) {
      answer.discard();
      throw failed(
        failureOf('media_announced_too_large', { ...at(address), fields: { size: megabytes(announced), limit: megabytes(maxBytes) } }),
      );
    }
    let bytes = 0;
    try {
      await pipeline(
        answer.body,
        async function* limited(source: AsyncIterable<Buffer>) {
          for await (const chunk of source) {
            bytes += chunk.length;
            if (bytes > maxBytes)
              throw failed(failureOf('media_file_too_large', { ...at(address), fields: { limit: megabytes(maxBytes) } }));
            yield chunk;
          }
        },
        createWriteStream(file, { flags: 'w' }),
        { signal },
      );
      if (bytes === 0) throw failed(failureOf('media_host_empty', at(address)));
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
        if (bytes > maxBytes) throw failed(failureOf('manifest_too_large', at(address)));
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
      const refusal = addressRefusal(url, this.rules);
      if (refusal !== null) throw failed(failureOf('media_address_refused', { ...at(url.href), fields: { problem: refusal } }));
      let answer: Answer;
      try {
        const { stallMs } = this.limits;
        answer = await httpGet(url, { signal, connectMs: CONNECT_MS, stallMs, publicOnly: mustBePublic(url, this.rules) });
      } catch (error) {
        throw this.classify(error, url.href, signal);
      }
      if (answer.status === 200) return answer;
      answer.discard();
      const { location, date, 'retry-after': retryAfter } = answer.headers;
      if (answer.status >= 300 && answer.status < 400 && location !== undefined) {
        url = parsed(location, url.href);
        // imgur redirects requests for removed files to this address
        if (url.pathname.endsWith('/removed.png')) throw statusFailure(410, url.href);
        continue;
      }
      throw statusFailure(answer.status, url.href, retryAfterOf({ retryAfter, date }));
    }
    throw failed(failureOf('media_host_redirects', at(address)));
  }

  private classify(error: unknown, address: string, signal: AbortSignal): unknown {
    if (error instanceof PipelineError) return error;
    if (signal.aborted) return signal.reason ?? error;
    const code = (error as { code?: string }).code ?? (error instanceof Error ? error.name : 'unknown');
    if (code === 'ENOSPC') return failed(failureOf('disk_full', { side: 'operator' }), error);
    const { side, detail } = at(address);
    return failed(failureOf(TRANSFER_FAILURES[code] ?? 'media_host_connection_lost', { side, detail: { ...detail, code } }), error);
  }
}

/** Keys are error codes of the socket or of `httpGet`. */
const TRANSFER_FAILURES: Record<string, TransferFailure> = {
  INCOMPLETE: 'media_host_ended_early',
  BAD_ENCODING: 'media_host_bad_encoding',
  STALLED: 'media_host_stalled',
  CONNECT_TIMEOUT: 'media_host_unreachable',
  ECONNREFUSED: 'media_host_unreachable',
  EHOSTUNREACH: 'media_host_unreachable',
  ENETUNREACH: 'media_host_unreachable',
  ENOTFOUND: 'media_host_unreachable',
  EAI_AGAIN: 'media_host_unreachable',
};
type TransferFailure = `media_host_${'ended_early' | 'bad_encoding' | 'stalled' | 'unreachable'}`;

function parsed(address: string, base?: string): URL {
  try {
    return new URL(address, base);
  } catch (error) {
    throw failed(failureOf('media_address_unreadable', at(address)), error);
  }
}

const STATUS_FAILURES: Record<number, 'media_host_failed' | 'media_host_refused' | 'media_gone'> = {
  206: 'media_host_failed',
  404: 'media_gone',
  410: 'media_gone',
};

function statusFailure(status: number, address: string, seconds: number | null = null): PipelineError {
  if (status === 429) {
    const retryAfterSeconds = Math.min(Math.max(seconds ?? DEFAULT_PAUSE_SECONDS, 1), MAX_PAUSE_SECONDS);
    return failed(failureOf('media_host_busy', { ...at(address), retryAfterSeconds }));
  }
  const code = STATUS_FAILURES[status] ?? (status >= 500 ? 'media_host_failed' : 'media_host_refused');
  return failed(failureOf(code, { ...at(address), fields: { status } }));
}

/** Platform and host of an address. Queries of signed media links stay out of messages and logs. */
function at(address: string): { side: Platform; detail: { host: string } } {
  const host = URL.canParse(address) ? new URL(address).host : '';
  return { side: /instagram|fbcdn/.test(host) ? 'instagram' : 'reddit', detail: { host } };
}

const failed = (failure: Failure, cause?: unknown): PipelineError => new PipelineError(failure, { cause });

const megabytes = (bytes: number): string => `${Math.ceil((bytes * 10) / 1_048_576) / 10} MB`;
