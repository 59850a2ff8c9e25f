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
  readonly paused = new Set<number>();
  pause([{ partitions }]: { partitions: number[] }[] & { 0: { partitions: number[] } }): void {
    for (const one of partitions) this.paused.add(one);
  }
  resume([{ partitions }]: { partitions: number[] }[] & { 0: { partitions: number[] } }): void {
    for (const one of partitions) this.paused.delete(one);
  }

  join(memberId: string, partitions: readonly number[]): void {
    this.emit('join', { memberId, memberAssignment: { t: partitions } });
  }

  async batch(partition: number, messages: readonly (number | [offset: number, key: string])[]): Promise<void> {
    const rows = messages.map((one) => (typeof one === 'number' ? ([one, `key ${one}`] as const) : one));
    await this.eachBatch({
      batch: {
        partition,
        highWatermark: '1000',
        messages: rows.map(([offset, key]) => ({ offset: String(offset), key: Buffer.from(key), value: Buffer.from('{}') })),
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
  const append = jest.fn((_key: string, _text: string) => Promise.resolve());
  const keys = () => received.map(({ key }) => key);

  beforeEach(async () => {
    jest.useFakeTimers();
    consumer = new FakeConsumer();
    append.mockReset().mockResolvedValue();
    received = [];
    const options = {
      group: 'g',
      topic: 't',
      schema: z.any(),
      handle: async (message: Received) => void received.push(message),
      onQuarantine: async () => undefined,
    };
    const kafka = { consumer: () => consumer } as unknown as Kafka;
    subscription = new KafkaSubscription(
      kafka,
      options,
      { ...KAFKA_DEFAULTS, brokers: [], clientId: 'c', maxInFlight: 8, readAhead: 2 },
      append,
      () => undefined,
      SILENT,
    );
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

  it('moves a message that blocks ended ones for too long to the end, so that they no longer count as lag', async () => {
    consumer.join('first', [0]);
    await consumer.batch(0, [4, 5, 6]);
    received.slice(1).forEach((message) => message.settle());
    await jest.advanceTimersByTimeAsync(29_000);
    expect([append.mock.calls, consumer.committed]).toEqual([[], []]);
    append.mockRejectedValueOnce(new Error('the broker is away'));
    await jest.advanceTimersByTimeAsync(8_000);
    expect(consumer.committed).toEqual([]);
    await jest.advanceTimersByTimeAsync(8_000);
    expect(append.mock.calls.at(-1)).toEqual(['key 4', '{}']);
    expect(consumer.committed).toEqual([{ partition: 0, offset: '7' }]);
    // its copy is delivered only after the original has ended
    await consumer.batch(0, [[7, 'key 4']]);
    expect(keys()).toEqual(['key 4', 'key 5', 'key 6']);
    received[0]?.settle();
    await jest.advanceTimersByTimeAsync(100);
    expect(keys()).toEqual(['key 4', 'key 5', 'key 6', 'key 4']);
    received[3]?.settle();
    await jest.advanceTimersByTimeAsync(100);
    expect(consumer.committed.at(-1)).toEqual({ partition: 0, offset: '8' });
  });

  it('moves a copy again that waits for its original', async () => {
    consumer.join('first', [0]);
    await consumer.batch(0, [4, 5]);
    received[1]?.settle();
    await jest.advanceTimersByTimeAsync(40_000);
    await consumer.batch(0, [[6, 'key 4'], 7]);
    received[2]?.settle();
    await jest.advanceTimersByTimeAsync(40_000);
    expect(append).toHaveBeenCalledTimes(2);
    expect(consumer.committed.at(-1)).toEqual({ partition: 0, offset: '8' });
  });

  it('leaves a long job alone that blocks nothing', async () => {
    consumer.join('first', [0]);
    await consumer.batch(0, [4, 5]);
    received[0]?.settle();
    await jest.advanceTimersByTimeAsync(3_600_000);
    expect(append).not.toHaveBeenCalled();
  });

  it('pauses a slow partition at its share and continues with the others', async () => {
    consumer.join('first', [0, 1]);
    await consumer.batch(0, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect([received.length, [...consumer.paused]]).toEqual([5, [0]]);
    await consumer.batch(1, [0]);
    expect(keys().at(-1)).toBe('key 0');
    expect(received).toHaveLength(6);
    received[0]?.settle();
    expect([...consumer.paused]).toEqual([]);
  });
});
