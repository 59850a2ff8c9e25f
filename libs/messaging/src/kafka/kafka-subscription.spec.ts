import type { EachBatchPayload, Kafka } from 'kafkajs';
import { z } from 'zod';
import { type Received, SILENT } from '../event-bus.port';
import { KAFKA_DEFAULTS } from './kafka-client';
import { KafkaSubscription } from './kafka-subscription';

type Listener = (event: { payload: object }) => void;

/** A kafkajs consumer whose joins and batches come from the test. */
class FakeConsumer {
  readonly events = {
    CONNECT: 'connect',
    DISCONNECT: 'disconnect',
    CRASH: 'crash',
    GROUP_JOIN: 'join',
    COMMIT_OFFSETS: 'commit',
    REQUEST: 'request',
  };
  readonly committed: { partition: number; offset: string }[] = [];
  private readonly listeners = new Map<string, Listener>();
  private eachBatch: (payload: EachBatchPayload) => Promise<void> = async () => undefined;

  on(event: string, listener: Listener): void {
    this.listeners.set(event, listener);
  }
  async connect(): Promise<void> {}
  async disconnect(): Promise<void> {}
  async subscribe(): Promise<void> {}
  async run({ eachBatch }: { eachBatch: (payload: EachBatchPayload) => Promise<void> }): Promise<void> {
    this.eachBatch = eachBatch;
  }
  async commitOffsets(offsets: { topic: string; partition: number; offset: string }[]): Promise<void> {
    this.committed.push(...offsets.map(({ partition, offset }) => ({ partition, offset })));
    this.emit('commit', { topics: [{ partitions: offsets }] });
  }
  pause(): void {}
  resume(): void {}

  join(memberId: string, partitions: readonly number[]): void {
    this.emit('join', { memberId, memberAssignment: { t: partitions } });
  }

  async batch(partition: number, offsets: readonly number[]): Promise<void> {
    await this.eachBatch({
      batch: {
        partition,
        highWatermark: '1000',
        messages: offsets.map((offset) => ({ offset: String(offset), key: Buffer.from(`key ${offset}`), value: Buffer.from('{}') })),
      },
      resolveOffset: () => undefined,
      heartbeat: async () => undefined,
      isRunning: () => true,
      isStale: () => false,
    } as unknown as EachBatchPayload);
  }

  private emit(event: string, payload: object): void {
    this.listeners.get(event)?.({ payload });
  }
}

describe('KafkaSubscription', () => {
  let consumer: FakeConsumer;
  let subscription: KafkaSubscription;
  let received: Received[];
  const keys = () => received.map(({ key }) => key);

  beforeEach(async () => {
    jest.useFakeTimers();
    consumer = new FakeConsumer();
    received = [];
    const options = {
      group: 'g',
      topic: 't',
      schema: z.any(),
      handle: async (message: Received) => void received.push(message),
      onQuarantine: async () => undefined,
    };
    const kafka = { consumer: () => consumer } as unknown as Kafka;
    subscription = new KafkaSubscription(kafka, options, { ...KAFKA_DEFAULTS, brokers: [], clientId: 'c' }, () => undefined, SILENT);
    await subscription.start();
  });
  afterEach(async () => {
    const drained = subscription.drain(0);
    await jest.runOnlyPendingTimersAsync();
    await drained;
    jest.useRealTimers();
  });

  it('delivers messages again after joining as a new member, because another member may have consumed them', async () => {
    consumer.join('first', [0]);
    await consumer.batch(0, [4, 5]);
    received.forEach((message) => message.settle());
    await jest.advanceTimersByTimeAsync(100);
    consumer.join('second', [0]);
    await consumer.batch(0, [4, 5, 6]);
    expect(keys()).toEqual(['key 4', 'key 5', 'key 4', 'key 5', 'key 6']);
  });

  it('commits nothing for work of a former membership', async () => {
    consumer.join('first', [0]);
    await consumer.batch(0, [4]);
    consumer.join('second', [0]);
    received[0]?.settle();
    await jest.advanceTimersByTimeAsync(10_000);
    expect(consumer.committed).toEqual([]);
  });

  it('does not deliver messages twice after a rebalance in which it stayed a member', async () => {
    consumer.join('first', [0]);
    await consumer.batch(0, [4, 5]);
    consumer.join('first', [0, 1]);
    await consumer.batch(0, [4, 5, 6]);
    expect(keys()).toEqual(['key 4', 'key 5', 'key 6']);
  });

  it('ignores a partition that was reassigned and commits nothing for it', async () => {
    consumer.join('first', [0, 1]);
    consumer.join('first', [1]);
    await consumer.batch(0, [4]);
    await consumer.batch(1, [9]);
    received.forEach((message) => message.settle());
    await jest.advanceTimersByTimeAsync(10_000);
    expect(keys()).toEqual(['key 9']);
    expect(consumer.committed).toEqual([{ partition: 1, offset: '10' }]);
  });
});
