import type { OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import type { Logger } from '@autoposter/observability';
import type { Database } from '@autoposter/persistence';

const READ_MS = 60_000;

/**
 * Time of the database, continued by the monotonic clock, so that gateways with wrong clocks accept each other's tokens and URLs. Until the
 * first reading it is the time of the process.
 */
export class DatabaseClock implements OnModuleInit, OnModuleDestroy {
  private reading: { time: number; at: number } | null = null;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Pick<Database, 'read'>,
    private readonly logger: Logger,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.read();
    this.timer = setInterval(() => void this.read(), READ_MS).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  readonly now = (): Date => {
    const { reading } = this;
    return reading === null ? new Date() : new Date(reading.time + performance.now() - reading.at);
  };

  private async read(): Promise<void> {
    try {
      const time = (await this.database.read.now()).getTime();
      this.reading = { time, at: performance.now() };
    } catch (error) {
      this.logger.warn({ err: error }, 'the time of the database could not be read; the last reading is used');
    }
  }
}
