import { queueItemSchema, queueStatusSchema } from '@autoposter/contracts';
import { PublishDuePostsTask } from '../scheduler/tasks/publish-due-posts.task';
import { ACCOUNT, GatewayFixture } from '../testing/gateway-fixture';
import { describeGateway } from '../testing/gateway-fixture';

describeGateway('the queue', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => (gateway = await GatewayFixture.start()));
  afterAll(() => gateway?.stop());
  beforeEach(async () => {
    await gateway.empty();
    await gateway.call('put', '/api/instagram-queue/randomization', { enabled: false, maxDelayMinutes: 0 }).expect(200);
  });

  const add = async (body: object = {}) => {
    const item = await gateway.item('ready');
    const response = await gateway.call('post', `/api/instagram-queue/${item.id}`, body);
    return { item, response, place: response.body.data };
  };
  const list = async (query = '') => (await gateway.call('get', `/api/instagram-queue${query}`)).body.data;
  const stateOf = async (id: string) => (await gateway.database.read.items.find(id))?.state;
  const beat = () => gateway.app.get(PublishDuePostsTask).run();
  const hoursBetween = (a: string, b: string) => (Date.parse(b) - Date.parse(a)) / 3_600_000;

  it('is stopped initially and assigns no slots', async () => {
    const status = (await gateway.call('get', '/api/instagram-queue/status')).body.data;
    expect(queueStatusSchema.strict().parse(status)).toMatchObject({
      isRunning: false,
      intervalMinutes: 120,
      timeBlocking: { enabled: false, startTime: '00:00', endTime: '06:00', timeZone: 'UTC' },
    });
    const { place, item } = await add();
    expect(queueItemSchema.strict().parse(place)).toMatchObject({ status: 'pending', itemId: item.id, scheduling: { scheduledFor: null } });
    await beat();
    expect(await stateOf(item.id)).toBe('queued');
  });

  it('spaces posts by the interval in order of priority and plans again after a change', async () => {
    const { place: a } = await add();
    const { place: b } = await add();
    await gateway.call('post', '/api/instagram-queue/start').expect(200);
    let { posts } = await list();
    expect(posts.map((post: { _id: string }) => post._id)).toEqual([a._id, b._id]);
    expect(hoursBetween(posts[0].scheduling.scheduledFor, posts[1].scheduling.scheduledFor)).toBe(2);
    await gateway.call('put', `/api/instagram-queue/${b._id}/priority`, { priority: 9 }).expect(200);
    ({ posts } = await list());
    expect(posts.map((post: { _id: string }) => post._id)).toEqual([b._id, a._id]);
    await gateway.call('put', '/api/instagram-queue/interval', { intervalMinutes: 30 }).expect(200);
    ({ posts } = await list());
    expect(hoursBetween(posts[0].scheduling.scheduledFor, posts[1].scheduling.scheduledFor)).toBe(0.5);
    const { data } = (await gateway.call('get', '/api/instagram-queue/status')).body;
    expect([data.totalInQueue, data.nextPost.scheduledFor]).toEqual([2, posts[0].scheduling.scheduledFor]);
  });

  it('keeps each of several settings that are changed at the same moment', async () => {
    const set = (what: string, body: object) => gateway.call('put', `/api/instagram-queue/${what}`, body).expect(200);
    for (const n of [1, 2, 3]) {
      await Promise.all([
        set('interval', { intervalMinutes: 60 + n }),
        set('randomization', { enabled: true, maxDelayMinutes: n }),
        set('backlog-limit', { backlogLimit: 10 + n }),
        set('time-blocking', { enabled: true, startTime: '00:00', endTime: `0${n}:00` }),
      ]);
      expect((await gateway.call('get', '/api/instagram-queue/status')).body.data).toMatchObject({
        intervalMinutes: 60 + n,
        randomization: { maxDelayMinutes: n },
        backlogLimit: 10 + n,
        timeBlocking: { endTime: `0${n}:00` },
      });
    }
  });

  it('takes no locks while nothing is due or to be planned', async () => {
    const { place } = await add();
    const { place: later } = await add();
    await gateway.call('post', '/api/instagram-queue/start').expect(200);
    const inTwoHours = new Date(Date.now() + 7_200_000).toISOString();
    await gateway.call('put', `/api/instagram-queue/${place._id}/schedule`, { scheduledFor: inTwoHours }).expect(200);
    const traces = () =>
      gateway.database.sql.query(
        'SELECT q.id::text, q.xmin::text, q.xmax::text FROM queue_items q UNION ALL SELECT s.name, s.xmin::text, s.xmax::text FROM settings s ORDER BY 1',
      );
    const send = 'UPDATE queue_items SET scheduled_for = $2, pinned = true WHERE id = $1';
    await gateway.database.sql.query(send, [later._id, new Date(Date.now() + 18_000_000)]);
    const before = await traces();
    await beat();
    await beat();
    expect(await traces()).toEqual(before);
    await gateway.database.sql.query(`UPDATE queue_items SET scheduled_for = now() - interval '1 second', pinned = true WHERE id = $1`, [
      later._id,
    ]);
    await beat();
    expect((await list('?status=posting')).posts).toEqual([expect.objectContaining({ _id: later._id })]);
  });

  it('starts one due post at a time with one attempt in the ledger', async () => {
    const { item } = await add();
    const { item: second } = await add();
    await gateway.call('post', '/api/instagram-queue/start').expect(200);
    await Promise.all([beat(), beat(), beat()]);
    await beat();
    expect([await stateOf(item.id), await stateOf(second.id)]).toEqual(['posting', 'queued']);
    const attempt = await gateway.database.read.attempts.findOpenOf(item.id);
    expect(attempt).toMatchObject({ state: 'open', kind: 'reel', accountId: ACCOUNT });
    expect(attempt?.caption).toContain('#one #two');
    expect(await gateway.database.read.jobs.findOpen('post', attempt?.id ?? '')).toMatchObject({ messageKey: ACCOUNT, state: 'requested' });
  });

  it('fails a queue item that cannot be published and starts the next one', async () => {
    const { item, place } = await add();
    const { item: second } = await add();
    await gateway.call('post', '/api/instagram-queue/start').expect(200);
    await gateway.database.sql.query("UPDATE queue_items SET scheduled_for = now() - interval '3 hours'");
    await gateway.database.sql.query("DELETE FROM media_files WHERE item_id = $1 AND role = 'processed'", [item.id]);
    await gateway.database.sql.query('UPDATE queue_items SET pinned = true');
    await beat();
    expect([await stateOf(item.id), await stateOf(second.id)]).toEqual(['ready', 'posting']);
    const failed = (await list('?status=failed')).posts;
    expect(failed).toEqual([
      expect.objectContaining({ _id: place._id, failure: expect.objectContaining({ message: expect.any(String) }) }),
    ]);
  });

  it('publishes nothing while paused, Post Now included', async () => {
    await gateway.call('post', '/api/publishing/pause').expect(200);
    await gateway.call('post', '/api/instagram-queue/start').expect(200);
    const { item } = await add();
    await beat();
    expect(await stateOf(item.id)).toBe('queued');
    const { response, item: other } = await add({ postImmediately: true });
    expect([response.status, response.body.error, await stateOf(other.id)]).toEqual([409, expect.stringContaining('paused'), 'ready']);
    await gateway.call('post', '/api/publishing/resume').expect(200);
    await beat();
    expect(await stateOf(item.id)).toBe('posting');
  });

  it('posts immediately regardless of interval and blocked hours', async () => {
    const { response, item } = await add({ postImmediately: true, customCaption: 'Just this' });
    expect([response.status, response.body.data.status]).toEqual([200, 'posting']);
    expect((await gateway.database.read.attempts.findOpenOf(item.id))?.caption).toBe(
      'Just this\n\nCredit: u/an_author on Reddit in r/aww\n\n#one #two',
    );
    const again = await gateway.call('post', `/api/instagram-queue/${item.id}`, { postImmediately: true });
    expect(again.status).toBe(409);
  });

  it('keeps the interval after a Post Now, while it is published and after it', async () => {
    const { item } = await add({ postImmediately: true });
    const { item: second, place } = await add();
    await gateway.call('post', '/api/instagram-queue/start').expect(200);
    await beat();
    expect(await stateOf(second.id)).toBe('queued');
    const due = async () => ((await gateway.database.read.queue.find(place._id))?.scheduledFor?.getTime() ?? 0) - Date.now();
    expect(await due()).toBeGreaterThan(25 * 60_000);
    await gateway.database.sql.query("UPDATE queue_items SET status = 'posted', finished_at = now() WHERE item_id = $1", [item.id]);
    await beat();
    expect(await stateOf(second.id)).toBe('queued');
    expect(await due()).toBeGreaterThan(25 * 60_000);
  });

  it('posts a queued item immediately on Post Now', async () => {
    const { item, place } = await add();
    const { status, body } = await gateway.call('post', `/api/instagram-queue/${item.id}`, { postImmediately: true });
    expect([status, body.data]).toEqual([200, expect.objectContaining({ _id: place._id, status: 'posting' })]);
    expect(await stateOf(item.id)).toBe('posting');
    const attempt = await gateway.database.read.attempts.findOpenOf(item.id);
    expect(attempt).toMatchObject({ queueItemId: place._id, caption: (await gateway.database.read.queue.find(place._id))?.caption });
    expect((await gateway.call('post', `/api/instagram-queue/${item.id}`, { postImmediately: true })).status).toBe(409);
  });

  it('posts a queued item with the caption of the Post Now request', async () => {
    const { item } = await add();
    const body = { postImmediately: true, customCaption: 'Another text' };
    await gateway.call('post', `/api/instagram-queue/${item.id}`, body).expect(200);
    expect((await gateway.database.read.attempts.findOpenOf(item.id))?.caption).toMatch(/^Another text\n/);
  });

  it('keeps a queued item when Post Now is refused', async () => {
    const { item, place } = await add();
    const tooLong = { postImmediately: true, customCaption: 'x'.repeat(2_190) };
    expect((await gateway.call('post', `/api/instagram-queue/${item.id}`, tooLong)).status).toBe(422);
    await gateway.call('post', '/api/publishing/pause').expect(200);
    const paused = await gateway.call('post', `/api/instagram-queue/${item.id}`, { postImmediately: true });
    expect([paused.status, paused.body.error]).toEqual([409, expect.stringContaining('paused')]);
    expect(await gateway.database.read.queue.find(place._id)).toMatchObject({ status: 'pending', immediate: false });
    expect(await stateOf(item.id)).toBe('queued');
  });

  it('removes a post, which is ready again and can be queued again', async () => {
    const { place, item } = await add();
    expect((await gateway.call('post', `/api/instagram-queue/${item.id}`, {})).status).toBe(409);
    await gateway.call('delete', `/api/instagram-queue/${place._id}`).expect(200);
    expect(await stateOf(item.id)).toBe('ready');
    expect((await gateway.call('delete', `/api/instagram-queue/${place._id}`)).status).toBe(409);
    await gateway.call('post', `/api/instagram-queue/${item.id}`, {}).expect(200);
  });

  it('keeps a pinned time while planning, and releases it', async () => {
    await gateway.call('post', '/api/instagram-queue/start').expect(200);
    const { place: a } = await add();
    const { place: b } = await add();
    const time = new Date(Date.now() + 30 * 60_000).toISOString();
    const pinned = await gateway.call('put', `/api/instagram-queue/${b._id}/schedule`, { scheduledFor: time });
    expect(pinned.body.data).toMatchObject({ status: 'scheduled', scheduling: { scheduledFor: time, pinned: true } });
    const { posts } = await list();
    expect(hoursBetween(time, posts.find((post: { _id: string }) => post._id === a._id).scheduling.scheduledFor)).toBe(2);
    const free = await gateway.call('put', `/api/instagram-queue/${b._id}/schedule`, { scheduledFor: null });
    expect(free.body.data.scheduling.pinned).toBe(false);
  });

  it('publishes nothing in blocked hours, not even a post pinned before they were set', async () => {
    const { item, place } = await add();
    await gateway.call('post', '/api/instagram-queue/start').expect(200);
    const soon = new Date(Date.now() + 1000).toISOString();
    await gateway.call('put', `/api/instagram-queue/${place._id}/schedule`, { scheduledFor: soon }).expect(200);
    const clock = (hours: number) => `${String(new Date(Date.now() + hours * 3_600_000).getUTCHours()).padStart(2, '0')}:00`;
    const blocked = { enabled: true, startTime: clock(-1), endTime: clock(2) };
    await gateway.call('put', '/api/instagram-queue/time-blocking', blocked).expect(200);
    await gateway.database.sql.query("UPDATE queue_items SET scheduled_for = now() - interval '1 minute'");
    await beat();
    expect(await stateOf(item.id)).toBe('queued');
    await gateway.call('put', '/api/instagram-queue/time-blocking', { ...blocked, enabled: false }).expect(200);
    await beat();
    expect(await stateOf(item.id)).toBe('posting');
  });

  it('counts posts and averages the queue time without immediate ones', async () => {
    const places = [];
    for (let count = 0; count < 5; count += 1) places.push((await add()).place._id);
    const set = (id: string, change: string) => gateway.database.sql.query(`UPDATE queue_items SET ${change} WHERE id = $1`, [id]);
    await set(places[0], "status = 'posted', finished_at = queued_at + interval '3 hours'");
    await set(places[1], "status = 'posted', finished_at = queued_at + interval '90 minutes'");
    await set(places[2], "status = 'posted', finished_at = queued_at + interval '1 second', immediate = true");
    await set(places[3], "status = 'failed', finished_at = queued_at + interval '50 hours'");
    const { body } = await gateway.call('get', '/api/instagram-queue/statistics');
    expect(body.data).toEqual({ totalPosts: 5, pendingPosts: 1, completedPosts: 3, failedPosts: 1, averageQueueTimeHours: 2.25 });
  });

  /** As if that many hours had passed since everything in the queue was planned and started. */
  const passHours = async (hours: number) => {
    await gateway.database.sql.query(`UPDATE queue_items SET scheduled_for = scheduled_for - make_interval(hours => $1)`, [hours]);
    await gateway.database.sql.query(`UPDATE publish_attempts SET created_at = created_at - make_interval(hours => $1)`, [hours]);
  };

  it('continues after an unknown outcome and keeps the interval to it', async () => {
    const { item, place } = await add();
    await gateway.call('post', '/api/instagram-queue/start').expect(200);
    await beat();
    await gateway.database.sql.query("UPDATE queue_items SET outcome = 'unknown' WHERE id = $1", [place._id]);
    const { item: next, place: nextPlace } = await add();
    await beat();
    expect([await stateOf(item.id), await stateOf(next.id)]).toEqual(['posting', 'queued']);
    const { posts } = await list();
    expect(hoursBetween(posts[0].scheduling.scheduledFor, posts[1].scheduling.scheduledFor)).toBe(2);
    await passHours(2);
    await beat();
    expect([nextPlace.itemId, await stateOf(next.id)]).toEqual([next.id, 'posting']);
  });

  it('refuses a time that has passed', async () => {
    const { place } = await add();
    const past = new Date(Date.now() - 3_600_000).toISOString();
    expect((await gateway.call('put', `/api/instagram-queue/${place._id}/schedule`, { scheduledFor: past })).status).toBe(422);
  });

  it('pages, sorts and filters', async () => {
    for (let count = 0; count < 3; count += 1) await add();
    const page = await list('?page=2&limit=2&sortBy=scheduling.queuedAt&sortOrder=desc&status=pending');
    expect(page.pagination).toEqual({ currentPage: 2, totalPages: 2, totalCount: 3, hasPrevPage: true, hasNextPage: false });
    expect(page.posts).toHaveLength(1);
    expect((await list('?status=posted')).posts).toEqual([]);
  });

  it('refuses blocked hours without length', async () => {
    const body = { enabled: true, startTime: '06:00', endTime: '06:00' };
    expect((await gateway.call('put', '/api/instagram-queue/time-blocking', body)).status).toBe(422);
    const good = { enabled: true, startTime: '22:00', endTime: '06:00', timeZone: 'Europe/Berlin' };
    expect((await gateway.call('put', '/api/instagram-queue/time-blocking', good)).body.data.timeBlocking).toEqual(good);
  });
});
