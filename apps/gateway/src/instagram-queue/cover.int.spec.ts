import { LIMITS, queueItemSchema } from '@autoposter/contracts';
import { deleteUnreferencedObjects } from '@autoposter/workflow';
import { silentLogger } from '@autoposter/observability';
import { describeGateway, GatewayFixture } from '../testing/gateway-fixture';

const part = (marker: number, ...content: number[]): number[] => [0xff, marker, 0, content.length + 2, ...content];
/** A JPEG file that nothing decodes, of 1080 x 1920 pixels, with one byte of content. */
const jpeg = (content: number, ...more: number[]): Buffer =>
  Buffer.from([
    0xff,
    0xd8,
    ...more,
    ...part(0xc0, 8, 1920 >> 8, 1920 & 255, 1080 >> 8, 1080 & 255, 3),
    ...part(0xda, 0),
    content,
    0xff,
    0xd9,
  ]);
const WITH_PLACE = jpeg(1, ...part(0xe1, ...Buffer.from('GPS')));

describeGateway('the uploaded cover of a reel', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => (gateway = await GatewayFixture.start({ hasPublicAddress: true })));
  afterAll(() => gateway?.stop());

  const queue = async (body: object = {}) => {
    const { id } = await gateway.item('ready');
    const queued = await gateway.call('post', `/api/instagram-queue/${id}`, body).expect(200);
    const queueItemId = queued.body.data._id as string;
    return { itemId: id, queueItemId, path: `/api/instagram-queue/${queueItemId}/cover` };
  };
  const upload = (path: string, bytes: Buffer) => gateway.call('put', path).set('Content-Type', 'application/octet-stream').send(bytes);
  const stored = (itemId: string) => gateway.database.read.media.ofItem(itemId, 'uploaded_cover');
  const coverUrlOf = (body: { data: unknown }) => queueItemSchema.parse(body.data).coverUrl ?? '';

  it('is stored without its metadata, shown to administrators, and replaced by the next one', async () => {
    const { itemId, queueItemId, path } = await queue();
    const { body } = await upload(path, WITH_PLACE).expect(200);
    expect((await gateway.visitor.get(coverUrlOf(body)).expect(200)).body).toEqual(jpeg(1));
    await gateway.visitor.get(`/api/media/uploaded-cover/${itemId}`).expect(401);
    const [recorded] = await gateway.database.read.provenance.ofItem(itemId);
    expect([recorded?.kind, JSON.parse(recorded?.body ?? '')]).toMatchObject(['cover', { sha256: (await stored(itemId))[0]?.sha256 }]);
    expect(await stored(itemId)).toMatchObject([{ width: 1080, height: 1920, contentType: 'image/jpeg', bytes: jpeg(1).length }]);
    const next = await upload(path, jpeg(2)).expect(200);
    expect(coverUrlOf(next.body)).not.toBe(coverUrlOf(body));
    expect((await gateway.visitor.get(coverUrlOf(next.body)).expect(200)).body).toEqual(jpeg(2));
    const { posts } = (await gateway.call('get', '/api/instagram-queue').expect(200)).body.data;
    const shown = posts.find(({ _id }: { _id: string }) => _id === queueItemId);
    expect(shown).toMatchObject({ coverUrl: coverUrlOf(next.body), posterUrl: null });
  });

  it('can be stored again after it was removed and deleted', async () => {
    const { itemId, path } = await queue();
    await upload(path, jpeg(1)).expect(200);
    const [file] = await stored(itemId);
    expect((await gateway.call('delete', path).expect(200)).body.data.coverUrl).toBeNull();
    const { database, objects } = gateway;
    expect(await deleteUnreferencedObjects(database, objects, [file?.objectKey ?? ''], silentLogger)).toBe(1);
    await upload(path, jpeg(1)).expect(200);
    expect(await objects.stat(file?.objectKey ?? '')).not.toBeNull();
  });

  it('is deleted with its item', async () => {
    const { itemId, path } = await queue();
    // equal files of several items are one object
    await upload(path, jpeg(3)).expect(200);
    const [file] = await stored(itemId);
    await gateway.call('delete', path.replace('/cover', '')).expect(200);
    await gateway.call('delete', `/api/downloads/${itemId}`).expect(200);
    expect([await stored(itemId), await gateway.objects.stat(file?.objectKey ?? '')]).toEqual([[], null]);
  });

  it.each([
    ['another file', Buffer.from('GIF89a'), 422, 'Cover picture: it is not a JPEG picture.'],
    ['no file', Buffer.alloc(0), 422, 'Cover picture: it is not a JPEG picture.'],
    ['a file that is too large', Buffer.alloc(LIMITS.publishOptions.coverBytes + 1), 413, '8 MB'],
  ])('refuses %s and keeps the former one', async (_what, bytes, status, says) => {
    const { itemId, path } = await queue();
    await upload(path, jpeg(1)).expect(200);
    const before = await stored(itemId);
    const refused = await upload(path, bytes);
    expect([refused.status, refused.body.error]).toEqual([status, expect.stringContaining(says)]);
    expect(await stored(itemId)).toEqual(before);
  });

  it('is refused for a story', async () => {
    const { path } = await queue({ options: { story: true } });
    const refused = await upload(path, jpeg(1));
    expect([refused.status, refused.body.error]).toEqual([422, expect.stringContaining('only a reel can have one')]);
  });

  it('is refused for a post that is being published', async () => {
    const { itemId, path } = await queue();
    await gateway.database.sql.query("UPDATE queue_items SET status = 'posting' WHERE item_id = $1", [itemId]);
    const refused = await upload(path, jpeg(1));
    expect([refused.status, refused.body.error]).toEqual([409, 'This post is being published and can no longer be changed.']);
    expect((await gateway.call('delete', path)).status).toBe(409);
  });
});

describeGateway('an installation without a public address', () => {
  it('refuses a cover with the reason', async () => {
    const gateway = await GatewayFixture.start();
    try {
      const { id } = await gateway.item('ready');
      const { _id } = (await gateway.call('post', `/api/instagram-queue/${id}`, {}).expect(200)).body.data;
      const refused = await gateway.call('put', `/api/instagram-queue/${_id}/cover`).set('Content-Type', 'image/jpeg').send(jpeg(1));
      expect([refused.status, refused.body.error]).toEqual([422, expect.stringContaining('CDN_BASE_URL')]);
    } finally {
      await gateway.stop();
    }
  });
});
