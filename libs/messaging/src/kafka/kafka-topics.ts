import type { Admin, Kafka } from 'kafkajs';
import type { Topic } from '@autoposter/contracts';
import { PipelineError } from '@autoposter/domain';
import type { Logger } from '@autoposter/observability';
import { retry, withinTime } from '@autoposter/resilience';
import { busUnavailable, errorText } from '../bus-failures';
import type { GroupOfTopic } from '../event-bus.port';
import { connected, disconnected, type KafkaBusSettings } from './kafka-client';

const REQUEST_MS = 60_000;
const DECLARE_WITHIN_MS = 30_000;
const FIRST_OFFSETS_ATTEMPTS = 3;
/** A broker that refuses to create topics is not asked more often. */
const BETWEEN_RESTORES_MS = 10_000;
const NO_OFFSET = '-1';

/** The log of each partition, and how far the group has committed it. */
async function partitionsOf(admin: Admin, group: string, topic: string) {
  const [logs, [commits]] = await Promise.all([admin.fetchTopicOffsets(topic), admin.fetchOffsets({ groupId: group, topics: [topic] })]);
  const offsets = new Map(commits?.partitions.map(({ partition, offset }) => [partition, offset]));
  return logs.map(({ partition, low, high }) => ({ partition, low, high, committed: offsets.get(partition) ?? NO_OFFSET }));
}

/** Partitions without a commit of the group, with their earliest offset. */
const withoutCommit = async (admin: Admin, group: string, topic: string) =>
  (await partitionsOf(admin, group, topic))
    .filter(({ committed }) => committed === NO_OFFSET)
    .map(({ partition, low }) => ({ partition, offset: low }));

/** Topics, first offsets and lag: all requests to the brokers except messages. */
export class KafkaTopics {
  private admin: Promise<Admin> | null = null;
  private readonly declared = new Set<string>();
  /** What `ensure` was asked for. */
  private readonly expected = { topics: new Set<Topic>(), groups: new Set<GroupOfTopic>() };
  private restoring = false;
  private ended = false;

  constructor(
    private readonly kafka: Kafka,
    private readonly settings: KafkaBusSettings,
    private readonly logger: Logger,
  ) {}

  /** For a moment the brokers may not list a new topic, or it has no leader. Every step is idempotent, so all are repeated. */
  ensure(topics: readonly Topic[], groups: readonly GroupOfTopic[]): Promise<void> {
    const end = Date.now() + DECLARE_WITHIN_MS;
    for (const topic of topics) this.expected.topics.add(topic);
    for (const group of groups) this.expected.groups.add(group);
    return retry(() => this.ensureOnce(topics, groups), {
      shouldRetry: () => Date.now() <= end && !this.ended,
      onRetry: (error) => this.logger.debug({ error: errorText(error) }, 'the topics are not ready yet'),
      longestPauseMs: 500,
    });
  }

  /** Declares missing topics again: brokers that start with an empty log have none, and nothing else creates them. */
  restore(): void {
    const { topics, groups } = this.expected;
    if (this.restoring || this.ended || topics.size === 0) return;
    this.restoring = true;
    this.logger.warn({}, 'the brokers do not have all topics; the missing ones are declared again');
    void this.ensure([...topics], [...groups])
      .catch((error: unknown) => this.logger.error({ error: errorText(error) }, 'missing topics could not be declared; retrying'))
      .finally(() => setTimeout(() => (this.restoring = false), BETWEEN_RESTORES_MS).unref());
  }

  /** Ends all requests, also those of a running `restore`. */
  async end(): Promise<void> {
    this.ended = true;
    await this.close();
  }

  private async ensureOnce(topics: readonly Topic[], groups: readonly GroupOfTopic[]): Promise<void> {
    await this.request('declare the topics', async (admin) => {
      const existing = new Set(await admin.listTopics());
      const missing = topics.filter((topic) => !existing.has(topic.name));
      // if another process creates the same topic concurrently, kafkajs returns false
      if (missing.length > 0) await admin.createTopics({ waitForLeaders: true, topics: missing.map((topic) => this.declaration(topic)) });
    });
    for (const { topic } of groups) await this.assertDeclared(topic);
    await Promise.all(groups.map((group) => this.commitFirstOffsets(group)));
  }

  async assertDeclared(topic: string): Promise<void> {
    if (this.declared.has(topic)) return;
    const existing = await this.request('list the topics', (admin) => admin.listTopics());
    for (const one of existing) this.declared.add(one);
    if (!this.declared.has(topic)) throw PipelineError.of('topic_undeclared', { fields: { topic }, detail: { topic } });
  }

  /** Sum over all partitions of log end minus committed offset; a partition without a commit counts from its earliest message. */
  lag(group: string, topic: string): Promise<number> {
    return this.request('read the lag', async (admin) => {
      const lags = (await partitionsOf(admin, group, topic)).map(({ low, high, committed }) => {
        // also after a deletion by the retention; "no offset" is -1
        const from = BigInt(committed) < BigInt(low) ? BigInt(low) : BigInt(committed);
        return Math.max(0, Number(BigInt(high) - from));
      });
      return lags.reduce((sum, one) => sum + one, 0);
    });
  }

  brokers(withinMs: number): Promise<number> {
    return this.request('list the brokers', async (admin) => (await admin.describeCluster()).brokers.length, withinMs);
  }

  async close(): Promise<void> {
    const admin = this.admin;
    this.admin = null;
    if (admin) await disconnected(admin);
  }

  /**
   * Without a commit, autoscalers read the lag of a new group as zero or as the whole log. A group with members is skipped: they read
   * from the earliest message and commit.
   */
  private async commitFirstOffsets({ group, topic }: GroupOfTopic): Promise<void> {
    for (let attempt = 0; attempt < FIRST_OFFSETS_ATTEMPTS; attempt++) {
      const open = await this.request('read the first offsets', async (admin) => {
        const { groups } = await admin.describeGroups([group]);
        const running = groups.some((one) => one.members.length > 0);
        return !running && (await withoutCommit(admin, group, topic)).length > 0;
      });
      if (!open) return;
      await this.commitAsMember(group, topic);
    }
  }

  /** Commits as a temporary member that reads no messages: while it owns a partition, no other member commits it. */
  private async commitAsMember(group: string, topic: string): Promise<void> {
    const consumer = this.kafka.consumer({ groupId: group, maxWaitTimeInMs: 100, allowAutoTopicCreation: false });
    const joined = new Promise<Set<number>>((resolve) =>
      consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
        consumer.pause([{ topic }]);
        resolve(new Set(payload.memberAssignment[topic] ?? []));
      }),
    );
    try {
      await consumer.connect();
      await consumer.subscribe({ topic, fromBeginning: true });
      await consumer.run({ autoCommit: false, eachBatchAutoResolve: false, eachBatch: async () => undefined });
      const ours = await withinTime(joined, REQUEST_MS, 'joining');
      const open = await this.request('read the first offsets', (admin) => withoutCommit(admin, group, topic));
      const offsets = open.filter((one) => ours.has(one.partition)).map((one) => ({ topic, ...one }));
      if (offsets.length > 0) await consumer.commitOffsets(offsets);
    } catch (error) {
      this.logger.info(
        { group, topic, error: errorText(error) },
        'first offsets were not committed; the group starts at the earliest message',
      );
    } finally {
      await disconnected(Promise.resolve(consumer));
    }
  }

  private declaration({ name, partitions, retentionMs }: Topic) {
    return {
      topic: name,
      numPartitions: partitions,
      replicationFactor: this.settings.replicationFactor,
      configEntries: [
        { name: 'cleanup.policy', value: 'delete' },
        { name: 'retention.ms', value: String(retentionMs) },
        { name: 'min.insync.replicas', value: String(this.settings.minInSyncReplicas) },
      ],
    };
  }

  private async request<T>(what: string, send: (admin: Admin) => Promise<T>, withinMs = REQUEST_MS): Promise<T> {
    try {
      this.admin ??= connected(this.kafka.admin());
      return await withinTime(this.admin.then(send), withinMs, 'the answer');
    } catch (error) {
      await this.close();
      throw busUnavailable(what, error);
    }
  }
}
