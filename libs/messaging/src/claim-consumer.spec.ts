import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { ClaimConsumer, type ClaimedDelivery, type ClaimSettings, type DeliverySource } from './claim-consumer';
import { SILENT, type Received } from './event-bus.port';

const delivery = (id: string, key = id): ClaimedDelivery => ({
  id,
  key,
  text: JSON.stringify({ id: randomUUID(), payload: {} }),
});

class HandSource implements DeliverySource {
  readonly waiting: ClaimedDelivery[] = [];
  readonly settled: string[] = [];
  readonly postponed: [ids: readonly string[], delayMs: number][] = [];
  readonly renewed: (readonly string[])[] = [];
  lost = new Set<string>();
  broken = false;

  async claim(limit: number): Promise<ClaimedDelivery[]> {
    this.assertWhole();
    return this.waiting.splice(0, limit);
  }
  async settle(ids: readonly string[]): Promise<void> {
    this.assertWhole();
    this.settled.push(...ids);
  }
  async postpone(ids: readonly string[], delayMs: number): Promise<void> {
    this.assertWhole();
    this.postponed.push([ids, delayMs]);
  }
  async renew(ids: readonly string[]): Promise<readonly string[]> {
    this.assertWhole();
    this.renewed.push(ids);
    return ids.filter((id) => !this.lost.has(id));
  }
  private assertWhole(): void {
    if (this.broken) throw new Error('the database is away');
  }
}

describe('ClaimConsumer', () => {
  let source: HandSource;
  let held: Map<string, Received>;
  let consumer: ClaimConsumer;

  const start = (settings: Partial<ClaimSettings> = {}, handle?: (message: Received) => Promise<void>, demand?: () => number): void => {
    consumer = new ClaimConsumer(
      source,
      {
        group: 'g',
        topic: 't',
        schema: z.any(),
        handle: handle ?? (async (message) => void held.set(message.key, message)),
        onQuarantine: async () => undefined,
        ...(demand && { demand }),
      },
      { maxInFlight: 10, pollMs: 1_000, leaseMs: 30_000, redeliverMs: 500, ...settings },
      SILENT,
    );
  };

  beforeEach(() => {
    jest.useFakeTimers();
    source = new HandSource();
    held = new Map();
  });
  afterEach(async () => {
    source.broken = false;
    const drained = consumer.drain(0);
    await jest.runAllTimersAsync();
    await drained;
    jest.useRealTimers();
  });

  it('renews the lease until the work ends, even after hours', async () => {
    source.waiting.push(delivery('1'));
    start();
    await jest.advanceTimersByTimeAsync(3 * 3_600_000);
    expect(source.renewed.length).toBe((3 * 3_600) / 10);
    held.get('1')!.settle();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(source.settled).toEqual(['1']);
    expect(source.renewed.length).toBe((3 * 3_600) / 10);
  });

  it('finds messages by polling, and at once after a wake-up', async () => {
    start();
    await jest.advanceTimersByTimeAsync(10);
    source.waiting.push(delivery('1'));
    await jest.advanceTimersByTimeAsync(500);
    expect(held.size).toBe(0);
    consumer.wake();
    await jest.advanceTimersByTimeAsync(1);
    expect(held.size).toBe(1);
    source.waiting.push(delivery('2'));
    await jest.advanceTimersByTimeAsync(1_000);
    expect(held.size).toBe(2);
  });

  it('settles after an outage of the database and keeps the lease until then', async () => {
    source.waiting.push(delivery('1'));
    start();
    await jest.advanceTimersByTimeAsync(10);
    source.broken = true;
    held.get('1')!.settle();
    await jest.advanceTimersByTimeAsync(15_000);
    expect(source.settled).toEqual([]);
    source.broken = false;
    await jest.advanceTimersByTimeAsync(10_000);
    expect(source.settled).toEqual(['1']);
  });

  it('forgets a delivery that another consumer claimed and does not settle it', async () => {
    source.waiting.push(delivery('1'));
    start();
    await jest.advanceTimersByTimeAsync(10);
    source.lost.add('1');
    await jest.advanceTimersByTimeAsync(10_000);
    held.get('1')!.settle();
    await jest.advanceTimersByTimeAsync(10_000);
    expect(source.settled).toEqual([]);
  });

  it('does not deliver its own delivery again after its lease expired', async () => {
    const handle = jest.fn(async () => undefined);
    source.waiting.push(delivery('1'), delivery('1'));
    start({}, handle);
    await jest.advanceTimersByTimeAsync(10);
    expect(handle).toHaveBeenCalledTimes(1);
  });

  it('releases at once what it claimed while it was paused', async () => {
    source.waiting.push(delivery('1'));
    start();
    consumer.pause();
    await jest.advanceTimersByTimeAsync(10);
    expect(held.size).toBe(0);
    expect(source.postponed).toEqual([[['1'], 0]]);
  });

  it('releases a rejected message with a delay and ignores a later settle', async () => {
    let kept: Received | null = null;
    source.waiting.push(delivery('1'));
    start({}, async (message) => {
      kept = message;
      throw new Error('not now');
    });
    await jest.advanceTimersByTimeAsync(10);
    expect(source.postponed).toEqual([[['1'], 500]]);
    kept!.settle();
    await jest.advanceTimersByTimeAsync(10);
    expect(source.settled).toEqual([]);
  });

  it('claims no more than its in-flight limit', async () => {
    source.waiting.push(...['1', '2', '3', '4'].map((id) => delivery(id)));
    start({ maxInFlight: 3 });
    await jest.advanceTimersByTimeAsync(5_000);
    expect([...held.keys()]).toEqual(['1', '2', '3']);
    held.get('2')!.settle();
    await jest.advanceTimersByTimeAsync(10);
    expect(held.size).toBe(4);
  });

  it('claims no more than its consumer can start', async () => {
    source.waiting.push(...['1', '2', '3', '4'].map((id) => delivery(id)));
    start({}, undefined, () => 2 - held.size);
    await jest.advanceTimersByTimeAsync(5_000);
    expect([[...held.keys()], source.waiting.length]).toEqual([['1', '2'], 2]);
    held.delete('1');
    consumer.wake();
    await jest.advanceTimersByTimeAsync(10);
    expect([...held.keys()]).toEqual(['2', '3']);
  });

  it('releases unfinished messages at the deadline of a drain', async () => {
    source.waiting.push(delivery('1'), delivery('2'));
    start();
    await jest.advanceTimersByTimeAsync(10);
    const drained = consumer.drain(5_000);
    held.get('1')!.settle();
    await jest.advanceTimersByTimeAsync(5_000);
    await drained;
    expect([source.settled, source.postponed]).toEqual([['1'], [[['2'], 0]]]);
  });
});
