import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Fault, FaultInjector, MatchedFault, SystemName } from '../control/faults';
import type { SimulatedClock } from './clock';
import { type Handler, type SimResponse, notFound, ResponseError, type Route, type SimRequest, text } from './http';

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

/** One simulated origin. */
interface SimulatedSystem {
  name: SystemName | 'control';
  routes: readonly Route[];
  notFound: Handler;
  bodyLimitBytes: number;
  /** Adds the headers that every response of this system has. */
  decorate?: (response: SimResponse) => void;
}

/** One simulated service; `reset` restores settings, rate limits and tokens. */
export interface Simulation<Settings extends object> {
  settings: Settings;
  systems: SimulatedSystem[];
  reset(): void;
}

export function system(
  name: SimulatedSystem['name'],
  routes: readonly Route[],
  more: Partial<Omit<SimulatedSystem, 'name' | 'routes'>> = {},
): SimulatedSystem {
  return { name, routes, notFound, bodyLimitBytes: 2_000_000, ...more };
}

class RouteTable {
  private readonly compiled: { route: Route; pattern: RegExp }[];

  constructor(routes: readonly Route[]) {
    this.compiled = routes.map((route) => ({ route, pattern: compile(route.path) }));
  }

  find(method: string, path: string): { route: Route; params: Record<string, string> } | null {
    const wanted = method === 'HEAD' ? 'GET' : method;
    for (const { route, pattern } of this.compiled) {
      const match = route.method === wanted ? pattern.exec(path) : null;
      if (match)
        return { route, params: Object.fromEntries(Object.entries(match.groups ?? {}).map(([name, value]) => [name, decoded(value)])) };
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

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

interface SimServerOptions extends SimulatedSystem {
  host: string;
  /** 0 selects a free port. */
  port: number;
  /** Host name in the public origin. */
  publicHost: string;
  faults: FaultInjector | null;
  journal: CallJournal | null;
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
  server.listen(options.port, options.host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  origin = `http://${options.publicHost}:${port}`;
  const close = async (): Promise<void> => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  return { origin, port, close };
}

async function serve(
  options: SimServerOptions,
  table: RouteTable,
  origin: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const { name } = options;
  const method = incoming.method ?? 'GET';
  const url = new URL(incoming.url ?? '/', origin);
  const body = await readBody(incoming, options.bodyLimitBytes);
  const matched = (name !== 'control' && options.faults?.match(name, method, url.pathname + url.search)) || null;
  const found = table.find(method, url.pathname);
  const request: SimRequest = {
    system: name,
    method,
    path: url.pathname,
    params: found?.params ?? {},
    query: url.searchParams,
    headers: incoming.headers,
    body: body ?? Buffer.alloc(0),
    origin,
    behaviours: new Set(matched?.fault.behaviour ? [matched.fault.behaviour] : []),
  };
  const effect = async (): Promise<SimResponse> => (body ? runHandler(options, request, found?.route) : text(413, 'Payload Too Large'));
  const response = await answerWithFault(matched, effect);
  options.journal?.note(request, response, matched?.preset ?? (matched ? 'custom' : null));
  await send(outgoing, request, response, matched?.fault ?? {});
}

const waitFor = (ms: number): Promise<void> => pause(ms, undefined, { ref: false });

/** The response to a request whose own response is `effect`. A fault may precede, follow or replace it; `cut` is left to the transport. */
export async function answerWithFault(
  matched: MatchedFault | null,
  effect: () => Promise<SimResponse>,
  wait: (ms: number) => Promise<void> = waitFor,
): Promise<SimResponse> {
  if (!matched) return effect();
  const { fault, body } = matched;
  const replaces = fault.status !== undefined || fault.body !== undefined || fault.cut === true;
  const delay = (): Promise<void> => wait(fault.delayMs ?? 0);
  if (!replaces && fault.when === 'before') await delay();
  const real = fault.when === 'after' || !replaces ? await effect() : null;
  if (replaces || fault.when === 'after') await delay();
  if (!replaces && real) return { ...real, headers: { ...real.headers, ...fault.headers } };
  const type = typeof fault.body === 'string' ? 'text/html' : 'application/json';
  const headers: Record<string, string> = body ? { 'content-type': `${type}; charset=UTF-8` } : {};
  return { status: fault.status ?? real?.status ?? 500, headers: { ...headers, ...fault.headers }, body: body ?? '' };
}

export async function runHandler(
  options: Pick<SimulatedSystem, 'notFound' | 'decorate'>,
  request: SimRequest,
  route: Route | undefined,
): Promise<SimResponse> {
  let response: SimResponse;
  try {
    response = await (route?.handle ?? options.notFound)(request);
  } catch (error) {
    response =
      error instanceof ResponseError
        ? error.response
        : text(500, `simulator defect: ${error instanceof Error ? error.message : 'unknown'}`);
  }
  options.decorate?.(response);
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
  { method, headers }: SimRequest,
  { status, headers: own, body }: SimResponse,
  { cut, truncate }: Partial<Fault>,
): Promise<void> {
  if (cut === true) return void outgoing.socket?.resetAndDestroy();
  const whole = typeof body === 'string' ? Buffer.from(body) : null;
  const path = typeof body === 'string' ? '' : body.path;
  const size = whole?.length ?? (await stat(path)).size;
  if (!whole && truncate) {
    // the headers do not reveal that the end is missing
    outgoing.useChunkedEncodingByDefault = false;
    const bytes = Math.ceil(size * truncate.share);
    outgoing.writeHead(status, { ...own, connection: 'close', ...(truncate.length === 'short' ? { 'content-length': bytes } : {}) });
    return void (bytes === 0 ? outgoing.end() : await pipeline(createReadStream(path, { start: 0, end: bytes - 1 }), outgoing));
  }
  const range = whole || status !== 200 ? null : rangeOf(headers.range, size);
  if (range === 'unsatisfiable') return void outgoing.writeHead(416, { 'content-range': `bytes */${size}` }).end();
  const { start, end } = range ?? { start: 0, end: size - 1 };
  outgoing.writeHead(range ? 206 : status, {
    ...own,
    ...(range ? { 'content-range': `bytes ${start}-${end}/${size}` } : {}),
    ...(whole ? {} : { 'accept-ranges': 'bytes' }),
    'content-length': end - start + 1,
  });
  if (method === 'HEAD' || size === 0) return void outgoing.end();
  const last = cut === undefined ? end : Math.min(end, start + cut - 1);
  const content = whole ? Readable.from([whole.subarray(start, last + 1)]) : createReadStream(path, { start, end: Math.max(start, last) });
  outgoing.flushHeaders();
  await pipeline(content, outgoing, { end: cut === undefined });
  if (cut !== undefined) outgoing.socket?.end();
}

/** Resolves a `Range` header against a size in bytes. Multiple ranges and other units are ignored, which RFC 9110 permits. */
function rangeOf(headerValue: string | undefined, size: number): null | 'unsatisfiable' | { start: number; end: number } {
  const match = /^bytes=(\d*)-(\d*)$/.exec(headerValue ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return null;
  const from = match[1] === '' ? null : Number(match[1]);
  const to = match[2] === '' ? null : Number(match[2]);
  const start = from ?? Math.max(0, size - (to ?? 0));
  const end = from === null ? size - 1 : Math.min(size - 1, to ?? size - 1);
  return start >= size || start > end ? 'unsatisfiable' : { start, end };
}
