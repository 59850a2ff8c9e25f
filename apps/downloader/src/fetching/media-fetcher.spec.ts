import { createServer, type RequestListener, type Server } from 'node:http';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createSocketServer, type AddressInfo, type Server as SocketServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { PipelineError } from '@autoposter/domain';
import { DEFAULT_FETCH_LIMITS, MediaFetcher } from './media-fetcher';

const servers: Server[] = [];
const sockets: SocketServer[] = [];
const folder = mkdtempSync(join(tmpdir(), 'fetcher-'));
const file = join(folder, 'media');

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  return listening(server);
}

async function listening(server: SocketServer): Promise<string> {
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const fetcher = (origins: string[], limits: Partial<typeof DEFAULT_FETCH_LIMITS> = {}) =>
  new MediaFetcher({ extraOrigins: new Set(origins), publicOnly: false }, { ...DEFAULT_FETCH_LIMITS, stallMs: 10_000, ...limits });

async function failureOf(work: Promise<unknown>) {
  const error: unknown = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof PipelineError)) throw new Error(`expected a failure, got ${String(error)}`);
  return error.failure;
}

const never = new AbortController().signal;

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
  for (const server of sockets.splice(0)) server.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('MediaFetcher', () => {
  it('streams a file and tells its size and type', async () => {
    const origin = await serve((_request, response) => response.writeHead(200, { 'content-type': 'video/mp4' }).end('some bytes'));
    expect(await fetcher([origin]).toFile(`${origin}/a.mp4`, file, never)).toEqual({ bytes: 10, contentType: 'video/mp4' });
    expect(readFileSync(file, 'utf8')).toBe('some bytes');
  });

  it('does not follow a redirect to a place where nothing may be fetched', async () => {
    const inside = await serve((_request, response) => response.end('secret'));
    const origin = await serve((_request, response) => response.writeHead(302, { location: `${inside}/metadata` }).end());
    expect(await failureOf(fetcher([origin]).toFile(`${origin}/a.mp4`, file, never))).toMatchObject({ kind: 'invalid_input' });
  });

  it('follows a redirect within what is allowed, and gives up on a circle', async () => {
    const origin = await serve((request, response) => {
      if (request.url === '/circle') return response.writeHead(302, { location: '/circle' }).end();
      if (request.url === '/old') return response.writeHead(301, { location: '/new' }).end();
      return response.end('moved');
    });
    expect((await fetcher([origin]).toFile(`${origin}/old`, file, never)).bytes).toBe(5);
    expect(await failureOf(fetcher([origin]).toFile(`${origin}/circle`, file, never))).toMatchObject({ kind: 'upstream_rejected' });
  });

  it('reports the placeholder of a removed file as removed', async () => {
    const origin = await serve((request, response) =>
      request.url === '/removed.png' ? response.end('a picture') : response.writeHead(302, { location: '/removed.png' }).end(),
    );
    expect(await failureOf(fetcher([origin]).toFile(`${origin}/a.mp4`, file, never))).toMatchObject({ kind: 'not_found' });
  });

  it.each([
    [404, 'not_found'],
    [403, 'upstream_rejected'],
    [429, 'rate_limited'],
    [503, 'transient'],
  ])('tells an answer %d as %s', async (status, kind) => {
    const origin = await serve((_request, response) => response.writeHead(status).end('<html>'));
    expect(await failureOf(fetcher([origin]).toFile(`${origin}/a`, file, never))).toMatchObject({ kind });
  });

  it('retries a host that sends a web page instead of the file', async () => {
    const origin = await serve((_request, response) => response.writeHead(200, { 'content-type': 'Text/HTML' }).end('<html>'));
    expect(await failureOf(fetcher([origin]).toFile(`${origin}/a.mp4`, file, never))).toMatchObject({
      code: 'media_host_sent_page',
      kind: 'transient',
    });
  });

  it.each([
    [{ 'retry-after': '3600' }, 3600],
    [{ 'retry-after': 'Tue, 01 Jan 2030 10:10:00 GMT', date: 'Tue, 01 Jan 2030 10:00:00 GMT' }, 600],
    [{ 'retry-after': 'soon' }, 60],
    [{}, 60],
  ])('says for how long a host with %j wants to be left alone, and no moment on the clock of this process', async (headers, seconds) => {
    const origin = await serve((_request, response) => response.writeHead(429, headers as Record<string, string>).end());
    const failure = await failureOf(fetcher([origin]).toFile(`${origin}/a`, file, never));
    expect(failure).toMatchObject({ kind: 'rate_limited', retryAfterSeconds: seconds });
    expect(failure).not.toHaveProperty('retryAt');
  });

  it('refuses a file that is announced too large, before taking a byte of it', async () => {
    const origin = await serve((_request, response) => response.writeHead(200, { 'content-length': '999999999' }).write('x'));
    expect(await failureOf(fetcher([origin], { maxBytes: 2 * 1_048_576 }).toFile(`${origin}/a`, file, never))).toMatchObject({
      kind: 'too_large',
      message: 'The file has 953.7 MB, at most 2 MB are accepted.',
    });
  });

  it('stops a file that never ends at the limit and leaves nothing of it', async () => {
    const origin = await serve((_request, response) => {
      const timer = setInterval(() => response.write(Buffer.alloc(4096)), 1);
      response.on('close', () => clearInterval(timer));
    });
    rmSync(file, { force: true });
    expect(await failureOf(fetcher([origin], { maxBytes: 26_214 }).toFile(`${origin}/a`, file, never))).toMatchObject({
      kind: 'too_large',
      message: 'The file has more than 0.1 MB.',
    });
    expect(existsSync(file)).toBe(false);
  });

  it('reports a cut or stalled transfer as transient and deletes the partial file', async () => {
    const cut = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('half');
      setTimeout(() => response.destroy(), 20);
    });
    const stalling = await serve((_request, response) => void response.writeHead(200, { 'content-length': '100' }).write('half'));
    for (const origin of [cut, stalling]) {
      rmSync(file, { force: true });
      expect(await failureOf(fetcher([origin], { stallMs: 300 }).toFile(`${origin}/a`, file, never))).toMatchObject({ kind: 'transient' });
      expect(existsSync(file)).toBe(false);
    }
  });

  it('keeps the query of a signed address out of what it says', async () => {
    const origin = await serve((_request, response) => response.writeHead(403).end());
    const failure = await failureOf(fetcher([origin]).toFile(`${origin}/a?signature=secret`, file, never));
    expect(JSON.stringify(failure)).not.toContain('secret');
  });

  it('reads 1,000 answers that close their connection under back-pressure, with and without a length', async () => {
    const body = Buffer.alloc(600_000, 7);
    const server = createSocketServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', (request) => {
        const length = request.includes('/with-length') ? `Content-Length: ${body.length}\r\n` : '';
        socket.write(`HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\nConnection: close\r\n${length}\r\n`);
        socket.end(body);
      });
    });
    sockets.push(server);
    const origin = await listening(server);
    const media = fetcher([origin]);
    const take = async (index: number) => {
      const name = index % 2 === 0 ? 'with-length' : 'without-length';
      return (await media.toFile(`${origin}/${name}`, `${file}-${index % 4}`, never)).bytes;
    };
    for (let index = 0; index < 1000; index += 4) {
      const taken = await Promise.all([take(index), take(index + 1), take(index + 2), take(index + 3)]);
      expect(taken).toEqual([body.length, body.length, body.length, body.length]);
    }
  });

  it('decodes a file that the host encoded although it was asked not to, and compares the length with the encoded bytes', async () => {
    const plain = Buffer.alloc(100_000, 'frame');
    const encoded = { gzip: gzipSync(plain), br: brotliCompressSync(plain), deflate: deflateSync(plain) };
    const origin = await serve((request, response) => {
      const [, name = '', cut] = (request.url ?? '').split('/');
      const body = encoded[name as keyof typeof encoded] ?? plain;
      response.writeHead(200, { 'content-encoding': name, ...(cut ? {} : { 'content-length': body.length }) });
      response.end(cut ? body.subarray(0, body.length / 2) : body);
    });
    for (const name of Object.keys(encoded)) {
      expect(await fetcher([origin]).toFile(`${origin}/${name}`, file, never)).toMatchObject({ bytes: plain.length });
      expect(readFileSync(file).equals(plain)).toBe(true);
      expect(await failureOf(fetcher([origin]).toFile(`${origin}/${name}/cut`, file, never))).toMatchObject({ kind: 'transient' });
    }
    expect(await failureOf(fetcher([origin]).toFile(`${origin}/zstd`, file, never))).toMatchObject({ kind: 'transient' });
    const limited = fetcher([origin], { maxBytes: 50_000 });
    expect(await failureOf(limited.toFile(`${origin}/gzip`, file, never))).toMatchObject({ kind: 'too_large' });
  });

  it('refuses a chunked body without its last chunk, and a part of a file that was asked for as a whole', async () => {
    const cut = createSocketServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n'));
    });
    sockets.push(cut);
    const origin = await listening(cut);
    expect(await failureOf(fetcher([origin]).toFile(`${origin}/a`, file, never))).toMatchObject({ kind: 'transient' });
    const part = await serve((_request, response) => response.writeHead(206, { 'content-range': 'bytes 0-3/100' }).end('part'));
    expect(await failureOf(fetcher([part]).toFile(`${part}/a`, file, never))).toMatchObject({ kind: 'transient' });
  });

  it('reports a redirect to something that is no address as a refusal of the host', async () => {
    const origin = await serve((_request, response) => response.writeHead(302, { location: 'http://[' }).end());
    expect(await failureOf(fetcher([origin]).toFile(`${origin}/a`, file, never))).toMatchObject({ kind: 'invalid_input' });
  });

  it('explains a broken transfer without codes of a library, which travel in the detail', async () => {
    const gone = await serve((request) => void request.socket.destroy());
    expect(await failureOf(fetcher([gone]).toFile(`${gone}/a`, file, never))).toMatchObject({
      kind: 'transient',
      message: 'The connection to the media host was lost.',
      detail: { code: 'ECONNRESET' },
    });
    const short = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('half', () => response.destroy());
    });
    const { message } = await failureOf(fetcher([short]).toFile(`${short}/a`, file, never));
    expect(message).toMatch(/^The (media host ended the file early|connection to the media host was lost)\.$/u);
  });

  it('ends when it is told to', async () => {
    const origin = await serve((_request, response) => void response.writeHead(200).write('x'));
    const work = fetcher([origin]).toFile(`${origin}/a`, file, AbortSignal.timeout(50));
    await expect(work).rejects.toMatchObject({ name: 'TimeoutError' });
  });
});
