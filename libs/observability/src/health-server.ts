import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Health } from './health';

interface HealthServerOptions {
  /** 0 takes a free port. */
  port: number;
  host?: string;
  health: Health;
  /** Prometheus text; without it /metrics answers 404. */
  metrics?: () => Promise<string>;
}

/**
 * The management port: `/healthz` (the process is alive), `/readyz` (its dependencies, one by one; 503 without a required one) and
 * `/metrics`. For probes and monitoring, never for browsers.
 */
export class HealthServer {
  private server: Server | null = null;

  constructor(private readonly options: HealthServerOptions) {}

  /** Resolves with the port once it listens. */
  async listen(): Promise<number> {
    const server = createServer((request, response) => {
      this.answer(request.url ?? '/', response).catch((error: unknown) => {
        send(
          response,
          500,
          'application/json',
          JSON.stringify({ status: 'error', message: error instanceof Error ? error.message : 'unknown' }),
        );
      });
    });
    this.server = server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.options.port, this.options.host ?? '127.0.0.1', () => resolve());
    });
    return (server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    const { server } = this;
    if (server === null) return;
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
    this.server = null;
  }

  private async answer(url: string, response: ServerResponse): Promise<void> {
    const path = url.split('?')[0];
    if (path === '/healthz') {
      send(response, 200, 'application/json', JSON.stringify({ status: 'ok' }));
    } else if (path === '/readyz') {
      const { ready, status, checks } = await this.options.health.readiness(0);
      send(response, ready ? 200 : 503, 'application/json', JSON.stringify({ status, checks }));
    } else if (path === '/metrics' && this.options.metrics) {
      send(response, 200, 'text/plain; version=0.0.4; charset=utf-8', await this.options.metrics());
    } else {
      send(response, 404, 'application/json', JSON.stringify({ status: 'not found' }));
    }
  }
}

function send(response: ServerResponse, status: number, contentType: string, body: string): void {
  response.writeHead(status, { 'content-type': contentType, 'cache-control': 'no-store', connection: 'close' });
  response.end(body);
}
