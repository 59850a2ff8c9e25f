import { failureOf, SETTING } from '@autoposter/domain';
import { describeGateway, GatewayFixture } from '../../testing/gateway-fixture';
import { PublishDuePostsTask } from './publish-due-posts.task';
import { ScheduleReconciliationTask } from './schedule-reconciliation.task';
import { SendAlertsTask } from './send-alerts.task';
import { WatchDuePostsTask } from './watch-due-posts.task';

describeGateway('posts that are due', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => {
    gateway = await GatewayFixture.start({
      alerts: { webhook: { url: 'http://127.0.0.1:9/hook', secret: null }, slackUrl: null, email: null },
    });
  });
  afterAll(() => gateway?.stop());
  beforeEach(() => gateway.empty());

  const watch = (by = gateway) => by.app.get(WatchDuePostsTask).run();
  const sql = <R>(text: string, values: unknown[] = []) => gateway.database.sql.query<R>(text, values);
  async function postNow() {
    const { id } = await gateway.item('ready');
    return (await gateway.call('post', `/api/instagram-queue/${id}`, { postImmediately: true }).expect(200)).body.data._id as string;
  }
  const shown = async (id: string, status = 'posting') => {
    const { posts } = (await gateway.call('get', `/api/instagram-queue?status=${status}`).expect(200)).body.data;
    return (posts as { _id: string; failure: { message: string; nextAction: string } | null }[]).find(({ _id }) => _id === id)?.failure;
  };

  async function before(values: string) {
    const { id } = await gateway.item('ready');
    const { _id } = (await gateway.call('post', `/api/instagram-queue/${id}`, {}).expect(200)).body.data;
    await sql(`UPDATE queue_items SET scheduled_for = NULL, ${values} WHERE id = $1`, [_id]);
  }

  it('show after ten minutes that no publishing worker runs, and no longer once it took them', async () => {
    const id = await postNow();
    await watch();
    expect(await shown(id)).toBeNull();
    await sql("UPDATE stage_jobs SET requested_at = now() - interval '11 minutes'");
    await watch();
    expect(await shown(id)).toMatchObject({
      message: 'This post is due, but no publishing worker is running: "post" has not started for 10 minutes.',
      nextAction: 'Start the instagram-poster service; the post goes out once it runs.',
    });
    await gateway.database.read.heartbeats.beat('poster-1', ['post', 'reconcile'], 600);
    await watch();
    expect((await shown(id))?.message).toContain('the publishing worker has not started');
    await sql("UPDATE stage_jobs SET state = 'running', lease_until = now() + interval '1 minute'");
    await watch();
    expect(await shown(id)).toBeNull();
  });

  const waitsFor = (reason: string) =>
    sql("UPDATE stage_jobs SET state = 'waiting', due_at = now() + interval '5 minutes', wait_reason = $1", [reason]);

  it('show after an hour why nothing could be prepared for them, and no longer once something is', async () => {
    const id = await postNow();
    await waitsFor('robots.txt forbids the file.');
    await sql("UPDATE publish_attempts SET created_at = now() - interval '59 minutes'");
    await watch();
    expect(await shown(id)).toBeNull();
    await sql("UPDATE publish_attempts SET created_at = now() - interval '61 minutes'");
    await watch();
    expect((await shown(id))?.message).toBe('This post is due and has waited for 60 minutes: robots.txt forbids the file.');
    await expect(gateway.app.get(SendAlertsTask).run()).rejects.toThrow();
    const [{ body } = { body: null }] = await sql<{ body: unknown }>('SELECT body FROM notifications');
    expect(body).toMatchObject({ alerts: [{ kind: 'publish_overdue', items: [{ cause: 'post_waiting' }] }] });
    await sql("UPDATE publish_attempts SET state = 'container', container_id = 'c1'");
    await watch();
    expect(await shown(id)).toBeNull();
  });

  it('show no wait of their own while publishing is paused', async () => {
    const id = await postNow();
    await waitsFor('Publishing is paused.');
    await sql("UPDATE publish_attempts SET created_at = now() - interval '61 minutes'");
    await gateway.call('post', '/api/publishing/pause').expect(200);
    await watch();
    expect(await shown(id)).toBeNull();
  });

  it('show after ten minutes that nothing looks up an unknown outcome, are alerted about, and no longer once a worker does', async () => {
    const id = await postNow();
    await sql(`UPDATE stage_jobs SET state = 'done'`);
    await sql(
      `UPDATE publish_attempts SET state = 'unknown', container_id = 'c1', called_at = now() - interval '9 hours', updated_at = now() - interval '9 hours'`,
    );
    await sql(`UPDATE queue_items SET outcome = 'unknown' WHERE id = $1`, [id]);
    await gateway.app.get(ScheduleReconciliationTask).run();
    await watch();
    expect(await shown(id)).toBeNull();
    await sql("UPDATE stage_jobs SET requested_at = now() - interval '11 minutes' WHERE stage = 'reconcile'");
    await watch();
    const failure = {
      message: 'This post may be published or not, and no publishing worker has looked it up for 10 minutes.',
      nextAction: 'Start the instagram-poster service, or check its log. The post is not sent again before it was looked up.',
    };
    expect(await shown(id)).toMatchObject({ ...failure, step: 'reconcile' });
    expect((await gateway.call('get', '/api/failures').expect(200)).body.data.failures).toMatchObject([{ ...failure, stage: 'reconcile' }]);
    await expect(gateway.app.get(SendAlertsTask).run()).rejects.toThrow();
    const alerts = await sql<{ body: unknown }>('SELECT body FROM notifications');
    expect(alerts.map(({ body }) => body)).toMatchObject([
      { alerts: [{ kind: 'publish_unchecked', count: 1, items: [{ cause: 'outcome_unchecked', step: 'reconcile' }] }] },
    ]);
    await sql("UPDATE stage_jobs SET state = 'running', lease_until = now() + interval '1 minute' WHERE stage = 'reconcile'");
    await watch();
    expect(await shown(id)).toBeNull();
  });

  it('keep the question about an unknown outcome that a person has to answer, whether or not a worker looks it up', async () => {
    const id = await postNow();
    const question = JSON.stringify(failureOf('publication_undecided', { fields: { reason: 'Is it there?' } }));
    await sql(`UPDATE stage_jobs SET state = 'done'`);
    await sql(`UPDATE publish_attempts SET state = 'unknown', container_id = 'c1', called_at = now()`);
    await sql(`UPDATE queue_items SET outcome = 'unknown', failure = $2 WHERE id = $1`, [id, question]);
    await gateway.app.get(ScheduleReconciliationTask).run();
    await sql("UPDATE stage_jobs SET requested_at = now() - interval '11 minutes' WHERE stage = 'reconcile'");
    await watch();
    expect((await shown(id))?.message).toBe('Is it there?');
  });

  async function dueSince(minutes: number) {
    const { id } = await gateway.item('ready');
    const { _id } = (await gateway.call('post', `/api/instagram-queue/${id}`, {}).expect(200)).body.data;
    await sql(`UPDATE queue_items SET status = 'scheduled', scheduled_for = now() - make_interval(mins => $1) WHERE id = $2`, [
      minutes,
      _id,
    ]);
    return _id as string;
  }
  const running = () => gateway.call('post', '/api/instagram-queue/start').expect(200);

  it('show after ten minutes that the scheduler has not started them, are alerted about, and no longer once they are started', async () => {
    await running();
    const id = await dueSince(9);
    await watch();
    expect(await shown(id, 'scheduled')).toBeNull();
    await sql(`UPDATE queue_items SET scheduled_for = now() - interval '11 minutes'`);
    await watch();
    expect(await shown(id, 'scheduled')).toMatchObject({
      message: 'This post is due, but the scheduler has not started it for 10 minutes.',
      nextAction: 'Check the log of the gateway and restart it.',
    });
    await expect(gateway.app.get(SendAlertsTask).run()).rejects.toThrow();
    const [{ body } = { body: null }] = await sql<{ body: unknown }>('SELECT body FROM notifications');
    expect(body).toMatchObject({ alerts: [{ kind: 'publish_overdue', items: [{ cause: 'post_not_started', side: 'ours' }] }] });
    await gateway.app.get(PublishDuePostsTask).run();
    await watch();
    expect(await shown(id)).toBeNull();
  });

  const withdrawSlot = (id: string, queuedMinutesAgo: number) =>
    sql("UPDATE queue_items SET status = 'pending', scheduled_for = NULL, queued_at = now() - make_interval(mins => $1) WHERE id = $2", [
      queuedMinutesAgo,
      id,
    ]);

  it('show after ten minutes that the scheduler gave the next post no slot, and no longer once it has one', async () => {
    await running();
    const [id, later] = [await dueSince(0), await dueSince(0)];
    await withdrawSlot(id, 12);
    await withdrawSlot(later, 11);
    await watch();
    expect([await shown(id, 'pending'), await shown(later, 'pending')]).toMatchObject([
      { message: 'This post is due, but the scheduler has not started it for 10 minutes.', nextAction: expect.any(String) },
      null,
    ]);
    await expect(gateway.app.get(SendAlertsTask).run()).rejects.toThrow();
    const [{ body } = { body: null }] = await sql<{ body: unknown }>('SELECT body FROM notifications');
    expect(body).toMatchObject({ alerts: [{ kind: 'publish_overdue', items: [{ cause: 'post_not_started' }] }] });
    await gateway.app.get(PublishDuePostsTask).run();
    await watch();
    expect(await sql('SELECT failure, scheduled_for FROM queue_items WHERE id = $1', [id])).toEqual([
      { failure: null, scheduled_for: expect.any(Date) },
    ]);
  });

  it('show no delay while an unplanned post has a planned one before it', async () => {
    await running();
    const [id] = [await dueSince(0), await dueSince(1)];
    await withdrawSlot(id, 11);
    await watch();
    expect(await shown(id, 'pending')).toBeNull();
  });

  it('are not those without a slot while the queue is stopped, whatever the account lacks', async () => {
    const id = await dueSince(0);
    await withdrawSlot(id, 11);
    const withoutAccount = await gateway.beside({ instagramAccountId: null });
    await watch(withoutAccount).finally(() => withoutAccount.stop());
    expect(await sql('SELECT failure FROM queue_items WHERE id = $1', [id])).toEqual([{ failure: null }]);
  });

  const hold = { cause: 'quota', reason: 'The quota is used up.', until: '2999-01-01T00:00:00.000Z' };
  it.each<[string, () => Promise<unknown>]>([
    ['while the queue is stopped', () => gateway.call('post', '/api/instagram-queue/stop')],
    ['while publishing is paused', () => gateway.call('post', '/api/publishing/pause')],
    [
      'while Instagram holds the account',
      () => gateway.database.unitOfWork(({ settings }) => settings.set(SETTING.accountHold, hold, 'test')),
    ],
    [
      'in blocked hours',
      () =>
        sql(
          `UPDATE settings SET value = value || '{"timeBlocking":{"enabled":true,"startTime":"00:00","endTime":"23:59","timeZone":"UTC"}}' WHERE name = $1`,
          [SETTING.queue],
        ),
    ],
    ['within the interval to the post before', () => before("status = 'posted', finished_at = now() - interval '5 minutes'")],
    ['while another post is being published', () => before("status = 'posting'")],
  ])('show no delay %s', async (_when, arrange) => {
    await running();
    const id = await dueSince(11);
    await arrange();
    await watch();
    expect(await shown(id, 'scheduled')).toBeNull();
  });

  it('are alerted about with step, cause and side, although the receiver cannot be reached', async () => {
    await postNow();
    await sql("UPDATE stage_jobs SET requested_at = now() - interval '11 minutes'");
    await watch();
    await expect(gateway.app.get(SendAlertsTask).run()).rejects.toThrow('The alert address could not be reached.');
    const rows = await sql<{ body: { alerts: object[] }; last_error: string; attempts: number }>(
      'SELECT body, last_error, attempts FROM notifications',
    );
    expect(rows).toMatchObject([
      {
        last_error: 'The alert address could not be reached.',
        attempts: 1,
        body: { alerts: [{ kind: 'publish_overdue', items: [{ step: 'post', cause: 'poster_absent', side: 'operator' }] }] },
      },
    ]);
  });

  it('are counted however many they are, named in part, and not alerted about again after newer ones', async () => {
    const overdue = (ids: string[]) =>
      sql(`UPDATE queue_items SET failure = '{"code":"post_not_started","message":"Due."}' WHERE id = ANY($1::uuid[])`, [ids]);
    const alert = async () => {
      await gateway.app
        .get(SendAlertsTask)
        .run()
        .catch(() => undefined);
      const rows = await sql<{ body: { alerts: { count: number; items: object[] }[] } }>('SELECT body FROM notifications ORDER BY id');
      return rows.map(({ body }) => body.alerts.map(({ count, items }) => [count, items.length]));
    };
    const ids: string[] = [];
    for (let place = 0; place < 22; place += 1) ids.push(await dueSince(20));
    await overdue(ids);
    expect(await alert()).toEqual([[[22, 20]]]);
    await overdue([await dueSince(11), await dueSince(11)]);
    expect((await alert())[1]).toEqual([[2, 2]]);
    await sql("UPDATE queue_items SET failure = NULL WHERE scheduled_for > now() - interval '15 minutes'");
    expect(await alert()).toHaveLength(2);
  });
});
