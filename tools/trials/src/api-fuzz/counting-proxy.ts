import { Agent, createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const KEPT_BODY = 600;

/** An answer that no request may get. */
export interface Broken {
  method: string;
  url: string;
  status: number;
  body: string;
  sent: string;
}

/** Stands before the gateway and counts its answers by status, so that the count does not depend on what the fuzzer says about itself. */
export class CountingProxy {
  readonly byStatus = new Map<number, number>();
  readonly broken: Broken[] = [];
  count = 0;
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 64 });
  private readonly server = createServer((incoming, outgoing) => this.pass(incoming, outgoing));

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

  private pass(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { method = 'GET', url = '/', headers } = incoming;
    const sent = kept(incoming);
    const onward = ask(this.target + url, { method, headers, agent: this.agent }, (answer) => {
      const got = kept(answer);
      answer.once('end', () => this.note({ method, url, status: answer.statusCode ?? 0, body: got(), sent: sent() }));
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', (error) => {
      this.note({ method, url, status: 0, body: error.message, sent: sent() });
      outgoing.destroy();
    });
    incoming.pipe(onward);
  }

  private note(seen: Broken): void {
    this.count += 1;
    this.byStatus.set(seen.status, (this.byStatus.get(seen.status) ?? 0) + 1);
    if (seen.status >= 500 || seen.status === 0) this.broken.push(seen);
  }
}

/** The beginning of what comes through, once it has. */
function kept(stream: IncomingMessage): () => string {
  let text = '';
  stream.on('data', (chunk: Buffer) => {
    if (text.length < KEPT_BODY) text += chunk.toString('utf8').slice(0, KEPT_BODY);
  });
  return () => text;
}
