import { createServer, type Server } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';

/** In milliseconds. */
interface HttpTimeouts {
  /** Until the headers are complete. */
  headersMs: number;
  /** Until the body is complete. */
  requestMs: number;
  /** Between two requests of one connection; longer than the usual 60 s of proxies, so that the proxy closes first. */
  idleMs: number;
  /** How often these limits are enforced. */
  checkMs: number;
}

const HTTP_TIMEOUTS: HttpTimeouts = { headersMs: 15_000, requestMs: 30_000, idleMs: 65_000, checkMs: 5_000 };

/** Cuts off slow clients (slowloris). Does not limit the time of a response. */
export class TimeoutHttpAdapter extends ExpressAdapter {
  constructor(private readonly timeouts: HttpTimeouts = HTTP_TIMEOUTS) {
    super();
  }

  override initHttpServer(): void {
    const { headersMs, requestMs, idleMs, checkMs } = this.timeouts;
    const server: Server = createServer(
      { headersTimeout: headersMs, requestTimeout: requestMs, keepAliveTimeout: idleMs, connectionsCheckingInterval: checkMs },
      this.getInstance(),
    );
    this.httpServer = server;
  }
}
