import { queuePreviewSchema } from '@autoposter/contracts';
import { describeGateway } from '../testing/gateway-fixture';
import { GatewayFixture } from '../testing/gateway-fixture';

describeGateway('the next slots', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => (gateway = await GatewayFixture.start()));
  afterAll(() => gateway?.stop());
  beforeEach(async () => {
    await gateway.empty();
    await gateway.call('put', '/api/instagram-queue/randomization', { enabled: false, maxDelayMinutes: 0 }).expect(200);
  });

  const add = async () => {
    const item = await gateway.item('ready');
    return (await gateway.call('post', `/api/instagram-queue/${item.id}`, {})).body.data;
  };
  const preview = async (count?: number) => {
    const { body } = await gateway.call('get', `/api/instagram-queue/preview${count === undefined ? '' : `?count=${count}`}`).expect(200);
    return queuePreviewSchema.strict().parse(body.data);
  };
  const move = (id: string, scheduledFor: string | null) => gateway.call('put', `/api/instagram-queue/${id}/schedule`, { scheduledFor });
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

  it('previews the slots that the planner assigns when the queue starts, then free ones', async () => {
    const [a, b] = [await add(), await add()];
    const stopped = await preview(4);
    expect(stopped).toMatchObject({ isRunning: false, timeZone: 'UTC', hold: null });
    expect(stopped.slots.map((slot) => slot.queueItemId)).toEqual([a._id, b._id, null, null]);
    expect(stopped.slots.map((slot) => slot.why.basis)).toEqual(['now', 'interval', 'interval', 'interval']);
    expect(stopped.slots[0]?.title).toBe(a.sourceData.postTitle);
    await gateway.call('post', '/api/instagram-queue/start').expect(200);
    const { posts } = (await gateway.call('get', '/api/instagram-queue')).body.data;
    const running = await preview(4);
    expect(running.slots.slice(0, 2).map((slot) => slot.scheduledFor)).toEqual(
      posts.map((post: { scheduling: { scheduledFor: string } }) => post.scheduling.scheduledFor),
    );
    expect(running.slots[0]?.why.text).toBe('It was given this time earlier, and it still fits.');
    const next = await add();
    expect(next.scheduling.scheduledFor).toBe(running.slots[2]?.scheduledFor);
  });

  it('explains the random delay and the blocked hours', async () => {
    await gateway.call('put', '/api/instagram-queue/randomization', { enabled: true, maxDelayMinutes: 60 }).expect(200);
    const hour = new Date(Date.now() + 2 * 3_600_000).getUTCHours();
    const blocked = {
      enabled: true,
      startTime: `${String(hour).padStart(2, '0')}:00`,
      endTime: `${String((hour + 5) % 24).padStart(2, '0')}:00`,
    };
    await gateway.call('put', '/api/instagram-queue/time-blocking', blocked).expect(200);
    for (let count = 0; count < 3; count += 1) await add();
    const { slots } = await preview(3);
    for (const { scheduledFor, why } of slots) {
      const parts = Date.parse(why.earliestAt) + (why.randomDelaySeconds + why.blockedSeconds) * 1000;
      expect(Math.abs(Date.parse(scheduledFor) - parts)).toBeLessThan(2000);
    }
    expect(slots.some((slot) => slot.why.blockedSeconds > 0 && slot.why.text.includes('blocked hours'))).toBe(true);
    expect(slots.some((slot) => slot.why.randomDelaySeconds > 0 && slot.why.text.includes('at random'))).toBe(true);
  });

  it('marks a pinned time and keeps the interval to it', async () => {
    const [a, b] = [await add(), await add()];
    await move(b._id, inHours(1)).expect(200);
    const { slots } = await preview(2);
    expect(slots.map((slot) => [slot.queueItemId, slot.pinned])).toEqual([
      [b._id, true],
      [a._id, false],
    ]);
  });

  it('promises no time for a post that is held, and none within the interval of its place to another', async () => {
    const [a, b] = [await add(), await add()];
    await gateway.call('post', '/api/instagram-queue/start').expect(200);
    const hold = (id: string) =>
      gateway.database.sql.query(
        `UPDATE queue_items SET failure = '{"code":"repost_held","message":"Held.","nextAction":"Wait."}' WHERE id = $1`,
        [id],
      );
    const nextPost = async () => (await gateway.call('get', '/api/instagram-queue/status')).body.data.nextPost;
    expect((await nextPost()).title).toBe(a.sourceData.postTitle);
    await hold(a._id);
    const [later] = (await preview(1)).slots;
    expect(later?.queueItemId).toBe(b._id);
    expect(await nextPost()).toEqual({ title: b.sourceData.postTitle, scheduledFor: later?.scheduledFor });
    const place = (await gateway.database.read.queue.find(a._id))?.scheduledFor;
    expect(Date.parse(later?.scheduledFor ?? '') - (place?.getTime() ?? 0)).toBeGreaterThanOrEqual(2 * 3_600_000);
    await hold(b._id);
    expect(await nextPost()).toBeNull();
    expect((await preview(3)).slots.map(({ queueItemId }) => queueItemId)).toEqual([null, null, null]);
  });

  it('accepts counts from 1 to 100, default 10', async () => {
    expect((await preview()).slots).toHaveLength(10);
    expect((await preview(100)).slots).toHaveLength(100);
    for (const count of ['0', '101', 'x', '1.5']) {
      const { status } = await gateway.call('get', `/api/instagram-queue/preview?count=${count}`);
      expect([400, 422]).toContain(status);
    }
  });

  it('refuses a manual time in blocked hours or for an item that no longer waits', async () => {
    const place = await add();
    const hour = new Date(Date.now() + 3_600_000).getUTCHours();
    const blocked = {
      enabled: true,
      startTime: `${String(hour).padStart(2, '0')}:00`,
      endTime: `${String((hour + 1) % 24).padStart(2, '0')}:00`,
    };
    await gateway.call('put', '/api/instagram-queue/time-blocking', blocked).expect(200);
    const inside = await move(place._id, inHours(1));
    expect([inside.status, inside.body.error]).toEqual([422, expect.stringContaining(`${blocked.startTime} and ${blocked.endTime} (UTC)`)]);
    await move(place._id, inHours(26)).expect(200);
    for (const [status, words] of [
      ['posting', 'being published'],
      ['posted', 'already published'],
      ['failed', 'retry it'],
      ['cancelled', 'removed from the queue'],
    ]) {
      await gateway.database.sql.query('UPDATE queue_items SET status = $2 WHERE id = $1', [place._id, status]);
      const answer = await move(place._id, inHours(30));
      expect([status, answer.status, answer.body.error]).toEqual([status, 409, expect.stringContaining(words ?? '')]);
    }
  });
});
