import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SeenRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: string;
}

export type Handler = (request: SeenRequest, response: ServerResponse) => void;

/** A bare HTTP server on 127.0.0.1 for specs of clients: answers by the handler of the moment and remembers what was asked. */
export class HttpServerFake {
  readonly seen: SeenRequest[] = [];
  handler: Handler = (_request, response) => respond(response, 404, { message: 'Not Found', error: 404 });
  origin = '';
  private readonly server = createServer((request, response) => this.take(request, response));

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    this.origin = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return this;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  reset(): void {
    this.seen.length = 0;
  }

  protected handlerOf(_request: SeenRequest): Handler {
    return this.handler;
  }

  private take(request: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { pathname: path, searchParams: query } = new URL(request.url ?? '/', this.origin);
      const { method = '', headers } = request;
      const seen = { method, path, query, headers, body: Buffer.concat(chunks).toString() };
      this.seen.push(seen);
      this.handlerOf(seen)(seen, response);
    });
  }
}

export function respond(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8', ...headers }).end(JSON.stringify(body));
}
