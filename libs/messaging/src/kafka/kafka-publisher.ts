import { type Kafka, Partitioners, type Producer } from 'kafkajs';
import type { Logger } from '@autoposter/observability';
import { withinTime } from '@autoposter/resilience';
import { brokerCode, busClosed, busUnavailable, errorText, isTopicMissing, messageRefused } from '../bus-failures';
import { byTopic, type OutgoingMessage } from '../event-bus.port';
import { connected, disconnected } from './kafka-client';

/** Retries of the shared producer: few, because all topics of the request wait for them. */
const SHARED_RETRIES = 2;
const OWN_RETRIES = 5;
/** Broker errors about a single message; the topic accepts others. */
const REFUSED_MESSAGES = new Set(['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE', 'INVALID_RECORD']);

/** Publishes through one shared producer, or `apart` through a new one, whose retries and missing answers delay no other request. */
export class KafkaPublisher {
  /** Replaced after a failure: a producer that gave up has lost its sequence. */
  private shared: ProducerConnection | null = null;
  private readonly connections = new Set<ProducerConnection>();
  private last: Promise<unknown> = Promise.resolve();
  private closed = false;

  constructor(
    private readonly kafka: Pick<Kafka, 'producer'>,
    private readonly timeoutMs: number,
    private readonly logger: Logger,
    private readonly onTopicMissing: () => void,
  ) {}

  async publish(messages: readonly OutgoingMessage[], apart = false): Promise<void> {
    if (apart) return this.send(messages, this.connect(OWN_RETRIES));
    // with more than one request in flight, kafkajs can send sequence numbers out of order under load (tulios/kafkajs#598)
    const sent = this.last.then(() => this.send(messages, (this.shared ??= this.connect(SHARED_RETRIES))));
    this.last = sent.catch(() => undefined);
    return sent;
  }

  async close(): Promise<void> {
    this.closed = true;
    await Promise.all([...this.connections].map((one) => this.disconnect(one)));
  }

  private connect(retries: number): ProducerConnection {
    if (this.closed) throw busClosed();
    const connection = new ProducerConnection(this.kafka, retries);
    this.connections.add(connection);
    return connection;
  }

  private async disconnect(connection: ProducerConnection): Promise<void> {
    await disconnected(connection.producer);
    this.connections.delete(connection);
  }

  private async send(messages: readonly OutgoingMessage[], connection: ProducerConnection): Promise<void> {
    try {
      await connection.send(messages, this.timeoutMs / 2);
    } catch (error) {
      if (connection === this.shared) this.shared = null;
      const topic = [...byTopic(messages).keys()].join(', ');
      this.logger.warn({ topic, error: errorText(error) }, 'could not publish');
      if (isTopicMissing(error)) this.onTopicMissing();
      const code = brokerCode(error, REFUSED_MESSAGES);
      throw code === undefined ? busUnavailable('publish', error) : messageRefused(topic, code, error);
    } finally {
      // not awaited: a request without an answer keeps its connection for long
      if (connection !== this.shared) void this.disconnect(connection);
    }
  }
}

/** One producer, for one request at a time. */
class ProducerConnection {
  readonly producer: Promise<Producer>;
  /** Partitions of the request in flight. */
  private readonly chosen = new Set<string>();

  constructor(kafka: Pick<Kafka, 'producer'>, retries: number) {
    const choose = Partitioners.DefaultPartitioner();
    const producer = kafka.producer({
      idempotent: true,
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
      createPartitioner: () => (choice) => {
        const partition = choose(choice);
        this.chosen.add(placeOf(choice.topic, partition));
        return partition;
      },
      // bounded: the caller keeps its messages and retries
      retry: { initialRetryTime: 100, maxRetryTime: 1_000, retries },
    });
    this.producer = connected(producer);
  }

  /**
   * Resolves when every in-sync replica has the messages. kafkajs 2.2.4 retries only at brokers that have not answered: messages of a partition
   * whose leader moved to one that has answered are not sent, and the request succeeds (tulios/kafkajs#1303, #1798).
   */
  async send(messages: readonly OutgoingMessage[], timeoutMs: number): Promise<void> {
    const producer = await withinTime(this.producer, timeoutMs, 'reaching a broker');
    this.chosen.clear();
    const topicMessages = [...byTopic(messages)].map(([topic, some]) => ({
      topic,
      messages: some.map(({ key, envelope }) => ({ key, value: JSON.stringify(envelope) })),
    }));
    const answers = await withinTime(producer.sendBatch({ acks: -1, topicMessages }), timeoutMs, 'the answer');
    const answered = new Set(answers.map(({ topicName, partition }) => placeOf(topicName, partition)));
    const missing = [...this.chosen].filter((place) => !answered.has(place));
    if (missing.length > 0) throw new Error(`no broker answered for ${missing.join(', ')}`);
  }
}

const placeOf = (topic: string, partition: number): string => `${topic} ${partition}`;
