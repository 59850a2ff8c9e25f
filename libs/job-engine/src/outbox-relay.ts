import { allTopics } from '@autoposter/contracts';
import { type FailureKind, PipelineError } from '@autoposter/domain';
import type { EventBus } from '@autoposter/messaging';
import { type Logger, silentLogger } from '@autoposter/observability';
import type { Database, DueMessage, UnitOfWork } from '@autoposter/persistence';
import { faultPoint } from './fault-point';
import { Poller } from './poller';

export interface OutboxRelayOptions {
  database: Database;
  bus: EventBus;
  logger?: Logger;
  /** Rows of each topic per transaction; default 200. */
  batch?: number;
  /** Milliseconds between two sweeps for rows of dead processes; default 1000. */
  sweepMs?: number;
  /** First pause of a refused topic or message in milliseconds; doubles with each refusal. Default 1000. */
  parkMs?: number;
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
export const MESSAGE_FAILURES: ReadonlySet<FailureKind> = new Set(['too_large', 'invalid_input']);
const TOPICS = allTopics.map(({ name }) => name);

/** A topic that refused its messages: this relay sends nothing to it until `probeAt` (monotonic). */
interface RefusingTopic {
  refusals: number;
  probeAt: number;
  probing: boolean;
}

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
 * may send it twice but never loses it. Each topic is published separately: refused rows are parked in the database, a refusing topic is
 * probed on its own, and the other topics continue. No method but `sendBatch` rejects: the relay waits for an outage to end.
 */
export class OutboxRelay {
  private readonly poller: Poller;
  private unhook: (() => void) | null = null;
  private failures = 0;
  /** Messages of the last pass. */
  private lastSent = 0;
  private readonly refusing = new Map<string, RefusingTopic>();
  private readonly probes = new Set<Promise<void>>();
  private readonly logger: Logger;

  constructor(private readonly options: OutboxRelayOptions) {
    this.logger = options.logger ?? silentLogger;
    const { sweepMs = 1000 } = options;
    this.poller = new Poller(
      () => this.work(),
      () => Math.min(sweepMs * 2 ** Math.min(this.failures, 4), Math.max(MAX_PAUSE_MS, sweepMs)),
      () => (this.lastSent < BUSY_FROM ? PASS_GAP_MS.quiet : PASS_GAP_MS.busy),
    );
  }

  start(): void {
    // during an outage the interval decides when to retry, not each commit
    this.unhook = this.options.database.onOutbox(() => void (this.failures > 0 || this.poller.wake()));
    this.poller.start();
  }

  /** Finishes the current pass and stops. */
  async stop(): Promise<void> {
    this.unhook?.();
    await this.poller.stop();
    await Promise.all(this.probes);
  }

  /** Sends one batch of each accepting topic. Rejects if the database is unavailable, or if messages were refused and none was sent. */
  async sendBatch(): Promise<Sent> {
    const outcome = await this.send(TOPICS.filter((topic) => !this.refusing.has(topic)));
    if (outcome.sent === 0 && outcome.refused[0] !== undefined) throw outcome.refused[0].error;
    return outcome;
  }

  private async send(topics: readonly string[]): Promise<Sent> {
    const { database } = this.options;
    const outcome = await database.unitOfWork(async (uow): Promise<Sent> => {
      const rows = await uow.outbox.lockDue(topics, this.batch);
      if (rows.length === 0) return { sent: 0, refused: [], mayHaveMore: false };
      faultPoint('outbox:before');
      faultPoint('send:before');
      const refused = (await Promise.all(byTopic(rows).map((some) => this.publish(some)))).flat();
      faultPoint('send:after');
      const lost = new Set(refused.map(({ row }) => row.id));
      const taken = rows.filter(({ id }) => !lost.has(id)).map(({ id }) => id);
      if (taken.length > 0) await uow.outbox.remove(taken);
      await this.park(uow, refused);
      return { sent: taken.length, refused, mayHaveMore: rows.length >= this.batch };
    });
    if (outcome.sent > 0) faultPoint('outbox:after');
    for (const topic of topics) this.recordRefusals(topic, outcome.refused);
    return outcome;
  }

  /** Publishes rows of one topic and returns the refused ones. One bad message does not block the others. */
  private async publish(rows: readonly DueMessage[]): Promise<Refused[]> {
    try {
      await this.options.bus.publish(rows.map(({ topic, key, envelope }) => ({ topic, key, value: envelope })));
      return [];
    } catch (error) {
      if (rows.length === 1 || !isMessageFailure(error)) return rows.map((row) => ({ row, error }));
    }
    const refused: Refused[] = [];
    for (const row of rows) refused.push(...(await this.publish([row])));
    return refused;
  }

  private async park(uow: UnitOfWork, refused: readonly Refused[]): Promise<void> {
    for (const failure of new Set(refused.map(({ error }) => kindOf(error)))) {
      const ids = refused.filter(({ error }) => kindOf(error) === failure).map(({ row }) => row.id);
      const doublings = MESSAGE_FAILURES.has(failure) ? DOUBLINGS.message : DOUBLINGS.topic;
      await uow.outbox.park(ids, { failure, firstPauseMs: this.parkMs, doublings });
    }
  }

  /** Records whether a topic refuses messages. */
  private recordRefusals(topic: string, refused: readonly Refused[]): void {
    const ofTopic = refused.filter(({ row }) => row.topic === topic);
    for (const { row, error } of ofTopic.filter(({ error: each }) => isMessageFailure(each)))
      this.logger.error({ topic, messageId: row.id, error }, 'the bus refused a message; it is parked and retried later');
    const refusal = ofTopic.find(({ error }) => !isMessageFailure(error));
    if (refusal === undefined) return;
    const refusals = (this.refusing.get(topic)?.refusals ?? 0) + 1;
    if (refusals === 1)
      this.logger.error({ topic, error: refusal.error }, 'a topic refuses messages; they are parked and the other topics continue');
    const pauseMs = this.parkMs * 2 ** Math.min(refusals - 1, DOUBLINGS.topic);
    this.refusing.set(topic, { refusals, probeAt: performance.now() + pauseMs, probing: false });
  }

  private get batch(): number {
    return this.options.batch ?? 200;
  }

  private get parkMs(): number {
    return this.options.parkMs ?? 1000;
  }

  private probeRefusing(): void {
    for (const [topic, state] of this.refusing) {
      if (state.probing || performance.now() < state.probeAt) continue;
      state.probing = true;
      const probe: Promise<void> = this.probe(topic, state).finally(() => this.probes.delete(probe));
      this.probes.add(probe);
    }
  }

  /** In its own transaction, so that the other topics do not wait for a slow refusal. */
  private async probe(topic: string, state: RefusingTopic): Promise<void> {
    const { database } = this.options;
    try {
      const { sent, refused } = await this.send([topic]);
      if (refused.some(({ error }) => !isMessageFailure(error))) return;
      if (sent === 0) {
        // no row was due, so the topic's state is still unknown
        Object.assign(state, { probing: false, probeAt: performance.now() + this.parkMs });
        return;
      }
      this.refusing.delete(topic);
      this.logger.info({ topic }, 'a topic accepts messages again');
      await database.read.outbox.release(topic, [...MESSAGE_FAILURES]);
      this.poller.wake();
    } catch {
      // the database is unavailable; the main loop reports it
      Object.assign(state, { probing: false, probeAt: performance.now() + this.parkMs });
    }
  }

  private async work(): Promise<void> {
    this.probeRefusing();
    try {
      this.lastSent = 0;
      let batch;
      do {
        batch = await this.sendBatch();
        this.lastSent += batch.sent;
      } while (batch.mayHaveMore);
      if (this.failures > 0) this.logger.info({}, 'the outbox is sent again');
      this.failures = 0;
    } catch (error) {
      this.failures += 1;
      if (this.failures === 1) this.logger.warn({ error }, 'the outbox cannot be sent; retrying');
    }
  }
}

const kindOf = (error: unknown): FailureKind => (error instanceof PipelineError ? error.failure.kind : 'transient');
const isMessageFailure = (error: unknown): boolean => MESSAGE_FAILURES.has(kindOf(error));

const byTopic = (rows: readonly DueMessage[]): DueMessage[][] => {
  const topics = new Map<string, DueMessage[]>();
  for (const row of rows) topics.set(row.topic, [...(topics.get(row.topic) ?? []), row]);
  return [...topics.values()];
};
