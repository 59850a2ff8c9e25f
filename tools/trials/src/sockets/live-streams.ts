import { request, type ClientRequest } from 'node:http';
import { api } from '@autoposter/contracts';

interface Waiting {
  until: Set<LiveStream>;
  at: number[];
  startedAt: number;
  done: () => void;
}

/** Many readers of the live stream, and how long one event takes to reach all of them. */
export class LiveStreams {
  private readonly streams: LiveStream[] = [];
  private waiting: Waiting | null = null;

  constructor(private readonly address: string) {}

  /** Resolves when the stream stands. */
  async open(token: string): Promise<void> {
    const stream = new LiveStream(() => this.heard(stream));
    this.streams.push(stream);
    await stream.open(`${this.address}${api.live.events.path}`, token);
  }

  /** Milliseconds from the beginning of `cause` until each reader had an event, longest last; what did not come in time is missing. */
  async spread(cause: () => Promise<void>, withinMs: number): Promise<number[]> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { until: new Set(this.streams), at: [], startedAt: performance.now(), done: () => undefined };
      const timer = setTimeout(() => waiting.done(), withinMs);
      waiting.done = () => {
        clearTimeout(timer);
        this.waiting = null;
        resolve(waiting.at);
      };
      this.waiting = waiting;
      cause().catch(reject);
    });
  }

  close(): void {
    for (const stream of this.streams) stream.close();
  }

  private heard(stream: LiveStream): void {
    const { waiting } = this;
    if (waiting === null || !waiting.until.delete(stream)) return;
    waiting.at.push(performance.now() - waiting.startedAt);
    if (waiting.until.size === 0) waiting.done();
  }
}

class LiveStream {
  private asked: ClientRequest | null = null;

  constructor(private readonly onFact: () => void) {}

  open(url: string, token: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.asked = request(url, { agent: false, headers: { authorization: `Bearer ${token}` } }, (answer) => {
        if (answer.statusCode !== 200) return reject(new Error(`a stream was answered with ${answer.statusCode}`));
        answer.setEncoding('utf8');
        answer.on('data', (text: string) => text.includes('event: fact') && this.onFact());
        answer.on('error', () => undefined);
        resolve();
      });
      this.asked.on('error', reject);
      this.asked.end();
    });
  }

  close(): void {
    this.asked?.destroy();
  }
}
