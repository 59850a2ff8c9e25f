import { lookup as systemLookup } from 'node:dns';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { pipeline, Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { mayConnect } from './address-rules';

interface GetOptions {
  signal: AbortSignal;
  /** Milliseconds until the connection is up, then between any two bytes. */
  connectMs: number;
  stallMs: number;
  /** Refuses to connect to an address that is not public. A metadata service is refused in any case. */
  publicOnly: boolean;
}

export interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  /** The decoded body. Fails where it ends before its announced length, or nothing arrives for `stallMs`. */
  body: AsyncIterable<Buffer>;
  /** Ends the exchange without its body. */
  discard(): void;
}

/** A body that ended early, was not complete by its own account, or stopped arriving. */
class TransferError extends Error {
  override readonly name = 'TransferError';

  constructor(
    readonly code: 'STALLED' | 'CONNECT_TIMEOUT' | 'INCOMPLETE' | 'BAD_ENCODING',
    message: string,
  ) {
    super(message);
  }
}

const DECODERS: Record<string, () => Transform> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

// One connection per file: a reused one may be closing, and its errors would belong to no particular file.
const agents = { http: new HttpAgent({ keepAlive: false }), https: new HttpsAgent({ keepAlive: false }) };

/**
 * One GET, redirects not followed. On Node's own client: undici (up to 7.30) throws outside of any promise where a paused body meets
 * the end of its connection, which ends the process.
 */
export function httpGet(url: URL, { signal, connectMs, stallMs, publicOnly }: GetOptions): Promise<Answer> {
  const secure = url.protocol === 'https:';
  const options: RequestOptions = {
    agent: secure ? agents.https : agents.http,
    signal,
    headers: { 'user-agent': 'Autoposter/0.1 (media download)', accept: '*/*', 'accept-encoding': 'identity' },
    lookup: checkedLookup(publicOnly),
  };
  return new Promise((resolve, reject) => {
    const request = secure ? httpsRequest(url, options) : httpRequest(url, options);
    const fail = (code: TransferError['code'], what: string) => request.destroy(new TransferError(code, what));
    let timer = setTimeout(() => fail('CONNECT_TIMEOUT', `no connection within ${connectMs} ms`), connectMs);
    const connected = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => fail('STALLED', `no answer within ${stallMs} ms`), stallMs);
    };
    request.once('socket', (socket) => socket.once(secure ? 'secureConnect' : 'connect', connected));
    // stays attached: the parser may still report an error on the request after its response has ended
    request.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    request.once('response', (response) => {
      clearTimeout(timer);
      response.on('error', () => undefined);
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        body: readBody(response, stallMs),
        discard: () => void response.destroy(),
      });
    });
    request.end();
  });
}

/** The body, checked against its announced length, then decoded if the host compressed it although the request forbids it. */
async function* readBody(response: IncomingMessage, stallMs: number): AsyncGenerator<Buffer> {
  const encoding = (response.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  const received = checkedBytes(response, stallMs);
  if (encoding === 'identity' || encoding === '') return yield* received;
  const decoder = DECODERS[encoding]?.();
  if (decoder === undefined) {
    response.destroy();
    throw new TransferError('BAD_ENCODING', `the host encoded the file as ${encoding.slice(0, 40)}`);
  }
  // an error of either side reaches the reader through the decoder
  yield* pipeline(Readable.from(received), decoder, () => undefined) as AsyncIterable<Buffer>;
}

async function* checkedBytes(response: IncomingMessage, stallMs: number): AsyncGenerator<Buffer> {
  const announced = announcedLength(response.headers);
  let bytes = 0;
  let stalled: TransferError | null = null;
  const stall = (): void => {
    stalled = new TransferError('STALLED', `nothing arrived for ${stallMs} ms`);
    response.destroy(stalled);
  };
  let timer = setTimeout(stall, stallMs);
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      // a slow reader is not a stall of the host
      clearTimeout(timer);
      bytes += chunk.length;
      yield chunk;
      timer = setTimeout(stall, stallMs);
    }
  } catch (error) {
    throw stalled ?? error;
  } finally {
    clearTimeout(timer);
  }
  if (!response.complete || (announced !== null && bytes !== announced)) {
    throw new TransferError('INCOMPLETE', `the body ended after ${bytes} of ${announced ?? 'an unknown number of'} bytes`);
  }
}

/** `null` where the host announced none; a chunked body has none either. */
export function announcedLength(headers: IncomingMessage['headers']): number | null {
  const text = headers['content-length'];
  return text !== undefined && headers['transfer-encoding'] === undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/** Checked in the socket's own lookup, so that a DNS answer that changes between check and connection has no effect. */
const checkedLookup =
  (publicOnly: boolean): LookupFunction =>
  (hostname, options, callback) => {
    systemLookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '', 0);
      const open = addresses.filter(({ address }) => mayConnect(address, publicOnly));
      const first = open[0];
      if (first === undefined)
        return callback(Object.assign(new Error('not an address that media is fetched from'), { code: 'EPRIVATE' }), '', 0);
      return options.all === true
        ? (callback as (e: null, a: typeof open) => void)(null, open)
        : callback(null, first.address, first.family);
    });
  };
