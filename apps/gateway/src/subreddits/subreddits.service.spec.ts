import { SCHEDULER_ACTOR } from '@autoposter/domain';
import type { Subreddit } from '@autoposter/persistence';
import { FakeDatabase, minutesFromNow, NOW } from '@autoposter/testkit';
import { storedSettings } from '../testing/fake-settings';
import { presentSubreddit, requestCollect, SubredditsService } from './subreddits.service';

const ACTOR = 'admin@example.com';
const subreddit = (values: Partial<Subreddit> = {}): Subreddit =>
  ({ id: 'sub-1', name: 'aww', isActive: true, intervalMinutes: 60, nextRunAt: minutesFromNow(5), ...values }) as Subreddit;
const BODY = { name: 'aww', interval: 60, postsToFetch: 10, timePeriod: 'day', autoProcessStage: 'aiCaption', filters: {} } as never;

function arrange(stubs: Record<string, unknown> = {}, running = false) {
  const fake = new FakeDatabase({
    'subreddits.findForUpdate': subreddit(),
    'subreddits.create': (values: object) => subreddit(values),
    'subreddits.patch': (_id: string, values: object) => subreddit(values),
    'runs.create': { id: 'run-1' },
    'runs.countOpen': 2,
    ...stubs,
  });
  return { fake, service: new SubredditsService(fake.database, storedSettings({ running })) };
}

describe('SubredditsService', () => {
  it('lists subreddits with their latest run', async () => {
    const run = { id: 'run-1' };
    const { service } = arrange({
      'subreddits.list': [subreddit(), subreddit({ id: 'sub-2' })],
      'runs.latestOf': new Map([['sub-2', run]]),
    });
    expect((await service.list()).map((row) => row.run)).toEqual([undefined, run]);
  });

  it('creates a subreddit whose first run is due now', async () => {
    const { fake, service } = arrange();
    await service.create(BODY, ACTOR);
    expect(fake.argsOf('subreddits.create')[0]?.[0]).toMatchObject({ name: 'aww', intervalMinutes: 60, isActive: true, nextRunAt: NOW });
    expect([fake.events, fake.auditActions]).toMatchObject([[{ type: 'subreddit.changed', state: 'created' }], ['subreddit.created']]);
  });

  it.each([
    ['switches an active subreddit off', { isActive: true }, {}, { isActive: false, nextRunAt: null }],
    ['switches a subreddit on, with a run that is due now', { isActive: false }, {}, { isActive: true, nextRunAt: NOW }],
    ['switches a subreddit to the wanted state', { isActive: true }, { isActive: false }, { isActive: false, nextRunAt: null }],
    ['keeps the next run of a subreddit in the wanted state', { isActive: true }, { isActive: true }, { isActive: true }],
  ])('%s', async (_what, before, wanted, values) => {
    const { fake, service } = arrange({ 'subreddits.findForUpdate': subreddit(before) });
    await service.toggle('sub-1', wanted, ACTOR);
    expect([fake.argsOf('subreddits.patch'), fake.auditActions]).toEqual([[['sub-1', values]], ['subreddit.toggled']]);
  });

  it('changes the stage at which posts stop', async () => {
    const { fake, service } = arrange();
    await service.changeStage('sub-1', 'queuePost', ACTOR);
    expect([fake.argsOf('subreddits.patch'), fake.auditActions]).toEqual([
      [['sub-1', { autoProcessStage: 'queuePost' }]],
      ['subreddit.stage_changed'],
    ]);
  });

  it.each([
    ['without a run', new Map(), []],
    ['and cancels its run', new Map([['sub-1', { id: 'run-1' }]]), [['run-1']]],
  ])('deletes a subreddit %s', async (_what, runs, cancelled) => {
    const { fake, service } = arrange({ 'runs.latestOf': runs });
    await service.remove('sub-1', ACTOR);
    expect([fake.argsOf('subreddits.delete'), fake.argsOf('jobs.cancelOpen'), fake.auditActions]).toEqual([
      [['sub-1']],
      cancelled,
      ['subreddit.deleted'],
    ]);
  });

  it('starts a run for a person', async () => {
    const { fake, service } = arrange();
    expect(await service.runNow('sub-1', ACTOR)).toEqual({ runId: 'run-1' });
    expect(fake.argsOf('jobs.create')[0]?.[0]).toMatchObject({
      stage: 'collect',
      subjectId: 'run-1',
      messageKey: 'sub-1',
      forPerson: true,
    });
  });

  const calls = {
    create: (service: SubredditsService) => service.create(BODY, ACTOR),
    toggle: (service: SubredditsService) => service.toggle('sub-1', {}, ACTOR),
    remove: (service: SubredditsService) => service.remove('sub-1', ACTOR),
    runNow: (service: SubredditsService) => service.runNow('sub-1', ACTOR),
  };
  it.each([
    ['a name that is on the list', calls.create, { 'subreddits.create': null }, 409, 'r/aww is already on the list.'],
    ['to change an unknown subreddit', calls.toggle, { 'subreddits.findForUpdate': null }, 404, 'There is no such subreddit.'],
    ['to delete an unknown subreddit', calls.remove, { 'subreddits.findForUpdate': null }, 404, 'There is no such subreddit.'],
    ['to run an unknown subreddit', calls.runNow, { 'subreddits.findForUpdate': null }, 404, 'There is no such subreddit.'],
    ['a second run', calls.runNow, { 'runs.create': null }, 409, 'A run of r/aww is already in progress.'],
  ])('refuses %s', async (_what, call, stubs, status, message) => {
    const { fake, service } = arrange(stubs);
    await expect(call(service)).rejects.toMatchObject({ status, message });
    expect([fake.events, fake.auditActions]).toEqual([[], []]);
  });

  it.each([
    [true, 'running', 'subreddits.start'],
    [false, 'stopped', 'subreddits.stop'],
  ])('stores the switch %s', async (running, state, action) => {
    const { fake, service } = arrange({}, running);
    expect(await service.setRunning(running, ACTOR)).toEqual({ isRunning: running, activeJobs: { count: 2 }, idle: null });
    expect(fake.argsOf('settings.set')).toEqual([['subreddit_scheduler', { running }, ACTOR]]);
    expect([fake.events, fake.auditActions]).toMatchObject([[{ type: 'scheduler.changed', state }], [action]]);
  });

  it('explains why no run starts', async () => {
    const denied = { message: 'Refused.', nextAction: 'Check.' };
    const { service } = arrange({ 'workerReports.find': { report: { denied, since: 'then' }, reportedAt: NOW } });
    expect((await service.status()).idle).toEqual({ reason: 'Refused.', nextAction: 'Check.', since: 'then' });
  });
});

describe('requestCollect', () => {
  it.each([
    ['an active subreddit', true, [['sub-1', { nextRunAt: minutesFromNow(60) }]]],
    ['an inactive subreddit, which stays without a next run', false, []],
  ])('restarts the interval of %s', async (_what, isActive, patches) => {
    const { fake } = arrange();
    await requestCollect(fake.uow, subreddit({ isActive }), SCHEDULER_ACTOR);
    expect(fake.argsOf('subreddits.patch')).toEqual(patches);
    expect(fake.argsOf('jobs.create')[0]?.[0]).toMatchObject({ forPerson: false });
    expect(fake.argsOf('runs.failAbandoned')[0]).toMatchObject(['sub-1', { code: 'run_lost' }]);
  });
});

describe('presentSubreddit', () => {
  const run = {
    state: 'failed',
    listed: 5,
    accepted: 1,
    skipped: 4,
    failure: { message: 'No.', nextAction: 'Ask.' },
    createdAt: NOW,
    finishedAt: null,
  };
  it.each([
    ['requested', true],
    ['running', true],
    ['failed', false],
  ])('shows a run that is %s', (state, isRunning) => {
    const shown = presentSubreddit(subreddit(), { ...run, state } as never);
    expect(shown.scheduling).toEqual({ isRunning, nextRun: minutesFromNow(5).toISOString() });
    expect(shown.lastRun).toEqual({
      state,
      listed: 5,
      accepted: 1,
      skipped: 4,
      error: 'No. Ask.',
      startedAt: NOW.toISOString(),
      finishedAt: null,
    });
  });

  it('shows a subreddit without a run', () => {
    expect(presentSubreddit(subreddit({ nextRunAt: null }), undefined)).toMatchObject({
      scheduling: { isRunning: false, nextRun: null },
      lastRun: null,
    });
  });
});
