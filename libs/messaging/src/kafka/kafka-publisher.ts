import { Partitioners, type Kafka } from 'kafkajs';
import type { Logger } from '@autoposter/observability';
import { brokerCode, busClosed, busUnavailable, errorText, isTopicMissing, messageRefused } from '../bus-failures';
import type { OutgoingMessage } from '../event-bus.port';
import { ProducerQueue, type PendingPublish } from './producer-queue';

/** Retries of the shared producer: few, because all topics of the request wait for them. */
const SHARED_RETRIES = 2;
const OWN_RETRIES = 5;
/** A topic that refused a message keeps its own producer this long: the message is sent again after pauses of a few minutes. */
const OWN_AFTER_REFUSAL_MS = 600_000;

interface IsolatedTopic {
  queue: ProducerQueue;
  refusedAt: number;
}

/**
 * One producer for all topics: messages that are published at the same time share one request. If it fails, each of its topics is isolated: a
 * separate producer sends its messages again until the topic accepts them. A refusing topic therefore delays the other topics only once, at most
 * by the timeout of the shared request, and messages of that request may be appended twice. While a topic is isolated, its requests, retries
 * and refusals do not affect other topics.
 */
export class KafkaPublisher {
  private readonly shared: ProducerQueue;
  private readonly isolated = new Map<string, IsolatedTopic>();
  /** Producers of topics that are not isolated any more. */
  private readonly disconnecting = new Set<Promise<void>>();
  private closed = false;

  constructor(
    private readonly kafka: Pick<Kafka, 'producer'>,
    private readonly timeoutMs: number,
    private readonly logger: Logger,
    private readonly onTopicMissing: () => void,
  ) {
    this.shared = new ProducerQueue((onPartition) => this.producer(SHARED_RETRIES, onPartition), timeoutMs / 2, {
      onSent: (batch) => batch.forEach((one) => one.resolve()),
      onFailed: (batch, error) => this.isolate(batch, error),
    });
  }

  async publish(topic: string, messages: readonly OutgoingMessage[]): Promise<void> {
    if (this.closed) throw busClosed();
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        // an unsent message must not be sent after its caller got the rejection
        for (const queue of this.queues()) queue.remove(one);
        one.expired = true;
        reject(busUnavailable('publish', new Error(`no answer within ${this.timeoutMs} ms`)));
      }, this.timeoutMs);
      const one: PendingPublish = {
        topic,
        messages: messages.map(({ key, value }) => ({ key, value: JSON.stringify(value) })),
        expired: false,
        resolve: () => (clearTimeout(timer), resolve()),
        reject: (error) => (clearTimeout(timer), reject(error)),
      };
      this.queueOf(topic).add(one);
    });
  }

  async close(): Promise<void> {
    this.closed = true;
    await Promise.all([...this.queues().map((queue) => this.closeQueue(queue)), ...this.disconnecting]);
  }

  private queueOf(topic: string): ProducerQueue {
    return this.isolated.get(topic)?.queue ?? this.shared;
  }

  private queues(): ProducerQueue[] {
    return [this.shared, ...[...this.isolated.values()].map(({ queue }) => queue)];
  }

  private isolate(failed: readonly PendingPublish[], error: Error): void {
    const topics = new Set(failed.map(({ topic }) => topic));
    this.logger.warn(
      { topics: [...topics], error: errorText(error) },
      'could not publish; each topic gets its own producer until it accepts messages',
    );
    if (isTopicMissing(error)) this.onTopicMissing();
    // those that wait follow the failed ones of their topic
    const moved = [...failed, ...this.shared.takeOf(topics)].filter(({ expired }) => !expired);
    for (const topic of topics) this.isolated.set(topic, this.isolatedTopic(topic));
    for (const one of moved) {
      if (this.closed) one.reject(busClosed());
      else this.queueOf(one.topic).add(one);
    }
  }

  private isolatedTopic(topic: string): IsolatedTopic {
    const isolated: IsolatedTopic = {
      refusedAt: -Infinity,
      queue: new ProducerQueue((onPartition) => this.producer(OWN_RETRIES, onPartition), this.timeoutMs, {
        onSent: (batch) => {
          for (const one of batch) one.resolve();
          if (performance.now() - isolated.refusedAt >= OWN_AFTER_REFUSAL_MS) this.rejoin(topic, isolated.queue);
        },
        onFailed: (batch, error) => {
          this.logger.warn({ topic, error: errorText(error) }, 'could not publish; the producer is recreated');
          if (isTopicMissing(error)) this.onTopicMissing();
          const code = brokerCode(error, REFUSED_MESSAGES);
          if (code !== undefined) isolated.refusedAt = performance.now();
          const refusal = code === undefined ? busUnavailable('publish', error) : messageRefused(topic, code, error);
          for (const one of batch) one.reject(refusal);
        },
      }),
    };
    return isolated;
  }

  /** Not while messages wait: those of the shared producer could be appended before them. */
  private rejoin(topic: string, queue: ProducerQueue): void {
    if (queue.hasWaiting) return;
    this.isolated.delete(topic);
    const closed = this.closeQueue(queue).finally(() => this.disconnecting.delete(closed));
    this.disconnecting.add(closed);
  }

  private closeQueue(queue: ProducerQueue): Promise<void> {
    for (const one of queue.takeAll()) one.reject(busClosed());
    return queue.disconnect();
  }

  /** With more than one request in flight, kafkajs can send sequence numbers out of order under load (tulios/kafkajs#598). */
  private producer(retries: number, onPartition: (topic: string, partition: number) => void) {
    return this.kafka.producer({
      idempotent: true,
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
      createPartitioner: () => {
        const choose = Partitioners.DefaultPartitioner();
        return (choice) => {
          const partition = choose(choice);
          onPartition(choice.topic, partition);
          return partition;
        };
      },
      // bounded: the caller keeps its messages and retries; a producer that gave up has lost its sequence and is recreated
      retry: { initialRetryTime: 100, maxRetryTime: 1_000, retries },
    });
  }
}

/** Broker errors about a single message; the topic accepts others. */
const REFUSED_MESSAGES = new Set(['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE', 'INVALID_RECORD']);
