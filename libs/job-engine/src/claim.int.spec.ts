import { setTimeout as delay } from 'node:timers/promises';
import { claimJob, deferred, type FreshDatabase, StageTestHarness, testStage, useFreshDatabases } from '@autoposter/testkit';
import { defineStep, done } from './define-step';
import type { AnyStage } from './define-stage';

describe('claiming jobs', () => {
  let fresh: FreshDatabase;
  let harness: StageTestHarness;

  useFreshDatabases('embedded', async (made) => {
    fresh = made;
    harness = await StageTestHarness.open(fresh.database);
    return () => harness.close();
  });

  const order = async () => (await harness.requestDownload()).job;
  const orders = async (count: number) => {
    const made = [];
    for (let n = 0; n < count; n += 1) made.push(await order());
    return made;
  };
  const next = async (limit: number, more: { peopleOnly?: boolean; except?: string[] } = {}) => {
    const request = { stage: 'download', limit, owner: 'worker', leaseSeconds: 30, peopleOnly: false, except: [], ...more } as const;
    return fresh.database.read.jobs.claimNext(request);
  };
  const idsOf = (claimed: Awaited<ReturnType<typeof next>>): string[] => claimed.map(({ job }) => job.id).sort();

  it('claims several jobs in one transaction, and each once', async () => {
    const jobs = await orders(3);
    const claimed = await next(10);
    expect(idsOf(claimed)).toEqual(jobs.map(({ id }) => id).sort());
    expect(claimed[0]).toMatchObject({ hadLapsed: false, job: { state: 'running', attempts: 1, fence: 1, leaseOwner: 'worker' } });
    const [row] = await fresh.database.sql.query<{ count: number }>('SELECT count(DISTINCT xmin::text)::int AS count FROM stage_jobs');
    expect(row?.count).toBe(1);
    expect(await next(10)).toEqual([]);
  });

  it('never claims a job twice with eight concurrent workers', async () => {
    const jobs = await orders(20);
    const claims = (await Promise.all(Array.from({ length: 8 }, () => next(5)))).flatMap(idsOf);
    expect(claims.sort()).toEqual(jobs.map(({ id }) => id).sort());
  });

  it('takes lapsed jobs first, then those that a person waits for, then the oldest', async () => {
    const [oldest, second, person, lapsed, held] = await orders(5);
    await fresh.database.sql.query('UPDATE stage_jobs SET for_person = true WHERE id = $1', [person?.id]);
    for (const one of [lapsed, held]) await claimJob(fresh.database, one?.id ?? '', { owner: 'silent worker' });
    await fresh.database.sql.query(`UPDATE stage_jobs SET lease_until = now() - interval '1 second' WHERE id = $1`, [lapsed?.id]);
    const taken = [await next(1), await next(1), await next(1), await next(1), await next(1)].map((claimed) => claimed[0]);
    expect(taken.map((one) => one?.job.id)).toEqual([lapsed?.id, person?.id, oldest?.id, second?.id, undefined]);
    expect(taken[0]).toMatchObject({ hadLapsed: true, job: { fence: 2, attempts: 2 } });
  });

  it('reads none of the jobs that wait behind those of people when it claims for people only', async () => {
    await order();
    await fresh.database.sql.query(
      `INSERT INTO stage_jobs (id, stage, subject_id, item_id, message_key, max_attempts, correlation_id, state)
       SELECT gen_random_uuid(), stage, gen_random_uuid(), item_id, message_key, max_attempts, correlation_id, state
       FROM stage_jobs CROSS JOIN generate_series(1, 2000)`,
    );
    await fresh.database.sql.query('ANALYZE stage_jobs');
    const read = await fresh.database.unitOfWork(async (uow) => {
      const request = { stage: 'download', limit: 1, owner: 'worker', leaseSeconds: 30, peopleOnly: true, except: [] } as const;
      expect(await uow.jobs.claimNext(request)).toEqual([]);
      const [rows] = await Reflect.get(uow, 'manager').query(
        `SELECT (seq_tup_read + idx_tup_fetch)::int AS count FROM pg_stat_xact_user_tables WHERE relname = 'stage_jobs'`,
      );
      return (rows as { count: number }).count;
    });
    expect(read).toBeLessThan(10);
  });

  it('takes at most the limit, of lapsed and requested jobs together', async () => {
    const [, , lapsed] = await orders(3);
    await claimJob(fresh.database, lapsed?.id ?? '', { owner: 'silent worker' });
    await fresh.database.sql.query(`UPDATE stage_jobs SET lease_until = now() - interval '1 second' WHERE id = $1`, [lapsed?.id]);
    expect((await next(2)).map(({ hadLapsed }) => hadLapsed).sort()).toEqual([false, true]);
  });

  it('takes no job that the process still holds, and on request only those of people', async () => {
    const [one, other] = await orders(2);
    await fresh.database.sql.query('UPDATE stage_jobs SET for_person = true WHERE id = $1', [other?.id]);
    expect(await next(5, { peopleOnly: true, except: [other?.id ?? ''] })).toEqual([]);
    expect(idsOf(await next(5, { peopleOnly: true }))).toEqual([other?.id]);
    expect(idsOf(await next(5))).toEqual([one?.id]);
  });

  it('does not take its own job a second time after the lease ended', async () => {
    const job = await order();
    const [begun, go] = [deferred(), deferred()];
    const work = defineStep<unknown, null>({
      name: 'work',
      effect: 'pure',
      run: async () => {
        begun.resolve();
        await go.promise;
        return done(null);
      },
    });
    await harness.startRunner(testStage({ steps: [work] }), { slots: 2 });
    await begun.promise;
    await fresh.database.sql.query(`UPDATE stage_jobs SET lease_until = now() - interval '1 second' WHERE id = $1`, [job.id]);
    // ten polls
    await delay(500);
    expect(await fresh.database.read.jobs.find(job.id)).toMatchObject({ attempts: 1, fence: 1 });
    go.resolve();
    await harness.jobInState(job.id, 'done');
  });

  it('runs the other jobs when the input of one cannot be loaded, and counts that attempt', async () => {
    const [good, bad] = await orders(2);
    const work = defineStep<unknown, null>({ name: 'work', effect: 'pure', run: () => Promise.resolve(done(null)) });
    const stage = testStage({ steps: [work] });
    const load: AnyStage['load'] = (uow, job) => (job.id === bad?.id ? Promise.reject(new Error('unreadable')) : stage.load(uow, job));
    await harness.startRunner({ ...stage, load });
    await harness.jobInState(good?.id ?? '', 'done');
    expect(await harness.jobInState(bad?.id ?? '', 'retrying')).toMatchObject({ attempts: 1, fence: 1 });
    const started = await fresh.database.sql.query<{ item_id: string }>(`SELECT item_id FROM event_history WHERE type LIKE '%.started'`);
    expect(started).toEqual([{ item_id: good?.itemId }]);
  });
});
