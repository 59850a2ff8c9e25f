import { Agent, type ClientRequest, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { api } from '@autoposter/contracts';

const BATCH_SIZE = 200;
const BYTE_INTERVAL_MS = 200;
const BODY_BYTES = 100_000;

/** Idle connections and slow request bodies that load a server. */
export class ConnectionLoad {
  private readonly sockets: Socket[] = [];
  private timer: NodeJS.Timeout | null = null;
  /** Error that limited the number of connections, or `null`. */
  limit: string | null = null;

  constructor(private readonly port: number) {}

  get open(): number {
    return this.sockets.filter((socket) => socket.readyState === 'open').length;
  }

  /** Opens connections that send nothing, up to the limit of the machine. */
  async idle(count: number): Promise<void> {
    for (let made = 0; made < count && this.limit === null; made += BATCH_SIZE) {
      await Promise.all(Array.from({ length: Math.min(BATCH_SIZE, count - made) }, () => this.connect()));
    }
  }

  /** Opens requests whose body arrives byte by byte. */
  async slowBodies(count: number, path: string, token: string): Promise<void> {
    const head = [
      `POST ${path} HTTP/1.1`,
      'Host: 127.0.0.1',
      `Authorization: Bearer ${token}`,
      'Content-Type: application/json',
      `Content-Length: ${BODY_BYTES}`,
    ];
    const sockets = await Promise.all(Array.from({ length: count }, () => this.connect()));
    for (const socket of sockets) socket?.write(`${head.join('\r\n')}\r\n\r\n{"`);
    this.timer = setInterval(() => sockets.forEach((socket) => socket?.writable && socket.write('x')), BYTE_INTERVAL_MS);
  }

  async close(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    const closed = this.sockets.map((socket) => (socket.closed ? null : new Promise((resolve) => socket.once('close', resolve))));
    for (const socket of this.sockets) socket.destroy();
    await Promise.all(closed);
    this.sockets.length = 0;
  }

  private connect(): Promise<Socket | null> {
    return new Promise((resolve) => {
      const socket = connect({ host: '127.0.0.1', port: this.port });
      socket.on('error', (error) => {
        if (socket.connecting || socket.pending) this.limit ??= error.message;
        resolve(null);
      });
      socket.once('connect', () => {
        this.sockets.push(socket);
        // An unread socket emits no close event.
        socket.resume();
        resolve(socket);
      });
    });
  }
}

export interface Latency {
  p50: number;
  p99: number;
  max: number;
  failed: number;
}

/** Durations in milliseconds of `count` requests over `concurrency` persistent connections. */
export async function measure(url: string, token: string, count: number, concurrency: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  const times: number[] = [];
  let left = count;
  const worker = async (): Promise<void> => {
    while ((left -= 1) >= 0) times.push(await timeOf(url, token, agent));
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  agent.destroy();
  return times;
}

/** Infinite for failed requests. */
function timeOf(url: string, token: string, agent: Agent): Promise<number> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const sent = request(url, { agent, headers: { authorization: `Bearer ${token}` }, timeout: 20_000 }, (answer) => {
      answer.resume();
      answer.once('end', () => resolve(answer.statusCode === 200 ? performance.now() - startedAt : Infinity));
    });
    sent.once('timeout', () => sent.destroy());
    sent.once('error', () => resolve(Infinity));
    sent.end();
  });
}

export function summaryOf(times: readonly number[]): Latency {
  const good = times.filter(Number.isFinite).sort((a, b) => a - b);
  const at = (share: number): number => Math.round((good[Math.min(good.length - 1, Math.floor(good.length * share))] ?? 0) * 100) / 100;
  return { p50: at(0.5), p99: at(0.99), max: at(1), failed: times.length - good.length };
}

interface Measurement {
  pending: Set<LiveStream>;
  at: number[];
  startedAt: number;
  done: () => void;
}

/** Clients of the live event stream; measures how long one event takes to reach all of them. */
export class LiveStreams {
  private readonly streams: LiveStream[] = [];
  private measurement: Measurement | null = null;

  constructor(private readonly address: string) {}

  /** Resolves when the stream is open. */
  async open(token: string): Promise<void> {
    const stream = new LiveStream(() => this.onEvent(stream));
    this.streams.push(stream);
    await stream.open(`${this.address}${api.live.events.path}`, token);
  }

  /** Milliseconds from the start of `trigger` to the event of each client, ascending; clients without an event in time are missing. */
  async fanout(trigger: () => Promise<void>, withinMs: number): Promise<number[]> {
    return new Promise((resolve, reject) => {
      const measurement: Measurement = { pending: new Set(this.streams), at: [], startedAt: performance.now(), done: () => undefined };
      const timer = setTimeout(() => measurement.done(), withinMs);
      measurement.done = () => {
        clearTimeout(timer);
        this.measurement = null;
        resolve(measurement.at);
      };
      this.measurement = measurement;
      trigger().catch(reject);
    });
  }

  close(): void {
    for (const stream of this.streams) stream.close();
  }

  private onEvent(stream: LiveStream): void {
    const { measurement } = this;
    if (measurement === null || !measurement.pending.delete(stream)) return;
    measurement.at.push(performance.now() - measurement.startedAt);
    if (measurement.pending.size === 0) measurement.done();
  }
}

class LiveStream {
  private sent: ClientRequest | null = null;

  constructor(private readonly onFact: () => void) {}

  open(url: string, token: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.sent = request(url, { agent: false, headers: { authorization: `Bearer ${token}` } }, (answer) => {
        if (answer.statusCode !== 200) return reject(new Error(`a stream was rejected with ${answer.statusCode}`));
        answer.setEncoding('utf8');
        answer.on('data', (text: string) => text.includes('event: fact') && this.onFact());
        answer.on('error', () => undefined);
        resolve();
      });
      this.sent.on('error', reject);
      this.sent.end();
    });
  }

  close(): void {
    this.sent?.destroy();
  }
}
