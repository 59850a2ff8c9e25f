import { errorResponseSchema } from '@autoposter/contracts';
import { pollUntil } from '@autoposter/testkit';
import { InstagramQueueService } from '../instagram-queue/instagram-queue.service';
import { GatewayFixture } from '../testing/gateway-fixture';
import { describeGateway } from '../testing/gateway-fixture';

const CLAIM = { title: 'A work', claimant: 'A claimant', sha256: 'a'.repeat(64) };

describeGateway('idempotency keys', () => {
  let gateway: GatewayFixture;
  beforeEach(async () => (gateway = await GatewayFixture.start({ responseTimeoutMs: 60_000 })));
  afterEach(async () => {
    jest.restoreAllMocks();
    await gateway?.stop();
  });

  const named = (key: string, path: string, body?: object) => gateway.call('post', path, body).set('Idempotency-Key', key);
  const claims = async (): Promise<number> => (await gateway.call('get', '/api/rights/claims')).body.data.pagination.totalCount;

  it('returns the stored response to a repeated call with the same key', async () => {
    const first = await named('one', '/api/subreddits', { name: 'aww', interval: 60 }).expect(200);
    const second = await named('one', '/api/subreddits', { interval: 60, name: 'aww' }).expect(200);
    expect(second.body).toEqual(first.body);
    expect([first.headers['idempotent-replayed'], second.headers['idempotent-replayed']]).toEqual([undefined, 'true']);
    expect((await gateway.call('get', '/api/audit-log?action=subreddit.created')).body.data.pagination.totalCount).toBe(1);
    await named('two', '/api/subreddits', { name: 'aww', interval: 60 }).expect(409);
  });

  it('issues the media URLs of a stored response for the session that repeats the call', async () => {
    const item = await gateway.item('discarded');
    const other = await gateway.beside();
    const restore = async (on: GatewayFixture) =>
      (await on.call('post', `/api/content/${item.id}/restore`).set('Idempotency-Key', 'restore')).body.data;
    const first = await restore(gateway);
    await gateway.call('post', '/api/auth/logout');
    const repeated = await restore(other);
    const opened = [await other.visitor.get(first.videoUrl), await other.visitor.get(repeated.videoUrl)];
    await other.stop();
    expect(opened.map(({ status }) => status)).toEqual([401, 200]);
    const { videoUrl, cdnUrl } = first;
    expect({ ...repeated, videoUrl, cdnUrl }).toEqual(first);
  });

  it('does not toggle twice', async () => {
    const { _id: id } = (await gateway.call('post', '/api/subreddits', { name: 'aww' })).body.data;
    for (let time = 0; time < 2; time += 1) {
      const { body } = await named('toggle', `/api/subreddits/${id}/toggle`).expect(200);
      expect(body.data.config.isActive).toBe(false);
    }
    const { body } = await gateway.call('get', '/api/subreddits');
    expect(body.data[0].config.isActive).toBe(false);
  });

  it('refuses a key that belongs to another request', async () => {
    await named('one', '/api/subreddits', { name: 'aww' }).expect(200);
    for (const request of [named('one', '/api/subreddits', { name: 'pics' }), named('one', '/api/rights/claims', CLAIM)]) {
      const response = await request.expect(422);
      expect(errorResponseSchema.parse(response.body).error).toContain('Idempotency-Key');
    }
    for (const key of ['', 'with space', 'x'.repeat(256), 'ü']) {
      const response = await named(key, '/api/subreddits', { name: 'pics' });
      expect([key.length, response.status]).toEqual([key.length, 400]);
    }
    await named('x'.repeat(255), '/api/subreddits', { name: 'pics' }).expect(200);
  });

  it('returns 409 while the call is running and the stored response afterwards', async () => {
    const item = await gateway.item('ready');
    const impatient = await gateway.beside({ responseTimeoutMs: 900 });
    const service = impatient.app.get(InstagramQueueService);
    const add = service.add.bind(service);
    let go: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (go = resolve));
    let calls = 0;
    jest.spyOn(service, 'add').mockImplementation(async (...args) => {
      calls += 1;
      await gate;
      return add(...args);
    });
    const path = `/api/instagram-queue/${item.id}`;
    // the request times out and the work continues
    const late = await pollUntil(async () => {
      const response = await impatient.call('post', path, {}).set('Idempotency-Key', 'slow');
      return calls === 1 ? response : null;
    });
    expect([late.status, late.body.error]).toEqual([503, expect.stringContaining('longer than')]);
    expect((await named('slow', path, {})).body.error).toContain('still running');
    go();
    const repeated = await pollUntil(async () => {
      const response = await named('slow', path, {});
      return response.status === 409 ? null : response;
    });
    await impatient.stop();
    expect([repeated.status, repeated.body.data.itemId]).toEqual([200, item.id]);
    expect(await gateway.database.read.queue.statistics()).toMatchObject({ totalPosts: 1 });
  });

  it('releases the key of a failed call', async () => {
    await named('one', '/api/subreddits', { name: '!' }).expect(422);
    await named('one', '/api/subreddits', { name: 'aww' }).expect(200);
  });

  it.each([
    ['a subreddit', '/api/subreddits', { name: 'aww' }, async () => (await gateway.call('get', '/api/subreddits')).body.data.length],
    ['a claim', '/api/rights/claims', CLAIM, claims],
    [
      'a post',
      '/api/reddit/process',
      { url: 'https://www.reddit.com/r/aww/comments/abc123/x/' },
      async () => (await gateway.call('get', '/api/downloads')).body.data.length,
    ],
  ] as const)('makes %s once out of a double click', async (_what, path, body, count) => {
    const both = await Promise.all([gateway.call('post', path, body), gateway.call('post', path, body)]);
    expect(both.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(1);
    expect(both.every(({ status }) => status === 200 || status === 409)).toBe(true);
    expect(await count()).toBe(1);
  });

  it('creates one queue item and one run from a double click', async () => {
    const item = await gateway.item('ready');
    const { _id: id } = (await gateway.call('post', '/api/subreddits', { name: 'aww' })).body.data;
    for (const path of [`/api/instagram-queue/${item.id}`, `/api/subreddits/${id}/run-now`]) {
      const both = await Promise.all([gateway.call('post', path), gateway.call('post', path)]);
      expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    }
    expect(await gateway.database.read.queue.statistics()).toMatchObject({ totalPosts: 1 });
    expect(await gateway.database.read.runs.countOpen()).toBe(1);
  });
});
