import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Fault, SystemName } from '../control/fault';
import type { FaultInjector, StruckFault } from '../control/fault-injector';
import { Refusal, isFileBody, text, type Answer } from './answer';
import { resolveRange } from './byte-range';
import type { CallJournal } from './call-journal';
import { RouteTable } from './route-table';
import type { Route, SimRequest } from './sim-request';

export interface SimServerOptions {
  system: SystemName | 'control';
  host: string;
  /** 0 takes a free port. */
  port: number;
  /** The host name that others reach this server by. */
  publicHost: string;
  routes: readonly Route[];
  notFound: (request: SimRequest) => Answer;
  bodyLimitBytes: number;
  faults: FaultInjector | null;
  journal: CallJournal | null;
  /** Headers that every answer of this system carries. */
  decorate?: (request: SimRequest, answer: Answer) => void;
}

export interface RunningServer {
  origin: string;
  port: number;
  close(): Promise<void>;
}

/** One origin of one simulated system. Faults are applied here, in one place, for all of them. */
export async function startServer(options: SimServerOptions): Promise<RunningServer> {
  const table = new RouteTable(options.routes);
  let origin = '';
  const server = createServer({ keepAliveTimeout: 5_000 }, (incoming, outgoing) => {
    serve(options, table, origin, incoming, outgoing).catch(() => outgoing.destroy());
  });
  await listen(server, options.port, options.host);
  const { port } = server.address() as AddressInfo;
  origin = `http://${options.publicHost}:${port}`;
  return {
    origin,
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

async function serve(
  options: SimServerOptions,
  table: RouteTable,
  origin: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const method = incoming.method ?? 'GET';
  const url = new URL(incoming.url ?? '/', origin);
  const body = await readBody(incoming, options.bodyLimitBytes);
  const struck = options.system === 'control' ? null : (options.faults?.strike(options.system, method, url.pathname + url.search) ?? null);
  const found = table.find(method, url.pathname);
  const request: SimRequest = {
    system: options.system === 'control' ? 'media' : options.system,
    method,
    path: url.pathname,
    params: found?.params ?? {},
    query: url.searchParams,
    headers: incoming.headers,
    body: body ?? Buffer.alloc(0),
    origin,
    behaviours: new Set(struck?.fault.behaviour ? [struck.fault.behaviour] : []),
  };
  const effect = (): Promise<Answer> =>
    body ? runHandler(options, request, found?.route) : Promise.resolve(text(413, 'Payload Too Large'));
  const answer = await answerWithFault(struck, effect);
  options.journal?.note(request, answer, struck?.preset ?? (struck ? 'custom' : null));
  await send(outgoing, method, incoming.headers.range, answer, struck?.fault ?? {});
}

async function answerWithFault(struck: StruckFault | null, effect: () => Promise<Answer>): Promise<Answer> {
  if (!struck) return effect();
  const { fault } = struck;
  const replaces = fault.status !== undefined || fault.body !== undefined || fault.cut === true;
  const real = fault.when === 'after' || !replaces ? await effectAfterDelay(fault.when === 'before' ? fault.delayMs : 0, effect) : null;
  if (fault.delayMs && (fault.when === 'after' || replaces)) await pause(fault.delayMs, undefined, { ref: false });
  if (!replaces && real) return { ...real, headers: { ...real.headers, ...fault.headers } };
  const contentType = typeof fault.body === 'string' ? 'text/html; charset=UTF-8' : 'application/json; charset=UTF-8';
  const headers: Record<string, string> = struck.body ? { 'content-type': contentType } : {};
  return { status: fault.status ?? real?.status ?? 500, headers: { ...headers, ...fault.headers }, body: struck.body ?? '' };
}

async function effectAfterDelay(delayMs: number | undefined, effect: () => Promise<Answer>): Promise<Answer> {
  if (delayMs) await pause(delayMs, undefined, { ref: false });
  return effect();
}

async function runHandler(options: SimServerOptions, request: SimRequest, route: Route | undefined): Promise<Answer> {
  let answer: Answer;
  try {
    answer = route ? await route.handle(request) : options.notFound(request);
  } catch (error) {
    answer = error instanceof Refusal ? error.answer : text(500, `simulator defect: ${error instanceof Error ? error.message : 'unknown'}`);
  }
  options.decorate?.(request, answer);
  return answer;
}

/** `null` when the body is over the limit (the rest is drained, so that the client can read the answer). */
async function readBody(incoming: IncomingMessage, limitBytes: number): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= limitBytes) chunks.push(chunk);
  }
  return bytes <= limitBytes ? Buffer.concat(chunks) : null;
}

async function send(
  outgoing: ServerResponse,
  method: string,
  range: string | undefined,
  answer: Answer,
  { cut, truncate }: Partial<Pick<Fault, 'cut' | 'truncate'>>,
): Promise<void> {
  if (cut === true) {
    outgoing.socket?.resetAndDestroy();
    return;
  }
  if (isFileBody(answer.body) && truncate !== undefined) return sendPart(outgoing, answer, answer.body.path, truncate);
  if (isFileBody(answer.body)) return sendFile(outgoing, method, range, answer, answer.body.path, cut);
  const body = Buffer.from(answer.body);
  outgoing.writeHead(answer.status, { ...answer.headers, 'content-length': body.length });
  if (cut !== undefined) return cutAfter(outgoing, body.subarray(0, cut));
  outgoing.end(method === 'HEAD' ? undefined : body);
}

/** A file that lost its end on the host: nothing but its content tells. */
async function sendPart(
  outgoing: ServerResponse,
  answer: Answer,
  path: string,
  { share, length }: NonNullable<Fault['truncate']>,
): Promise<void> {
  const bytes = Math.ceil((await stat(path)).size * share);
  outgoing.useChunkedEncodingByDefault = false;
  outgoing.writeHead(answer.status, { ...answer.headers, connection: 'close', ...(length === 'short' ? { 'content-length': bytes } : {}) });
  if (bytes === 0) outgoing.end();
  else await pipeline(createReadStream(path, { start: 0, end: bytes - 1 }), outgoing);
}

async function sendFile(
  outgoing: ServerResponse,
  method: string,
  rangeHeader: string | undefined,
  answer: Answer,
  path: string,
  cut: number | undefined,
): Promise<void> {
  const { size } = await stat(path);
  const range = answer.status === 200 ? resolveRange(rangeHeader, size) : 'whole';
  if (range === 'unsatisfiable') {
    outgoing.writeHead(416, { 'content-range': `bytes */${size}` }).end();
    return;
  }
  const { start, end } = range === 'whole' ? { start: 0, end: size - 1 } : range;
  const partial = range === 'whole' ? {} : { 'content-range': `bytes ${start}-${end}/${size}` };
  outgoing.writeHead(range === 'whole' ? answer.status : 206, {
    ...answer.headers,
    ...partial,
    'accept-ranges': 'bytes',
    'content-length': end - start + 1,
  });
  if (method === 'HEAD' || size === 0) {
    outgoing.end();
    return;
  }
  const stream = createReadStream(path, { start, end: cut === undefined ? end : Math.min(end, start + Math.max(cut, 1) - 1) });
  await pipeline(stream, outgoing, { end: cut === undefined });
  if (cut !== undefined) cutAfter(outgoing, Buffer.alloc(0));
}

function cutAfter(outgoing: ServerResponse, bytes: Buffer): void {
  outgoing.flushHeaders();
  if (bytes.length === 0) outgoing.socket?.end();
  else outgoing.write(bytes, () => outgoing.socket?.end());
}
