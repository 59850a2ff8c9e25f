import { anItem, aSubreddit, type FreshDatabase, useFreshDatabases } from '@autoposter/testkit';
import type { UnitOfWork } from '../database/unit-of-work';

const NOTHING = { waiting: 0, running: 0, postponed: 0, retrying: 0, oldestWaitingSeconds: null };

/** Of a job that was requested 90 seconds before the test. */
const AGE = expect.closeTo(120, -1.8);

describe('JobCountQueries', () => {
  let fresh: FreshDatabase;
  let itemId: string;

  useFreshDatabases('embedded', async (made) => {
    fresh = made;
    itemId = await fresh.database.unitOfWork(async (uow) => {
      const subreddit = await aSubreddit(uow, { name: 'aww' });
      return (await anItem(uow, { subredditId: subreddit.id, subreddit: 'aww' })).id;
    });
  });

  /** Jobs of one subreddit; `requestedAgo` seconds ago the first, the others later. */
  const addJobs = async (state: string, count: number, { stage = 'dmca', forPerson = false, requestedAgo = 90 } = {}): Promise<void> => {
    await fresh.database.sql.query(
      `INSERT INTO stage_jobs (id, stage, subject_id, item_id, message_key, state, for_person, max_attempts, correlation_id, requested_at, due_at)
       SELECT gen_random_uuid(), $1, gen_random_uuid(), $2, 'k', $3, $4, 3, gen_random_uuid(), now() - make_interval(secs => $5 - (n - 1) * 0.001), now()
       FROM generate_series(1, $6::int) AS n`,
      [stage, itemId, state, forPerson, requestedAgo, count],
    );
  };
  const tupleReads = (work: (uow: UnitOfWork) => Promise<unknown>): Promise<number> =>
    fresh.database.unitOfWork(async (uow) => {
      const read = async (): Promise<number> => {
        const [rows] = await Reflect.get(uow, 'manager').query(
          `SELECT sum(seq_tup_read + idx_tup_fetch)::int AS count FROM pg_stat_xact_user_tables WHERE relname IN ('stage_jobs', 'outbox')`,
        );
        return (rows as { count: number }).count;
      };
      const before = await read();
      await work(uow);
      return (await read()) - before;
    });

  it('counts the open jobs of each stage by state, and the age of the oldest requested one', async () => {
    await addJobs('requested', 5);
    await addJobs('requested', 2, { forPerson: true, requestedAgo: 30 });
    await addJobs('running', 3);
    await addJobs('waiting', 4);
    await addJobs('retrying', 1, { stage: 'ai' });
    await addJobs('done', 9);
    const pressure = await fresh.database.read.jobCounts.pressure();
    const of = (stage: string) => pressure.find((one) => one.stage === stage);
    expect(of('dmca')).toEqual({ stage: 'dmca', waiting: 7, running: 3, postponed: 4, retrying: 0, oldestWaitingSeconds: AGE });
    expect(of('ai')).toEqual({ ...NOTHING, stage: 'ai', retrying: 1 });
    expect(of('download')).toEqual({ ...NOTHING, stage: 'download' });
  });

  it('counts the requested jobs by source, people first', async () => {
    await addJobs('requested', 5);
    await addJobs('requested', 2, { forPerson: true });
    expect(await fresh.database.read.jobCounts.waitingBySource(5)).toEqual([
      { stage: 'dmca', source: null, forPerson: true, waiting: 2 },
      { stage: 'dmca', source: 'r/aww', forPerson: false, waiting: 5 },
    ]);
  });

  it('stops counting at a limit, however many jobs are open', async () => {
    for (const state of ['requested', 'waiting', 'retrying']) await addJobs(state, 1_500);
    await addJobs('running', 20);
    await addJobs('done', 5_000);
    await addJobs('requested', 500, { forPerson: true, requestedAgo: 30 });
    await fresh.database.sql.query('ANALYZE stage_jobs');
    const { jobCounts, jobs } = fresh.database.read;
    const dmca = (await jobCounts.pressure(100)).find(({ stage }) => stage === 'dmca');
    expect(dmca).toEqual({ stage: 'dmca', waiting: 100, running: 20, postponed: 100, retrying: 100, oldestWaitingSeconds: AGE });
    expect(await jobCounts.waitingBySource(5, 600)).toEqual([
      { stage: 'dmca', source: null, forPerson: true, waiting: 500 },
      { stage: 'dmca', source: 'r/aww', forPerson: false, waiting: 100 },
    ]);
    expect([await jobs.countUnfinished('dmca', 100), await jobs.countUnfinished('dmca', 5_000)]).toEqual([100, 2_020]);
    expect(await tupleReads((uow) => uow.jobCounts.pressure(100))).toBeLessThan(1_000);
    expect(await tupleReads((uow) => uow.jobCounts.waitingBySource(5, 100))).toBeLessThan(1_000);
    expect(await tupleReads((uow) => uow.jobs.countUnfinished('dmca', 100))).toBeLessThan(300);
  });

  it('stops counting unsent messages at a limit', async () => {
    await fresh.database.sql.query(
      `INSERT INTO outbox (id, topic, key, envelope, attempts) SELECT gen_random_uuid(), 't', 'k', '{}', n % 2 FROM generate_series(1, 3000) AS n`,
    );
    await fresh.database.sql.query('ANALYZE outbox');
    const { outbox } = fresh.database.read;
    expect(await outbox.backlog(100)).toMatchObject({ waiting: 100 });
    expect((await outbox.backlog(3_000)).parked).toBe(1_500);
    expect(await tupleReads((uow) => uow.outbox.backlog(100))).toBeLessThan(300);
  });
});
