import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HealthCheck {
  ok: boolean;
  /** A sentence for a person. */
  detail: string;
}

export type HealthChecks = Record<string, () => Promise<HealthCheck>>;

export interface HealthServerOptions {
  /** 0 takes a free port. */
  port: number;
  host?: string;
  checks: HealthChecks;
  /** Prometheus text; without it /metrics answers 404. */
  metrics?: () => Promise<string>;
  /** A check that takes longer counts as failed; milliseconds, 3000 unless given. */
  checkTimeoutMs?: number;
}

/** `/healthz` (the process lives), `/readyz` (its dependencies, one by one, 503 when one is missing) and `/metrics`. */
export class HealthServer {
  private server: Server | null = null;
  private draining = false;

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

  /** From now on not ready, whatever the checks say: the process is on its way out. */
  drain(): void {
    this.draining = true;
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
      const checks = await runChecks(this.options.checks, this.options.checkTimeoutMs ?? 3000);
      const ready = !this.draining && Object.values(checks).every((check) => check.ok);
      const status = this.draining ? 'draining' : ready ? 'ready' : 'not ready';
      send(response, ready ? 200 : 503, 'application/json', JSON.stringify({ status, checks }));
    } else if (path === '/metrics' && this.options.metrics) {
      send(response, 200, 'text/plain; version=0.0.4; charset=utf-8', await this.options.metrics());
    } else {
      send(response, 404, 'application/json', JSON.stringify({ status: 'not found' }));
    }
  }
}

/** Runs all checks side by side; one that throws or takes longer than `timeoutMs` is not ok. */
export async function runChecks(checks: HealthChecks, timeoutMs: number): Promise<Record<string, HealthCheck>> {
  const entries = Object.entries(checks).map(async ([name, check]): Promise<[string, HealthCheck]> => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<HealthCheck>((resolve) => {
      timer = setTimeout(() => resolve({ ok: false, detail: `No answer within ${timeoutMs} ms.` }), timeoutMs);
    });
    try {
      return [name, await Promise.race([check(), late])];
    } catch (error) {
      return [name, { ok: false, detail: error instanceof Error ? error.message : 'The check failed.' }];
    } finally {
      clearTimeout(timer);
    }
  });
  return Object.fromEntries(await Promise.all(entries));
}

function send(response: ServerResponse, status: number, contentType: string, body: string): void {
  response.writeHead(status, { 'content-type': contentType, 'cache-control': 'no-store', connection: 'close' });
  response.end(body);
}
