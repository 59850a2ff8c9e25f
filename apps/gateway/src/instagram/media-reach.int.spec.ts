import { instagramConfigSchema } from '@autoposter/contracts';
import { PublishDuePostsTask } from '../scheduler/tasks/publish-due-posts.task';
import { WatchDuePostsTask } from '../scheduler/tasks/watch-due-posts.task';
import { describeGateway } from '../testing/gateway-fixture';
import { GatewayFixture } from '../testing/gateway-fixture';

describeGateway('media reach', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => (gateway = await GatewayFixture.start()));
  afterAll(() => gateway?.stop());
  beforeEach(() => gateway.empty());

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

  /** A running queue of posts that are due one after another, the first one now. Returns the ids of their queue items. */
  async function queueOf(...items: { id: string }[]): Promise<string[]> {
    await gateway.call('put', '/api/instagram-queue/randomization', { enabled: false, maxDelayMinutes: 0 }).expect(200);
    await gateway.call('post', '/api/instagram-queue/start').expect(200);
    const ids: string[] = [];
    for (const { id } of items) ids.push((await queue(id).expect(200)).body.data._id as string);
    return ids;
  }
  const tick = () => gateway.app.get(PublishDuePostsTask).run();
  const read = async (id: string) => {
    const found = await gateway.database.read.queue.find(id);
    return { status: found?.status, code: found?.failure?.code ?? null, slot: found?.scheduledFor?.getTime() };
  };
  const later = (minutes: number) =>
    gateway.database.sql.query('UPDATE queue_items SET scheduled_for = scheduled_for - make_interval(mins => $1)', [minutes]);

  it('holds pictures in their place while the public address is missing, and lets the videos behind them go at their times', async () => {
    await report(true, true);
    const [first, second, video] = await queueOf(await picture(), await picture(), await gateway.item('ready'));
    if (!first || !second || !video) throw new Error('not queued');
    await report(false, true);
    const planned = await read(second);
    await tick();
    await gateway.app.get(WatchDuePostsTask).run();
    await tick();
    expect(await read(first)).toMatchObject({ status: 'scheduled', code: 'pictures_need_address' });
    expect(await read(second)).toEqual(planned);
    await later(120);
    await tick();
    expect(await read(second)).toMatchObject({ status: 'scheduled', code: 'pictures_need_address' });
    await later(120);
    await tick();
    expect(await read(video)).toMatchObject({ status: 'posting', code: null });
    await report(true, true);
    await gateway.app.get(WatchDuePostsTask).run();
    expect([await read(first), await read(second)]).toMatchObject([{ code: null }, { code: null }]);
  });

  it('says of a waiting picture why it will be held, long before its time, and until the public address is set', async () => {
    await report(true, true);
    const [video, waiting] = await queueOf(await gateway.item('ready'), await picture());
    if (!video || !waiting) throw new Error('not queued');
    const shown = async () => {
      const { posts } = (await gateway.call('get', '/api/instagram-queue').expect(200)).body.data;
      return new Map(posts.map((post: { _id: string; status: string; failure: object | null }) => [post._id, post]));
    };
    expect((await shown()).get(waiting)).toMatchObject({ status: 'scheduled', failure: null });
    await report(false, true);
    const held = await shown();
    expect([held.get(video), held.get(waiting)]).toMatchObject([
      { failure: null },
      {
        status: 'scheduled',
        failure: {
          message: expect.stringContaining('pictures and galleries'),
          nextAction: expect.stringContaining('CDN_BASE_URL'),
          step: 'post',
        },
      },
    ]);
    expect((await gateway.call('get', '/api/instagram/config')).body.data.mediaHint).toContain('CDN_BASE_URL');
    await report(true, true);
    expect((await shown()).get(waiting)).toMatchObject({ failure: null });
  });

  it('keeps the time of the next post when one fails in its turn for a reason of its own', async () => {
    const [first, second] = await queueOf(await gateway.item('ready'), await gateway.item('ready'));
    if (!first || !second) throw new Error('not queued');
    await gateway.database.sql.query('DELETE FROM media_files WHERE item_id = (SELECT item_id FROM queue_items WHERE id = $1)', [first]);
    const planned = (await read(second)).slot ?? 0;
    await tick();
    await tick();
    expect(await read(first)).toMatchObject({ status: 'failed', code: 'post_not_sendable' });
    const next = await read(second);
    expect(next.status).toBe('scheduled');
    // spaced from the failure, which is seconds after the slot of the failed post
    expect(next.slot).toBeGreaterThanOrEqual(planned);
  });
});
