import { KeyedWorkQueue } from './keyed-work-queue';

const work = (queueKey: string, n: number) => ({ queueKey, n });

describe('KeyedWorkQueue', () => {
  it('runs one of each key at a time, the next when the previous one has ended', () => {
    const queue = new KeyedWorkQueue<ReturnType<typeof work>>();
    const [a1, a2, b1] = [work('a', 1), work('a', 2), work('b', 1)];
    for (const one of [a1, a2, b1]) queue.accept(one);
    expect([queue.take(), queue.take(), queue.take()]).toEqual([a1, b1, undefined]);
    expect(queue.running).toBe(2);
    queue.end(a1);
    queue.end(a1);
    expect(queue.take()).toBe(a2);
    queue.end(a2);
    queue.end(b1);
    expect([queue.running, queue.take(), queue.find(() => true)]).toEqual([0, undefined, undefined]);
  });

  it('keeps a key waiting for requeued work and runs that first', () => {
    const queue = new KeyedWorkQueue<ReturnType<typeof work>>();
    const [a1, a2, b1] = [work('a', 1), work('a', 2), work('b', 1)];
    for (const one of [a1, a2, b1]) queue.accept(one);
    queue.requeue(queue.take()!);
    expect([queue.take(), queue.take(), queue.take()]).toEqual([a1, b1, undefined]);
  });

  it('drops lost work but not running work, and continues with the key', () => {
    const queue = new KeyedWorkQueue<ReturnType<typeof work>>();
    const [a1, a2, a3, b1] = [work('a', 1), work('a', 2), work('a', 3), work('b', 2)];
    for (const one of [a1, a2, a3, b1]) queue.accept(one);
    expect(queue.take()).toBe(a1);
    queue.drop((one) => one.n <= 2);
    expect([queue.running, queue.find((one) => one === a2)]).toEqual([1, undefined]);
    expect(queue.take()).toBeUndefined();
    queue.end(a1);
    expect(queue.take()).toBe(a3);
  });

  it('makes the next of a key ready when the first one is dropped', () => {
    const queue = new KeyedWorkQueue<ReturnType<typeof work>>();
    const [a1, a2] = [work('a', 1), work('a', 2)];
    queue.accept(a1);
    queue.accept(a2);
    queue.drop((one) => one === a1);
    expect([queue.take(), queue.take()]).toEqual([a2, undefined]);
  });
});
