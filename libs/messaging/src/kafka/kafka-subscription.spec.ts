import type { EachBatchPayload, Kafka } from 'kafkajs';
import { z } from 'zod';
import { silentLogger } from '@autoposter/observability';
import type { Received } from '../event-bus.port';
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
  /** What it was subscribed and run with. */
  settings: object = {};

  on(event: string, listener: Listener): void {
    this.listeners.set(event, listener);
  }
  async connect(): Promise<void> {}
  async disconnect(): Promise<void> {}
  async subscribe({ fromBeginning }: { fromBeginning: boolean }): Promise<void> {
    this.settings = { fromBeginning };
  }
  async run({ eachBatch, ...settings }: { eachBatch: (payload: EachBatchPayload) => Promise<void> }): Promise<void> {
    this.eachBatch = eachBatch;
    this.settings = { ...this.settings, ...settings };
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

  async batch(
    partition: number,
    messages: readonly (number | [offset: number, key: string, text?: string])[],
    highWatermark = 1000,
  ): Promise<void> {
    const rows = messages.map((one) => (typeof one === 'number' ? ([one, `key ${one}`] as const) : one));
    await this.eachBatch({
      batch: {
        partition,
        highWatermark: String(highWatermark),
        messages: rows.map(([offset, key, text = '{}']) => ({ offset: String(offset), key: Buffer.from(key), value: Buffer.from(text) })),
      },
      resolveOffset: () => undefined,
      heartbeat: async () => undefined,
      isRunning: () => true,
      isStale: () => false,
    } as unknown as EachBatchPayload);
  }

  emit(event: string, payload: object): void {
    this.listeners.get(event)?.({ payload });
  }
}

describe('KafkaSubscription', () => {
  /** The first one, and those that replaced it. */
  let consumer: FakeConsumer;
  let consumers: FakeConsumer[];
  let subscription: KafkaSubscription;
  let received: Received[];
  const append = jest.fn((_key: string, _text: string) => Promise.resolve());
  const handle = jest.fn(async (message: Received) => void received.push(message));
  const onQuarantine = jest.fn(() => Promise.resolve());
  const onDead = jest.fn();
  const keys = () => received.map(({ key }) => key);

  beforeEach(async () => {
    jest.useFakeTimers();
    consumer = new FakeConsumer();
    consumers = [];
    append.mockReset().mockResolvedValue();
    onDead.mockReset();
    received = [];
    const nextConsumer = () => {
      consumers.push(consumers.length === 0 ? consumer : new FakeConsumer());
      return consumers.at(-1);
    };
    subscription = new KafkaSubscription(
      { consumer: nextConsumer } as unknown as Kafka,
      { group: 'g', topic: 't', schema: z.any(), handle, onQuarantine },
      { ...KAFKA_DEFAULTS, brokers: [], clientId: 'c', maxInFlight: 8, readAhead: 2, maxOutOfOrder: 10 },
      append,
      { onDead, onTopicMissing: () => undefined },
      silentLogger,
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
    await jest.advanceTimersByTimeAsync(200);
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
    received.slice(0, 3).forEach((message) => message.settle());
    await jest.advanceTimersByTimeAsync(200);
    expect([received.length, consumer.committed.at(-1)]).toEqual([3, { partition: 0, offset: '7' }]);
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
    // its copy is delivered beside the original, and only the copy counts
    await consumer.batch(0, [[7, 'key 4']]);
    expect(keys()).toEqual(['key 4', 'key 5', 'key 6', 'key 4']);
    received[0]?.settle();
    await jest.advanceTimersByTimeAsync(200);
    expect(consumer.committed.at(-1)).toEqual({ partition: 0, offset: '7' });
    received[3]?.settle();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(consumer.committed.at(-1)).toEqual({ partition: 0, offset: '8' });
  });

  it('moves the copy of a message that is still unsettled again, and counts only the last copy as delivered', async () => {
    consumer.join('first', [0]);
    await consumer.batch(0, [4, 5]);
    received[1]?.settle();
    for (let offset = 6; offset < 26; offset += 2) {
      await jest.advanceTimersByTimeAsync(40_000);
      await consumer.batch(0, [[offset, 'key 4'], offset + 1]);
      received.at(-1)?.settle();
    }
    await jest.advanceTimersByTimeAsync(40_000);
    expect(append).toHaveBeenCalledTimes(11);
    expect(keys().filter((key) => key === 'key 4')).toHaveLength(11);
    expect(consumer.committed.at(-1)).toEqual({ partition: 0, offset: '26' });
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
    expect([received.length, [...consumer.paused]]).toEqual([4, [0]]);
    await consumer.batch(1, [0]);
    expect(keys()).toEqual(['key 0', 'key 1', 'key 2', 'key 3', 'key 0']);
    received[0]?.settle();
    expect([keys().at(-1), ...consumer.paused]).toEqual(['key 4']);
  });

  it('delivers the messages of a partition while all others are full of unfinished work', async () => {
    consumer.join('first', [0, 1, 2]);
    for (const slow of [0, 1]) await consumer.batch(slow, [0, 1, 2, 3, 4]);
    for (let n = 0; n < 5; n += 1) {
      await consumer.batch(2, [[n, `other ${n}`]]);
      expect(keys().at(-1)).toBe(`other ${n}`);
      received.at(-1)?.settle();
    }
    await jest.advanceTimersByTimeAsync(200);
    expect(consumer.committed).toEqual([{ partition: 2, offset: '5' }]);
  });

  it('delivers each message once when the handler settles messages at once', async () => {
    consumer.join('first', [0, 1]);
    await consumer.batch(0, [0, 1, 2, 3, 4]);
    const slow = [...received];
    handle.mockImplementation(async (message: Received) => void (received.push(message), message.settle()));
    await consumer.batch(1, [
      [0, 'other 0'],
      [1, 'other 1'],
      [2, 'other 2'],
    ]);
    slow.forEach((message) => message.settle());
    handle.mockImplementation(async (message: Received) => void received.push(message));
    expect(keys().sort()).toEqual(['key 0', 'key 1', 'key 2', 'key 3', 'key 4', 'other 0', 'other 1', 'other 2']);
    await jest.advanceTimersByTimeAsync(200);
    expect(consumer.committed).toEqual([
      { partition: 0, offset: '5' },
      { partition: 1, offset: '3' },
    ]);
  });

  it('delivers the messages of new partitions while the work of lost ones is unfinished', async () => {
    consumer.join('first', [0]);
    await consumer.batch(0, [0, 1, 2, 3, 4, 5, 6, 7]);
    consumer.join('first', [1]);
    await consumer.batch(1, [[0, 'other']]);
    expect(keys().at(-1)).toBe('other');
  });

  it('drops the waiting messages of a former membership', async () => {
    consumer.join('first', [0]);
    await consumer.batch(0, [0, 1, 2, 3, 4, 5, 6, 7, 8]);
    consumer.join('second', [0]);
    received[0]?.settle();
    expect(received).toHaveLength(8);
    await consumer.batch(0, [[0, 'read again']]);
    expect(keys().slice(8)).toEqual(['read again']);
  });

  it('delivers as many messages at a time as the consumer accepts', async () => {
    consumer.join('first', [0]);
    await consumer.batch(0, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(received).toHaveLength(8);
    received[3]?.settle();
    expect(received).toHaveLength(9);
  });

  it('delivers no more messages than the consumer accepts when it has more partitions', async () => {
    const partitions = Array.from({ length: 10 }, (_, n) => n);
    consumer.join('first', partitions);
    for (const partition of partitions) await consumer.batch(partition, [0, 1]);
    expect(received).toHaveLength(8);
    received[0]?.settle();
    expect(received).toHaveLength(9);
  });

  it('pauses a partition with many ended messages behind a slow one, and resumes it when that has ended', async () => {
    consumer.join('first', [0]);
    await consumer.batch(0, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    for (let ended = 1; ended < 10; ended += 1) received[ended]?.settle();
    expect([...consumer.paused]).toEqual([0]);
    received[0]?.settle();
    expect([...consumer.paused]).toEqual([]);
  });

  it('resumes a partition that was paused before it joined again', async () => {
    consumer.join('first', [0]);
    await consumer.batch(0, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect([...consumer.paused]).toEqual([0]);
    consumer.join('second', [0]);
    expect([...consumer.paused]).toEqual([]);
  });

  it('delivers a rejected message again after a pause, unless its partition was reassigned', async () => {
    consumer.join('first', [0]);
    handle.mockRejectedValueOnce(new Error('the database is away'));
    await consumer.batch(0, [4]);
    await jest.advanceTimersByTimeAsync(1_900);
    expect(keys()).toEqual([]);
    await jest.advanceTimersByTimeAsync(200);
    expect(keys()).toEqual(['key 4']);
    handle.mockRejectedValueOnce(new Error('the database is away'));
    await consumer.batch(0, [5]);
    consumer.join('second', [0]);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(keys()).toEqual(['key 4']);
  });

  it('quarantines an unreadable message and commits it', async () => {
    consumer.join('first', [0]);
    await consumer.batch(0, [[4, 'key', 'no JSON'], 5]);
    received[0]?.settle();
    await jest.advanceTimersByTimeAsync(200);
    expect(onQuarantine).toHaveBeenCalledWith({ topic: 't', partition: 0, offset: '4', text: 'no JSON', reason: expect.any(String) });
    expect([keys(), consumer.committed]).toEqual([['key 5'], [{ partition: 0, offset: '6' }]]);
  });

  it('reads a recreated topic from its earliest message', async () => {
    consumer.join('first', [0]);
    await consumer.batch(0, [7]);
    received[0]?.settle();
    await consumer.batch(0, [0], 1);
    expect(keys()).toEqual(['key 7', 'key 0']);
  });

  it('waits for running messages in a drain and commits them before it leaves', async () => {
    consumer.join('first', [0]);
    await consumer.batch(0, [4]);
    const left = jest.spyOn(consumer, 'disconnect');
    const drained = subscription.drain(10_000);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(left).not.toHaveBeenCalled();
    received[0]?.settle();
    await jest.runOnlyPendingTimersAsync();
    await drained;
    expect([consumer.committed, left.mock.calls.length]).toEqual([[{ partition: 0, offset: '5' }], 1]);
  });

  it('reads from the earliest message and lets kafkajs commit nothing', () => {
    expect(consumer.settings).toEqual({ fromBeginning: true, autoCommit: false, eachBatchAutoResolve: false });
  });

  it('replaces a consumer that kafkajs gave up, and ignores what the former one still delivers', async () => {
    consumer.join('first', [0]);
    consumer.emit('crash', { restart: true, error: new Error('retried by kafkajs') });
    await jest.advanceTimersByTimeAsync(5_000);
    expect(consumers).toHaveLength(1);
    consumer.emit('crash', { restart: false, error: new Error('not retriable') });
    await jest.advanceTimersByTimeAsync(5_000);
    expect(consumers).toHaveLength(2);
    await consumer.batch(0, [4]);
    expect(keys()).toEqual([]);
    consumers[1]?.join('second', [0]);
    await consumers[1]?.batch(0, [4]);
    expect(keys()).toEqual(['key 4']);
  });

  it('gives up after its consumer stalled three times', async () => {
    for (const stalls of [1, 2, 3]) {
      expect(onDead).not.toHaveBeenCalled();
      consumers.at(-1)?.emit('connect', {});
      await jest.advanceTimersByTimeAsync(90_000);
      expect(consumers).toHaveLength(Math.min(stalls + 1, 3));
    }
    expect(consumers).toHaveLength(3);
    expect(onDead).toHaveBeenCalledWith(expect.stringContaining('g on t: no answer'));
  });
});
