import { capabilitiesSchema, queueItemSchema } from '@autoposter/contracts';
import { describeGateway, GatewayFixture } from '../testing/gateway-fixture';

describeGateway('publish options', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => (gateway = await GatewayFixture.start()));
  afterAll(() => gateway?.stop());

  it('stores them with the queue item, and replaces them', async () => {
    const { id } = await gateway.item('ready');
    const options = { shareToFeed: false, collaborators: ['A.Friend'] };
    const { body } = await gateway.call('post', `/api/instagram-queue/${id}`, { options }).expect(200);
    const queued = queueItemSchema.parse(body.data);
    expect([queued.kind, queued.options]).toEqual(['reel', { shareToFeed: false, collaborators: ['a.friend'] }]);
    const changed = await gateway.call('put', `/api/instagram-queue/${queued._id}/options`, { locationId: '104000000000001' }).expect(200);
    expect(changed.body.data.options).toEqual({ locationId: '104000000000001' });
  });

  it('replace only those that the administrator has seen, where that is said', async () => {
    const { id } = await gateway.item('ready');
    const options = { collaborators: ['a.friend'], userTags: [{ username: 'b', x: 0.5, y: 0.5 }] };
    const { _id } = (await gateway.call('post', `/api/instagram-queue/${id}`, { options }).expect(200)).body.data;
    const set = (body: object) => gateway.call('put', `/api/instagram-queue/${_id}/options`, body);
    for (const replaces of [{}, { collaborators: ['a.friend'] }, { ...options, shareToFeed: false }]) {
      const refused = await set({ shareToFeed: false, replaces });
      expect([refused.status, refused.body.error]).toEqual([409, expect.stringMatching(/^These options were changed meanwhile\. /u)]);
    }
    expect((await set({ shareToFeed: false, replaces: options }).expect(200)).body.data.options).toEqual({ shareToFeed: false });
    expect((await set({}).expect(200)).body.data.options).toEqual({});
  });

  it.each([
    [{ altText: 'A fox' }, /Alternative text: a reel cannot have it/u],
    [{ collaborators: ['a', 'b', 'c', 'd'] }, /collaborators/u],
    [{ story: true, firstComment: 'First' }, /First comment: a story cannot have it/u],
    [{ story: false }, /story/u],
  ])('refuses %j', async (options, says) => {
    const { id } = await gateway.item('ready');
    const refused = await gateway.call('post', `/api/instagram-queue/${id}`, { options });
    expect([refused.status, refused.body.error]).toEqual([422, expect.stringMatching(says)]);
    expect((await gateway.database.read.items.find(id))?.state).toBe('ready');
  });

  it('queues a reel as a story', async () => {
    const { id } = await gateway.item('ready');
    const { body } = await gateway.call('post', `/api/instagram-queue/${id}`, { options: { story: true } }).expect(200);
    expect(queueItemSchema.parse(body.data)).toMatchObject({ kind: 'story', options: { story: true } });
  });

  it('changes those of a failed post before its retry', async () => {
    const { id } = await gateway.item('ready');
    const { _id } = (await gateway.call('post', `/api/instagram-queue/${id}`, { options: { shareToFeed: false } }).expect(200)).body.data;
    const { sql } = gateway.database;
    await sql.query("UPDATE queue_items SET status = 'failed', finished_at = now(), scheduled_for = NULL WHERE id = $1", [_id]);
    await sql.query("UPDATE content_items SET state = 'ready' WHERE id = $1", [id]);
    const changed = await gateway.call('put', `/api/instagram-queue/${_id}/options`, {}).expect(200);
    expect(changed.body.data).toMatchObject({ status: 'failed', options: {} });
    expect((await gateway.call('post', `/api/instagram-queue/${_id}/retry`).expect(200)).body.data.options).toEqual({});
  });

  it('lists what each login offers', async () => {
    const { body } = await gateway.call('get', '/api/instagram/capabilities').expect(200);
    const { login, version, capabilities } = capabilitiesSchema.strict().parse(body.data);
    expect([login, version]).toEqual(['facebook', 'v26.0']);
    expect(capabilities.find(({ name }) => name === 'audioId')).toMatchObject({
      kinds: ['reel'],
      instagram: { available: false, reason: 'Instagram offers it with Facebook Login only.' },
      facebook: { available: true, reason: null },
    });
  });
});
