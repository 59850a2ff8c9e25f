import type { Producer, RecordMetadata } from 'kafkajs';
import { withinTime } from '@autoposter/resilience';
import { connected, disconnected } from './kafka-client';

/** Messages of one topic whose publisher waits. */
export interface PendingPublish {
  readonly topic: string;
  readonly messages: readonly { key: string; value: string }[];
  /** The publisher got a rejection. */
  expired: boolean;
  resolve(): void;
  reject(error: Error): void;
}

interface QueueEvents {
  onSent(batch: readonly PendingPublish[]): void;
  onFailed(batch: readonly PendingPublish[], error: Error): void;
}

/**
 * What waits for one producer with one request in flight: messages published meanwhile, or in the same turn of the event loop, are batched into the
 * next request. After a failure the producer is recreated. `acks: -1`: every in-sync replica has the message.
 */
export class ProducerQueue {
  private producer: Promise<Producer> | null = null;
  private readonly waiting: PendingPublish[] = [];
  private sending = false;
  private disconnected: Promise<unknown> = Promise.resolve();
  /** Partitions of the request in flight. */
  private readonly chosen = new Set<string>();

  constructor(
    private readonly create: (onPartition: (topic: string, partition: number) => void) => Producer,
    private readonly timeoutMs: number,
    private readonly events: QueueEvents,
  ) {}

  get hasWaiting(): boolean {
    return this.waiting.length > 0;
  }

  add(one: PendingPublish): void {
    this.waiting.push(one);
    if (this.sending) return;
    this.sending = true;
    setImmediate(() => void this.sendWaiting());
  }

  remove(one: PendingPublish): void {
    const place = this.waiting.indexOf(one);
    if (place >= 0) this.waiting.splice(place, 1);
  }

  takeAll(): PendingPublish[] {
    return this.waiting.splice(0);
  }

  takeOf(topics: ReadonlySet<string>): PendingPublish[] {
    const taken = this.waiting.filter(({ topic }) => topics.has(topic));
    for (const one of taken) this.remove(one);
    return taken;
  }

  /** Resolves when no connection is left. */
  async disconnect(): Promise<void> {
    const producer = this.producer;
    this.producer = null;
    if (producer !== null) {
      this.disconnected = Promise.all([this.disconnected, disconnected(producer)]);
    }
    await this.disconnected;
  }

  private async sendWaiting(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.takeAll();
      try {
        const producer = await withinTime(this.connected(), this.timeoutMs, 'reaching a broker');
        this.chosen.clear();
        const answers = await withinTime(producer.sendBatch({ acks: -1, topicMessages: byTopic(batch) }), this.timeoutMs, 'the answer');
        this.assertComplete(answers);
        this.events.onSent(batch);
      } catch (error) {
        // not awaited: a request without an answer keeps its connection for long
        void this.disconnect();
        this.events.onFailed(batch, error as Error);
      }
    }
    this.sending = false;
  }

  /**
   * kafkajs 2.2.4 retries only at brokers that have not answered: messages of a partition whose leader moved to one that has answered are not
   * sent, and the request succeeds (tulios/kafkajs#1303, #1798).
   */
  private assertComplete(answers: readonly RecordMetadata[]): void {
    const answered = new Set(answers.map(({ topicName, partition }) => placeOf(topicName, partition)));
    const missing = [...this.chosen].filter((place) => !answered.has(place));
    if (missing.length > 0) throw new Error(`no broker answered for ${missing.join(', ')}`);
  }

  private connected(): Promise<Producer> {
    return (this.producer ??= connected(this.create((topic, partition) => this.chosen.add(placeOf(topic, partition)))));
  }
}

const placeOf = (topic: string, partition: number): string => `${topic} ${partition}`;

function byTopic(batch: readonly PendingPublish[]) {
  const topics = new Map<string, { key: string; value: string }[]>();
  for (const { topic, messages } of batch) topics.set(topic, [...(topics.get(topic) ?? []), ...messages]);
  return [...topics].map(([topic, messages]) => ({ topic, messages }));
}
