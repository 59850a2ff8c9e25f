import { Partitioners, type Kafka, type Producer } from 'kafkajs';
import { busClosed, busUnavailable, wordsOf } from '../bus-failures';
import type { BusLogger, OutgoingMessage } from '../event-bus.port';
import { within } from './kafka-client';

interface Waiting {
  messages: readonly OutgoingMessage[];
  resolve: () => void;
  reject: (error: Error) => void;
}

const FAREWELL_MS = 5_000;

/**
 * One idempotent producer, one request on its way at a time: with more of them kafkajs can answer a spike with sequence numbers out of
 * order (tulios/kafkajs#598). What is published meanwhile goes out together in the next request. `acks: -1`: every copy that is in sync
 * has the message.
 */
export class KafkaPublisher {
  private producer: Promise<Producer> | null = null;
  private readonly waiting: Waiting[] = [];
  private sending = false;
  private closed = false;

  constructor(
    private readonly kafka: Kafka,
    private readonly timeoutMs: number,
    private readonly logger: BusLogger,
  ) {}

  publish(messages: readonly OutgoingMessage[]): Promise<void> {
    if (this.closed) return Promise.reject(busClosed());
    if (messages.length === 0) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const one: Waiting = { messages, resolve: done(() => resolve()), reject: done(reject) };
      const timer = setTimeout(() => {
        // What has not left yet must not leave after its caller was told that it failed.
        const place = this.waiting.indexOf(one);
        if (place >= 0) this.waiting.splice(place, 1);
        one.reject(busUnavailable('publish', new Error(`no answer within ${this.timeoutMs} ms`)));
      }, this.timeoutMs);
      function done<A extends unknown[]>(settle: (...args: A) => void): (...args: A) => void {
        return (...args) => {
          clearTimeout(timer);
          settle(...args);
        };
      }
      this.waiting.push(one);
      void this.sendWaiting();
    });
  }

  async close(): Promise<void> {
    this.closed = true;
    for (const one of this.waiting.splice(0)) one.reject(busClosed());
    await this.dismiss();
  }

  private async sendWaiting(): Promise<void> {
    if (this.sending) return;
    this.sending = true;
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0);
      try {
        const producer = await this.connected();
        await producer.sendBatch({ acks: -1, topicMessages: byTopic(batch.flatMap((one) => one.messages)) });
        for (const one of batch) one.resolve();
      } catch (error) {
        this.logger.warn({ error: wordsOf(error) }, 'could not publish, the producer is made anew');
        for (const one of batch) one.reject(busUnavailable('publish', error));
        await this.dismiss();
      }
    }
    this.sending = false;
  }

  private connected(): Promise<Producer> {
    this.producer ??= this.connect();
    return this.producer;
  }

  private async connect(): Promise<Producer> {
    const producer = this.kafka.producer({
      idempotent: true,
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
      createPartitioner: Partitioners.DefaultPartitioner,
      // An idempotent producer that gives up loses its sequence: it tries on, and the caller's time limit speaks.
      retry: { initialRetryTime: 100, maxRetryTime: 3_000, retries: Number.MAX_SAFE_INTEGER },
    });
    await producer.connect();
    return producer;
  }

  private async dismiss(): Promise<void> {
    const producer = this.producer;
    this.producer = null;
    if (producer)
      await within(
        FAREWELL_MS,
        'disconnecting',
        producer.then((one) => one.disconnect()),
      ).catch(() => undefined);
  }
}

const byTopic = (messages: readonly OutgoingMessage[]) => {
  const topics = new Map<string, { key: string; value: string }[]>();
  for (const { topic, key, value } of messages) {
    const list = topics.get(topic) ?? [];
    list.push({ key, value: JSON.stringify(value) });
    topics.set(topic, list);
  }
  return [...topics].map(([topic, list]) => ({ topic, messages: list }));
};
