import { claimJob } from '@autoposter/testkit';
import { PublishDuePostsTask } from '../scheduler/tasks/publish-due-posts.task';
import { describeGateway, GatewayFixture } from '../testing/gateway-fixture';

describeGateway('a post being published', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => (gateway = await GatewayFixture.start()));
  afterAll(() => gateway?.stop());
  beforeEach(async () => {
    await gateway.empty();
    await gateway.call('put', '/api/instagram-queue/randomization', { enabled: false, maxDelayMinutes: 0 }).expect(200);
    await gateway.call('post', '/api/instagram-queue/start').expect(200);
  });

  const beat = () => gateway.app.get(PublishDuePostsTask).run();
  const stateOf = async (id: string) => (await gateway.database.read.items.find(id))?.state;
  /** As if that many hours had passed since everything in the queue was planned and started. */
  const passHours = async (hours: number) => {
    await gateway.database.sql.query(`UPDATE queue_items SET scheduled_for = scheduled_for - make_interval(hours => $1)`, [hours]);
    await gateway.database.sql.query(`UPDATE publish_attempts SET created_at = created_at - make_interval(hours => $1)`, [hours]);
  };
  const add = async () => {
    const item = await gateway.item('ready');
    return (await gateway.call('post', `/api/instagram-queue/${item.id}`, {})).body.data;
  };
  const find = async (id: string) => {
    const { posts } = (await gateway.call('get', '/api/instagram-queue?limit=200')).body.data;
    return posts.find((post: { _id: string }) => post._id === id);
  };
  /** A post whose run waits for something of its own. */
  const waiting = async (reason = 'Instagram is preparing the media.') => {
    const place = await add();
    await beat();
    await gateway.database.sql.query(
      `UPDATE stage_jobs SET state = 'waiting', due_at = now() + interval '1 hour', wait_reason = $2 WHERE item_id = $1`,
      [place.itemId, reason],
    );
    const attempt = await gateway.database.read.attempts.findOpenOf(place.itemId);
    if (attempt === null) throw new Error('nothing is on its way');
    return { place, attempt };
  };
  const remove = (id: string) => gateway.call('delete', `/api/instagram-queue/${id}`);

  it('shows what it waits for and can be removed before the publish call', async () => {
    for (const state of ['open', 'container']) {
      const { place, attempt } = await waiting();
      await gateway.database.sql.query('UPDATE publish_attempts SET state = $2 WHERE id = $1', [attempt.id, state]);
      expect(await find(place._id)).toMatchObject({ removable: true, waiting: { reason: 'Instagram is preparing the media.' } });
      await remove(place._id).expect(200);
      expect(await stateOf(place.itemId)).toBe('ready');
      expect(await find(place._id)).toMatchObject({ status: 'cancelled', removable: false });
      expect(await gateway.database.read.attempts.find(attempt.id)).toMatchObject({ state: 'abandoned', settledBy: 'person' });
      expect(await gateway.database.read.jobs.findOpen('post', attempt.id)).toBeNull();
      await gateway.call('post', `/api/instagram-queue/${place.itemId}`, {}).expect(200);
      await gateway.database.sql.query(`UPDATE queue_items SET status = 'cancelled' WHERE item_id = $1`, [place.itemId]);
    }
  });

  it('cannot be removed once the intent is committed, nor after a refusal', async () => {
    for (const state of ['intent', 'unknown', 'container']) {
      const { place, attempt } = await waiting();
      await gateway.database.sql.query('UPDATE publish_attempts SET state = $2, called_at = now() WHERE id = $1', [attempt.id, state]);
      expect((await find(place._id)).removable).toBe(false);
      const answer = await remove(place._id);
      expect([answer.status, answer.body.error]).toEqual([409, expect.stringContaining('already sent to Instagram')]);
      expect(await stateOf(place.itemId)).toBe('posting');
      expect(await gateway.database.read.jobs.findOpen('post', attempt.id)).toMatchObject({ state: 'waiting' });
      await gateway.database.sql.query(`UPDATE queue_items SET outcome = 'unknown' WHERE id = $1`, [place._id]);
      await passHours(3);
    }
  });

  it('is either removed or published when both happen concurrently', async () => {
    const { place, attempt } = await waiting();
    await gateway.database.sql.query(`UPDATE stage_jobs SET state = 'requested', due_at = NULL WHERE subject_id = $1`, [attempt.id]);
    const open = await gateway.database.read.jobs.findOpen('post', attempt.id);
    const job = await claimJob(gateway.database, open?.id ?? '', { owner: 'worker', leaseSeconds: 60 });
    if (job === null) throw new Error('the job could not be had');
    const answers = await Promise.all([
      remove(place._id).then((answer) => answer.status),
      gateway.database.unitOfWork(async (uow) => {
        if (!(await uow.jobs.recordIntent(job, 'publish', 30))) return 'lost';
        const now = await uow.attempts.lock(attempt.id);
        await uow.attempts.transition(now.id, { fromVersion: now.version, from: now.state, to: 'container', patch: {} });
        const made = await uow.attempts.lock(attempt.id);
        await uow.attempts.transition(made.id, { fromVersion: made.version, from: 'container', to: 'intent', patch: {} });
        return 'calls';
      }),
    ]);
    expect([
      [200, 'lost'],
      [409, 'calls'],
    ]).toContainEqual(answers);
    const { state } = (await gateway.database.read.attempts.find(attempt.id)) ?? {};
    expect([answers[1], state]).toEqual(answers[1] === 'lost' ? ['lost', 'abandoned'] : ['calls', 'intent']);
  });

  it('does not block the next post while Instagram prepares its container', async () => {
    const { place, attempt } = await waiting();
    await gateway.database.sql.query(`UPDATE publish_attempts SET state = 'container', container_id = 'c1' WHERE id = $1`, [attempt.id]);
    const next = await add();
    await beat();
    expect(await stateOf(next.itemId)).toBe('queued');
    await passHours(2);
    await beat();
    expect([await stateOf(place.itemId), await stateOf(next.itemId)]).toEqual(['posting', 'posting']);
  });

  it('blocks the next post while its container cannot be made', async () => {
    await waiting('robots.txt forbids the file.');
    const next = await add();
    await passHours(4);
    await beat();
    expect(await stateOf(next.itemId)).toBe('queued');
  });

  it('blocks the next post while its job runs', async () => {
    const { attempt } = await waiting();
    await gateway.database.sql.query(
      `UPDATE stage_jobs SET state = 'running', lease_until = now() + interval '1 minute' WHERE subject_id = $1`,
      [attempt.id],
    );
    const next = await add();
    await passHours(4);
    await beat();
    expect(await stateOf(next.itemId)).toBe('queued');
  });
});
