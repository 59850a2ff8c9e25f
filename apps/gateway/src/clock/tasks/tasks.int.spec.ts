import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LIMITS } from '@autoposter/contracts';
import { v7 as uuidv7 } from 'uuid';
import { describeGateway } from '../../testing/describe-gateway';
import { ACCOUNT, GatewayFixture } from '../../testing/gateway-fixture';
import { FindStuckPostsTask } from './find-stuck-posts.task';
import { FireDueJobsTask } from './fire-due-jobs.task';
import { RemoveOrphanedFilesTask } from './remove-orphaned-files.task';
import { RunScheduledTasksTask } from './run-scheduled-tasks.task';
import { ScheduleReconcileLooksTask } from './schedule-reconcile-looks.task';
import { SendAlertsTask } from './send-alerts.task';

jest.setTimeout(120_000);

describeGateway('tasks of the clock', () => {
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
    gateway = await GatewayFixture.start({ alertWebhookUrl: `http://127.0.0.1:${(webhook.address() as AddressInfo).port}/hook` });
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

  it('ask again for work that came due, with a new turn', async () => {
    const items = [await gateway.item('protected'), await gateway.item('protected')];
    await gateway.call('post', '/api/ai/process-all', { delayBetweenFiles: 0 }).expect(200);
    const [item] = items;
    await gateway.database.sql.query("UPDATE stage_jobs SET state = 'waiting', due_at = now() - interval '1 second' WHERE item_id = $1", [
      item?.id,
    ]);
    await gateway.app.get(FireDueJobsTask).run();
    expect(await gateway.database.read.jobs.findOpen('ai', item?.id ?? '')).toMatchObject({ state: 'requested', turn: 2 });
  });

  it('have unknown outcomes looked up, once at a time', async () => {
    const id = await attemptIn('unknown');
    const task = gateway.app.get(ScheduleReconcileLooksTask);
    await task.run();
    await task.run();
    const jobs = await gateway.database.sql.query("SELECT 1 FROM stage_jobs WHERE stage = 'reconcile' AND subject_id = $1", [id]);
    expect(jobs).toHaveLength(1);
  });

  it('tell the alert address what went wrong, once, and again when it did not listen', async () => {
    const task = gateway.app.get(SendAlertsTask);
    await attemptIn('failed');
    webhookStatus = 500;
    const later = () => new Date(Date.now() + 6000);
    await expect(task.run(later())).rejects.toThrow('HTTP 500');
    webhookStatus = 200;
    await task.run(later());
    expect(told).toHaveLength(1);
    expect(told[0]?.alerts).toEqual([expect.objectContaining({ kind: 'publish_failed', count: 1 })]);
    await task.run(later());
    expect(told).toHaveLength(1);
  });

  it('free posts that are in work although nobody works on them', async () => {
    const item = await gateway.item('captioning');
    const task = gateway.app.get(FindStuckPostsTask);
    await task.run();
    expect((await gateway.database.read.items.find(item.id))?.state).toBe('captioning');
    await gateway.database.sql.query("UPDATE content_items SET updated_at = now() - interval '1 hour' WHERE id = $1", [item.id]);
    await task.run();
    expect(await gateway.database.read.items.find(item.id)).toMatchObject({ state: 'failed', failedStage: 'ai' });
    expect((await gateway.call('post', `/api/reddit/retry/${item.id}`)).status).toBe(200);
  });

  it('delete old files without an owner and no others', async () => {
    const item = await gateway.item('downloaded');
    const [file] = await gateway.database.read.media.ofItem(item.id);
    const key = file?.objectKey ?? '';
    const tomorrow = new Date(Date.now() + 25 * 3_600_000);
    await gateway.app.get(RemoveOrphanedFilesTask).run(tomorrow);
    expect(await gateway.objects.stat(key)).not.toBeNull();
    await gateway.database.sql.query('DELETE FROM media_files WHERE item_id = $1', [item.id]);
    await gateway.app.get(RemoveOrphanedFilesTask).run(new Date(tomorrow.getTime() + 7 * 3_600_000));
    expect(await gateway.objects.stat(key)).toBeNull();
  });

  it('that are listed run while the task scheduler is on, each once per interval, and their errors are shown', async () => {
    const runner = gateway.app.get(RunScheduledTasksTask);
    const status = async () => (await gateway.call('get', '/api/scheduler/status')).body.data;
    await runner.run(new Date());
    expect((await status()).tasks.map((task: { runCount: number }) => task.runCount)).toEqual([0, 0, 0, 0]);
    expect((await gateway.call('post', '/api/scheduler/start')).body.data.isRunning).toBe(true);
    const failed = await attemptIn('failed');
    await gateway.database.sql.query("UPDATE publish_attempts SET updated_at = now() + interval '30 seconds' WHERE id = $1", [failed]);
    webhookStatus = 503;
    const now = new Date(Date.now() + 60_000);
    await runner.run(now);
    await runner.run(now);
    webhookStatus = 200;
    const shown = await status();
    expect(shown).toMatchObject({ isRunning: true, intervalMinutes: 5, registeredTasks: 4 });
    expect(shown.tasks.map((task: { id: string; runCount: number }) => [task.id, task.runCount])).toEqual([
      ['sweep-retention', 1],
      ['find-stuck-posts', 1],
      ['remove-orphaned-files', 1],
      ['send-alerts', 1],
    ]);
    expect(shown.tasks[3]).toMatchObject({ hasErrors: true, lastError: { error: 'The alert address answered HTTP 503.' } });
    await runner.run(new Date(now.getTime() + LIMITS.scheduler.intervalMinutes * 60_000 + 1000));
    const statistics = (await gateway.call('get', '/api/scheduler/statistics')).body.data;
    expect(statistics).toEqual({ totalTasks: 4, totalRuns: 8, totalErrors: 1, averageRunsPerTask: 2 });
    await gateway.call('post', '/api/scheduler/stop').expect(200);
    expect((await status()).isRunning).toBe(false);
  });
});
