import { LIMITS } from '@autoposter/contracts';
import { pollUntil } from '@autoposter/testkit';
import { PlanSubredditRunsTask } from './tasks/plan-subreddit-runs.task';
import { PublishDuePostsTask } from './tasks/publish-due-posts.task';
import { RunScheduledTasksTask } from './tasks/run-scheduled-tasks.task';
import { describeGateway } from '../testing/gateway-fixture';
import { GatewayFixture } from '../testing/gateway-fixture';
import { SCHEDULED_TASKS, type ScheduledTasks } from './recurring-task';

const SUBREDDITS = 8;
const POSTS = 3;

describeGateway('two gateways on one database', () => {
  let first: GatewayFixture;
  let second: GatewayFixture;
  beforeEach(async () => {
    first = await GatewayFixture.start();
    second = await first.beside();
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await second?.stop();
    await first?.stop();
  });

  /** Both at the same time, again and again, as two do that both believe to keep the clock. */
  const both = async (work: (gateway: GatewayFixture) => Promise<void>): Promise<void> => {
    for (let time = 0; time < 4; time += 1) await Promise.all([first, second, first, second].map(work));
  };
  const count = async (sql: string): Promise<number> => (await first.database.sql.query<{ n: number }>(sql))[0]?.n ?? 0;

  it('starts each due run once', async () => {
    for (let made = 0; made < SUBREDDITS; made += 1) await first.call('post', '/api/subreddits', { name: `aww_${made}` }).expect(200);
    await first.call('post', '/api/subreddits/scheduler/start').expect(200);
    await both((gateway) => gateway.app.get(PlanSubredditRunsTask).run());
    expect(await count('SELECT count(*)::int AS n FROM collect_runs')).toBe(SUBREDDITS);
    expect(await count('SELECT count(DISTINCT subreddit_id)::int AS n FROM collect_runs')).toBe(SUBREDDITS);
  });

  it('publishes each due post once', async () => {
    await first.call('put', '/api/instagram-queue/randomization', { enabled: false, maxDelayMinutes: 0 }).expect(200);
    for (let made = 0; made < POSTS; made += 1) {
      const { id } = await first.item('ready');
      await first.call('post', `/api/instagram-queue/${id}`, {}).expect(200);
    }
    await first.call('post', '/api/instagram-queue/start').expect(200);
    await both((gateway) => gateway.app.get(PublishDuePostsTask).run());
    // the others keep the interval
    expect(await count('SELECT count(*)::int AS n FROM publish_attempts')).toBe(1);
    expect(await count("SELECT count(*)::int AS n FROM queue_items WHERE status = 'posting'")).toBe(1);
  });

  it('runs each listed task once per interval', async () => {
    let runs = 0;
    const scheduledOf = (gateway: GatewayFixture) =>
      gateway.app.get<ScheduledTasks>(SCHEDULED_TASKS).filter(({ everySeconds }) => everySeconds > LIMITS.scheduler.intervalMinutes * 60);
    // the first beat ran them all
    await pollUntil(async () => (await count(`SELECT count(*)::int AS n FROM task_runs WHERE run_count > 0`)) === 4);
    await first.database.sql.query('DELETE FROM task_runs');
    const ids = scheduledOf(first).map(({ id }) => id);
    for (const task of [first, second].flatMap(scheduledOf)) jest.spyOn(task, 'run').mockImplementation(async () => void (runs += 1));
    // From here on their own clocks may run them as well.
    await first.call('post', '/api/scheduler/start').expect(200);
    await both((gateway) => gateway.app.get(RunScheduledTasksTask).run());
    await pollUntil(() => runs >= ids.length);
    expect([ids.length > 0, runs]).toEqual([true, ids.length]);
    const { tasks } = (await second.call('get', '/api/scheduler/status')).body.data;
    const shown = (tasks as { id: string; runCount: number }[]).filter(({ id }) => ids.includes(id));
    expect(shown.map(({ runCount }) => runCount)).toEqual(ids.map(() => 1));
  });

  it('moves the scheduler to the other gateway when the first stops', async () => {
    const owner = async () =>
      (await first.database.sql.query<{ owner: string }>("SELECT owner FROM leases WHERE name = 'clock'"))[0]?.owner ?? null;
    const before = await pollUntil(async () => (await owner()) ?? Promise.reject(new Error('no gateway holds the scheduler lease')));
    const third = await first.beside({ schedulerSeconds: 0.05 });
    const fourth = await first.beside({ schedulerSeconds: 0.05 });
    expect(await owner()).toBe(before);
    // what `stop` gives back, the next beat takes
    await second.stop();
    await first.app.close();
    const after = await pollUntil(async () => {
      const now = await owner();
      if (now === null || now === before) throw new Error('the scheduler lease did not move');
      return now;
    });
    await fourth.stop();
    await third.stop();
    expect(after).not.toBe(before);
    second = undefined as never;
  });

  it('sees the changes of the other gateway', async () => {
    await first.call('put', '/api/instagram-queue/interval', { intervalMinutes: 45 }).expect(200);
    expect((await second.call('get', '/api/instagram-queue/status')).body.data.intervalMinutes).toBe(45);
    const named = (gateway: GatewayFixture) => gateway.call('post', '/api/subreddits', { name: 'aww' }).set('Idempotency-Key', 'one');
    const answers = await Promise.all([named(first), named(second)]);
    expect(answers.map(({ status }) => status).every((status) => status === 200 || status === 409)).toBe(true);
    expect((await named(second)).body.data.name).toBe('aww');
    await first.call('post', '/api/auth/logout').expect(200);
    expect((await second.call('get', '/api/downloads')).status).toBe(200);
    expect((await second.visitor.get('/api/downloads').set('Authorization', `Bearer ${first.token}`)).status).toBe(401);
  });
});
