import type { Kafka } from 'kafkajs';
import type { Envelope, Topic } from '@autoposter/contracts';
import { PipelineError } from '@autoposter/domain';
import { type Logger, silentLogger } from '@autoposter/observability';
import { withinTime } from '@autoposter/resilience';
import { busClosed, busUnavailable, errorText } from '../bus-failures';
import type { EventBus, GroupOfTopic, OutgoingMessage, SubscribeOptions, Subscription } from '../event-bus.port';
import { createKafka, KAFKA_DEFAULTS, type KafkaBusSettings } from './kafka-client';
import { KafkaPublisher } from './kafka-publisher';
import { KafkaSubscription } from './kafka-subscription';
import { KafkaTopics } from './kafka-topics';

const HEALTH_MS = 3_000;

/**
 * The event bus on Kafka, through kafkajs. Each subscription is one group member. `onStalled` is called when a consumer cannot be
 * recovered: the process must exit, because it would stay alive without receiving messages.
 */
export class KafkaBus implements EventBus {
  private readonly settings: KafkaBusSettings;
  private readonly kafka: Kafka;
  private readonly publisher: KafkaPublisher;
  private readonly topics: KafkaTopics;
  private readonly subscriptions = new Set<KafkaSubscription>();
  private dead: string | null = null;
  private closed = false;

  constructor(
    settings: Pick<KafkaBusSettings, 'brokers' | 'clientId'> & Partial<KafkaBusSettings>,
    private readonly onStalled: (reason: string) => void = () => undefined,
    private readonly logger: Logger = silentLogger,
  ) {
    this.settings = { ...KAFKA_DEFAULTS, ...settings };
    this.kafka = createKafka(this.settings, logger);
    this.topics = new KafkaTopics(this.kafka, this.settings, logger);
    this.publisher = new KafkaPublisher(this.kafka, this.settings.publishTimeoutMs, logger, () => this.topics.restore());
  }

  async ensureTopics(topics: readonly Topic[], groups: readonly GroupOfTopic[]): Promise<void> {
    this.assertOpen();
    await this.topics.ensure(topics, groups);
  }

  async publish(messages: readonly OutgoingMessage[], apart?: boolean): Promise<void> {
    this.assertOpen();
    const declared = Promise.all([...new Set(messages.map(({ topic }) => topic))].map((topic) => this.topics.assertDeclared(topic)));
    await withinTime(declared, this.settings.publishTimeoutMs, 'reaching a broker').catch((error: unknown) => {
      throw error instanceof PipelineError ? error : busUnavailable('publish', error);
    });
    await this.publisher.publish(messages, apart);
  }

  /** Resolves when the consumer has joined its group. */
  async subscribe(options: SubscribeOptions): Promise<Subscription> {
    this.assertOpen();
    await this.topics.assertDeclared(options.topic);
    const subscription = new KafkaSubscription(
      this.kafka,
      options,
      this.settings,
      (key, text) => this.publisher.publish([{ topic: options.topic, key, envelope: JSON.parse(text) as Envelope }], true),
      {
        onDead: (reason) => this.onStalled((this.dead = reason)),
        onTopicMissing: () => this.topics.restore(),
      },
      this.logger,
    );
    this.subscriptions.add(subscription);
    try {
      await subscription.start();
    } catch (error) {
      this.subscriptions.delete(subscription);
      await subscription.drain(0);
      throw busUnavailable('join the consumer group', error);
    }
    return {
      drain: async (deadlineMs) => {
        await subscription.drain(deadlineMs);
        this.subscriptions.delete(subscription);
      },
    };
  }

  lag(group: string, topic: string): Promise<number> {
    return this.topics.lag(group, topic);
  }

  async health(): Promise<{ ok: boolean; detail: string }> {
    if (this.closed) return { ok: false, detail: 'closed' };
    if (this.dead) return { ok: false, detail: this.dead };
    const outside = [...this.subscriptions].filter((one) => !one.isJoined).length;
    if (outside > 0) return { ok: false, detail: `${outside} of ${this.subscriptions.size} consumers have not joined their group` };
    try {
      return { ok: true, detail: `${await this.topics.brokers(HEALTH_MS)} Kafka brokers answer` };
    } catch (error) {
      return { ok: false, detail: errorText(error) };
    }
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    await Promise.all([...this.subscriptions].map((one) => one.drain(0)));
    this.subscriptions.clear();
    await Promise.all([this.publisher.close(), this.topics.end()]);
  }

  private assertOpen(): void {
    if (this.closed) throw busClosed();
  }
}
