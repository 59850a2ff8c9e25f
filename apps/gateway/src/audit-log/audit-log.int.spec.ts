import { allRoutes, auditLogResponseSchema, type AuditEntryView } from '@autoposter/contracts';
import { connectedAccount } from '../testing/api-table/arrangements';
import { ADMIN, GatewayFixture } from '../testing/gateway-fixture';
import { describeGateway } from '../testing/gateway-fixture';

describeGateway('the audit log', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => (gateway = await GatewayFixture.start()));
  afterAll(() => gateway?.stop());
  beforeEach(() => gateway.empty());

  const entries = async (query = ''): Promise<AuditEntryView[]> => {
    const { body } = await gateway.call('get', `/api/audit-log${query}`).expect(200);
    return auditLogResponseSchema.parse(body).data.posts;
  };

  it('records actor, action, and the fields before and after', async () => {
    const response = await gateway.call('put', '/api/instagram-queue/interval', { intervalMinutes: 90 }).expect(200);
    expect(await entries()).toEqual([
      expect.objectContaining({
        actor: ADMIN,
        action: 'queue.interval',
        before: { intervalMinutes: 120 },
        after: { intervalMinutes: 90 },
        requestId: response.headers['x-request-id'],
      }),
    ]);
  });

  it('names the account whose queue was changed, with the settings of that queue', async () => {
    const second = await connectedAccount(gateway);
    const change = gateway.call('put', '/api/instagram-queue/interval', { intervalMinutes: 45 });
    await change.query({ accountId: second }).expect(200);
    const settings = { before: { intervalMinutes: 120 }, after: { intervalMinutes: 45 } };
    expect(await entries()).toMatchObject([{ action: 'queue.interval', subject: second, ...settings }]);
  });

  it('has one entry per change of an item, a queue item and a subreddit', async () => {
    const item = await gateway.item('ready');
    await gateway.call('put', `/api/ai/update-caption/${item.id}`, { caption: 'By hand' }).expect(200);
    const place = (await gateway.call('post', `/api/instagram-queue/${item.id}`, {}).expect(200)).body.data._id as string;
    await gateway.call('put', `/api/instagram-queue/${place}/priority`, { priority: 7 }).expect(200);
    await gateway.call('delete', `/api/instagram-queue/${place}`).expect(200);
    const subreddit = (await gateway.call('post', '/api/subreddits', { name: 'aww' }).expect(200)).body.data._id as string;
    await gateway.call('post', `/api/subreddits/${subreddit}/toggle`).expect(200);
    await gateway.call('delete', `/api/subreddits/${subreddit}`).expect(200);
    const ofItem = await entries(`?subject=${item.id}`);
    expect(ofItem.map(({ before, after }) => [before, after])).toEqual([
      [expect.objectContaining({ state: 'ready' }), expect.objectContaining({ state: 'queued' })],
      [expect.objectContaining({ caption: expect.stringContaining('Caption of') }), expect.objectContaining({ caption: 'By hand' })],
    ]);
    expect((await entries(`?subject=${place}`)).map(({ before, after }) => [before, after])).toEqual([
      [expect.objectContaining({ status: 'pending' }), expect.objectContaining({ status: 'cancelled' })],
      [{ priority: expect.any(Number) }, { priority: 7 }],
    ]);
    expect(
      (await entries(`?subject=${subreddit}`)).map(({ before, after }) => [before?.['isActive'], after?.['isActive'], after === null]),
    ).toEqual([
      [false, undefined, true],
      [true, false, false],
      [undefined, undefined, false],
    ]);
  });

  it('records changes without an entry of their own', async () => {
    const item = await gateway.item('downloaded');
    await gateway.call('post', `/api/dmca/process/${item.id}`).expect(200);
    const [entry] = await entries('?action=dmca.process');
    expect(entry).toMatchObject({ actor: ADMIN, subject: item.id, before: expect.anything(), after: expect.anything() });
    expect(entry?.before).not.toEqual(entry?.after);
    const { id } = (await gateway.call('post', '/api/reddit/process', { url: 'https://www.reddit.com/r/aww/comments/abc123/x/' })).body
      .data;
    expect(await entries(`?subject=${id}`)).toEqual([expect.objectContaining({ action: 'reddit.process', before: null })]);
  });

  it('has no entry for refused, ineffective and reading calls', async () => {
    await gateway.call('put', '/api/instagram-queue/interval', { intervalMinutes: 5 }).expect(422);
    await gateway.call('put', '/api/ai/discard/01890000-0000-7000-8000-000000000001').expect(404);
    await gateway.call('post', '/api/publishing/resume').expect(200);
    await gateway.call('get', '/api/downloads').expect(200);
    expect(await entries()).toEqual([]);
  });

  it('is paginated, newest first', async () => {
    for (const minutes of [30, 40, 50]) await gateway.call('put', '/api/instagram-queue/interval', { intervalMinutes: minutes });
    const { body } = await gateway.call('get', '/api/audit-log?limit=1&page=2');
    expect(body.data.posts[0].after).toEqual({ intervalMinutes: 40 });
    expect(body.data.pagination).toEqual({ currentPage: 2, totalPages: 3, totalCount: 3, hasPrevPage: true, hasNextPage: true });
  });

  it('cannot be changed through the API', () => {
    expect(allRoutes.filter((route) => route.path.startsWith('/api/audit-log')).map(({ method }) => method)).toEqual(['GET']);
  });
});
