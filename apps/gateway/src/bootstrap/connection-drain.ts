import type { Server, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Ends kept-alive connections without losing a request: a connection is closed together with a response, which tells the peer in advance.
 * A connection that is closed while it is idle may cross with a request that is already under way.
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

  /** Still takes requests for `ms`, and announces with each response that its connection ends; then closes those that are idle. */
  async drain(ms: number): Promise<void> {
    this.draining = true;
    for (const response of this.open) if (!response.headersSent) response.setHeader('Connection', 'close');
    await pause(ms);
    this.server.closeIdleConnections();
  }
}
