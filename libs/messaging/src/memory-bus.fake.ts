import type { Topic } from '@autoposter/contracts';
import { busClosed, undeclaredTopic } from './bus-failures';
import { ClaimConsumer, type ClaimedDelivery, type ClaimSettings, type DeliverySource } from './claim-consumer';
import {
  SILENT,
  type BusLogger,
  type EventBus,
  type GroupOfTopic,
  type OutgoingMessage,
  type SubscribeOptions,
  type Subscription,
} from './event-bus.port';

interface Delivery extends ClaimedDelivery {
  dueAt: number;
  owner: object | null;
}

const groupKey = (group: string, topic: string): string => `${group} ${topic}`;

/** Shared by several `MemoryBus`es, as processes share a broker. */
export class MemoryBroker {
  readonly topics = new Map<string, ClaimedDelivery[]>();
  readonly groups = new Map<string, Delivery[]>();
  readonly consumers = new Set<{ topic: string; wake(): void }>();
  private next = 1;

  declare(topic: string): void {
    if (!this.topics.has(topic)) this.topics.set(topic, []);
  }

  join({ group, topic }: GroupOfTopic): void {
    const log = this.topics.get(topic);
    if (!log) throw undeclaredTopic(topic);
    const name = groupKey(group, topic);
    if (!this.groups.has(name))
      this.groups.set(
        name,
        log.map((one) => ({ ...one, dueAt: 0, owner: null })),
      );
  }

  /** Appends any text to a topic, also an invalid envelope. */
  append(topic: string, key: string, text: string): void {
    const log = this.topics.get(topic);
    if (!log) throw undeclaredTopic(topic);
    const message = { id: String(this.next++), key, text };
    log.push(message);
    for (const [name, deliveries] of this.groups) if (name.endsWith(` ${topic}`)) deliveries.push({ ...message, dueAt: 0, owner: null });
    for (const consumer of this.consumers) if (consumer.topic === topic) consumer.wake();
  }

  waiting(group: string, topic: string): Delivery[] {
    return this.groups.get(groupKey(group, topic)) ?? [];
  }
}

class MemoryDeliveries implements DeliverySource {
  dead = false;

  constructor(
    private readonly broker: MemoryBroker,
    private readonly group: string,
    private readonly topic: string,
    private readonly leaseMs: number,
  ) {}

  async claim(limit: number): Promise<ClaimedDelivery[]> {
    const taken: Delivery[] = [];
    const keys = new Set<string>();
    for (const one of this.all()) {
      if (taken.length === limit) break;
      if (!this.dead && !keys.has(one.key) && one.dueAt <= Date.now()) taken.push(one);
      keys.add(one.key);
    }
    for (const one of taken) Object.assign(one, { dueAt: Date.now() + this.leaseMs, owner: this });
    return taken;
  }

  async settle(ids: readonly string[]): Promise<void> {
    const all = this.all();
    for (const one of this.ours(ids)) all.splice(all.indexOf(one), 1);
  }

  async postpone(ids: readonly string[], delayMs: number): Promise<void> {
    for (const one of this.ours(ids)) Object.assign(one, { dueAt: Date.now() + delayMs, owner: null });
    this.wakeOthers();
  }

  async renew(ids: readonly string[]): Promise<readonly string[]> {
    const ours = this.ours(ids);
    for (const one of ours) one.dueAt = Date.now() + this.leaseMs;
    return ours.map((one) => one.id);
  }

  /** Simulates a killed process: ignores its later calls and releases its deliveries at once. */
  die(): void {
    for (const one of this.all()) if (one.owner === this) Object.assign(one, { dueAt: 0, owner: null });
    this.dead = true;
    this.wakeOthers();
  }

  private ours(ids: readonly string[]): Delivery[] {
    if (this.dead) return [];
    return this.all().filter((one) => one.owner === this && ids.includes(one.id));
  }

  private all(): Delivery[] {
    return this.broker.waiting(this.group, this.topic);
  }

  private wakeOthers(): void {
    for (const consumer of this.broker.consumers) if (consumer.topic === this.topic) consumer.wake();
  }
}

const SETTINGS: ClaimSettings = { maxInFlight: 100, pollMs: 20, leaseMs: 30_000, redeliverMs: 20 };

/** An in-memory bus that passes the same contract suite. */
export class MemoryBus implements EventBus {
  private readonly settings: ClaimSettings;
  private readonly subscriptions = new Map<ClaimConsumer, { source: MemoryDeliveries; topic: string; wake(): void }>();
  private closed = false;

  constructor(
    readonly broker: MemoryBroker = new MemoryBroker(),
    settings: Partial<ClaimSettings> = {},
    private readonly logger: BusLogger = SILENT,
  ) {
    this.settings = { ...SETTINGS, ...settings };
  }

  async ensureTopics(topics: readonly Topic[], groups: readonly GroupOfTopic[]): Promise<void> {
    for (const topic of topics) this.broker.declare(topic.name);
    for (const group of groups) this.broker.join(group);
  }

  async publish(messages: readonly OutgoingMessage[]): Promise<void> {
    if (this.closed) throw busClosed();
    for (const { topic } of messages) if (!this.broker.topics.has(topic)) throw undeclaredTopic(topic);
    for (const { topic, key, value } of messages) this.broker.append(topic, key, JSON.stringify(value));
  }

  async subscribe(options: SubscribeOptions): Promise<Subscription> {
    if (this.closed) throw busClosed();
    this.broker.join(options);
    const source = new MemoryDeliveries(this.broker, options.group, options.topic, this.settings.leaseMs);
    const consumer = new ClaimConsumer(source, options, this.settings, this.logger);
    const entry = { source, topic: options.topic, wake: () => consumer.wake() };
    this.broker.consumers.add(entry);
    this.subscriptions.set(consumer, entry);
    return consumer;
  }

  async lag(group: string, topic: string): Promise<number> {
    return this.broker.waiting(group, topic).length;
  }

  async health(): Promise<{ ok: boolean; detail: string }> {
    return { ok: !this.closed, detail: this.closed ? 'closed' : 'in memory' };
  }

  /** Simulates a killed process: its deliveries go to others, its later calls are ignored. */
  async kill(): Promise<void> {
    for (const { source } of this.subscriptions.values()) source.die();
    await this.close();
  }

  async close(): Promise<void> {
    this.closed = true;
    await Promise.all([...this.subscriptions.keys()].map((consumer) => consumer.drain(0)));
    for (const entry of this.subscriptions.values()) this.broker.consumers.delete(entry);
    this.subscriptions.clear();
  }
}
