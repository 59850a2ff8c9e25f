// eslint-disable-next-line @typescript-eslint/triple-slash-reference -- every project that compiles this file needs the declaration, and a script file cannot be imported
/// <reference path="./kafkajs-internals.d.ts" />
import RequestQueue from 'kafkajs/src/network/requestQueue/index.js';
import type { Socket } from 'node:net';
import { Kafka, type LogEntry, logLevel } from 'kafkajs';
import type { Logger } from '@autoposter/observability';
import { withinTime } from '@autoposter/resilience';

/** Session, heartbeat and rebalance times assume short handlers; the short fetch keeps pausing and stopping fast. */
export const KAFKA_DEFAULTS = {
  /** Replicas of each partition of a new topic; 1 on a single broker. */
  replicationFactor: 1,
  /** Replicas that must have a message before it counts as published. */
  minInSyncReplicas: 1,
  /** Maximum number of delivered, unsettled messages per subscription. */
  maxInFlight: 100,
  /** Messages read ahead of the in-flight limit. */
  readAhead: 50,
  /** Maximum number of messages of a partition behind its oldest unfinished one; then the partition is paused. */
  maxOutOfOrder: 500,
  /** A message that holds ended ones behind it for this long is moved to the end of its partition. */
  tailMs: 30_000,
  /** Delay before a rejected message is redelivered. */
  redeliverMs: 2_000,
  /** Interval of retries of a refused commit, besides the one after each join. */
  commitRetryMs: 5_000,
  publishTimeoutMs: 10_000,
  sessionTimeoutMs: 30_000,
  heartbeatMs: 3_000,
  rebalanceTimeoutMs: 60_000,
  /** How long a fetch waits for messages; pausing and stopping may take as long. */
  fetchWaitMs: 500,
  requestTimeoutMs: 30_000,
  /** A connected consumer without an answer for this long is recreated. */
  stallMs: 60_000,
  /** The n-th recreation ends the subscription and calls `onStalled`. */
  stallLimit: 3,
};

export interface KafkaBusSettings extends Readonly<typeof KAFKA_DEFAULTS> {
  /** `host:port` of the bootstrap brokers. */
  brokers: readonly string[];
  clientId: string;
  /** Opens a connection; for trials that cut it. */
  connectSocket?: (to: { host: string; port: number; onConnect: () => void }) => Socket;
}

/** Interval while requests wait for a free slot of the connection. Each answer checks at once; this is the fallback. */
const RECHECK_MS = 10;

/**
 * kafkajs 2.2.4 starts a timer of about 1 ms after every answer, even if no request waits, and each timer starts the next: an idle process
 * spends 40 to 56 ms of CPU per second on it (tulios/kafkajs#1704, #1751). This patch starts a timer only while a request waits; a later
 * request starts its own. Idempotent.
 */
export const patchIdleLoop = (): void => {
  RequestQueue.prototype.scheduleCheckPendingRequests = function (this: RequestQueue): void {
    if (this.pending.length === 0 || this.throttleCheckTimeoutId) return;
    const throttledMs = this.throttledUntil - Date.now();
    this.throttleCheckTimeoutId = setTimeout(
      () => {
        this.throttleCheckTimeoutId = null;
        this.checkPendingRequests();
      },
      throttledMs > 0 ? throttledMs : RECHECK_MS,
    );
  };
};

/**
 * kafkajs logs errors that it retries (a loading broker, a refused commit during a rebalance), so its levels are lowered by one. The
 * consumer reports what it cannot recover from.
 */
const logTo = (logger: Logger) => () => (entry: LogEntry) => {
  const { message, groupId, error, broker } = entry.log as { message: string } & Record<string, unknown>;
  const fields = { from: entry.namespace, groupId, broker, error: typeof error === 'string' ? error : undefined };
  if (entry.level === logLevel.ERROR) logger.warn(fields, message);
  else logger.debug(fields, message);
};

export const createKafka = (settings: KafkaBusSettings, logger: Logger): Kafka => {
  patchIdleLoop();
  const { connectSocket } = settings;
  return new Kafka({
    clientId: settings.clientId,
    brokers: [...settings.brokers],
    requestTimeout: settings.requestTimeoutMs,
    connectionTimeout: 5_000,
    retry: { initialRetryTime: 200, maxRetryTime: 5_000, retries: 6 },
    logLevel: logLevel.WARN,
    logCreator: logTo(logger),
    ...(connectSocket && { socketFactory: ({ host, port, onConnect }) => connectSocket({ host, port, onConnect }) }),
  });
};

export async function connected<Client extends { connect(): Promise<void> }>(client: Client): Promise<Client> {
  await client.connect();
  return client;
}

const DISCONNECT_MS = 5_000;

/** Never rejects: a client that gets no answer is abandoned, and the broker ends its session. */
export const disconnected = async (client: Promise<{ disconnect(): Promise<void> }>): Promise<void> => {
  const left = client.then((one) => one.disconnect());
  await withinTime(left, DISCONNECT_MS, 'disconnecting').catch(() => undefined);
};
