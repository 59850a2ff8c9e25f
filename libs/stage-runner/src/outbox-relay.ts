import type { EventBus } from '@autoposter/messaging';
import { outsideOfSpans, silentLogger, type Logger } from '@autoposter/observability';
import type { Database } from '@autoposter/persistence';
import { faultPoint } from './fault-point';

export interface OutboxRelayOptions {
  database: Database;
  bus: EventBus;
  logger?: Logger;
  /** Rows per transaction; 200 unless given. */
  batch?: number;
  /** Milliseconds between two looks for what others left behind; 1000 unless given. */
  sweepMs?: number;
}

const LONGEST_PAUSE_MS = 10_000;

/**
 * Puts outbox rows on the bus: right after each commit of this process, and on a beat for what a dead process left. Rows are claimed by
 * their state under a row lock, so any number of relays can work side by side; a row is marked only after the bus has it, so a crash in
 * between sends it twice and loses none. Nothing here rejects: an outage is waited out.
 */
export class OutboxRelay {
  private wanted = false;
  private working: Promise<void> | null = null;
  private timer: NodeJS.Timeout | null = null;
  private unhook: (() => void) | null = null;
  private failures = 0;
  private stopped = true;
  private readonly logger: Logger;

  constructor(private readonly options: OutboxRelayOptions) {
    this.logger = options.logger ?? silentLogger;
  }

  start(): void {
    this.stopped = false;
    this.unhook = this.options.database.onOutbox(() => this.nudge());
    this.beat();
  }

  /** Looks now; many nudges while it works are one more look. */
  nudge(): void {
    if (this.stopped) return;
    this.wanted = true;
    // During an outage the beat decides when to try again, not each commit.
    if (this.working !== null || this.failures > 0) return;
    // what is sent was asked for by many, not by the one whose commit woke this up
    this.working = outsideOfSpans(() => this.work()).finally(() => (this.working = null));
  }

  /** Sends what can be sent and stops. */
  async stop(): Promise<void> {
    this.unhook?.();
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    await this.working;
    this.stopped = true;
  }

  /** One batch; answers how many messages were sent. Rejects where database or bus is away. */
  async sendBatch(): Promise<number> {
    const limit = this.options.batch ?? 200;
    const sent = await this.options.database.unitOfWork(async (uow) => {
      const rows = await uow.outbox.lockUnsent(limit);
      if (rows.length === 0) return 0;
      faultPoint('outbox:before');
      faultPoint('send:before');
      await this.options.bus.publish(rows.map(({ topic, key, envelope }) => ({ topic, key, value: envelope })));
      faultPoint('send:after');
      await uow.outbox.markSent(rows.map((row) => row.id));
      return rows.length;
    });
    if (sent > 0) faultPoint('outbox:after');
    return sent;
  }

  private async work(): Promise<void> {
    while (this.wanted && !this.stopped) {
      this.wanted = false;
      try {
        const sent = await this.sendBatch();
        if (sent > 0) this.wanted = true;
        if (this.failures > 0) this.logger.info({}, 'the outbox is being sent again');
        this.failures = 0;
      } catch (error) {
        this.failures += 1;
        if (this.failures === 1) this.logger.warn({ error }, 'the outbox cannot be sent now; it is tried again');
        return;
      }
    }
  }

  private beat(): void {
    const sweepMs = this.options.sweepMs ?? 1000;
    const pause = Math.min(sweepMs * 2 ** Math.min(this.failures, 4), Math.max(LONGEST_PAUSE_MS, sweepMs));
    this.timer = setTimeout(() => {
      this.wanted = true;
      this.working ??= this.work().finally(() => (this.working = null));
      void this.working.then(() => {
        if (this.timer !== null) this.beat();
      });
    }, pause);
    this.timer.unref();
  }
}
