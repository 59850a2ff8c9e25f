import { wordsOf } from './bus-failures';
import type { BusLogger, Subscription, SubscribeOptions } from './event-bus.port';
import { readMessage } from './read-message';

export interface ClaimedDelivery {
  id: string;
  key: string;
  text: string;
}

/** Where deliveries of one group and topic are claimed under a lease. At most one delivery of a key may be out at a time. */
export interface DeliverySource {
  claim(limit: number): Promise<ClaimedDelivery[]>;
  settle(ids: readonly string[]): Promise<void>;
  /** Gives back; others may claim after `delayMs`. */
  postpone(ids: readonly string[], delayMs: number): Promise<void>;
  /** Pushes the lease out; answers which deliveries are still ours. */
  renew(ids: readonly string[]): Promise<readonly string[]>;
}

export interface ClaimSettings {
  /** Messages handed over and not settled, at most. */
  maxInFlight: number;
  pollMs: number;
  leaseMs: number;
  /** Pause before a message comes again whose handler rejected. */
  redeliverMs: number;
}

const CLAIM_AT_ONCE = 50;

/**
 * Claims deliveries, hands them over, renews their lease until they are settled, however long that takes. A wake-up is only a
 * hint: the poll finds everything.
 */
export class ClaimConsumer implements Subscription {
  readonly deafRestarts = 0;
  private readonly inFlight = new Set<string>();
  /** Settled by the handler, not yet by the source. Their lease is renewed too. */
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
    if (this.inFlight.size > 0 && deadlineMs > 0) await this.emptyOr(deadlineMs);
    clearInterval(this.renewTimer);
    const left = [...this.inFlight];
    this.inFlight.clear();
    await this.flush();
    if (left.length > 0) await this.giveBack(left, 0);
  }

  private emptyOr(deadlineMs: number): Promise<void> {
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
      if (!more && !this.stopping) await this.nextTurn();
    }
  }

  /** True when there may be more to claim at once. */
  private async claimOnce(): Promise<boolean> {
    const bound = Math.min(this.options.maxInFlight ?? this.settings.maxInFlight, this.settings.maxInFlight);
    const demand = this.options.demand?.() ?? CLAIM_AT_ONCE;
    const room = Math.min(CLAIM_AT_ONCE, demand, bound - this.inFlight.size - this.ended.size);
    if (this.paused || room <= 0) return false;
    let claimed: ClaimedDelivery[];
    try {
      claimed = await this.source.claim(room);
    } catch (error) {
      this.logger.warn({ ...this.place(), error: wordsOf(error) }, 'could not claim messages, trying again');
      return false;
    }
    // pause() may have been called while the claim was on its way.
    if (this.paused || this.stopping) {
      if (claimed.length > 0)
        await this.giveBack(
          claimed.map((one) => one.id),
          0,
        );
      return false;
    }
    for (const delivery of claimed) void this.handOver(delivery);
    return claimed.length === room;
  }

  private nextTurn(): Promise<void> {
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

  private async handOver(delivery: ClaimedDelivery): Promise<void> {
    const { id, key, text } = delivery;
    // A lease of our own that ran out while the process stood still: the work still goes on here.
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
      this.logger.warn({ ...this.place(), messageId: id, error: wordsOf(error) }, 'a message was not taken, it comes again');
      await this.giveBack([id], this.settings.redeliverMs);
      this.onEnded?.();
      setTimeout(() => this.wake(), this.settings.redeliverMs).unref();
    }
  }

  private settle(id: string): void {
    if (!this.inFlight.delete(id)) return;
    this.ended.add(id);
    this.onEnded?.();
    // Those that end in the same turn of the event loop are settled in one statement.
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
      // Kept; the next renewal tries again.
      this.logger.warn({ ...this.place(), error: wordsOf(error) }, 'could not settle messages, trying again');
    }
  }

  private async renew(): Promise<void> {
    if (this.ended.size > 0) await this.flush();
    const ids = [...this.inFlight, ...this.ended];
    if (ids.length === 0) return;
    try {
      const ours = new Set(await this.source.renew(ids));
      // Settled or given back while the statement ran: not lost.
      const lost = ids.filter((id) => !ours.has(id) && (this.inFlight.has(id) || this.ended.has(id)));
      for (const id of lost) {
        this.inFlight.delete(id);
        this.ended.delete(id);
      }
      this.onEnded?.();
      if (lost.length > 0) this.logger.warn({ ...this.place(), lost: lost.length }, 'messages went to another consumer');
    } catch (error) {
      this.logger.warn({ ...this.place(), error: wordsOf(error) }, 'could not renew the lease of messages');
    }
  }

  private async giveBack(ids: readonly string[], delayMs: number): Promise<void> {
    try {
      await this.source.postpone(ids, delayMs);
    } catch (error) {
      // Their lease runs out, and then they come back by themselves.
      this.logger.warn({ ...this.place(), error: wordsOf(error) }, 'could not give messages back');
    }
  }

  private place(): { group: string; topic: string } {
    return { group: this.options.group, topic: this.options.topic };
  }
}
