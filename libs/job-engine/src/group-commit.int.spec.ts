import type { ContentItem, StageJob } from '@autoposter/persistence';
import { claimJob, deferred, type FreshDatabase, pollUntil, StageTestHarness, testStage, useFreshDatabases } from '@autoposter/testkit';
import type { StageCommit } from './define-stage';
import { defineStep, done } from './define-step';
import { GroupCommit } from './group-commit';
import { requestStage } from './request-stage';
import type { StageRunnerOptions } from './stage-runner';

const JOBS = 6;

describe('GroupCommit', () => {
  let fresh: FreshDatabase;
  let harness: StageTestHarness;

  useFreshDatabases('embedded', async (made) => {
    fresh = made;
    harness = await StageTestHarness.open(fresh.database);
    return () => harness.close();
  });

  /** Runs jobs that all finish in the same moment, after `meanwhile`. */
  const runTogether = async (
    commit: Partial<StageCommit<ContentItem, unknown>> = {},
    meanwhile: (jobs: readonly StageJob[]) => Promise<unknown> = () => Promise.resolve(),
    options: Partial<StageRunnerOptions> = {},
  ): Promise<StageJob[]> => {
    const gate = deferred();
    let running = 0;
    const step = defineStep<unknown, null>({
      name: 'work',
      effect: 'read',
      run: async () => {
        running += 1;
        await gate.promise;
        return done(null);
      },
    });
    const jobs: StageJob[] = [];
    for (let n = 0; n < JOBS; n += 1) jobs.push((await harness.requestDownload()).job);
    const runner = await harness.startRunner(testStage({ steps: [step], slots: JOBS, commit }), options);
    await pollUntil(() => running === JOBS);
    await meanwhile(jobs);
    gate.resolve();
    await pollUntil(() => runner.running === 0);
    return Promise.all(jobs.map(({ id }) => harness.job(id)));
  };
  const versions = async (): Promise<number[]> =>
    (await fresh.database.sql.query<{ version: number }>('SELECT version FROM content_items ORDER BY created_at, id')).map(
      ({ version }) => version,
    );
  const transactionsOf = async (state: string): Promise<number> => {
    const sql = 'SELECT count(DISTINCT xmin::text)::int AS count FROM stage_jobs WHERE state = $1';
    return (await fresh.database.sql.query<{ count: number }>(sql, [state]))[0]?.count ?? 0;
  };
  const completed = async (): Promise<number> =>
    (await fresh.database.sql.query(`SELECT 1 FROM event_history WHERE type = 'download.completed'`)).length;
  const next: StageCommit<ContentItem, unknown>['done'] = testStage({ steps: [] }).commit.done;
  const others = (jobs: readonly StageJob[]): string[] => jobs.slice(1).map(({ state }) => state);

  it('commits jobs that finish together in one transaction', async () => {
    const jobs = await runTogether();
    expect(jobs.map(({ state }) => state)).toEqual(Array.from({ length: JOBS }, () => 'done'));
    expect(await transactionsOf('done')).toBe(1);
    expect(await versions()).toEqual(Array.from({ length: JOBS }, () => 2));
    expect(await completed()).toBe(JOBS);
  });

  it.each([
    ['throws', () => Promise.reject(new Error('a mistake in the program'))],
    ['breaks the transaction', (uow: Parameters<typeof next>[0]) => uow.items.find('no id')],
  ])('commits the others, each once, when the commit of one job %s', async (_how, fail) => {
    let first = '';
    const commit: Partial<StageCommit<ContentItem, unknown>> = {
      async done(uow, item, output, job) {
        await next(uow, item, output, job);
        if (job.id === first) await fail(uow);
      },
    };
    const jobs = await runTogether(commit, (all) => Promise.resolve((first = all[0]?.id ?? '')));
    expect(jobs[0]).toMatchObject({ state: 'retrying', attempts: 1 });
    expect(others(jobs)).toEqual(Array.from({ length: JOBS - 1 }, () => 'done'));
    expect(await versions()).toEqual([1, ...Array.from({ length: JOBS - 1 }, () => 2)]);
    expect(await completed()).toBe(JOBS - 1);
  });

  it('commits the others when a person changed the item of one job meanwhile', async () => {
    const jobs = await runTogether({}, ([changed]) =>
      fresh.database.sql.query('UPDATE content_items SET version = version + 1 WHERE id = $1', [changed?.subjectId]),
    );
    expect(others(jobs)).toEqual(Array.from({ length: JOBS - 1 }, () => 'done'));
    expect(jobs[0]?.state).not.toBe('running');
    expect(await versions()).toEqual(Array.from({ length: JOBS }, () => 2));
    expect((await fresh.database.sql.query(`SELECT 1 FROM content_items WHERE state = 'downloaded'`)).length).toBe(JOBS - 1);
  });

  it('lets each job of a group see what the ones before it wrote, so that only one of several takes what there is once', async () => {
    const found: number[] = [];
    const commit: Partial<StageCommit<ContentItem, unknown>> = {
      async done(uow) {
        const before = await uow.settings.get<number>('taken');
        await new Promise((resolve) => setTimeout(resolve, 5));
        if (before === null) await uow.settings.set('taken', 1);
        found.push(before ?? 0);
      },
    };
    await runTogether(commit);
    expect(found.filter((one) => one === 0)).toHaveLength(1);
  });

  it('commits the others in their transaction when one job was taken by another worker', async () => {
    const jobs = await runTogether({}, async ([stolen]) => {
      await fresh.database.sql.query(`UPDATE stage_jobs SET lease_until = now() - interval '1 second' WHERE id = $1`, [stolen?.id]);
      expect(await claimJob(fresh.database, stolen?.id ?? '', { owner: 'thief' })).toMatchObject({ fence: 2 });
    });
    expect(jobs[0]).toMatchObject({ state: 'running', leaseOwner: 'thief' });
    expect(others(jobs)).toEqual(Array.from({ length: JOBS - 1 }, () => 'done'));
    expect(await transactionsOf('done')).toBe(1);
    expect(await versions()).toEqual([1, ...Array.from({ length: JOBS - 1 }, () => 2)]);
  });

  it('commits each job once after the server ended the connection of the group', async () => {
    let cut = false;
    const commit: Partial<StageCommit<ContentItem, unknown>> = {
      async done(uow, item, output, job) {
        await next(uow, item, output, job);
        if (cut) return;
        cut = true;
        await fresh.database.sql.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
        );
      },
    };
    const jobs = await runTogether(commit);
    expect(jobs.map(({ state, attempts }) => [state, attempts])).toEqual(Array.from({ length: JOBS }, () => ['done', 1]));
    expect(await versions()).toEqual(Array.from({ length: JOBS }, () => 2));
    expect(await completed()).toBe(JOBS);
  });

  it('claims the next jobs, also those that it requests, in the transaction that ends the ones before', async () => {
    const gate = deferred();
    const second = defineStep<unknown, null>({ name: 'work', effect: 'pure', run: () => gate.promise.then(() => done(null)) });
    const commits = new GroupCommit(fresh.database);
    const dmca = testStage({ name: 'dmca', steps: [second], slots: JOBS, commit: { done: () => Promise.resolve() } });
    const runner = await harness.startRunner(dmca, { commits, pollMs: 60_000 });
    const commit: Partial<StageCommit<ContentItem, unknown>> = {
      async done(uow, item, output, job) {
        await next(uow, item, output, job);
        await requestStage(uow, { stage: 'dmca', subjectId: item.id, itemId: item.id, key: item.id, actor: 'test' });
      },
    };
    await runTogether(commit, undefined, { commits });
    await pollUntil(() => runner.running === JOBS);
    // by the time of their transaction: a later one writes the start of the claimed jobs. On a busy machine the jobs can end in more than one group.
    const sql = `SELECT count(*)::int AS count FROM stage_jobs ended JOIN stage_jobs claimed ON claimed.item_id = ended.item_id
      WHERE ended.state = 'done' AND claimed.stage = 'dmca' AND claimed.state = 'running' AND claimed.started_at = ended.finished_at`;
    expect(await fresh.database.sql.query(sql)).toEqual([{ count: JOBS }]);
    gate.resolve();
  });

  it('claims again what a failed group had claimed', async () => {
    let fails = true;
    const commit: Partial<StageCommit<ContentItem, unknown>> = {
      async done(uow, item, output, job) {
        await next(uow, item, output, job);
        if (fails) throw new Error('a mistake in the program');
      },
    };
    const jobs = await runTogether(commit, async () => {
      for (let n = 0; n < JOBS; n += 1) await harness.requestDownload();
    });
    fails = false;
    expect(jobs.every(({ attempts }) => attempts === 1)).toBe(true);
    await pollUntil(async () => (await fresh.database.sql.query(`SELECT 1 FROM stage_jobs WHERE state = 'requested'`)).length === 0);
    expect(await fresh.database.sql.query('SELECT 1 FROM stage_jobs WHERE attempts > 1')).toEqual([]);
  });

  it('starts jobs in one transaction, and only the others when the start of one fails', async () => {
    let broken = '';
    const gate = deferred();
    const step = defineStep<unknown, null>({ name: 'work', effect: 'pure', run: () => gate.promise.then(() => done(null)) });
    const stage = testStage({ steps: [step], slots: JOBS });
    const { started } = stage.commit;
    stage.commit.started = async (uow, item, job) => {
      await started?.(uow, item, job);
      if (job.id === broken) throw new Error('a mistake in the program');
    };
    for (let n = 0; n < JOBS; n += 1) broken = (await harness.requestDownload()).job.id;
    await harness.startRunner(stage);
    await harness.jobInState(broken, 'retrying');
    const startedJobs = `SELECT id FROM stage_jobs WHERE state = 'running' AND journal ? '$started'`;
    await pollUntil(async () => (await fresh.database.sql.query(startedJobs)).length === JOBS - 1);
    expect(await fresh.database.sql.query(`SELECT 1 FROM event_history WHERE type = 'download.started'`)).toHaveLength(JOBS - 1);
    gate.resolve();
  });

  it('commits the others while the commit of one waits for a lock', async () => {
    const unlock = deferred();
    const locked = deferred();
    const gate = deferred();
    const step = defineStep<unknown, null>({ name: 'work', effect: 'read', run: () => gate.promise.then(() => done(null)) });
    const jobs: StageJob[] = [];
    for (let n = 0; n < JOBS; n += 1) jobs.push((await harness.requestDownload()).job);
    const [blocked] = jobs;
    const holder = fresh.database.unitOfWork(async (uow) => {
      await uow.items.findForUpdate(blocked?.itemId ?? '');
      locked.resolve();
      await unlock.promise;
    });
    await locked.promise;
    const runner = await harness.startRunner(testStage({ steps: [step], slots: JOBS }));
    await pollUntil(() => runner.running === JOBS);
    gate.resolve();
    for (const { id } of jobs.slice(1)) await harness.jobInState(id, 'done');
    expect(await harness.job(blocked?.id ?? '')).toMatchObject({ state: 'running' });
    unlock.resolve();
    await holder;
    expect(await harness.jobInState(blocked?.id ?? '', 'done')).toMatchObject({ attempts: 1 });
  });
});
