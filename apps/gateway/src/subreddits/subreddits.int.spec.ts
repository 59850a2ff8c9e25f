import { subredditSchema } from '@autoposter/contracts';
import { REDDIT_ACCESS } from '@autoposter/domain';
import { pollUntil } from '@autoposter/testkit';
import { PlanSubredditRunsTask } from '../scheduler/tasks/plan-subreddit-runs.task';
import { GatewayFixture } from '../testing/gateway-fixture';
import { describeGateway } from '../testing/gateway-fixture';

describeGateway('subreddits', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => (gateway = await GatewayFixture.start()));
  afterAll(() => gateway?.stop());

  const create = (name: string, more: object = {}) => gateway.call('post', '/api/subreddits', { name, ...more });
  const runsOf = (id: string) =>
    gateway.database.sql.query<{ state: string }>('SELECT state FROM collect_runs WHERE subreddit_id = $1', [id]);
  const beat = () => gateway.app.get(PlanSubredditRunsTask).run();
  const endRuns = () =>
    gateway.database.sql.query("UPDATE collect_runs SET state = 'done', finished_at = now() WHERE state IN ('requested','running')");

  it('applies the defaults, strips r/ and refuses duplicates', async () => {
    const { body } = await create('https://www.reddit.com/r/Aww/');
    expect(subredditSchema.strict().parse(body.data)).toMatchObject({
      name: 'Aww',
      config: { isActive: true, interval: 60, postsToFetch: 100, timePeriod: 'day', autoProcessStage: 'dmcaProtection' },
      scheduling: { isRunning: false, nextRun: expect.any(String) },
    });
    expect((await create('aww')).status).toBe(409);
    expect((await create('x', { interval: 60 })).status).toBe(422);
    expect((await create('fine', { interval: 4 })).status).toBe(422);
  });

  it('runs each due subreddit once per interval after the scheduler was started', async () => {
    const { body } = await create('funny', { interval: 5 });
    const id = body.data._id as string;
    await beat();
    expect(await runsOf(id)).toEqual([]);
    const started = await gateway.call('post', '/api/subreddits/scheduler/start');
    expect(started.body.data.isRunning).toBe(true);
    await Promise.all([beat(), beat()]);
    await beat();
    expect(await runsOf(id)).toHaveLength(1);
    const shown = (await gateway.call('get', '/api/subreddits')).body.data.find((one: { _id: string }) => one._id === id);
    expect(shown.scheduling.isRunning).toBe(true);
    expect(Date.parse(shown.scheduling.nextRun) - Date.now()).toBeGreaterThan(4 * 60_000);
    expect((await gateway.call('get', '/api/subreddits/scheduler/status')).body.data.activeJobs.count).toBeGreaterThan(0);
    await gateway.call('post', '/api/subreddits/scheduler/stop').expect(200);
    await endRuns();
  });

  it('starts no run while Reddit denies access, and explains why', async () => {
    const id = (await create('denied_sub', { interval: 5 })).body.data._id as string;
    await gateway.call('post', '/api/subreddits/scheduler/start').expect(200);
    const denied = { kind: 'not_authorised', message: 'Reddit rejected the credentials.', side: 'operator', nextAction: 'Check them.' };
    const report = (access: object) => gateway.database.read.workerReports.save(REDDIT_ACCESS, access, 'downloader@test');
    await report({ denied, since: '2026-05-01T10:00:00.000Z' });
    await beat();
    expect(await runsOf(id)).toEqual([]);
    const idle = (await gateway.call('get', '/api/subreddits/scheduler/status')).body.data;
    expect(idle).toMatchObject({
      isRunning: true,
      idle: { reason: denied.message, nextAction: denied.nextAction, since: '2026-05-01T10:00:00.000Z' },
    });
    await report({ denied: null, since: '2026-05-01T11:00:00.000Z' });
    await beat();
    expect(await runsOf(id)).toHaveLength(1);
    expect((await gateway.call('get', '/api/subreddits/scheduler/status')).body.data.idle).toBeNull();
    await gateway.call('post', '/api/subreddits/scheduler/stop').expect(200);
    await endRuns();
  });

  it('starts one manual run at a time', async () => {
    const id = (await create('pics')).body.data._id as string;
    const first = await gateway.call('post', `/api/subreddits/${id}/run-now`);
    expect(first.body.data.runId).toEqual(expect.any(String));
    expect((await gateway.call('post', `/api/subreddits/${id}/run-now`)).status).toBe(409);
    const job = await gateway.database.read.jobs.findOpen('collect', first.body.data.runId as string);
    expect(job).toMatchObject({ messageKey: id, state: 'requested' });
  });

  it('replaces an abandoned run, but not one in progress', async () => {
    const id = (await create('cats')).body.data._id as string;
    await gateway.call('post', `/api/subreddits/${id}/run-now`).expect(200);
    await gateway.database.sql.query("UPDATE collect_runs SET created_at = now() - interval '1 hour' WHERE subreddit_id = $1", [id]);
    expect((await gateway.call('post', `/api/subreddits/${id}/run-now`)).status).toBe(409);
    await gateway.database.sql.query("UPDATE stage_jobs SET state = 'dead' WHERE message_key = $1", [id]);
    await gateway.call('post', `/api/subreddits/${id}/run-now`).expect(200);
    expect((await runsOf(id)).map(({ state }) => state).sort()).toEqual(['failed', 'requested']);
  });

  it('toggles, changes the stage of and deletes a subreddit', async () => {
    const id = (await create('gifs')).body.data._id as string;
    const off = await gateway.call('post', `/api/subreddits/${id}/toggle`);
    expect([off.body.data.config.isActive, off.body.data.scheduling.nextRun]).toEqual([false, null]);
    expect((await gateway.call('post', `/api/subreddits/${id}/toggle`)).body.data.config.isActive).toBe(true);
    const stage = await gateway.call('patch', `/api/subreddits/${id}/auto-process-stage`, { autoProcessStage: 'queuePost' });
    expect(stage.body.data.config.autoProcessStage).toBe('queuePost');
    await gateway.call('delete', `/api/subreddits/${id}`).expect(200);
    expect((await gateway.call('delete', `/api/subreddits/${id}`)).status).toBe(404);
  });

  it('counts each of two clicks at the same moment', async () => {
    const id = (await create('videos')).body.data._id as string;
    const clicks = await Promise.all([1, 2].map(() => gateway.call('post', `/api/subreddits/${id}/toggle`)));
    expect(clicks.map(({ body }) => body.data.config.isActive).sort()).toEqual([false, true]);
  });

  it('does not start a run of a subreddit that is being deleted', async () => {
    const id = (await create('leaving')).body.data._id as string;
    const run = await gateway.database.unitOfWork(async (uow) => {
      await uow.subreddits.delete(id);
      const asked = gateway.call('post', `/api/subreddits/${id}/run-now`).then((response) => response);
      await gateway.lockIsAwaited();
      return { asked };
    });
    expect((await run.asked).body).toMatchObject({ success: false, error: 'There is no such subreddit.' });
  });

  it('are listed, and failures and dead jobs counted, in indexes however many runs there were', async () => {
    const { sql } = gateway.database;
    await create('first');
    await create('second');
    await sql.query(`INSERT INTO collect_runs (id, subreddit_id, state, asked_by, failure, created_at, finished_at)
      SELECT gen_random_uuid(), s.id, CASE WHEN n % 20 = 0 THEN 'failed' ELSE 'done' END, 'clock',
             CASE WHEN n % 20 = 0 THEN '{"kind":"transient","message":"No.","nextAction":"Wait."}'::jsonb END,
             now() - n * interval '5 minutes', now() - n * interval '5 minutes' + interval '1 minute'
      FROM subreddits s CROSS JOIN generate_series(1, 10000) n`);
    await sql.query(`INSERT INTO stage_jobs (id, stage, subject_id, message_key, state, max_attempts, correlation_id, finished_at, failure)
      SELECT gen_random_uuid(), 'collect', r.id, r.subreddit_id, 'dead', 3, gen_random_uuid(), r.finished_at, r.failure
      FROM collect_runs r WHERE r.state = 'failed' AND r.asked_by = 'clock' AND r.finished_at > now() - interval '30 days'`);
    await sql.query('ANALYZE collect_runs, stage_jobs');
    /** Rows of runs that were read outside of an index. Sessions report what they read when they end. */
    const readInSequence = async (): Promise<number> => {
      const sessions = await sql.query<{ pid: number }>('SELECT pid FROM pg_stat_activity WHERE datname = current_database()');
      const pids = sessions.map(({ pid }) => pid);
      // its own session last: that ends the statement
      const end =
        'SELECT pg_terminate_backend(pid) FROM (SELECT pid FROM unnest($1::int[]) AS pid ORDER BY pid = pg_backend_pid()) AS sessions';
      await sql.query(end, [pids]).catch(() => undefined);
      const { rows } = await pollUntil(async () => {
        const left = await sql.query('SELECT 1 FROM pg_stat_activity WHERE pid = ANY ($1::int[])', [pids]);
        const [row] = await sql.query<{ rows: number }>(
          `SELECT seq_tup_read::int AS rows FROM pg_stat_user_tables WHERE relname = 'collect_runs'`,
        );
        expect([left.length, row]).toEqual([0, { rows: expect.any(Number) }]);
        return row ?? { rows: Number.NaN };
      });
      return rows;
    };
    const before = await readInSequence();
    const { body } = await gateway.call('get', '/api/subreddits').expect(200);
    expect(body.data.length).toBeGreaterThan(1);
    await gateway.call('get', '/api/subreddits/scheduler/status').expect(200);
    await gateway.call('get', '/api/failures').expect(200);
    await gateway.call('get', '/api/pipeline/overview').expect(200);
    await gateway.call('get', '/api/pipeline/dead-letters').expect(200);
    await gateway.database.read.deadLetters.counts();
    expect((await readInSequence()) - before).toBe(0);
  });

  it.each(['stops requiring permissions', 'is removed'])('releases posts that wait for a permission when it %s', async (how) => {
    const name = how === 'is removed' ? 'guarded_removed' : 'guarded_off';
    const { _id } = (await gateway.call('post', '/api/subreddits', { name, needsPermission: true }).expect(200)).body.data;
    const missing = { code: 'permission_missing' as const };
    const waiting = { subreddit: name, needsReview: true, autoProcessStage: 'queuePost' as const };
    const automatic = await gateway.item('ready', { ...waiting, reviewReasons: [missing] });
    const flagged = await gateway.item('ready', { ...waiting, reviewReasons: [missing, { code: 'nsfw_at_source' }] });
    const elsewhere = await gateway.item('ready', { ...waiting, subreddit: 'guarded', reviewReasons: [missing] });
    await gateway.call('post', '/api/subreddits', { name: 'guarded', needsPermission: true });
    if (how === 'is removed') await gateway.call('delete', `/api/subreddits/${_id}`).expect(200);
    else await gateway.call('patch', `/api/subreddits/${_id}/needs-permission`, { needsPermission: false }).expect(200);
    const { items } = gateway.database.read;
    expect(await items.find(automatic.id)).toMatchObject({ state: 'queued', needsReview: false, reviewReasons: [] });
    expect(await items.find(flagged.id)).toMatchObject({ state: 'ready', needsReview: true, reviewReasons: [{ code: 'nsfw_at_source' }] });
    expect(await items.find(elsewhere.id)).toMatchObject({ state: 'ready', needsReview: true, reviewReasons: [missing] });
  });
});
