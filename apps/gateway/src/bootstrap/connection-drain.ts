import type { Server, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Ends keep-alive connections without losing a request: `Connection: close` in a response announces the end. Closing an idle connection
 * immediately can race with a request that is already in flight.
 */
export class ConnectionDrain {
  private readonly open = new Set<ServerResponse>();
  private draining = false;

  constructor(private readonly server: Server) {
    server.prependListener('request', (_request, response: ServerResponse) => {
      this.open.add(response);
      response.once('close', () => this.open.delete(response));
      if (this.draining) response.setHeader('Connection', 'close');
    });
  }

  /** Accepts requests for another `ms` milliseconds and announces the end in each response, then closes idle connections. */
  async drain(ms: number): Promise<void> {
    this.draining = true;
    for (const response of this.open) if (!response.headersSent) response.setHeader('Connection', 'close');
    await pause(ms);
    this.server.closeIdleConnections();
  }
}
