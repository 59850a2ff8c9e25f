import { type Stage, topics } from '@autoposter/contracts';
import { PipelineError } from '@autoposter/domain';
import type { EventBus, OutgoingMessage, SubscribeOptions, Subscription } from '@autoposter/messaging';
import type { Faults } from './faults';
import type { SimulatedProcess, World } from './virtual-time';

export const requestTopic = (stage: Stage): string => topics.requested[stage].name;

interface Message {
  key: string;
  jobId: string;
  requestNumber: number;
}

interface Partition {
  topic: string;
  log: Message[];
  /** Messages before this place are settled; it survives every consumer. */
  committed: number;
  owner: Consumer | null;
}

const PARTITIONS = 2;
/** A consumer that does not answer for this long loses its partitions. */
const SESSION_MS = 10_000;
const COMMIT_MS = 500;

/** A broker with the guarantees of Kafka and no more: at least once, offsets committed as a prefix, partitions that move between consumers. */
export class SimulatedBroker {
  private readonly partitions: Partition[] = [];
  private readonly consumers = new Set<Consumer>();

  constructor(
    readonly world: World,
    readonly faults: Faults,
    /** Messages that the broker lost; a planted bug settles messages on delivery. */
    private readonly options: { onLost: (message: Message) => void; onSettled: () => void; settlesOnDelivery: boolean },
  ) {}

  connect(process: SimulatedProcess): EventBus {
    const consumers: Consumer[] = [];
    return {
      ensureTopics: () => Promise.resolve(),
      publish: (messages) => this.publish(messages, process),
      subscribe: (options) => {
        const consumer = new Consumer(this, process, options, this.options.settlesOnDelivery);
        consumers.push(consumer);
        this.join(consumer);
        return Promise.resolve(consumer);
      },
      lag: (_group, topic) => Promise.resolve(this.pending(topic).length),
      health: () => Promise.resolve({ ok: true, detail: 'simulated' }),
      close: () => Promise.resolve(),
    };
  }

  /** Messages that the group has not committed. */
  pending(topic: string): Message[] {
    return this.of(topic).flatMap(({ log, committed }) => log.slice(committed));
  }

  lag(): number {
    return this.partitions.reduce((sum, { log, committed }) => sum + log.length - committed, 0);
  }

  settled(): void {
    this.options.onSettled();
  }

  join(consumer: Consumer): void {
    this.consumers.add(consumer);
    this.rebalance(consumer.options.topic);
  }

  leave(consumer: Consumer): void {
    this.consumers.delete(consumer);
    this.rebalance(consumer.options.topic);
  }

  /** The group notices a dead consumer, or one that is frozen, after its session. */
  suspect(process: SimulatedProcess): void {
    this.world.after(SESSION_MS, () => {
      for (const consumer of this.consumers) {
        if (consumer.process !== process || (process.isAlive && !process.isFrozen)) continue;
        this.leave(consumer);
        // a frozen one joins again afterwards
        process.enter(() => this.join(consumer));
      }
    });
  }

  rebalance(topic: string): void {
    const members = [...this.consumers].filter(({ options, process }) => options.topic === topic && process.isAlive);
    for (const partition of this.of(topic)) {
      const owner = members.length === 0 ? null : this.world.pick(members);
      if (partition.owner === owner) continue;
      partition.owner?.revoke(partition);
      partition.owner = owner;
      owner?.assign(partition);
    }
  }

  of(topic: string): Partition[] {
    const known = this.partitions.filter((partition) => partition.topic === topic);
    if (known.length > 0) return known;
    for (let index = 0; index < PARTITIONS; index += 1) this.partitions.push({ topic, log: [], committed: 0, owner: null });
    return this.of(topic);
  }

  private publish(messages: readonly OutgoingMessage[], process: SimulatedProcess): Promise<void> {
    const { world, faults } = this;
    return new Promise((resolve, reject) => {
      if (!process.isAlive) return;
      const refused = faults.happens('busRefuses');
      const taken = refused ? messages.slice(0, world.between(0, messages.length)) : messages;
      world.after(faults.latencyMs(), () => {
        for (const message of taken) this.append(message);
        if (faults.happens('busRepeats')) for (const message of taken) this.append(message);
        const error = refused ? PipelineError.of('bus_closed') : null;
        world.after(faults.latencyMs(), () => process.enter(() => (error === null ? resolve() : reject(error))));
      });
    });
  }

  private append({ topic, key, envelope }: OutgoingMessage): void {
    const { jobId, turn: requestNumber } = (envelope as unknown as { payload: { jobId: string; turn: number } }).payload;
    const message = { key, jobId, requestNumber };
    if (this.faults.happens('busLoses')) {
      this.options.onLost(message);
      return;
    }
    const partitions = this.of(topic);
    const partition = partitions[hash(key) % partitions.length] as Partition;
    partition.log.push(message);
    partition.owner?.deliverReady(partition);
  }
}

const hash = (key: string): number => [...key].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 65_521, 7);

class Consumer implements Subscription {
  /** Of each assigned partition, the places that were delivered and settled. */
  private readonly places = new Map<Partition, { delivered: Set<number>; settled: Set<number> }>();
  private draining = false;

  constructor(
    private readonly broker: SimulatedBroker,
    readonly process: SimulatedProcess,
    readonly options: SubscribeOptions,
    private readonly settlesOnDelivery: boolean,
  ) {}

  assign(partition: Partition): void {
    this.places.set(partition, { delivered: new Set(), settled: new Set() });
    this.deliverReady(partition);
  }

  revoke(partition: Partition): void {
    this.places.delete(partition);
  }

  deliverReady(partition: Partition): void {
    const places = this.places.get(partition);
    if (places === undefined || this.draining) return;
    for (let offset = partition.committed; offset < partition.log.length; offset += 1) {
      const message = partition.log[offset] as Message;
      if (places.settled.has(offset) || places.delivered.has(offset) || this.inFlight() >= (this.options.maxInFlight ?? 100)) continue;
      places.delivered.add(offset);
      this.deliver(partition, offset, message);
    }
    if (this.broker.faults.happens('rebalance')) this.broker.world.after(0, () => this.broker.rebalance(partition.topic));
  }

  drain(): Promise<void> {
    this.draining = true;
    this.broker.leave(this);
    return Promise.resolve();
  }

  private inFlight(): number {
    return [...this.places.values()].reduce((sum, { delivered, settled }) => sum + delivered.size - settled.size, 0);
  }

  private deliver(partition: Partition, offset: number, message: Message): void {
    const { world, faults } = this.broker;
    const places = this.places.get(partition);
    const envelope = { payload: { jobId: message.jobId, turn: message.requestNumber } } as never;
    const settle = (): void => {
      // a consumer that lost the partition settles nothing
      if (!this.process.isAlive || places === undefined || this.places.get(partition) !== places) return;
      places.settled.add(offset);
      this.commitSoon(partition);
    };
    world.after(faults.latencyMs(), () =>
      this.process.enter(() => {
        if (this.places.get(partition) !== places) return;
        if (this.settlesOnDelivery) settle();
        this.options.handle({ topic: partition.topic, key: message.key, envelope, settle }).catch(() => {
          places?.delivered.delete(offset);
          world.after(1000, () => this.deliverReady(partition));
        });
      }),
    );
  }

  private commitSoon(partition: Partition): void {
    const { world } = this.broker;
    const places = this.places.get(partition);
    const commit = (): void => {
      if (this.places.get(partition) !== places || places === undefined) return;
      while (places.settled.has(partition.committed)) partition.committed += 1;
      this.broker.settled();
      this.deliverReady(partition);
    };
    world.after(world.between(0, COMMIT_MS), () => this.process.enter(commit));
  }
}
