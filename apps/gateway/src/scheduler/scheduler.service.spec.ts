import type { Logger } from '@autoposter/observability';
import { FakeDatabase, minutesFromNow, NOW } from '@autoposter/testkit';
import { storedSettings } from '../testing/fake-settings';
import { type RecurringTask, TaskRecorder } from './recurring-task';
import { SchedulerService } from './scheduler.service';

const ACTOR = 'admin@example.com';
const task = (id: string, everySeconds: number, run = async () => undefined): RecurringTask => ({
  id,
  description: `${id}.`,
  everySeconds,
  run,
});
const RUN = { id: 'slow', runCount: 4, errorCount: 1, lastRunAt: NOW, lastErrorAt: minutesFromNow(-5), lastError: 'No.', recentRuns: [] };

function arrange(running: boolean, runs: object[] = []) {
  const fake = new FakeDatabase({ 'tasks.list': runs });
  return { fake, service: new SchedulerService(fake.database, storedSettings({ running }), [task('slow', 3_600), task('quick', 60)]) };
}

describe('SchedulerService.status', () => {
  it('shows tasks that never ran', async () => {
    const { tasks, ...rest } = await arrange(false).service.status();
    expect(rest).toEqual({ isRunning: false, intervalMinutes: 5, registeredTasks: 2 });
    expect(tasks[0]).toEqual({
      id: 'slow',
      description: 'slow.',
      runCount: 0,
      lastRun: null,
      hasErrors: false,
      lastError: null,
      nextRun: null,
      recentRuns: [],
    });
  });

  it.each([
    ['its own interval while the scheduler is stopped', false, 'slow', 60],
    ['the interval of the scheduler if that is shorter', true, 'slow', 5],
    ['its own interval if that is shorter', true, 'quick', 1],
  ])('expects the next run of a task after %s', async (_what, running, id, minutes) => {
    const { tasks } = await arrange(running, [{ ...RUN, id }]).service.status();
    expect(tasks.find((one) => one.id === id)).toMatchObject({
      runCount: 4,
      hasErrors: true,
      lastError: { timestamp: minutesFromNow(-5).toISOString(), error: 'No.' },
      nextRun: minutesFromNow(minutes).toISOString(),
    });
  });
});

describe('SchedulerService.statistics', () => {
  it('sums the runs of the listed tasks only', async () => {
    const { service } = arrange(false, [RUN, { ...RUN, id: 'quick', runCount: 1, errorCount: 0 }, { ...RUN, id: 'other' }]);
    expect(await service.statistics()).toEqual({ totalTasks: 2, totalRuns: 5, totalErrors: 1, averageRunsPerTask: 2.5 });
  });
});

describe('SchedulerService.setRunning', () => {
  it.each([
    [true, 'running', 'scheduler.start'],
    [false, 'stopped', 'scheduler.stop'],
  ])('stores %s with an event and an audit entry', async (running, state, action) => {
    const { fake, service } = arrange(running);
    expect(await service.setRunning(running, ACTOR)).toMatchObject({ isRunning: running });
    expect(fake.argsOf('settings.set')).toEqual([['task_scheduler', { running }, ACTOR]]);
    expect([fake.events, fake.auditActions]).toMatchObject([[{ type: 'scheduler.changed', state }], [action]]);
  });
});

describe('TaskRecorder', () => {
  const logged: unknown[] = [];
  const logger = { error: (fields: unknown) => void logged.push(fields) } as unknown as Logger;
  const record = async (run: () => Promise<undefined>, claimed = true) => {
    const fake = new FakeDatabase({ 'tasks.claim': claimed });
    await new TaskRecorder(fake.database, logger).recorded(task('slow', 60, run)).run();
    return fake;
  };

  it('claims half of the interval and records the run', async () => {
    const fake = await record(async () => undefined);
    expect(fake.argsOf('tasks.claim')).toEqual([['slow', 30]]);
    expect(fake.argsOf('tasks.end')).toEqual([['slow', expect.any(Number), null]]);
  });

  it('does not run a task that another process started', async () => {
    const run = jest.fn(async () => undefined);
    expect((await record(run, false)).argsOf('tasks.end')).toEqual([]);
    expect(run).not.toHaveBeenCalled();
  });

  it.each([
    ['an error', new Error('x'.repeat(600)), 500],
    ['a thrown value', 'text', 'Unknown error'.length],
  ])('records and logs %s instead of throwing', async (_what, thrown, length) => {
    logged.length = 0;
    const fake = await record(() => Promise.reject(thrown));
    expect((fake.argsOf('tasks.end')[0]?.[2] as string).length).toBeLessThanOrEqual(length + 1);
    expect(logged).toEqual([{ err: thrown, task: 'slow' }]);
  });
});
