import type { Socket } from 'node:net';

export interface KafkaBusSettings {
  /** `host:port` of some brokers; the rest is learnt from them. */
  brokers: readonly string[];
  clientId: string;
  /** Copies of each partition when a topic is created; 1 on a single broker. */
  replicationFactor: number;
  /** Copies that have to have a message before it counts as published. */
  minInSyncReplicas: number;
  /** Messages handed over and not settled, at most, per subscription. */
  maxInFlight: number;
  /** Messages read ahead of what may be handed over. */
  readAhead: number;
  /** Ended messages of one partition that wait for an earlier one, at most; then the partition rests. */
  maxTail: number;
  /** Pause before a message comes again whose handler rejected. */
  redeliverMs: number;
  /** A refused commit is tried again after the next join, and this often. */
  commitRetryMs: number;
  publishTimeoutMs: number;
  sessionTimeoutMs: number;
  heartbeatMs: number;
  rebalanceTimeoutMs: number;
  /** How long a fetch waits for messages; also how long pausing and stopping may take. */
  fetchWaitMs: number;
  requestTimeoutMs: number;
  /** Connected and nothing heard for this long: the consumer is made anew. */
  deafMs: number;
  /** The n-th time ends the subscription and calls `onStalled`. */
  deafLimit: number;
  /** How a connection is opened; for trials that cut it. */
  connectSocket?: (to: { host: string; port: number; onConnect: () => void }) => Socket;
}

/** Session, heartbeat and rebalance times are right because handlers are short; the short fetch keeps pausing and stopping quick. */
export const KAFKA_DEFAULTS: Omit<KafkaBusSettings, 'brokers' | 'clientId'> = {
  replicationFactor: 1,
  minInSyncReplicas: 1,
  maxInFlight: 100,
  readAhead: 50,
  maxTail: 500,
  redeliverMs: 2_000,
  commitRetryMs: 5_000,
  publishTimeoutMs: 10_000,
  sessionTimeoutMs: 30_000,
  heartbeatMs: 3_000,
  rebalanceTimeoutMs: 60_000,
  fetchWaitMs: 500,
  requestTimeoutMs: 30_000,
  deafMs: 60_000,
  deafLimit: 3,
};
