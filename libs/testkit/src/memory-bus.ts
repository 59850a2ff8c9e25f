import type { Topic } from '@autoposter/contracts';
import { PipelineError } from '@autoposter/domain';
import {
  type EventBus,
  type GroupOfTopic,
  type OutgoingMessage,
  readMessage,
  type SubscribeOptions,
  type Subscription,
} from '@autoposter/messaging';

interface Message {
  id: string;
  key: string;
  text: string;
}

interface Delivery extends Message {
  owner: MemorySubscription | null;
  /** Milliseconds since the epoch. */
  dueAt: number;
}

const REDELIVER_MS = 20;

const undeclared = (topic: string): PipelineError => PipelineError.of('topic_undeclared', { fields: { topic }, detail: { topic } });

/** Shared by several `MemoryBus`es, as processes share a broker. */
export class MemoryBroker {
  readonly topics = new Map<string, Message[]>();
  readonly subscriptions = new Set<MemorySubscription>();
  readonly groups = new Map<string, Delivery[]>();
  private next = 1;

  declare(topic: string): void {
    if (!this.topics.has(topic)) this.topics.set(topic, []);
  }

  /** Unsettled deliveries of a group; a new group begins at the earliest message. */
  deliveries({ group, topic }: GroupOfTopic): Delivery[] {
    const log = this.topics.get(topic);
    if (!log) throw undeclared(topic);
    const name = `${group} ${topic}`;
    const known = this.groups.get(name) ?? log.map((one) => ({ ...one, owner: null, dueAt: 0 }));
    this.groups.set(name, known);
    return known;
  }

  /** Appends any text to a topic, also an invalid envelope. */
  append(topic: string, key: string, text: string): void {
    const log = this.topics.get(topic);
    if (!log) throw undeclared(topic);
    const message = { id: String(this.next++), key, text };
    log.push(message);
    for (const [name, deliveries] of this.groups) if (name.endsWith(` ${topic}`)) deliveries.push({ ...message, owner: null, dueAt: 0 });
    this.wake(topic);
  }

  wake(topic: string): void {
    for (const one of this.subscriptions) if (one.options.topic === topic) one.deliverReady();
  }
}

class MemorySubscription implements Subscription {
  private dead = false;

  constructor(
    private readonly broker: MemoryBroker,
    readonly options: SubscribeOptions,
  ) {
    broker.subscriptions.add(this);
    setImmediate(() => this.deliverReady());
  }

  deliverReady(): void {
    if (!this.broker.subscriptions.has(this)) return;
    for (const one of this.all) {
      if (one.owner !== null || one.dueAt > Date.now() || this.held.length >= (this.options.maxInFlight ?? 100)) continue;
      one.owner = this;
      setImmediate(() => void this.deliver(one));
    }
  }

  async drain(deadlineMs: number): Promise<void> {
    this.broker.subscriptions.delete(this);
    for (const end = Date.now() + deadlineMs; this.held.length > 0 && Date.now() < end;)
      await new Promise((resolve) => setTimeout(resolve, 5));
    this.release();
  }

  /** As a killed process: its deliveries go to others, its later calls are ignored. */
  kill(): void {
    this.dead = true;
    this.broker.subscriptions.delete(this);
    this.release();
  }

  private get all(): Delivery[] {
    return this.broker.deliveries(this.options);
  }

  private get held(): Delivery[] {
    return this.all.filter(({ owner }) => owner === this);
  }

  private release(): void {
    for (const one of this.held) one.owner = null;
    this.broker.wake(this.options.topic);
  }

  private async deliver(one: Delivery): Promise<void> {
    const { topic, schema, handle, onQuarantine } = this.options;
    const { id, key, text } = one;
    if (this.dead || one.owner !== this) return;
    const read = readMessage(text, schema);
    try {
      if (read.ok) await handle({ topic, key, envelope: read.envelope, settle: () => this.settle(one) });
      else {
        await onQuarantine({ topic, partition: 0, offset: id, text, reason: read.reason });
        this.settle(one);
      }
    } catch {
      if (one.owner !== this) return;
      Object.assign(one, { owner: null, dueAt: Date.now() + REDELIVER_MS });
      setTimeout(() => this.broker.wake(topic), REDELIVER_MS + 1).unref();
    }
  }

  private settle(one: Delivery): void {
    if (this.dead || one.owner !== this || !this.all.includes(one)) return;
    this.all.splice(this.all.indexOf(one), 1);
    this.broker.wake(this.options.topic);
  }
}

/** An in-memory bus for tests that passes the contract suite of the others. */
export class MemoryBus implements EventBus {
  private readonly subscriptions: MemorySubscription[] = [];
  private closed = false;

  constructor(readonly broker: MemoryBroker = new MemoryBroker()) {}

  async ensureTopics(topics: readonly Topic[], groups: readonly GroupOfTopic[]): Promise<void> {
    for (const { name } of topics) this.broker.declare(name);
    for (const group of groups) this.broker.deliveries(group);
  }

  async publish(messages: readonly OutgoingMessage[]): Promise<void> {
    if (this.closed) throw PipelineError.of('bus_closed');
    for (const { topic } of messages) if (!this.broker.topics.has(topic)) throw undeclared(topic);
    for (const { topic, key, envelope } of messages) this.broker.append(topic, key, JSON.stringify(envelope));
  }

  async subscribe(options: SubscribeOptions): Promise<Subscription> {
    if (this.closed) throw PipelineError.of('bus_closed');
    this.broker.deliveries(options);
    const subscription = new MemorySubscription(this.broker, options);
    this.subscriptions.push(subscription);
    return subscription;
  }

  async lag(group: string, topic: string): Promise<number> {
    return this.broker.deliveries({ group, topic }).length;
  }

  async health(): Promise<{ ok: boolean; detail: string }> {
    return { ok: !this.closed, detail: this.closed ? 'closed' : 'in memory' };
  }

  async kill(): Promise<void> {
    for (const one of this.subscriptions) one.kill();
    await this.close();
  }

  async close(): Promise<void> {
    this.closed = true;
    await Promise.all(this.subscriptions.splice(0).map((one) => one.drain(0)));
  }
}
