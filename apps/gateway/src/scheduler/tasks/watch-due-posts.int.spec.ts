import { describeGateway, GatewayFixture } from '../../testing/gateway-fixture';
import { SendAlertsTask } from './send-alerts.task';
import { WatchDuePostsTask } from './watch-due-posts.task';

jest.setTimeout(120_000);

describeGateway('posts that are due', () => {
  let gateway: GatewayFixture;
  beforeEach(async () => {
    gateway = await GatewayFixture.start({
      alerts: { webhook: { url: 'http://127.0.0.1:9/hook', secret: null }, slackUrl: null, email: null },
    });
  });
  afterEach(() => gateway?.stop());

  const watch = () => gateway.app.get(WatchDuePostsTask).run();
  const sql = <R>(text: string, values: unknown[] = []) => gateway.database.sql.query<R>(text, values);
  async function postNow() {
    const { id } = await gateway.item('ready');
    return (await gateway.call('post', `/api/instagram-queue/${id}`, { postImmediately: true }).expect(200)).body.data._id as string;
  }
  const shown = async (id: string) => {
    const { posts } = (await gateway.call('get', '/api/instagram-queue?status=posting').expect(200)).body.data;
    return (posts as { _id: string; failure: { message: string; nextAction: string } | null }[]).find(({ _id }) => _id === id)?.failure;
  };

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
});
