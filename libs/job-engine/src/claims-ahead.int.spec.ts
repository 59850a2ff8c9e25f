import { deferred, type FreshDatabase, pollUntil, StageTestHarness, testStage, useFreshDatabases } from '@autoposter/testkit';
import { defineStep, done } from './define-step';
import { leaseInstant } from './lease';

/** Every attempt counts as short. */
const ALWAYS = { aheadMs: 1e9 };

describe('claims in advance', () => {
  let fresh: FreshDatabase;
  let harness: StageTestHarness;

  useFreshDatabases('embedded', async (made) => {
    fresh = made;
    harness = await StageTestHarness.open(fresh.database);
    return () => harness.close();
  });

  const stageWith = (run: (item: { id: string }) => Promise<unknown>, slots = 2, log: string[] = []) =>
    testStage(
      {
        steps: [defineStep<{ id: string }, null>({ name: 'work', effect: 'pure', run: (item) => run(item).then(() => done(null)) })],
        slots,
      },
      log,
    );
  const request = async (count: number) => {
    const made = [];
    for (let n = 0; n < count; n += 1) made.push(await harness.requestDownload());
    return made;
  };
  const running = async () => (await fresh.database.read.jobCounts.running()).length;

  it('takes only what the free slots need before it knows how long a job takes, and while jobs are long', async () => {
    const runner = await harness.startRunner(stageWith(() => new Promise((resolve) => setTimeout(resolve, 120))));
    expect(runner.request(0)).toMatchObject({ limit: 2, peopleOnly: false });
    const [first] = await request(1);
    await harness.jobInState(first?.job.id ?? '', 'done');
    expect(runner.request(0)).toMatchObject({ limit: 2, peopleOnly: false });
  });

  it('takes more while jobs are short, and runs no more of them at a time than it has slots', async () => {
    let busy = 0;
    let busiest = 0;
    const stage = stageWith(async () => {
      busiest = Math.max(busiest, (busy += 1));
      await new Promise((resolve) => setImmediate(resolve));
      busy -= 1;
    });
    const [first] = await request(1);
    const runner = await harness.startRunner(stage, ALWAYS);
    await harness.jobInState(first?.job.id ?? '', 'done');
    expect(runner.request(0)).toMatchObject({ limit: 8 });
    const many = await request(20);
    await Promise.all(many.map(({ job }) => harness.jobInState(job.id, 'done')));
    expect(busiest).toBe(2);
  });

  it('gives jobs back that wait behind a long one, so that another worker runs them', async () => {
    const gate = deferred();
    const ran = new Set<string>();
    const log: string[] = [];
    const stage = stageWith(({ id }) => (ran.add(id).size === 2 ? gate.promise : Promise.resolve()), 1, log);
    const [first] = await request(1);
    await harness.startRunner(stage, ALWAYS);
    await harness.jobInState(first?.job.id ?? '', 'done');
    const many = await request(3);
    await pollUntil(async () => (await running()) === 3);
    // only the long one is left
    await pollUntil(async () => (await running()) === 1);
    expect([...ran]).toEqual([first?.item.id, many[0]?.item.id]);
    const started = async () =>
      (await fresh.database.sql.query<{ id: string }>(`SELECT item_id AS id FROM event_history WHERE type = 'download.started'`)).map(
        ({ id }) => id,
      );
    // of the others nothing has begun
    expect([await started(), log.filter((one) => one === 'started')]).toEqual([[...ran], ['started', 'started']]);
    const given = await fresh.database.read.jobs.findMany(many.slice(1).map(({ job }) => job.id));
    expect(given.map(({ attempts, startedAt, journal, history }) => ({ attempts, startedAt, journal, history }))).toEqual(
      Array(2).fill({ attempts: 0, startedAt: null, journal: {}, history: [] }),
    );
    await harness.startRunner(stage);
    await harness.fireWaitingJobs();
    const others = await Promise.all(many.slice(1).map(({ job }) => harness.jobInState(job.id, 'done')));
    expect(others.map(({ attempts }) => attempts)).toEqual([1, 1]);
    expect((await started()).sort()).toEqual([...ran].sort());
    gate.resolve();
    await harness.jobInState(many[0]?.job.id ?? '', 'done');
  });

  it('records the unknown outcome of a call instead of giving its job back', async () => {
    const log: string[] = [];
    const gate = deferred();
    const call = defineStep<unknown, null>({ name: 'call', effect: 'irreversible', run: () => gate.promise.then(() => done(null)) });
    const runner = await harness.startRunner(testStage({ steps: [call], slots: 1 }, log));
    const [long] = await request(1);
    await harness.jobInState(long?.job.id ?? '', 'running');
    const [died] = await request(1);
    await fresh.database.sql.query(`UPDATE stage_jobs SET intent_step = 'call' WHERE id = $1`, [died?.job.id]);
    const claim = { stage: 'download', limit: 1, owner: 'worker', leaseSeconds: 30, peopleOnly: false, except: [] } as const;
    runner.take(await fresh.database.read.jobs.claimNext(claim), claim, leaseInstant());
    const drained = runner.drain(5_000);
    await pollUntil(async () => (await harness.job(died?.job.id ?? '')).state !== 'running');
    gate.resolve();
    await drained;
    expect(await harness.job(died?.job.id ?? '')).toMatchObject({ state: 'done' });
    expect(log.filter((one) => one.startsWith('unknown'))).toEqual(['unknown unknown_outcome']);
    expect(await harness.job(long?.job.id ?? '')).toMatchObject({ state: 'done' });
  });
});
