import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SeenRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: string;
}

export type Handler = (request: SeenRequest, response: ServerResponse) => void;

/**
 * A bare HTTP server on 127.0.0.1 for the specs of this library. It hands out tokens `token1`, `token2`, … unless `token` is replaced,
 * and answers everything else by the handler of the moment.
 */
export class RedditServerFake {
  readonly seen: SeenRequest[] = [];
  handler: Handler = (_request, response) => json(response, 404, { message: 'Not Found', error: 404 });
  token: Handler = (_request, response) =>
    json(response, 200, { access_token: `token${++this.tokens}`, token_type: 'bearer', expires_in: 86_400, scope: '*' });
  private tokens = 0;
  private readonly firstToken = this.token;

  private constructor(
    private readonly server: Server,
    readonly origin: string,
  ) {}

  static async start(): Promise<RedditServerFake> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const fake = new RedditServerFake(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.on('request', (request: IncomingMessage, response: ServerResponse) => fake.take(request, response));
    return fake;
  }

  reset(): void {
    this.seen.length = 0;
    this.tokens = 0;
    this.token = this.firstToken;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Requests to the API and the www origin, without those for tokens. */
  get calls(): SeenRequest[] {
    return this.seen.filter((seen) => seen.path !== '/api/v1/access_token');
  }

  private take(request: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const url = new URL(request.url ?? '/', this.origin);
      const seen: SeenRequest = {
        method: request.method ?? '',
        path: url.pathname,
        query: url.searchParams,
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      };
      this.seen.push(seen);
      (url.pathname === '/api/v1/access_token' ? this.token : this.handler)(seen, response);
    });
  }
}

export function json(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8', ...headers }).end(JSON.stringify(body));
}

export const listingOf = (...posts: unknown[]) => ({
  kind: 'Listing',
  data: { after: null, before: null, dist: posts.length, children: posts.map((data) => ({ kind: 't3', data })) },
});
