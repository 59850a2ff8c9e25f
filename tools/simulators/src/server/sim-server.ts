import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Fault, FaultInjector, MatchedFault, SystemName } from '../control/faults';
import type { SimulatedClock } from './clock';
import { type SimResponse, isFileBody, notFound, type NotFound, ResponseError, type Route, type SimRequest, text } from './http';

interface JournalEntry {
  system: string;
  method: string;
  path: string;
  status: number;
  at: string;
  fault: string | null;
}

const KEPT = 5_000;

/** The latest requests to all systems, so that tests can count them. Queries are omitted because they contain tokens. */
export class CallJournal {
  private readonly entries: JournalEntry[] = [];

  constructor(private readonly clock: SimulatedClock) {}

  note(request: SimRequest, response: SimResponse, fault: string | null): void {
    const { system, method, path } = request;
    this.entries.push({ system, method, path, status: response.status, at: this.clock.iso(), fault });
    if (this.entries.length > KEPT) this.entries.shift();
  }

  list(system: string | null): JournalEntry[] {
    return system ? this.entries.filter((entry) => entry.system === system) : [...this.entries];
  }

  reset(): void {
    this.entries.length = 0;
  }
}

/** Configuration of one simulated origin. */
export interface SimulatedSystem {
  name: SystemName;
  routes: readonly Route[];
  notFound: NotFound;
  bodyLimitBytes: number;
  decorate?: (request: SimRequest, response: SimResponse) => void;
}

export function system(name: SystemName, routes: readonly Route[], more: Partial<SimulatedSystem> = {}): SimulatedSystem {
  return { name, routes, notFound, bodyLimitBytes: 2_000_000, ...more };
}

interface CompiledRoute {
  route: Route;
  pattern: RegExp;
}

class RouteTable {
  private readonly compiled: CompiledRoute[];

  constructor(routes: readonly Route[]) {
    this.compiled = routes.map((route) => ({ route, pattern: compile(route.path) }));
  }

  find(method: string, path: string): { route: Route; params: Record<string, string> } | null {
    const wanted = method === 'HEAD' ? 'GET' : method;
    for (const { route, pattern } of this.compiled) {
      const match = route.method === wanted ? pattern.exec(path) : null;
      if (match) return { route, params: decodeParams(match.groups ?? {}) };
    }
    return null;
  }
}

function compile(path: string): RegExp {
  const source = path
    .split('/')
    .map((part) => {
      if (part.startsWith(':') && part.endsWith('*')) return `(?<${part.slice(1, -1)}>.*)`;
      if (part.startsWith(':')) return `(?<${part.slice(1)}>[^/]+)`;
      return part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    })
    .join('/');
  return new RegExp(`^${source}/?$`);
}

function decodeParams(groups: Record<string, string>): Record<string, string> {
  const decoded: Record<string, string> = {};
  for (const [name, value] of Object.entries(groups)) {
    try {
      decoded[name] = decodeURIComponent(value);
    } catch {
      decoded[name] = value;
    }
  }
  return decoded;
}

interface SimServerOptions {
  system: SystemName | 'control';
  host: string;
  /** 0 selects a free port. */
  port: number;
  /** Host name in the public origin. */
  publicHost: string;
  routes: readonly Route[];
  notFound: (request: SimRequest) => SimResponse;
  bodyLimitBytes: number;
  faults: FaultInjector | null;
  journal: CallJournal | null;
  /** Adds the headers that every response of this system has. */
  decorate?: (request: SimRequest, response: SimResponse) => void;
}

export interface RunningServer {
  origin: string;
  port: number;
  close(): Promise<void>;
}

/** Starts the HTTP server of one simulated origin and applies faults to its requests. */
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
  const matched = options.system === 'control' ? null : (options.faults?.match(options.system, method, url.pathname + url.search) ?? null);
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
    behaviours: new Set(matched?.fault.behaviour ? [matched.fault.behaviour] : []),
  };
  const effect = (): Promise<SimResponse> =>
    body ? runHandler(options, request, found?.route) : Promise.resolve(text(413, 'Payload Too Large'));
  const response = await answerWithFault(matched, effect);
  options.journal?.note(request, response, matched?.preset ?? (matched ? 'custom' : null));
  await send(outgoing, method, incoming.headers.range, response, matched?.fault ?? {});
}

async function answerWithFault(matched: MatchedFault | null, effect: () => Promise<SimResponse>): Promise<SimResponse> {
  if (!matched) return effect();
  const { fault } = matched;
  const replaces = fault.status !== undefined || fault.body !== undefined || fault.cut === true;
  const real = fault.when === 'after' || !replaces ? await effectAfterDelay(fault.when === 'before' ? fault.delayMs : 0, effect) : null;
  if (fault.delayMs && (fault.when === 'after' || replaces)) await pause(fault.delayMs, undefined, { ref: false });
  if (!replaces && real) return { ...real, headers: { ...real.headers, ...fault.headers } };
  const contentType = typeof fault.body === 'string' ? 'text/html; charset=UTF-8' : 'application/json; charset=UTF-8';
  const headers: Record<string, string> = matched.body ? { 'content-type': contentType } : {};
  return { status: fault.status ?? real?.status ?? 500, headers: { ...headers, ...fault.headers }, body: matched.body ?? '' };
}

async function effectAfterDelay(delayMs: number | undefined, effect: () => Promise<SimResponse>): Promise<SimResponse> {
  if (delayMs) await pause(delayMs, undefined, { ref: false });
  return effect();
}

async function runHandler(options: SimServerOptions, request: SimRequest, route: Route | undefined): Promise<SimResponse> {
  let response: SimResponse;
  try {
    response = route ? await route.handle(request) : options.notFound(request);
  } catch (error) {
    response =
      error instanceof ResponseError
        ? error.response
        : text(500, `simulator defect: ${error instanceof Error ? error.message : 'unknown'}`);
  }
  options.decorate?.(request, response);
  return response;
}

/** `null` when the body exceeds the limit; the rest is drained, so that the client can read the response. */
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
  response: SimResponse,
  { cut, truncate }: Partial<Pick<Fault, 'cut' | 'truncate'>>,
): Promise<void> {
  if (cut === true) {
    outgoing.socket?.resetAndDestroy();
    return;
  }
  if (isFileBody(response.body) && truncate !== undefined) return sendPart(outgoing, response, response.body.path, truncate);
  if (isFileBody(response.body)) return sendFile(outgoing, method, range, response, response.body.path, cut);
  const body = Buffer.from(response.body);
  outgoing.writeHead(response.status, { ...response.headers, 'content-length': body.length });
  if (cut !== undefined) return cutAfter(outgoing, body.subarray(0, cut));
  outgoing.end(method === 'HEAD' ? undefined : body);
}

/** Sends a truncated file whose headers do not reveal that the end is missing. */
async function sendPart(
  outgoing: ServerResponse,
  response: SimResponse,
  path: string,
  { share, length }: NonNullable<Fault['truncate']>,
): Promise<void> {
  const bytes = Math.ceil((await stat(path)).size * share);
  outgoing.useChunkedEncodingByDefault = false;
  outgoing.writeHead(response.status, {
    ...response.headers,
    connection: 'close',
    ...(length === 'short' ? { 'content-length': bytes } : {}),
  });
  if (bytes === 0) outgoing.end();
  else await pipeline(createReadStream(path, { start: 0, end: bytes - 1 }), outgoing);
}

async function sendFile(
  outgoing: ServerResponse,
  method: string,
  rangeHeader: string | undefined,
  response: SimResponse,
  path: string,
  cut: number | undefined,
): Promise<void> {
  const { size } = await stat(path);
  const range = response.status === 200 ? resolveRange(rangeHeader, size) : 'whole';
  if (range === 'unsatisfiable') {
    outgoing.writeHead(416, { 'content-range': `bytes */${size}` }).end();
    return;
  }
  const { start, end } = range === 'whole' ? { start: 0, end: size - 1 } : range;
  const partial = range === 'whole' ? {} : { 'content-range': `bytes ${start}-${end}/${size}` };
  outgoing.writeHead(range === 'whole' ? response.status : 206, {
    ...response.headers,
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

/** Resolves a `Range` header against a size in bytes. Multiple ranges and other units are ignored, which RFC 9110 permits. */
function resolveRange(headerValue: string | undefined, size: number): 'whole' | 'unsatisfiable' | { start: number; end: number } {
  const match = /^bytes=(\d*)-(\d*)$/.exec(headerValue ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return 'whole';
  const from = match[1] === '' ? null : Number(match[1]);
  const to = match[2] === '' ? null : Number(match[2]);
  const start = from ?? Math.max(0, size - (to ?? 0));
  const end = from === null ? size - 1 : Math.min(size - 1, to ?? size - 1);
  return start >= size || start > end ? 'unsatisfiable' : { start, end };
}
