import { KeyedWorkQueue } from './key-lanes';

const work = (lane: string, n: number) => ({ lane, n });

describe('KeyedWorkQueue', () => {
  it('lets one of each lane out at a time, the next when the former has ended', () => {
    const lanes = new KeyedWorkQueue<ReturnType<typeof work>>();
    const [a1, a2, b1] = [work('a', 1), work('a', 2), work('b', 1)];
    for (const one of [a1, a2, b1]) lanes.accept(one);
    expect([lanes.take(), lanes.take(), lanes.take()]).toEqual([a1, b1, undefined]);
    expect([lanes.accepted, lanes.out]).toEqual([3, 2]);
    lanes.end(a1);
    lanes.end(a1);
    expect(lanes.take()).toBe(a2);
    lanes.end(a2);
    lanes.end(b1);
    expect([lanes.accepted, lanes.out]).toEqual([0, 0]);
  });

  it('holds a lane for work that is put back, and lets it out first', () => {
    const lanes = new KeyedWorkQueue<ReturnType<typeof work>>();
    const [a1, a2, b1] = [work('a', 1), work('a', 2), work('b', 1)];
    for (const one of [a1, a2, b1]) lanes.accept(one);
    lanes.putBack(lanes.take()!);
    expect([lanes.take(), lanes.take(), lanes.take()]).toEqual([a1, b1, undefined]);
  });

  it('forgets what was lost but not what is out, and goes on in the lane', () => {
    const lanes = new KeyedWorkQueue<ReturnType<typeof work>>();
    const [a1, a2, a3, b1] = [work('a', 1), work('a', 2), work('a', 3), work('b', 2)];
    for (const one of [a1, a2, a3, b1]) lanes.accept(one);
    expect(lanes.take()).toBe(a1);
    lanes.drop((one) => one.n <= 2);
    expect([lanes.accepted, lanes.out]).toEqual([2, 1]);
    expect(lanes.take()).toBeUndefined();
    lanes.end(a1);
    expect(lanes.take()).toBe(a3);
  });

  it('lets the next of a lane out when the waiting first one is forgotten', () => {
    const lanes = new KeyedWorkQueue<ReturnType<typeof work>>();
    const [a1, a2] = [work('a', 1), work('a', 2)];
    lanes.accept(a1);
    lanes.accept(a2);
    lanes.drop((one) => one === a1);
    expect([lanes.take(), lanes.take()]).toEqual([a2, undefined]);
  });
});
