import { createServer, type Server } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';

/** How long a peer may take, in milliseconds. */
interface HttpTimeouts {
  /** From the first byte, or from connecting, to the end of the headers. */
  headersMs: number;
  /** To the end of the body. */
  requestMs: number;
  /** Between two requests over one connection; longer than the 60 s after which proxies commonly give up, so that we never hang up first. */
  idleMs: number;
  /** How often the above are looked at. */
  lookMs: number;
}

const HTTP_TIMEOUTS: HttpTimeouts = { headersMs: 15_000, requestMs: 30_000, idleMs: 65_000, lookMs: 5_000 };

/** A server that cuts off who is slow on purpose; what is asked in time is answered however long that takes. */
export class TimeoutHttpAdapter extends ExpressAdapter {
  constructor(private readonly patience: HttpTimeouts = HTTP_TIMEOUTS) {
    super();
  }

  override initHttpServer(): void {
    const { headersMs, requestMs, idleMs, lookMs } = this.patience;
    const server: Server = createServer(
      { headersTimeout: headersMs, requestTimeout: requestMs, keepAliveTimeout: idleMs, connectionsCheckingInterval: lookMs },
      this.getInstance(),
    );
    this.httpServer = server;
  }
}
