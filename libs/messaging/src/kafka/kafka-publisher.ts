import type { PipelineError } from '@autoposter/domain';
import { Partitioners, type Kafka, type Producer } from 'kafkajs';
import { busClosed, busUnavailable, messageRefused, errorText } from '../bus-failures';
import type { BusLogger, OutgoingMessage } from '../event-bus.port';
import { within } from './kafka-client';

interface PendingPublish {
  messages: readonly OutgoingMessage[];
  resolve: () => void;
  reject: (error: Error) => void;
}

const DISCONNECT_MS = 5_000;

/**
 * One producer per topic: a refusing topic and its retries delay no other topic. Rejects with the first refusal after every topic has
 * answered.
 */
export class KafkaPublisher {
  private readonly topics = new Map<string, TopicPublisher>();
  private closed = false;

  constructor(
    private readonly kafka: Pick<Kafka, 'producer'>,
    private readonly timeoutMs: number,
    private readonly logger: BusLogger,
  ) {}

  async publish(messages: readonly OutgoingMessage[]): Promise<void> {
    if (this.closed) throw busClosed();
    const topics = [...new Set(messages.map(({ topic }) => topic))];
    const outcomes = await Promise.allSettled(
      topics.map((topic) => this.of(topic).publish(messages.filter((message) => message.topic === topic))),
    );
    const refusal = outcomes.find((outcome) => outcome.status === 'rejected');
    if (refusal !== undefined) throw refusal.reason;
  }

  async close(): Promise<void> {
    this.closed = true;
    await Promise.all([...this.topics.values()].map((topic) => topic.close()));
  }

  private of(topic: string): TopicPublisher {
    let publisher = this.topics.get(topic);
    if (publisher === undefined) {
      publisher = new TopicPublisher(topic, this.kafka, this.timeoutMs, this.logger);
      this.topics.set(topic, publisher);
    }
    return publisher;
  }
}

/**
 * One idempotent producer with one request in flight: with more, kafkajs can send sequence numbers out of order under load
 * (tulios/kafkajs#598). Messages published meanwhile are batched into the next request. `acks: -1`: every in-sync replica has the message.
 */
class TopicPublisher {
  private producer: Promise<Producer> | null = null;
  private readonly waiting: PendingPublish[] = [];
  private sending = false;
  private closed = false;

  constructor(
    private readonly topic: string,
    private readonly kafka: Pick<Kafka, 'producer'>,
    private readonly timeoutMs: number,
    private readonly logger: BusLogger,
  ) {}

  publish(messages: readonly OutgoingMessage[]): Promise<void> {
    if (this.closed) return Promise.reject(busClosed());
    if (messages.length === 0) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const one: PendingPublish = { messages, resolve: done(() => resolve()), reject: done(reject) };
      const timer = setTimeout(() => {
        // an unsent message must not be sent after its caller got the rejection
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
    await this.disconnect();
  }

  private async sendWaiting(): Promise<void> {
    if (this.sending) return;
    this.sending = true;
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0);
      try {
        const producer = await within(this.timeoutMs, 'reaching a broker', this.connected());
        const messages = batch.flatMap((one) => one.messages).map(({ key, value }) => ({ key, value: JSON.stringify(value) }));
        await within(this.timeoutMs, 'the answer', producer.send({ topic: this.topic, acks: -1, messages }));
        for (const one of batch) one.resolve();
      } catch (error) {
        this.logger.warn({ topic: this.topic, error: errorText(error) }, 'could not publish; the producer is recreated');
        const refusal = refusalOf(this.topic, error);
        for (const one of batch) one.reject(refusal);
        await this.disconnect();
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
      // bounded: the caller keeps its messages and retries; a producer that gave up has lost its sequence and is recreated
      retry: { initialRetryTime: 100, maxRetryTime: 1_000, retries: 5 },
    });
    await producer.connect();
    return producer;
  }

  private async disconnect(): Promise<void> {
    const producer = this.producer;
    this.producer = null;
    if (producer)
      await within(
        DISCONNECT_MS,
        'disconnecting',
        producer.then((one) => one.disconnect()),
      ).catch(() => undefined);
  }
}

/** Broker errors about a single message; the topic accepts others. */
const REFUSED_MESSAGES = new Set(['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE', 'INVALID_RECORD']);

const refusalOf = (topic: string, error: unknown): PipelineError => {
  for (let cause: unknown = error; cause instanceof Error; cause = (cause as { cause?: unknown }).cause) {
    const { type } = cause as { type?: string };
    if (type !== undefined && REFUSED_MESSAGES.has(type)) return messageRefused(topic, type, error);
  }
  return busUnavailable('publish', error);
};
