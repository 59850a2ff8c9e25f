import { allTopics, type FailureKind } from '@autoposter/contracts';
import { PipelineError } from '@autoposter/domain';
import { byTopic, type EventBus } from '@autoposter/messaging';
import { silentLogger } from '@autoposter/observability';
import type { Database, DueMessage, UnitOfWork } from '@autoposter/persistence';
import { Poller } from '@autoposter/resilience';
import { faultPoint } from './fault-point';

const DEFAULTS = {
  logger: silentLogger,
  /** Rows of each topic per transaction. */
  batch: 200,
  /** Milliseconds between two sweeps for rows of dead processes. */
  sweepMs: 1000,
  /** First pause of a refused topic or message in milliseconds; doubles with each refusal. */
  parkMs: 1000,
};

interface OutboxRelayOptions extends Readonly<typeof DEFAULTS> {
  database: Database;
  bus: EventBus;
}

const MAX_PAUSE_MS = 10_000;
/**
 * Commits within this time after a pass share the next one: a busy process sends many messages with one request. The more it sends the longer,
 * because workers that have jobs waiting need no announcement.
 */
const PASS_GAP_MS = { quiet: 100, busy: 250 };
/** Messages of a pass from which on the relay is busy. */
const BUSY_FROM = 20;
/** A topic is retried every few seconds; a message every few minutes, because the topic's limit must change first. */
const DOUBLINGS = { topic: 3, message: 8 };
/** Failures of a single message; its topic accepts others. */
export const MESSAGE_FAILURES: ReadonlySet<string> = new Set<FailureKind>(['too_large', 'invalid_input']);
const TOPICS = allTopics.map(({ name }) => name);

interface Refused {
  row: DueMessage;
  error: unknown;
}

interface Sent {
  sent: number;
  refused: Refused[];
  /** A topic may have more rows that are due. */
  mayHaveMore: boolean;
}

/**
 * Publishes outbox rows: right after each commit of this process, and at intervals for the rows of dead processes. Rows are claimed by
 * state under a row lock, so any number of relays can run concurrently. A row is deleted only after the bus accepted it, so a crash
 * may send it twice but never loses it. All topics share one request; if it fails, each topic is sent its messages again apart. Refused rows
 * are parked in the database, a refusing topic is probed on its own, and the other topics continue.
 */
export class OutboxRelay {
  private readonly poller: Poller;
  private unhook: (() => void) | null = null;
  /** Messages of the last pass. */
  private lastSent = 0;
  /** Topics that refused their messages: each has its own poller until it accepts them. */
  private readonly refusing = new Map<string, Poller>();
  private readonly options: OutboxRelayOptions;

  constructor(options: Pick<OutboxRelayOptions, 'database' | 'bus'> & Partial<OutboxRelayOptions>) {
    this.options = { ...DEFAULTS, ...options };
    const { sweepMs, logger } = this.options;
    this.poller = new Poller({
      work: () => this.work(),
      everyMs: (failures) => Math.min(sweepMs * 2 ** Math.min(failures, 4), Math.max(MAX_PAUSE_MS, sweepMs)),
      gapMs: () => (this.lastSent < BUSY_FROM ? PASS_GAP_MS.quiet : PASS_GAP_MS.busy),
      problem: 'the outbox cannot be sent; retrying',
      logger,
    });
  }

  start(): void {
    // during an outage the interval decides when to retry, not each commit
    this.unhook = this.options.database.onOutbox(() => void (this.poller.failures > 0 || this.poller.wake()));
    for (const poller of [this.poller, ...this.refusing.values()]) poller.start();
  }

  /** Finishes the current pass and stops. */
  async stop(): Promise<void> {
    this.unhook?.();
    await this.poller.stop();
    await Promise.all([...this.refusing.values()].map((poller) => poller.stop()));
  }

  /** Sends one batch of each accepting topic. Rejects if the database is unavailable, or if messages were refused and none was sent. */
  async sendBatch(): Promise<Sent> {
    const outcome = await this.send(TOPICS.filter((topic) => !this.refusing.has(topic)));
    if (outcome.sent === 0 && outcome.refused[0] !== undefined) throw outcome.refused[0].error;
    return outcome;
  }

  private async send(topics: readonly string[], apart = false): Promise<Sent> {
    const { database } = this.options;
    const outcome = await database.unitOfWork(async (uow): Promise<Sent> => {
      const rows = await uow.outbox.lockDue(topics, this.options.batch);
      if (rows.length === 0) return { sent: 0, refused: [], mayHaveMore: false };
      faultPoint('outbox:before');
      faultPoint('send:before');
      // a message that was refused would make the request of the others fail again
      const isApart = ({ failure }: DueMessage): boolean => apart || MESSAGE_FAILURES.has(failure ?? '');
      const together = this.publish(rows.filter((row) => !isApart(row)));
      const refused = (await Promise.all([together, this.publishApart(rows.filter(isApart))])).flat();
      faultPoint('send:after');
      const lost = new Set(refused.map(({ row }) => row.id));
      const taken = rows.filter(({ id }) => !lost.has(id)).map(({ id }) => id);
      if (taken.length > 0) await uow.outbox.remove(taken);
      await this.park(uow, refused);
      return { sent: taken.length, refused, mayHaveMore: rows.length >= this.options.batch };
    });
    if (outcome.sent > 0) faultPoint('outbox:after');
    for (const one of outcome.refused) this.recordRefusal(one);
    return outcome;
  }

  /** Publishes rows with one request, or else each topic's on its own. Returns the refused ones. */
  private async publish(rows: readonly DueMessage[]): Promise<Refused[]> {
    if (rows.length === 0) return [];
    return this.options.bus.publish(rows).then(
      () => [],
      () => this.publishApart(rows),
    );
  }

  private async publishApart(rows: readonly DueMessage[]): Promise<Refused[]> {
    return (await Promise.all([...byTopic(rows).values()].map((some) => this.publishTopic(some)))).flat();
  }

  /** Finds bad messages by halving, so that they do not block the others of their topic. */
  private async publishTopic(rows: readonly DueMessage[]): Promise<Refused[]> {
    try {
      await this.options.bus.publish(rows, true);
      return [];
    } catch (error) {
      if (rows.length === 1 || !isMessageFailure(error)) return rows.map((row) => ({ row, error }));
    }
    const middle = Math.floor(rows.length / 2);
    return [...(await this.publishTopic(rows.slice(0, middle))), ...(await this.publishTopic(rows.slice(middle)))];
  }

  private async park(uow: UnitOfWork, refused: readonly Refused[]): Promise<void> {
    for (const failure of new Set(refused.map(({ error }) => kindOf(error)))) {
      const ids = refused.filter(({ error }) => kindOf(error) === failure).map(({ row }) => row.id);
      const doublings = MESSAGE_FAILURES.has(failure) ? DOUBLINGS.message : DOUBLINGS.topic;
      await uow.outbox.park(ids, { failure, firstPauseMs: this.options.parkMs, doublings });
    }
  }

  private recordRefusal({ row: { id, topic }, error }: Refused): void {
    const { logger, parkMs } = this.options;
    if (isMessageFailure(error))
      return logger.error({ topic, messageId: id, error }, 'the bus refused a message; it is parked and retried later');
    if (this.refusing.has(topic)) return;
    logger.error({ topic, error }, 'a topic refuses messages; they are parked and the other topics continue');
    const poller = new Poller({
      work: () => this.probe(topic),
      everyMs: (failures) => parkMs * 2 ** Math.min(failures, DOUBLINGS.topic),
      problem: `${topic} still refuses messages, or the database is unavailable`,
      logger,
    });
    this.refusing.set(topic, poller);
    if (this.unhook !== null) poller.start();
  }

  /** In its own transaction, so that the other topics do not wait for a slow refusal. Rejects while the topic refuses. */
  private async probe(topic: string): Promise<void> {
    const { sent, refused } = await this.send([topic], true);
    const refusal = refused.find(({ error }) => !isMessageFailure(error));
    if (refusal !== undefined) throw refusal.error;
    // no row was due: the topic's state is still unknown
    if (sent === 0) return;
    this.options.logger.info({ topic }, 'a topic accepts messages again');
    await this.options.database.read.outbox.release(topic, [...MESSAGE_FAILURES]);
    void this.refusing.get(topic)?.stop();
    this.refusing.delete(topic);
    this.poller.wake();
  }

  private async work(): Promise<void> {
    this.lastSent = 0;
    let batch;
    do {
      batch = await this.sendBatch();
      this.lastSent += batch.sent;
    } while (batch.mayHaveMore);
  }
}

const kindOf = (error: unknown): FailureKind => (error instanceof PipelineError ? error.failure.kind : 'transient');
const isMessageFailure = (error: unknown): boolean => MESSAGE_FAILURES.has(kindOf(error));
