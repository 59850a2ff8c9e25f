import { deferred, type FreshDatabase, pollUntil, StageTestHarness, testStage, useFreshDatabases } from '@autoposter/testkit';
import { defineStep, done } from './define-step';

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

  const stageWith = (run: (item: { id: string }) => Promise<unknown>, slots = 2) =>
    testStage({
      steps: [defineStep<{ id: string }, null>({ name: 'work', effect: 'pure', run: (item) => run(item).then(() => done(null)) })],
      slots,
    });
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
    const stage = stageWith(({ id }) => (ran.add(id).size === 2 ? gate.promise : Promise.resolve()), 1);
    const [first] = await request(1);
    await harness.startRunner(stage, ALWAYS);
    await harness.jobInState(first?.job.id ?? '', 'done');
    const many = await request(3);
    await pollUntil(async () => (await running()) === 3);
    // only the long one is left
    await pollUntil(async () => (await running()) === 1);
    expect([...ran]).toEqual([first?.item.id, many[0]?.item.id]);
    await harness.startRunner(stage);
    await harness.fireWaitingJobs();
    const others = await Promise.all(many.slice(1).map(({ job }) => harness.jobInState(job.id, 'done')));
    expect(others.map(({ attempts }) => attempts)).toEqual([1, 1]);
    gate.resolve();
    await harness.jobInState(many[0]?.job.id ?? '', 'done');
  });
});
