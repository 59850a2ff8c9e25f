import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LIMITS } from '@autoposter/contracts';
import { silentLogger } from '@autoposter/observability';
import { pollUntil, withWrongClock } from '@autoposter/testkit';
import { v7 as uuidv7 } from 'uuid';
import { describeGateway, ACCOUNT, GatewayFixture } from '../../testing/gateway-fixture';
import { RECURRING_TASKS } from '../scheduler.module';
import type { RecurringTask } from '../recurring-task';
import { FindStuckPostsTask } from './find-stuck-posts.task';
import { FireDueJobsTask } from './fire-due-jobs.task';
import { RemoveOrphanedFilesTask } from './remove-orphaned-files.task';
import { RunScheduledTasksTask } from './run-scheduled-tasks.task';
import { ScheduleReconciliationTask } from './schedule-reconciliation.task';
import { SendAlertsTask } from './send-alerts.task';

describeGateway('scheduler tasks', () => {
  let gateway: GatewayFixture;
  let webhook: Server;
  const told: { text: string; alerts: { kind: string; count: number }[] }[] = [];
  let webhookStatus = 200;

  beforeAll(async () => {
    webhook = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        if (webhookStatus === 200) told.push(JSON.parse(Buffer.concat(chunks).toString()));
        response.writeHead(webhookStatus).end();
      });
    });
    await new Promise<void>((resolve) => webhook.listen(0, '127.0.0.1', resolve));
    gateway = await GatewayFixture.start({
      alerts: {
        webhook: { url: `http://127.0.0.1:${(webhook.address() as AddressInfo).port}/hook`, secret: null },
        slackUrl: null,
        email: null,
      },
    });
  });
  afterAll(async () => {
    webhook.closeAllConnections();
    await new Promise((resolve) => webhook.close(resolve));
    await gateway?.stop();
  });

  const attemptIn = async (state: 'unknown' | 'failed') => {
    const item = await gateway.item('posting');
    const attempt = await gateway.database.unitOfWork((uow) =>
      uow.attempts.open({
        itemId: item.id,
        queueItemId: uuidv7(),
        accountId: ACCOUNT,
        caption: 'x',
        captionHash: item.id,
        mediaSha256: item.id,
        kind: 'reel',
      }),
    );
    await gateway.database.sql.query('UPDATE publish_attempts SET state = $2, updated_at = clock_timestamp() WHERE id = $1', [
      attempt?.id,
      state,
    ]);
    return attempt?.id ?? '';
  };

  /** The database clock, as if this much time had passed. */
  const pass = (ms: number) => {
    const read = gateway.database.read;
    return jest.spyOn(read, 'now').mockImplementation(async () => {
      const [row] = await gateway.database.sql.query<{ now: Date }>(`SELECT clock_timestamp() AS now`);
      return new Date((row?.now.getTime() ?? 0) + ms);
    });
  };
  afterEach(() => jest.restoreAllMocks());

  it('requests one reconciliation at a time for an unknown outcome', async () => {
    const id = await attemptIn('unknown');
    const task = gateway.app.get(ScheduleReconciliationTask);
    await task.run();
    await task.run();
    const jobs = await gateway.database.sql.query("SELECT 1 FROM stage_jobs WHERE stage = 'reconcile' AND subject_id = $1", [id]);
    expect(jobs).toHaveLength(1);
  });

  it('sends each alert once and repeats a failed delivery', async () => {
    const task = gateway.app.get(SendAlertsTask);
    await attemptIn('failed');
    webhookStatus = 500;
    pass(6000);
    await expect(task.run()).rejects.toThrow('HTTP 500');
    // the receiver was away for a week
    await gateway.database.sql.query('UPDATE notifications SET next_at = now(), attempts = 90 WHERE sent_at IS NULL');
    await expect(task.run()).rejects.toThrow('HTTP 500');
    const [due] = await gateway.database.sql.query<{ hours: number }>(
      'SELECT round(extract(epoch FROM next_at - now()) / 3600)::int AS hours FROM notifications WHERE sent_at IS NULL',
    );
    expect(due?.hours).toBe(2);
    webhookStatus = 200;
    await gateway.database.sql.query('UPDATE notifications SET next_at = now() WHERE sent_at IS NULL');
    await task.run();
    expect(told).toHaveLength(1);
    expect(told[0]?.alerts).toEqual([expect.objectContaining({ kind: 'publish_failed', count: 1 })]);
    await task.run();
    expect(told).toHaveLength(1);
  });

  it.each([
    ['a minute ahead', 60_000],
    ['an hour behind', -3_600_000],
  ])('sends each alert once although the process clock is %s', async (_what, ms) => {
    const task = gateway.app.get(SendAlertsTask);
    pass(7000);
    await withWrongClock(ms, () => task.run());
    told.length = 0;
    jest.restoreAllMocks();
    await attemptIn('failed');
    await gateway.database.sql.query(
      `UPDATE publish_attempts SET updated_at = now() + interval '3 seconds' WHERE updated_at = (SELECT max(updated_at) FROM publish_attempts)`,
    );
    pass(10_000);
    await withWrongClock(ms, () => task.run());
    await withWrongClock(ms, () => task.run());
    expect(told.map(({ alerts }) => alerts.map(({ kind, count }) => [kind, count]))).toEqual([[['publish_failed', 1]]]);
    await gateway.database.sql.query(`DELETE FROM settings WHERE name = 'last_alert'`);
    await gateway.database.sql.query(`UPDATE publish_attempts SET updated_at = now() - interval '2 hours'`);
  });

  it('sends an alert once per refusal of the event bus, and again after an acceptance', async () => {
    const { sql } = gateway.database;
    const task = gateway.app.get(SendAlertsTask);
    await task.run();
    told.length = 0;
    const refuse = () =>
      sql.query(
        `INSERT INTO outbox (id, topic, key, envelope, attempts, failure, due_at, refused_at)
         VALUES ($1, 'a', 'key', '{}', 4, 'not_authorised', now() + interval '1 hour', now() - interval '20 seconds')`,
        [uuidv7()],
      );
    await refuse();
    await task.run();
    await refuse();
    await task.run();
    expect(told.map(({ text, alerts }) => [text, alerts[0]?.kind])).toEqual([
      ['The event bus refuses 1 message(s) for a.', 'messages_refused'],
    ]);
    await sql.query("UPDATE outbox SET sent_at = now() WHERE topic = 'a'");
    await task.run();
    await refuse();
    await task.run();
    expect(told).toHaveLength(2);
    await sql.query("DELETE FROM outbox WHERE topic = 'a'");
    await sql.query(`DELETE FROM settings WHERE name = 'last_alert'`);
    told.length = 0;
  });

  it('requests due jobs although the process clock is an hour slow', async () => {
    const item = await gateway.item('protected');
    await gateway.call('post', '/api/ai/process-all', { delayBetweenFiles: 0 }).expect(200);
    await gateway.database.sql.query("UPDATE stage_jobs SET state = 'retrying', due_at = now() - interval '1 second' WHERE item_id = $1", [
      item.id,
    ]);
    await withWrongClock(-3_600_000, () => gateway.app.get(FireDueJobsTask).run());
    expect(await gateway.database.read.jobs.findOpen('ai', item.id)).toMatchObject({ state: 'requested', requestNumber: 2 });
  });

  it('fails items that are in progress without an open job', async () => {
    const item = await gateway.item('captioning');
    const task = gateway.app.get(FindStuckPostsTask);
    await task.run();
    expect((await gateway.database.read.items.find(item.id))?.state).toBe('captioning');
    await gateway.database.sql.query("UPDATE content_items SET updated_at = now() - interval '1 hour' WHERE id = $1", [item.id]);
    await task.run();
    expect(await gateway.database.read.items.find(item.id)).toMatchObject({ state: 'failed', failedStage: 'ai' });
    expect((await gateway.call('post', `/api/reddit/retry/${item.id}`)).status).toBe(200);
  });

  it('deletes old unreferenced files and no others', async () => {
    const item = await gateway.item('downloaded');
    const [file] = await gateway.database.read.media.ofItem(item.id);
    const key = file?.objectKey ?? '';
    const look = () => new RemoveOrphanedFilesTask(gateway.database, gateway.objects, silentLogger).run();
    pass(25 * 3_600_000);
    await look();
    expect(await gateway.objects.stat(key)).not.toBeNull();
    await gateway.database.sql.query('DELETE FROM media_files WHERE item_id = $1', [item.id]);
    jest.restoreAllMocks();
    await withWrongClock(25 * 3_600_000, look);
    expect(await gateway.objects.stat(key)).not.toBeNull();
    pass(25 * 3_600_000);
    await look();
    expect(await gateway.objects.stat(key)).toBeNull();
  });

  it('runs tasks with a longer interval once per scheduler interval while the task scheduler is on', async () => {
    const runner = gateway.app.get(RunScheduledTasksTask);
    const status = async () => (await gateway.call('get', '/api/scheduler/status')).body.data;
    const ran = async () =>
      Object.fromEntries((await status()).tasks.map((task: { id: string; runCount: number }) => [task.id, task.runCount]));
    // the clock's first beat has run what watches over the posts
    await pollUntil(async () => (await ran())['send-alerts'] === 1);
    await gateway.database.sql.query('DELETE FROM task_runs');
    await runner.run();
    expect(await ran()).toEqual({ 'sweep-retention': 0, 'find-stuck-posts': 0, 'remove-orphaned-files': 0, 'send-alerts': 0 });
    expect((await gateway.call('post', '/api/scheduler/start')).body.data.isRunning).toBe(true);
    await runner.run();
    await runner.run();
    expect(await ran()).toEqual({ 'sweep-retention': 0, 'find-stuck-posts': 0, 'remove-orphaned-files': 1, 'send-alerts': 0 });
    expect(await status()).toMatchObject({ isRunning: true, intervalMinutes: 5, registeredTasks: 4 });
    const [, , orphans] = (await status()).tasks;
    expect(Date.parse(orphans.nextRun) - Date.parse(orphans.lastRun)).toBe(LIMITS.scheduler.intervalMinutes * 60_000);
    expect(orphans.recentRuns).toEqual([{ startedAt: expect.any(String), durationMs: expect.any(Number), ok: true }]);
    await gateway.database.sql.query(`UPDATE task_runs SET last_run_at = last_run_at - make_interval(mins => $1)`, [
      LIMITS.scheduler.intervalMinutes,
    ]);
    await withWrongClock(-3_600_000, () => runner.run());
    const statistics = (await gateway.call('get', '/api/scheduler/statistics')).body.data;
    expect(statistics).toEqual({ totalTasks: 4, totalRuns: 2, totalErrors: 0, averageRunsPerTask: 0.5 });
    await gateway.call('post', '/api/scheduler/stop').expect(200);
    const stopped = await status();
    expect([stopped.isRunning, stopped.tasks[2].recentRuns.length]).toEqual([false, 2]);
    expect(Date.parse(stopped.tasks[2].nextRun) - Date.parse(stopped.tasks[2].lastRun)).toBe(3_600_000);
  });

  it('folds the queue totals while the task scheduler is stopped', async () => {
    expect((await gateway.call('get', '/api/scheduler/status')).body.data.isRunning).toBe(false);
    const differences = () => gateway.database.sql.query('SELECT status, slot_span, age_span FROM queue_item_counts');
    const item = await gateway.item('ready');
    await gateway.call('post', `/api/instagram-queue/${item.id}`, { postImmediately: true }).expect(200);
    const { data } = (await gateway.call('get', '/api/instagram-queue/statistics')).body;
    const gathered = await differences();
    const beat = gateway.app.get<RecurringTask[]>(RECURRING_TASKS).find(({ id }) => id === 'fold-queue-counts');
    await beat?.run();
    const folded = await differences();
    expect(folded.length).toBeLessThan(gathered.length);
    expect(new Set(folded.map((one) => JSON.stringify(one))).size).toBe(folded.length);
    expect((await gateway.call('get', '/api/instagram-queue/statistics')).body.data).toEqual(data);
  });

  it('runs recorded tasks while the task scheduler is stopped and shows their errors', async () => {
    const beats = gateway.app
      .get<RecurringTask[]>(RECURRING_TASKS)
      .filter(({ id }) => ['find-stuck-posts', 'send-alerts', 'sweep-retention', 'remove-orphaned-files'].includes(id));
    const status = async () => (await gateway.call('get', '/api/scheduler/status')).body.data;
    expect(beats.map(({ id, everySeconds }) => [id, everySeconds])).toEqual([
      ['find-stuck-posts', 60],
      ['send-alerts', 60],
      ['sweep-retention', 60],
      ['remove-orphaned-files', 3600],
    ]);
    expect((await status()).isRunning).toBe(false);
    await gateway.database.sql.query('DELETE FROM task_runs');
    const stuck = await gateway.item('captioning');
    await gateway.database.sql.query("UPDATE content_items SET updated_at = now() - interval '1 hour' WHERE id = $1", [stuck.id]);
    const failed = await attemptIn('failed');
    await gateway.database.sql.query("UPDATE publish_attempts SET updated_at = now() + interval '30 seconds' WHERE id = $1", [failed]);
    webhookStatus = 503;
    await gateway.database.sql.query(`INSERT INTO quarantined_messages (id, topic, body, reason, received_at)
      SELECT gen_random_uuid(), 't', 'b', 'r', now() - interval '31 days' FROM generate_series(1, 2500)`);
    pass(60_000);
    for (const beat of beats) await beat.run();
    expect(await gateway.database.read.quarantine.countAll()).toBe(0);
    webhookStatus = 200;
    expect((await gateway.database.read.items.find(stuck.id))?.state).toBe('failed');
    const { tasks } = await status();
    expect(tasks[1]).toMatchObject({ id: 'find-stuck-posts', runCount: 1, hasErrors: false });
    expect(tasks[3]).toMatchObject({ runCount: 1, hasErrors: true, lastError: { error: 'The alert address responded with HTTP 503.' } });
    // their own interval continues
    expect(tasks[0]).toMatchObject({ id: 'sweep-retention', runCount: 1, hasErrors: false });
    expect(tasks.map(({ nextRun }: { nextRun: string | null }) => nextRun)).toEqual(tasks.map(() => expect.any(String)));
    expect(tasks[2]).toMatchObject({ id: 'remove-orphaned-files', runCount: 1, hasErrors: false });
    expect(Date.parse(tasks[3].nextRun) - Date.parse(tasks[3].lastRun)).toBe(60_000);
    expect([tasks[1].recentRuns[0].ok, tasks[3].recentRuns[0].ok]).toEqual([true, false]);
  });
});
