import { ENVIRONMENT_ACCOUNT_ID } from '@autoposter/contracts';
import { ITEM_FLOW, type Failure } from '@autoposter/domain';
import { silentLogger } from '@autoposter/observability';
import { RETENTION_RULES, type PublishAttempt, type WaitingQueue } from '@autoposter/persistence';
import type { ObjectStore } from '@autoposter/object-store';
import { MediaReach } from '../../instagram/media-reach';
import { contentItem, FakeDatabase, minutesFromNow, NOW, publishAttempt, queueItem, stageJob } from '@autoposter/testkit';
import { gatewaySettings, storedSettings } from '../../testing/fake-settings';
import type { RecurringTask, TaskRecorder } from '../recurring-task';
import { ExpireClaimsTask } from './expire-claims.task';
import { FindStuckPostsTask } from './find-stuck-posts.task';
import { FireDueJobsTask } from './fire-due-jobs.task';
import { FoldQueueCountsTask } from './fold-queue-counts.task';
import { PlanSubredditRunsTask } from './plan-subreddit-runs.task';
import { PublishDuePostsTask } from './publish-due-posts.task';
import { SchedulerFence } from '../scheduler';
import { RemoveOrphanedFilesTask } from './remove-orphaned-files.task';
import { RunScheduledTasksTask } from './run-scheduled-tasks.task';
import { ScheduleReconciliationTask } from './schedule-reconciliation.task';
import { SweepLostJobsTask } from './sweep-lost-jobs.task';
import { SweepRetentionTask } from './sweep-retention.task';

const brokenDatabase = () => Promise.reject(new Error('the database is away'));
/** The stages of the jobs that were requested. */
const requestedOf = (fake: FakeDatabase): string[] =>
  fake.argsOf('outbox.request').flatMap(([jobs]) => (jobs as { stage: string }[]).map(({ stage }) => stage));

describe('FireDueJobsTask', () => {
  it('requests each due job', async () => {
    const fake = new FakeDatabase({ 'jobs.requestDue': [stageJob(), stageJob({ id: 'job-2', stage: 'dmca' })] });
    await new FireDueJobsTask(fake.database).run();
    expect(requestedOf(fake)).toEqual(['ai', 'dmca']);
  });

  it('requests nothing while no job is due, and rejects if the database fails', async () => {
    const fake = new FakeDatabase({ 'jobs.requestDue': [] });
    await new FireDueJobsTask(fake.database).run();
    expect(requestedOf(fake)).toEqual([]);
    await expect(new FireDueJobsTask(new FakeDatabase({ 'jobs.requestDue': brokenDatabase }).database).run()).rejects.toThrow('away');
  });
});

describe('SweepLostJobsTask', () => {
  it('requests an unclaimed job again where requests are published', async () => {
    const fake = new FakeDatabase({ 'jobs.sweepRequested': [stageJob()] });
    await new SweepLostJobsTask(fake.database).run();
    expect(requestedOf(fake)).toEqual(['ai']);
  });
});

describe('ExpireClaimsTask', () => {
  it('records each claim that it ends', async () => {
    const fake = new FakeDatabase({ 'claims.expireDue': ['claim-1', 'claim-2'], 'cases.stopRemovals': [], 'permissions.due': [] });
    const stopped = { id: 'queue-item', itemId: 'item' };
    const returnIfReleased = jest.fn(() => Promise.resolve());
    await new ExpireClaimsTask(fake.database, { nextStopped: () => Promise.resolve([stopped]), returnIfReleased } as never).run();
    expect(returnIfReleased).toHaveBeenCalledWith(stopped);
    expect(fake.argsOf('audit.record').map(([entry]) => entry)).toMatchObject([
      { actor: 'system', action: 'rights.expire', subject: 'claim-1' },
      { actor: 'system', action: 'rights.expire', subject: 'claim-2' },
    ]);
  });
});

describe('FoldQueueCountsTask', () => {
  it('folds the totals once per run', async () => {
    const fake = new FakeDatabase();
    await new FoldQueueCountsTask(fake.database).run();
    expect(fake.argsOf('queue.foldCounts')).toHaveLength(1);
  });
});

describe('FindStuckPostsTask', () => {
  const run = async (stubs: Record<string, unknown>) => {
    const fake = new FakeDatabase({ 'items.idsWithoutOpenJob': ['item-1'], ...stubs });
    await new FindStuckPostsTask(fake.database, silentLogger).run();
    return fake;
  };

  it.each(Object.entries(ITEM_FLOW.activeStates))('fails an item that lost its %s job', async (stage, state) => {
    const fake = await run({ 'items.findForUpdate': contentItem({ state }) });
    expect(fake.argsOf('items.transition')[0]?.[1]).toMatchObject({ from: state, to: 'failed', patch: { failedStage: stage } });
    expect(fake.argsOf('items.addError')[0]?.[1]).toMatchObject({ stage });
    expect(fake.events).toMatchObject([{ type: `${stage}.failed`, state: 'failed' }]);
  });

  it.each([
    ['an item that was deleted meanwhile', { 'items.findForUpdate': null }],
    ['an item that moved on', { 'items.findForUpdate': contentItem({ state: 'ready' }) }],
    ['an item with a new job', { 'items.findForUpdate': contentItem({ state: 'captioning' }), 'jobs.findOpen': stageJob() }],
  ])('leaves %s as it is', async (_what, stubs) => {
    const fake = await run(stubs);
    expect([fake.argsOf('items.transition'), fake.events]).toEqual([[], []]);
  });
});

describe('PlanSubredditRunsTask', () => {
  const subreddit = { id: 'sub-1', name: 'aww', isActive: true, intervalMinutes: 60 };
  const denial = { message: 'Reddit refused.' } as Failure;
  const run = async (stubs: Record<string, unknown> = {}, running = true) => {
    const fake = new FakeDatabase({ 'subreddits.lockDue': [subreddit], 'runs.create': { id: 'run-1' }, ...stubs });
    await new PlanSubredditRunsTask(fake.database, storedSettings({ running })).run();
    return fake;
  };

  it('requests a run of each due subreddit and schedules the next one', async () => {
    const fake = await run();
    expect(fake.argsOf('jobs.create')[0]?.[0]).toMatchObject({
      stage: 'collect',
      subjectId: 'run-1',
      messageKey: 'sub-1',
      forPerson: false,
    });
    expect(fake.argsOf('subreddits.patch')).toEqual([['sub-1', { nextRunAt: minutesFromNow(60) }]]);
  });

  it('postpones a subreddit whose manual run is still open', async () => {
    const fake = await run({ 'runs.create': null });
    expect(fake.argsOf('jobs.create')).toEqual([]);
    expect(fake.argsOf('subreddits.patch')).toEqual([['sub-1', { nextRunAt: minutesFromNow(60) }]]);
  });

  it('does nothing while the scheduler is stopped', async () => {
    expect((await run({}, false)).argsOf('subreddits.lockDue')).toEqual([]);
  });

  it.each([
    ['20 runs while Reddit answers', { denied: null }, NOW, [[20]]],
    ['no run while a downloader reports that Reddit denies access', { denied: denial }, minutesFromNow(-1), []],
    ['one run to start a downloader if the denial is old', { denied: denial }, minutesFromNow(-11), [[1]]],
  ])('allows %s', async (_what, report, reportedAt, limits) => {
    const fake = await run({ 'workerReports.find': { report, reportedAt } });
    expect(fake.argsOf('subreddits.lockDue')).toEqual(limits);
  });
});

describe('PublishDuePostsTask', () => {
  const waitingQueue = (accountId: string = ENVIRONMENT_ACCOUNT_ID, values: Partial<WaitingQueue> = {}): WaitingQueue => ({
    ...{ accountId, changes: '1.1', nextAt: NOW, now: NOW },
    ...values,
  });
  const arrange = (stubs: Record<string, unknown>, stored = {}, fence: number | null = null) => {
    const fake = new FakeDatabase({
      'queue.withWaiting': [waitingQueue()],
      'queue.anyDue': true,
      'queue.lockDue': [queueItem({ status: 'scheduled', scheduledFor: NOW })],
      'queue.listWaiting': [],
      'items.findForUpdate': contentItem({ state: 'queued' }),
      'media.ofItem': [{ mediaType: 'video', sha256: 'aa' }],
      ...stubs,
    });
    const settings = gatewaySettings();
    const task = new PublishDuePostsTask(
      fake.database,
      storedSettings({ queue: { running: true }, ...stored }),
      new MediaReach(settings),
      Object.assign(new SchedulerFence(), { current: fence }),
    );
    return { fake, task };
  };
  const run = async (...given: Parameters<typeof arrange>) => {
    const { fake, task } = arrange(...given);
    await task.run();
    return fake;
  };

  it('opens the attempt of the due post', async () => {
    const fake = await run({});
    expect(fake.argsOf('attempts.open')[0]?.[0]).toMatchObject({ itemId: 'item-1', accountId: 'account-1' });
    expect(fake.argsOf('jobs.create')[0]?.[0]).toMatchObject({ stage: 'post', messageKey: 'account-1' });
  });

  it('plans a post without a slot first', async () => {
    const unplanned = [queueItem()];
    const fake = await run({ 'queue.listWaiting': unplanned, 'queue.anyDue': false });
    expect(fake.argsOf('queue.assignSlots')).toEqual([[[{ id: 'queue-1', version: 1, slot: expect.any(Date) }]]]);
    expect(fake.argsOf('attempts.open')).toEqual([]);
  });

  describe('while nothing is due', () => {
    const LATER = minutesFromNow(60);
    const readsOf = async (first: Partial<WaitingQueue>, then: Partial<WaitingQueue>, digests = ['a', 'a']) => {
      const queues = [first, then].map((values) => [waitingQueue('account-9', { nextAt: LATER, ...values })]);
      const { fake, task } = arrange({ 'queue.withWaiting': () => queues.shift(), 'settings.digest': () => digests.shift() });
      await task.run();
      await task.run();
      return fake.argsOf('queue.listWaiting').length;
    };

    it('reads a queue once while nothing changes', async () => expect(await readsOf({}, {})).toBe(1));

    it.each<[string, Partial<WaitingQueue>, Partial<WaitingQueue>]>([
      ['its items changed', {}, { changes: '2.3' }],
      ['its first slot changed', {}, { nextAt: minutesFromNow(50) }],
      [
        'its first post became late by a minute',
        { nextAt: minutesFromNow(-0.9) },
        { nextAt: minutesFromNow(-0.9), now: minutesFromNow(0.2) },
      ],
      [
        'its late posts need another minute',
        { nextAt: minutesFromNow(-5), now: minutesFromNow(0.5) },
        { nextAt: minutesFromNow(-5), now: minutesFromNow(1) },
      ],
      ['a minute passed', {}, { now: minutesFromNow(1) }],
      ['the clock was set back', {}, { now: minutesFromNow(-60) }],
    ])('reads a queue again when %s', async (_what, first, then) => expect(await readsOf(first, then)).toBe(2));

    it.each<[string, object, number, number]>([
      ['does not read a queue again that it has planned', {}, 1, 2],
      ['reads a queue again that changed while it was planned', { changes: '2.3' }, 1, 4],
      ['reads a queue again if it could not store all slots', {}, 0, 4],
    ])('%s', async (_what, meanwhile, stored, reads) => {
      const before = waitingQueue('account-9', { nextAt: LATER });
      const after = { ...before, nextAt: minutesFromNow(30), ...meanwhile };
      const queues = [before, after, after];
      const { fake, task } = arrange({
        'queue.withWaiting': () => [queues.shift() ?? after],
        'queue.listWaiting': [queueItem()],
        'queue.assignSlots': stored,
      });
      await task.run();
      if (stored === 0) queues.shift();
      await task.run();
      expect(fake.argsOf('queue.listWaiting')).toHaveLength(reads);
    });

    it('reads a queue again when a setting changed', async () => expect(await readsOf({}, {}, ['a', 'b'])).toBe(2));

    it('opens no transaction for a connected account', async () => {
      const { fake, task } = arrange({ 'queue.withWaiting': [waitingQueue('account-9', { nextAt: LATER })] });
      await task.run();
      expect(fake.argsOf('queue.anyDue')).toEqual([]);
    });

    it('notices that the account of the environment is another one', async () => {
      const fake = await run({
        'queue.withWaiting': [waitingQueue(ENVIRONMENT_ACCOUNT_ID, { nextAt: LATER })],
        'settings.get': { accountId: 'former' },
        'queue.next': { next: null, waiting: 1 },
      });
      expect(fake.events.map(({ type }) => type)).toEqual(['publishing.paused']);
    });
  });

  it('publishes for the accounts after one whose queue cannot be planned, and fails', async () => {
    const { fake, task } = arrange({
      'queue.withWaiting': [waitingQueue('account-9'), waitingQueue()],
      'queue.listWaiting': (_limit: number, account: string) => (account === 'account-9' ? brokenDatabase() : []),
    });
    await expect(task.run()).rejects.toThrow('the database is away');
    expect(fake.argsOf('attempts.open')).toHaveLength(1);
  });

  it.each([
    [true, 1],
    [false, 0],
  ])('checks the lease in the transaction that opens the attempt (held: %s)', async (held, opened) => {
    const fake = await run({ 'leases.lockFence': held }, {}, 7);
    expect([fake.argsOf('leases.lockFence'), fake.argsOf('attempts.open').length]).toEqual([[['clock', 7]], opened]);
  });

  it.each([
    ['the queue is empty', { 'queue.withWaiting': [] }, {}],
    ['publishing is paused', {}, { publishing: { paused: true } }],
    ['no post is due', { 'queue.anyDue': false }, {}],
  ])('opens no attempt while %s', async (_what, stubs, stored) => {
    expect((await run(stubs, stored)).argsOf('attempts.open')).toEqual([]);
  });
});

describe('ScheduleReconciliationTask', () => {
  const run = async (attempt: Partial<PublishAttempt> | null, stubs: Record<string, unknown> = {}) => {
    const fake = new FakeDatabase({
      'attempts.idsToReconcile': ['attempt-1'],
      'attempts.findForUpdate': attempt && publishAttempt(attempt),
      'queue.findForUpdate': queueItem({ status: 'posting' }),
      'items.findForUpdate': contentItem({ state: 'posting' }),
      'items.lock': contentItem({ state: 'ready' }),
      ...stubs,
    });
    await new ScheduleReconciliationTask(fake.database).run();
    return fake;
  };
  const requested = (fake: FakeDatabase) => fake.argsOf('jobs.create').map(([job]) => (job as { stage: string }).stage);

  it('requests reconciliation of an unknown outcome', async () => {
    const fake = await run({ state: 'unknown' });
    expect([requested(fake), fake.argsOf('attempts.transition')]).toEqual([['reconcile'], []]);
  });

  it.each([{ state: 'intent' }, { state: 'container', calledAt: NOW }] as const)(
    'makes an attempt that may have called without a job unknown and requests its reconciliation: %j',
    async (attempt) => {
      const fake = await run(attempt);
      expect(fake.argsOf('attempts.transition')[0]?.[1]).toMatchObject({ from: attempt.state, to: 'unknown' });
      expect(fake.events.map(({ type }) => type)).toEqual(['reconcile.requested']);
      expect([requested(fake), fake.argsOf('queue.markOutcomeUnknown')]).toEqual([['reconcile'], [['queue-1']]]);
    },
  );

  it.each(['open', 'container'] as const)('fails an attempt that is %s and lost its job', async (state) => {
    const fake = await run({ state });
    expect(fake.argsOf('attempts.transition')[0]?.[1]).toMatchObject({
      from: state,
      to: 'failed',
      patch: { failure: { code: 'publish_lost' } },
    });
    expect(fake.argsOf('queue.transition')[0]?.[1]).toMatchObject({ from: 'posting', to: 'failed' });
    expect(fake.argsOf('items.transition')[0]?.[1]).toMatchObject({ from: 'posting', to: 'ready' });
    expect(fake.events).toMatchObject([{ type: 'post.failed', state: 'ready' }]);
    expect(requested(fake)).toEqual([]);
  });

  it('blocks a lost post that was claimed meanwhile', async () => {
    const claim = { kind: 'claim', id: 'claim-1', title: 'Dusk', strength: 'block' };
    const fake = await run({ state: 'open' }, { 'rights.findMatches': [claim] });
    expect(fake.argsOf('items.transition').map(([, step]) => (step as { to: string }).to)).toEqual(['ready', 'blocked']);
    expect(fake.events.map(({ type, state }) => [type, state])).toEqual([
      ['dmca.blocked', 'blocked'],
      ['post.failed', 'blocked'],
    ]);
  });

  it('reconciles the attempts after one that fails, and fails', async () => {
    const fake = new FakeDatabase({
      'attempts.idsToReconcile': ['attempt-1', 'attempt-2', 'attempt-3'],
      'attempts.findForUpdate': (id: string) => (id === 'attempt-3' ? publishAttempt({ id, state: 'unknown' }) : brokenDatabase()),
    });
    await expect(new ScheduleReconciliationTask(fake.database).run()).rejects.toThrow(
      '2 of 3 failed, the first with: the database is away',
    );
    expect(requested(fake)).toEqual(['reconcile']);
  });

  it.each([
    ['an attempt that is gone', null, {}],
    ['a published attempt', { state: 'published' }, {}],
    ['a failed attempt', { state: 'failed' }, {}],
    ['an attempt whose job is open', { state: 'intent' }, { 'jobs.findOpen': stageJob() }],
  ] as const)('leaves %s as it is', async (_what, attempt, stubs) => {
    const fake = await run(attempt, stubs);
    expect([requested(fake), fake.argsOf('attempts.transition'), fake.events]).toEqual([[], [], []]);
  });
});

describe('RunScheduledTasksTask', () => {
  const run = async (running: boolean) => {
    const recorder = { run: jest.fn(async () => undefined) };
    const tasks = [60, 300, 301, 3600].map((everySeconds) => ({
      id: `every-${everySeconds}`,
      description: '',
      everySeconds,
      run: async () => undefined,
    }));
    await new RunScheduledTasksTask(
      storedSettings({ running }),
      recorder as unknown as TaskRecorder,
      tasks satisfies RecurringTask[],
    ).run();
    return recorder.run.mock.calls as unknown as [RecurringTask, number][];
  };

  it('runs the tasks with an interval above five minutes', async () => {
    expect((await run(true)).map(([{ id }, seconds]) => [id, seconds])).toEqual([
      ['every-301', 300],
      ['every-3600', 300],
    ]);
  });

  it('runs nothing while the task scheduler is stopped', async () => {
    expect(await run(false)).toEqual([]);
  });
});

describe('RemoveOrphanedFilesTask', () => {
  const DAY_MINUTES = 24 * 60;
  function arrange(files: { key: string; modifiedAt: Date }[], stubs: Record<string, unknown> = {}) {
    const deleted: string[] = [];
    const objects = {
      delete: async (key: string) => void deleted.push(key),
      list: jest.fn(async function* () {
        yield* files;
      }),
    };
    const fake = new FakeDatabase({
      'media.claimInterruptedDeletions': [],
      'media.markForDeletion': (keys: string[]) => keys.filter((key) => key !== 'used'),
      ...stubs,
    });
    return { task: new RemoveOrphanedFilesTask(fake.database, objects as unknown as ObjectStore, silentLogger), deleted, objects };
  }
  const old = minutesFromNow(-DAY_MINUTES);

  it('deletes unused files that are older than a day', async () => {
    const files = [
      { key: 'old', modifiedAt: old },
      { key: 'used', modifiedAt: old },
      { key: 'young', modifiedAt: minutesFromNow(1 - DAY_MINUTES) },
    ];
    const { task, deleted } = arrange(files);
    await task.run();
    expect(deleted).toEqual(['old']);
  });

  it('scans every six hours and retries interrupted deletions in every run', async () => {
    const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
    try {
      const { task, deleted, objects } = arrange([], { 'media.claimInterruptedDeletions': ['interrupted'] });
      await task.run();
      await task.run();
      expect([deleted, objects.list.mock.calls.length]).toEqual([['interrupted', 'interrupted'], 1]);
      clock.mockReturnValue(6 * 3_600_000);
      await task.run();
      expect(objects.list).toHaveBeenCalledTimes(2);
    } finally {
      clock.mockRestore();
    }
  });

  it('stops at 5,000 files and scans again in the next run', async () => {
    const { task, deleted, objects } = arrange(Array.from({ length: 5_050 }, (_, number) => ({ key: `${number}`, modifiedAt: old })));
    await task.run();
    expect(deleted).toHaveLength(5_000);
    await task.run();
    expect(objects.list).toHaveBeenCalledTimes(2);
  });
});

describe('SweepRetentionTask', () => {
  it('continues with the other rules when one fails, and fails at the end', async () => {
    let calls = 0;
    const prune = (rule: (typeof RETENTION_RULES)[number]) => {
      if (rule === RETENTION_RULES[0]) throw new Error('a lock timeout');
      calls += 1;
      return rule === RETENTION_RULES[1] && calls < RETENTION_RULES.length * 2 ? 1000 : 0;
    };
    const fake = new FakeDatabase({ 'retention.prune': prune, 'browserLogs.prune': 0 });
    await expect(new SweepRetentionTask(fake.database).run()).rejects.toThrow(/1 of \d+ failed, the first with: a lock timeout/u);
    expect(calls).toBe(RETENTION_RULES.length * 2);
  });

  it('prunes each rule in batches until a batch is not full', async () => {
    const left = new Map([[RETENTION_RULES[0], 2]]);
    const prune = (rule: (typeof RETENTION_RULES)[number]) => {
      const full = left.get(rule) ?? 0;
      left.set(rule, full - 1);
      return full > 0 ? 1000 : 0;
    };
    const fake = new FakeDatabase({ 'retention.prune': prune, 'browserLogs.prune': 0 });
    await new SweepRetentionTask(fake.database).run();
    const rules = fake.argsOf('retention.prune').map(([rule]) => rule);
    expect(rules).toEqual([...RETENTION_RULES, RETENTION_RULES[0], RETENTION_RULES[0]]);
    expect(fake.argsOf('browserLogs.prune')).toEqual([[5000, 1000]]);
  });

  it('ends after ten seconds, however much remains, with as many batches of each rule', async () => {
    let elapsed = 0;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => (elapsed += 4_000));
    try {
      const fake = new FakeDatabase({ 'retention.prune': 1000, 'browserLogs.prune': 0 });
      await new SweepRetentionTask(fake.database).run();
      expect(fake.argsOf('retention.prune').map(([rule]) => rule)).toEqual([...RETENTION_RULES, ...RETENTION_RULES]);
    } finally {
      clock.mockRestore();
    }
  });
});
