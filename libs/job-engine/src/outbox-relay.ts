import { allTopics } from '@autoposter/contracts';
import { type FailureKind, PipelineError } from '@autoposter/domain';
import type { EventBus } from '@autoposter/messaging';
import { type Logger, outsideOfSpans, silentLogger } from '@autoposter/observability';
import type { Database, OutboxMessage, UnitOfWork } from '@autoposter/persistence';
import { faultPoint } from './fault-point';

export interface OutboxRelayOptions {
  database: Database;
  bus: EventBus;
  logger?: Logger;
  /** Rows of each topic per transaction; 200 unless given. */
  batch?: number;
  /** Milliseconds between two looks for what others left behind; 1000 unless given. */
  sweepMs?: number;
  /** First pause of a refused topic or message; it doubles with each refusal. 1000 unless given. */
  parkMs?: number;
}

const LONGEST_PAUSE_MS = 10_000;
/** A topic is tried every few seconds, a message every few minutes: it needs a changed limit first. */
const DOUBLINGS = { topic: 3, message: 8 };
/** Refusals of one message; its topic takes the others. */
export const MESSAGE_FAILURES: ReadonlySet<FailureKind> = new Set(['too_large', 'invalid_input']);
const TOPICS = allTopics.map(({ name }) => name);

/** A topic that refused its messages: until `probeAt` (monotonic) nothing is sent to it from here. */
interface RefusingTopic {
  refusals: number;
  probeAt: number;
  probing: boolean;
}

interface Refused {
  row: OutboxMessage;
  error: unknown;
}

interface Sent {
  sent: number;
  refused: Refused[];
}

/**
 * Puts outbox rows on the bus: right after each commit of this process, and at intervals for what a dead process left. Rows are claimed by
 * their state under a row lock, so any number of relays can work side by side; a row is marked only after the bus has it, so a crash in
 * between sends it twice and loses none. Each topic is published on its own: refused rows are parked in the database, a topic that refuses is
 * probed apart from the others, and the rest continues. Nothing here rejects: an outage is waited out.
 */
export class OutboxRelay {
  private wanted = false;
  private working: Promise<void> | null = null;
  private timer: NodeJS.Timeout | null = null;
  private unhook: (() => void) | null = null;
  private failures = 0;
  private stopped = true;
  private readonly refusing = new Map<string, RefusingTopic>();
  private readonly probes = new Set<Promise<void>>();
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
    await Promise.all(this.probes);
  }

  /**
   * One batch of each topic that takes messages; answers how many were sent. Rejects where the database is away, or where messages were
   * refused and none was sent.
   */
  async sendBatch(): Promise<number> {
    const { sent, refused } = await this.send(TOPICS.filter((topic) => !this.refusing.has(topic)));
    if (sent === 0 && refused[0] !== undefined) throw refused[0].error;
    return sent;
  }

  private async send(topics: readonly string[]): Promise<Sent> {
    const { database, batch = 200 } = this.options;
    const outcome = await database.unitOfWork(async (uow): Promise<Sent> => {
      const rows = await uow.outbox.lockDue(topics, batch);
      if (rows.length === 0) return { sent: 0, refused: [] };
      faultPoint('outbox:before');
      faultPoint('send:before');
      const refused = (await Promise.all(byTopic(rows).map((some) => this.publish(some)))).flat();
      faultPoint('send:after');
      const lost = new Set(refused.map(({ row }) => row.id));
      const taken = rows.filter(({ id }) => !lost.has(id)).map(({ id }) => id);
      if (taken.length > 0) await uow.outbox.markSent(taken);
      await this.park(uow, refused);
      return { sent: taken.length, refused };
    });
    if (outcome.sent > 0) faultPoint('outbox:after');
    for (const topic of topics) this.judge(topic, outcome.refused);
    return outcome;
  }

  /** Rows of one topic; answers those that were refused. One message that cannot be taken does not keep the others back. */
  private async publish(rows: readonly OutboxMessage[]): Promise<Refused[]> {
    try {
      await this.options.bus.publish(rows.map(({ topic, key, envelope }) => ({ topic, key, value: envelope })));
      return [];
    } catch (error) {
      if (rows.length === 1 || !isOfTheMessage(error)) return rows.map((row) => ({ row, error }));
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

  /** Whether a topic takes messages, by what became of its rows. */
  private judge(topic: string, refused: readonly Refused[]): void {
    const ofTopic = refused.filter(({ row }) => row.topic === topic);
    for (const { row, error } of ofTopic.filter(({ error: each }) => isOfTheMessage(each)))
      this.logger.error({ topic, messageId: row.id, error }, 'the bus refuses a message; it is parked and tried again later');
    const refusal = ofTopic.find(({ error }) => !isOfTheMessage(error));
    if (refusal === undefined) return;
    const refusals = (this.refusing.get(topic)?.refusals ?? 0) + 1;
    if (refusals === 1)
      this.logger.error({ topic, error: refusal.error }, 'a topic takes no messages; they are parked and the other topics continue');
    const pauseMs = this.parkMs * 2 ** Math.min(refusals - 1, DOUBLINGS.topic);
    this.refusing.set(topic, { refusals, probeAt: performance.now() + pauseMs, probing: false });
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

  /** In a transaction of its own: however long the topic takes to refuse, the others do not wait for it. */
  private async probe(topic: string, state: RefusingTopic): Promise<void> {
    const { database } = this.options;
    try {
      const { sent, refused } = await this.send([topic]);
      if (refused.some(({ error }) => !isOfTheMessage(error))) return;
      if (sent === 0) {
        // nothing was due that would have shown whether it takes messages
        Object.assign(state, { probing: false, probeAt: performance.now() + this.parkMs });
        return;
      }
      this.refusing.delete(topic);
      this.logger.info({ topic }, 'a topic takes messages again');
      await database.read.outbox.release(topic, [...MESSAGE_FAILURES]);
      this.nudge();
    } catch {
      // the database is away: the main loop reports it
      Object.assign(state, { probing: false, probeAt: performance.now() + this.parkMs });
    }
  }

  private async work(): Promise<void> {
    while (this.wanted && !this.stopped) {
      this.wanted = false;
      this.probeRefusing();
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

const kindOf = (error: unknown): FailureKind => (error instanceof PipelineError ? error.failure.kind : 'transient');
const isOfTheMessage = (error: unknown): boolean => MESSAGE_FAILURES.has(kindOf(error));

const byTopic = (rows: readonly OutboxMessage[]): OutboxMessage[][] => {
  const topics = new Map<string, OutboxMessage[]>();
  for (const row of rows) topics.set(row.topic, [...(topics.get(row.topic) ?? []), row]);
  return [...topics.values()];
};
