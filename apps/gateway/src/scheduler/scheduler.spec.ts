import { silentLogger } from '@autoposter/observability';
import { Scheduler, type Leadership } from './scheduler';
import type { RecurringTask } from './recurring-task';

class Lease implements Leadership {
  free = true;
  released = 0;
  broken = false;
  async hold() {
    if (this.broken) throw new Error('database away');
    return this.free;
  }
  async release() {
    this.released += 1;
  }
}

function taskOf(id: string, everySeconds: number, work: () => Promise<void> = async () => undefined) {
  const task = {
    id,
    description: id,
    everySeconds,
    runs: 0,
    run: async () => {
      task.runs += 1;
      await work();
    },
  };
  return task satisfies RecurringTask;
}

function clockWith(lease: Lease, tasks: RecurringTask[]) {
  const time = { now: 1000 };
  const clock = new Scheduler(lease, tasks, silentLogger, () => time.now);
  const beat = async (seconds = 0) => {
    time.now += seconds * 1000;
    await clock.runDue();
    await Promise.resolve();
  };
  return { clock, beat };
}

describe('Scheduler', () => {
  it('keeps its pace while the wall clock is set back by an hour and forward again', async () => {
    const task = taskOf('task', 1);
    const clock = new Scheduler(new Lease(), [task], silentLogger);
    jest.useFakeTimers({ now: Date.UTC(2026, 4, 5) });
    try {
      const beats: number[] = [];
      for (const shift of [0, -3_600_000, 7_200_000]) {
        jest.setSystemTime(Date.now() + shift);
        for (let turn = 0; turn < 3; turn += 1) {
          jest.advanceTimersByTime(1000);
          await clock.runDue();
          await clock.settled();
        }
        beats.push(task.runs);
      }
      expect(beats).toEqual([3, 6, 9]);
    } finally {
      jest.useRealTimers();
      await clock.stop();
    }
  });

  it('runs each task at its own pace', async () => {
    const [quick, slow] = [taskOf('quick', 1), taskOf('slow', 10)];
    const { clock, beat } = clockWith(new Lease(), [quick, slow]);
    await beat();
    await clock.settled();
    for (let turn = 0; turn < 10; turn += 1) {
      await beat(1);
      await clock.settled();
    }
    await clock.stop();
    expect([quick.runs, slow.runs]).toEqual([11, 2]);
  });

  it('does nothing while another process leads, and starts when it is gone', async () => {
    const lease = new Lease();
    lease.free = false;
    const task = taskOf('task', 1);
    const { clock, beat } = clockWith(lease, [task]);
    await beat(1);
    expect([task.runs, clock.isLeader]).toEqual([0, false]);
    lease.free = true;
    await beat(1);
    expect([task.runs, clock.isLeader]).toEqual([1, true]);
    await clock.stop();
    expect(lease.released).toBe(1);
  });

  it('continues when a task fails or hangs, and never runs a task concurrently with itself', async () => {
    let end: () => void = () => undefined;
    const hanging = taskOf('hanging', 1, () => new Promise<void>((resolve) => (end = resolve)));
    const failing = taskOf('failing', 1, () => Promise.reject(new Error('no')));
    const { clock, beat } = clockWith(new Lease(), [hanging, failing]);
    await beat(1);
    await beat(1);
    await beat(1);
    expect([hanging.runs, failing.runs]).toEqual([1, 3]);
    end();
    await clock.settled();
    await beat(1);
    expect(hanging.runs).toBe(2);
    end();
    await clock.stop();
  });

  it('keeps still while the database is away', async () => {
    const lease = new Lease();
    const task = taskOf('task', 1);
    const { clock, beat } = clockWith(lease, [task]);
    lease.broken = true;
    await beat(1);
    expect(task.runs).toBe(0);
    lease.broken = false;
    await beat(1);
    expect(task.runs).toBe(1);
    await clock.stop();
  });

  it('does not let one beat overtake another, and none come after it was stopped', async () => {
    const lease = new Lease();
    const held = jest.spyOn(lease, 'hold');
    const { clock } = clockWith(lease, []);
    clock.tick();
    clock.tick();
    await clock.stop();
    clock.tick();
    expect(held).toHaveBeenCalledTimes(1);
  });
});
