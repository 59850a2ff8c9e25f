import type { QueueSettings } from '@autoposter/domain';
import { deferred, pollUntil } from '@autoposter/testkit';
import { PublishDuePostsTask } from '../scheduler/tasks/publish-due-posts.task';
import { SchedulerFence } from '../scheduler/scheduler';
import { GatewayFixture } from '../testing/gateway-fixture';
import { describeGateway } from '../testing/gateway-fixture';

describeGateway('questions of the queue', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => (gateway = await GatewayFixture.start()));
  afterAll(() => gateway?.stop());
  beforeEach(async () => {
    await gateway.empty();
    await gateway.call('put', '/api/instagram-queue/randomization', { enabled: false, maxDelayMinutes: 0 }).expect(200);
    await gateway.call('post', '/api/instagram-queue/start').expect(200);
  });

  const add = async () => {
    const { id } = await gateway.item('ready');
    return (await gateway.call('post', `/api/instagram-queue/${id}`, {}).expect(200)).body.data as { _id: string };
  };
  const addMany = async (count: number) => {
    for (let made = 0; made < count; made += 1) await add();
  };
  const sql = (text: string, values: unknown[] = []) => gateway.database.sql.query(text, values);
  /** The scheduler was down for so long. */
  const outage = async (hours: number) => {
    await sql("DELETE FROM settings WHERE name = 'backlog_accepted'");
    await sql("UPDATE queue_items SET scheduled_for = scheduled_for - make_interval(hours => $1) WHERE status = 'scheduled'", [hours]);
  };
  const beat = () => gateway.app.get(PublishDuePostsTask).run();
  const status = async () => (await gateway.call('get', '/api/instagram-queue/status').expect(200)).body.data;
  const slots = () => sql("SELECT id, scheduled_for FROM queue_items WHERE status = 'scheduled' ORDER BY id");
  const posting = async () => (await sql("SELECT id FROM queue_items WHERE status = 'posting'")).length;

  it('dispatches nothing once stopping the queue is confirmed', async () => {
    await add();
    await sql("UPDATE queue_items SET scheduled_for = now() - interval '1 second' WHERE status = 'scheduled'");
    const settings = await gateway.database.read.settings.get<QueueSettings>('queue');
    const stopIsStored = deferred();
    const mayCommit = deferred();
    const stopping = gateway.database.unitOfWork(async (uow) => {
      await uow.settings.lock('queue');
      await uow.settings.set('queue', { ...settings, running: false });
      stopIsStored.resolve();
      await mayCommit.promise;
    });
    await stopIsStored.promise;
    let hasEnded = false;
    const run = beat().finally(() => (hasEnded = true));
    await pollUntil(
      async () => hasEnded || (await sql('SELECT FROM pg_locks WHERE NOT granted')).length > 0,
      10_000,
      'the run of the scheduler',
    );
    mayCommit.resolve();
    await Promise.all([stopping, run]);
    expect(await posting()).toBe(0);
  });

  it('pauses publishing when more posts than the limit missed their time, and keeps every slot', async () => {
    await addMany(4);
    await gateway.call('put', '/api/instagram-queue/backlog-limit', { backlogLimit: 3 }).expect(200);
    await outage(24);
    const before = await slots();
    await beat();
    expect(await status()).toMatchObject({
      paused: true,
      backlogLimit: 3,
      hold: { cause: 'backlog', reason: '4 posts missed their time.', nextAction: expect.stringContaining('resume publishing') },
    });
    expect([await slots(), await posting()]).toEqual([before, 0]);
  });

  it('sends one post and spaces the others from now once a person resumes', async () => {
    await addMany(4);
    await gateway.call('put', '/api/instagram-queue/backlog-limit', { backlogLimit: 3 }).expect(200);
    await outage(24);
    await beat();
    await gateway.call('post', '/api/publishing/resume').expect(200);
    for (let run = 0; run < 4; run += 1) await beat();
    expect([await posting(), (await status()).paused]).toEqual([1, false]);
    const [{ late }] = (await sql(
      "SELECT count(*)::int AS late FROM queue_items WHERE status = 'scheduled' AND scheduled_for < now()",
    )) as [{ late: number }];
    expect(late).toBe(0);
  });

  it('asks about pinned posts as well', async () => {
    await addMany(4);
    await gateway.call('put', '/api/instagram-queue/backlog-limit', { backlogLimit: 3 }).expect(200);
    await sql('UPDATE queue_items SET pinned = true');
    await outage(24);
    await beat();
    expect([(await status()).hold?.cause, await posting()]).toEqual(['backlog', 0]);
    await gateway.call('post', '/api/publishing/resume').expect(200);
    for (let run = 0; run < 4; run += 1) await beat();
    expect([(await status()).paused, await posting()]).toEqual([false, 1]);
  });

  it('continues without a question up to the limit', async () => {
    await addMany(3);
    await gateway.call('put', '/api/instagram-queue/backlog-limit', { backlogLimit: 3 }).expect(200);
    await outage(24);
    await beat();
    expect([(await status()).paused, await posting()]).toEqual([false, 1]);
  });

  it('pauses publishing when posts wait for another account than the configured one', async () => {
    await add();
    await sql(`UPDATE settings SET value = '{"accountId":"17841400000000001"}' WHERE name = 'queue_account'`);
    await beat();
    expect(await status()).toMatchObject({ hold: { cause: 'account_changed', reason: expect.stringContaining('17841400000000001') } });
    expect(await posting()).toBe(0);
    await gateway.call('post', '/api/publishing/resume').expect(200);
    await beat();
    expect([(await status()).paused, await posting()]).toEqual([false, 1]);
  });

  it('starts nothing in a process whose scheduler lease another one has taken', async () => {
    await add();
    gateway.app.get(SchedulerFence).current = 1;
    await sql(`INSERT INTO leases (name, owner, fence, until) VALUES ('clock', 'another', 2, now() + interval '1 minute')
      ON CONFLICT (name) DO UPDATE SET owner = 'another', fence = 2`);
    await beat();
    expect(await posting()).toBe(0);
  });
});
