import type { z } from 'zod';
import type { Envelope, Topic } from '@autoposter/contracts';

export interface OutgoingMessage {
  topic: string;
  /** Messages of one key are delivered in publication order, without waiting for each other. One that was rejected or moved comes again later. */
  key: string;
  envelope: Envelope;
}

export interface Received {
  topic: string;
  key: string;
  envelope: Envelope;
  /** Marks the work as ended, possibly long after the handler returned. Idempotent. */
  settle(): void;
}

/** An unreadable message as found in the topic. */
export interface QuarantinedMessage {
  topic: string;
  partition: number;
  offset: string;
  text: string;
  /** A sentence. */
  reason: string;
}

export interface SubscribeOptions {
  /** Each message of the topic is delivered to one consumer per group. */
  group: string;
  topic: string;
  /** Schema of the envelope; other messages go to `onQuarantine`. */
  schema: z.ZodType;
  /** Maximum number of delivered, unsettled messages of which no other consumer has become the owner; can only lower the bus's own limit. */
  maxInFlight?: number;
  /** Must be short. Returning does not settle; after a rejection the message is redelivered with a delay. */
  handle(message: Received): Promise<void>;
  /** Resolving settles the message; after a rejection it is redelivered with a delay. */
  onQuarantine(raw: QuarantinedMessage): Promise<void>;
}

export type GroupOfTopic = Pick<SubscribeOptions, 'group' | 'topic'>;

/**
 * Carries messages between processes. One contract suite holds for every implementation: delivery is at least once, unordered
 * across keys; and settling is separate from returning, so that a delivered, unsettled message counts as lag and is redelivered to another
 * consumer if this one dies. Refusals are `PipelineError`s.
 */
export interface EventBus {
  /** Creates missing topics and groups, changes no existing one; every process may call it at start. New groups begin at the earliest message. */
  ensureTopics(topics: readonly Topic[], groups: readonly GroupOfTopic[]): Promise<void>;
  /**
   * Publishes to declared topics. Resolves when all messages are durable; after a rejection any of them may have been published. `apart` delays
   * no other call and is delayed by none: for messages that were refused, or whose topic refuses messages.
   */
  publish(messages: readonly OutgoingMessage[], apart?: boolean): Promise<void>;
  subscribe(options: SubscribeOptions): Promise<Subscription>;
  /** Published messages that the group has not settled, including those in flight. */
  lag(group: string, topic: string): Promise<number>;
  health(): Promise<{ ok: boolean; detail: string }>;
  /** Ends all subscriptions without waiting for work in flight, then the connections. */
  close(): Promise<void>;
}

export interface Subscription {
  /** Accepts nothing new, waits up to `deadlineMs` for messages in flight, releases the rest and leaves the group. */
  drain(deadlineMs: number): Promise<void>;
}

export function byTopic<Message extends { topic: string }>(messages: readonly Message[]): Map<string, Message[]> {
  const topics = new Map<string, Message[]>();
  for (const message of messages) topics.set(message.topic, [...(topics.get(message.topic) ?? []), message]);
  return topics;
}
