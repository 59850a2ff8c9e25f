import { errorText } from './bus-failures';
import type { BusLogger, Subscription, SubscribeOptions } from './event-bus.port';
import { readMessage } from './read-message';

export interface ClaimedDelivery {
  id: string;
  key: string;
  text: string;
}

/** Deliveries of one group and topic, claimed under a lease. At most one delivery per key may be claimed at a time. */
export interface DeliverySource {
  claim(limit: number): Promise<ClaimedDelivery[]>;
  settle(ids: readonly string[]): Promise<void>;
  /** Releases claims; others may claim after `delayMs`. */
  postpone(ids: readonly string[], delayMs: number): Promise<void>;
  /** Extends the lease; returns the deliveries that this consumer still owns. */
  renew(ids: readonly string[]): Promise<readonly string[]>;
}

export interface ClaimSettings {
  /** Maximum number of delivered, unsettled messages. */
  maxInFlight: number;
  pollMs: number;
  leaseMs: number;
  /** Delay before a rejected message is redelivered. */
  redeliverMs: number;
}

const CLAIM_AT_ONCE = 50;

/** Claims deliveries, delivers them and renews their lease until they are settled. A wake-up is only a hint: the poll finds everything. */
export class ClaimConsumer implements Subscription {
  readonly stallRestarts = 0;
  private readonly inFlight = new Set<string>();
  /** Settled by the handler but not yet in the source. Their lease is renewed too. */
  private readonly ended = new Set<string>();
  private paused = false;
  private stopping = false;
  private woken = false;
  private wakeUp: (() => void) | null = null;
  private onEnded: (() => void) | null = null;
  private flushing: Promise<void> | null = null;
  private drained: Promise<void> | null = null;
  private readonly renewTimer: NodeJS.Timeout;
  private readonly loop: Promise<void>;

  constructor(
    private readonly source: DeliverySource,
    private readonly options: SubscribeOptions,
    private readonly settings: ClaimSettings,
    private readonly logger: BusLogger,
  ) {
    this.renewTimer = setInterval(() => void this.renew(), settings.leaseMs / 3);
    this.renewTimer.unref();
    this.loop = this.run();
  }

  wake(): void {
    this.woken = true;
    this.wakeUp?.();
  }

  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
    this.wake();
  }

  drain(deadlineMs: number): Promise<void> {
    this.drained ??= this.end(deadlineMs);
    return this.drained;
  }

  private async end(deadlineMs: number): Promise<void> {
    this.stopping = true;
    this.wake();
    await this.loop;
    if (this.inFlight.size > 0 && deadlineMs > 0) await this.waitUntilEmpty(deadlineMs);
    clearInterval(this.renewTimer);
    const left = [...this.inFlight];
    this.inFlight.clear();
    await this.flush();
    if (left.length > 0) await this.release(left, 0);
  }

  private waitUntilEmpty(deadlineMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, deadlineMs);
      this.onEnded = () => {
        if (this.inFlight.size > 0) return;
        clearTimeout(timer);
        resolve();
      };
    });
  }

  private async run(): Promise<void> {
    while (!this.stopping) {
      const more = await this.claimOnce();
      if (!more && !this.stopping) await this.waitForWork();
    }
  }

  /** True if more deliveries may be claimable now. */
  private async claimOnce(): Promise<boolean> {
    const bound = Math.min(this.options.maxInFlight ?? this.settings.maxInFlight, this.settings.maxInFlight);
    const demand = this.options.demand?.() ?? CLAIM_AT_ONCE;
    const freeSlots = Math.min(CLAIM_AT_ONCE, demand, bound - this.inFlight.size - this.ended.size);
    if (this.paused || freeSlots <= 0) return false;
    let claimed: ClaimedDelivery[];
    try {
      claimed = await this.source.claim(freeSlots);
    } catch (error) {
      this.logger.warn({ ...this.logFields(), error: errorText(error) }, 'could not claim messages; retrying');
      return false;
    }
    // pause() may have been called while the claim was in flight
    if (this.paused || this.stopping) {
      if (claimed.length > 0)
        await this.release(
          claimed.map((one) => one.id),
          0,
        );
      return false;
    }
    for (const delivery of claimed) void this.deliver(delivery);
    return claimed.length === freeSlots;
  }

  private waitForWork(): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.wakeUp = null;
        this.woken = false;
        resolve();
      };
      const timer = setTimeout(done, this.settings.pollMs);
      this.wakeUp = done;
      if (this.woken) done();
    });
  }

  private async deliver(delivery: ClaimedDelivery): Promise<void> {
    const { id, key, text } = delivery;
    // its own lease expired while the process was frozen, and the work still runs here
    if (this.inFlight.has(id) || this.ended.has(id)) return;
    this.inFlight.add(id);
    const { topic, schema, handle, onQuarantine } = this.options;
    const read = readMessage(text, schema);
    try {
      if (read.ok) await handle({ topic, key, envelope: read.envelope, settle: () => this.settle(id) });
      else {
        await onQuarantine({ topic, partition: 0, offset: id, text, reason: read.reason });
        this.settle(id);
      }
    } catch (error) {
      if (!this.inFlight.delete(id)) return;
      this.logger.warn({ ...this.logFields(), messageId: id, error: errorText(error) }, 'a handler rejected a message; it is redelivered');
      await this.release([id], this.settings.redeliverMs);
      this.onEnded?.();
      setTimeout(() => this.wake(), this.settings.redeliverMs).unref();
    }
  }

  private settle(id: string): void {
    if (!this.inFlight.delete(id)) return;
    this.ended.add(id);
    this.onEnded?.();
    // deliveries that end in one event-loop turn are settled in one statement
    setImmediate(() => void this.flush());
  }

  private async flush(): Promise<void> {
    if (this.flushing) {
      await this.flushing;
      if (this.ended.size === 0) return;
    }
    this.flushing ??= this.settleEnded().finally(() => (this.flushing = null));
    await this.flushing;
  }

  private async settleEnded(): Promise<void> {
    const ids = [...this.ended];
    if (ids.length === 0) return;
    try {
      await this.source.settle(ids);
      for (const id of ids) this.ended.delete(id);
      this.wake();
    } catch (error) {
      // the next renewal retries
      this.logger.warn({ ...this.logFields(), error: errorText(error) }, 'could not settle messages; retrying');
    }
  }

  private async renew(): Promise<void> {
    if (this.ended.size > 0) await this.flush();
    const ids = [...this.inFlight, ...this.ended];
    if (ids.length === 0) return;
    try {
      const ours = new Set(await this.source.renew(ids));
      // a delivery settled or released while the statement ran is not lost
      const lost = ids.filter((id) => !ours.has(id) && (this.inFlight.has(id) || this.ended.has(id)));
      for (const id of lost) {
        this.inFlight.delete(id);
        this.ended.delete(id);
      }
      this.onEnded?.();
      if (lost.length > 0) this.logger.warn({ ...this.logFields(), lost: lost.length }, 'messages were claimed by another consumer');
    } catch (error) {
      this.logger.warn({ ...this.logFields(), error: errorText(error) }, 'could not renew the lease of messages');
    }
  }

  private async release(ids: readonly string[], delayMs: number): Promise<void> {
    try {
      await this.source.postpone(ids, delayMs);
    } catch (error) {
      // they are redelivered when their lease expires
      this.logger.warn({ ...this.logFields(), error: errorText(error) }, 'could not release messages');
    }
  }

  private logFields(): { group: string; topic: string } {
    return { group: this.options.group, topic: this.options.topic };
  }
}
