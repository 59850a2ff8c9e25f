import { Agent, createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const KEPT_BODY = 600;

/** A response with status 500 or above, or a failed connection (status 0). */
export interface BrokenResponse {
  method: string;
  url: string;
  status: number;
  body: string;
  sent: string;
}

/** Forwards requests to the gateway and counts responses by status, independently of the fuzzer's own report. */
export class CountingProxy {
  readonly byStatus = new Map<number, number>();
  readonly broken: BrokenResponse[] = [];
  count = 0;
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 64 });
  private readonly server = createServer((incoming, outgoing) => this.forward(incoming, outgoing));

  constructor(private readonly target: string) {}

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): Promise<void> {
    this.agent.destroy();
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private forward(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { method = 'GET', url = '/', headers } = incoming;
    const sent = collect(incoming);
    const forwarded = send(this.target + url, { method, headers, agent: this.agent }, (answer) => {
      const got = collect(answer);
      answer.once('end', () => this.record({ method, url, status: answer.statusCode ?? 0, body: got(), sent: sent() }));
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    forwarded.on('error', (error) => {
      this.record({ method, url, status: 0, body: error.message, sent: sent() });
      outgoing.destroy();
    });
    incoming.pipe(forwarded);
  }

  private record(seen: BrokenResponse): void {
    this.count += 1;
    this.byStatus.set(seen.status, (this.byStatus.get(seen.status) ?? 0) + 1);
    if (seen.status >= 500 || seen.status === 0) this.broken.push(seen);
  }
}

/** Collects the start of a stream while it is piped. */
function collect(stream: IncomingMessage): () => string {
  let text = '';
  stream.on('data', (chunk: Buffer) => {
    if (text.length < KEPT_BODY) text += chunk.toString('utf8').slice(0, KEPT_BODY);
  });
  return () => text;
}
