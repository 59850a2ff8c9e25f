import { allTopics, consumerGroup, type Stage, type StageRequest, stageRequestSchema, STAGES, topics } from '@autoposter/contracts';
import type { EventBus, Subscription } from '@autoposter/messaging';
import { silentLogger } from '@autoposter/observability';
import type { Database } from '@autoposter/persistence';
import { faultPoint } from './fault-point';
import { OutboxRelay } from './outbox-relay';

/** A message that announces a job; it is settled when the job has ended, on whichever worker. */
export interface JobMessage {
  jobId: string;
  requestNumber: number;
  settle(): void;
}

interface JobListener {
  /** Jobs of the stage may be claimable. Only a hint: the listener also polls. */
  onRequested(): void;
  onMessage(message: JobMessage): Promise<void>;
  /** Maximum number of messages that the listener holds. */
  maxMessages: number;
}

/** Announces requested jobs to their workers. Jobs are claimed from their rows, so that a late, lost or repeated announcement costs only time. */
export interface JobBus {
  /** Prepares the bus, safe to repeat; rejects while it is unavailable. */
  prepare(): Promise<void>;
  /** Starts to announce what this process commits. */
  start(): void;
  subscribe(stage: Stage, listener: JobListener): Promise<Subscription>;
  /** Requested and running jobs of a stage. */
  lag(stage: Stage): Promise<number>;
  health(): Promise<{ ok: boolean; detail: string }>;
  close(): Promise<void>;
}

/** Announcements through PostgreSQL's notifications, without messages. */
export const postgresJobBus = (database: Database): JobBus => ({
  prepare: () => database.read.outbox.discardUnsent(),
  // the database announces after each commit
  start: () => undefined,
  async subscribe(stage, listener) {
    const stop = database.onRequests(stage, () => {
      faultPoint('claim:before');
      listener.onRequested();
    });
    return { drain: async () => stop() };
  },
  lag: (stage) => database.read.jobs.countUnfinished(stage),
  health: () => database.health(),
  close: () => Promise.resolve(),
});

/** Consumer groups of all stages. The first process declares all of them, so that a later one misses no message. */
export const CONSUMER_GROUPS = STAGES.map((stage) => ({ group: consumerGroup(stage), topic: topics.requested[stage].name }));

/** Announcements as messages of an event bus, whose consumer lag counts the unfinished jobs. */
export function messageJobBus(bus: EventBus, database: Database, logger = silentLogger, options: { sweepMs?: number } = {}): JobBus {
  const relay = new OutboxRelay({ database, bus, logger, ...options });
  return {
    prepare: () => bus.ensureTopics(allTopics, CONSUMER_GROUPS),
    start: () => relay.start(),
    subscribe: (stage, listener) =>
      bus.subscribe({
        group: consumerGroup(stage),
        topic: topics.requested[stage].name,
        schema: stageRequestSchema,
        maxInFlight: listener.maxMessages,
        handle: ({ envelope, settle }) => {
          faultPoint('claim:before');
          const { jobId, turn: requestNumber } = (envelope as StageRequest).payload;
          return listener.onMessage({ jobId, requestNumber, settle });
        },
        onQuarantine: async ({ topic, partition, offset, text, reason }) => {
          logger.error({ topic, partition, offset, reason }, 'a message could not be parsed; it is quarantined');
          await database.read.quarantine.add({ topic, partition, messageOffset: offset, body: text, reason });
        },
      }),
    lag: (stage) => bus.lag(consumerGroup(stage), topics.requested[stage].name),
    health: () => bus.health(),
    async close() {
      await relay.stop();
      await bus.close();
    },
  };
}
