import type { Envelope, Topic } from '@autoposter/contracts';
import type { z } from 'zod';

export interface OutgoingMessage {
  /** Name of a declared topic. */
  topic: string;
  /** Messages of one key are handed over in the order in which they were published, one at a time. */
  key: string;
  value: Envelope;
}

export interface Received {
  topic: string;
  key: string;
  envelope: Envelope;
  /** Says that the work has ended. May be long after the handler returned; a second call does nothing. */
  settle(): void;
}

/** A message nobody can work on, as it lay in the topic. */
export interface QuarantinedMessage {
  topic: string;
  partition: number;
  offset: string;
  text: string;
  /** One sentence a person can read. */
  reason: string;
}

export interface SubscribeOptions {
  /** Every message of the topic goes to one consumer of each group. */
  group: string;
  topic: string;
  /** What a whole envelope has to look like; anything else goes to `onQuarantine`. */
  schema: z.ZodType;
  /** Messages handed over and not settled, at most; the bus has a bound of its own that this can only lower. */
  maxInFlight?: number;
  /** How many more messages the consumer can start on now; without it, as many as may be in flight. What it cannot start stays for others. */
  demand?(): number;
  /** Has to be short. Returning is not settling; rejecting means that the message comes again after a pause. */
  handle(message: Received): Promise<void>;
  /** Once it resolves the message is done with; when it rejects the message comes again after a pause. */
  onQuarantine(raw: QuarantinedMessage): Promise<void>;
}

export interface GroupOfTopic {
  group: string;
  topic: string;
}

/**
 * Carries requests and facts between processes. Two laws, proven by one suite for every implementation: messages arrive at least
 * once, in any order across keys and any number of times; and settling is apart from returning, so that what was handed over and
 * not settled counts as lag and goes to another consumer when this one dies. Refusals are `PipelineError`s.
 */
export interface EventBus {
  /** Creates what is missing, never alters what is there, may be called by every process at every start. New groups begin at the earliest message. */
  ensureTopics(topics: readonly Topic[], groups: readonly GroupOfTopic[]): Promise<void>;
  /** Resolves when all messages are durable; rejects when that is not known, and then some may have been published. */
  publish(messages: readonly OutgoingMessage[]): Promise<void>;
  subscribe(options: SubscribeOptions): Promise<Subscription>;
  /** Messages published and not settled by the group; work in flight counts. */
  lag(group: string, topic: string): Promise<number>;
  health(): Promise<{ ok: boolean; detail: string }>;
  /** Ends every subscription without waiting for work in flight, then the connections. */
  close(): Promise<void>;
}

export interface Subscription {
  /** From now on nothing new is handed over; what is in flight stays. */
  pause(): void;
  resume(): void;
  /** How often the consumer was made anew because it heard nothing any more. */
  readonly deafRestarts: number;
  /** Takes nothing new, waits up to `deadlineMs` for what is in flight to be settled, gives the rest back and leaves the group. */
  drain(deadlineMs: number): Promise<void>;
}

/** The part of the product's logger that a bus needs. */
export interface BusLogger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

const nothing = (): void => undefined;
export const SILENT: BusLogger = { debug: nothing, info: nothing, warn: nothing, error: nothing };
