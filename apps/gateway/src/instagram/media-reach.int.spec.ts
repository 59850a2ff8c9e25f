import { instagramConfigSchema } from '@autoposter/contracts';
import { PublishDuePostsTask } from '../scheduler/tasks/publish-due-posts.task';
import { describeGateway } from '../testing/gateway-fixture';
import { GatewayFixture } from '../testing/gateway-fixture';

describeGateway('media reach', () => {
  let gateway: GatewayFixture;
  beforeEach(async () => {
    gateway = await GatewayFixture.start();
  });
  afterEach(() => gateway?.stop());

  const config = async () => instagramConfigSchema.strict().parse((await gateway.call('get', '/api/instagram/config')).body.data);
  const report = (canPublishImages: boolean, canPublishVideos: boolean) =>
    gateway.database.read.workerReports.save('instagram-account', { ok: true, canPublishImages, canPublishVideos }, 'instagram-poster');
  const picture = async () => {
    const item = await gateway.item('ready', { mediaType: 'image' });
    await gateway.database.sql.query(`UPDATE media_files SET media_type = 'image' WHERE item_id = $1`, [item.id]);
    return item;
  };
  const queue = (id: string) => gateway.call('post', `/api/instagram-queue/${id}`, {});

  it('refuses to queue images without a public address', async () => {
    expect(await config()).toMatchObject({
      canPublishImages: false,
      canPublishVideos: true,
      mediaHint: expect.stringContaining('CDN_BASE_URL'),
    });
    const refused = await queue((await picture()).id);
    expect([refused.status, refused.body.error]).toEqual([422, expect.stringContaining('pictures and galleries')]);
    await queue((await gateway.item('ready')).id).expect(200);
  });

  it('keeps the queue unchanged while no media is reachable', async () => {
    const status = async () => (await gateway.call('get', '/api/instagram-queue/status')).body.data;
    const item = await gateway.item('ready');
    await queue(item.id).expect(200);
    await gateway.call('put', '/api/instagram-queue/randomization', { enabled: false, maxDelayMinutes: 0 }).expect(200);
    await gateway.call('post', '/api/instagram-queue/start').expect(200);
    expect((await status()).hold).toBeNull();
    await report(false, false);
    await gateway.app.get(PublishDuePostsTask).run();
    const held = await status();
    expect([held.totalInQueue, (await gateway.database.read.items.find(item.id))?.state]).toEqual([1, 'queued']);
    expect(held.hold).toEqual({
      cause: 'media_access',
      reason: expect.stringContaining('no public address for media'),
      nextAction: expect.stringContaining('CDN_BASE_URL'),
      until: null,
    });
    await report(true, true);
    await gateway.app.get(PublishDuePostsTask).run();
    expect([(await status()).hold, (await gateway.database.read.items.find(item.id))?.state]).toEqual([null, 'posting']);
  });
});
