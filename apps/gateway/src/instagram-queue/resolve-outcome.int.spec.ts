import type { SettleBody } from '@autoposter/contracts';
import { failureOf } from '@autoposter/domain';
import { settleUnpublished } from '@autoposter/workflow';
import { ScheduleReconciliationTask } from '../scheduler/tasks/schedule-reconciliation.task';
import { describeGateway, GatewayFixture } from '../testing/gateway-fixture';

/** Minutes after which Instagram has expired a container that it did not publish. */
const DAY = 24 * 60;

describeGateway('manual reconciliation', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => (gateway = await GatewayFixture.start()));
  afterAll(() => gateway?.stop());

  /** A post that was sent `minutesAgo`, with the ledger in `state` and without work. */
  async function sent(state: 'open' | 'container' | 'intent' | 'unknown', minutesAgo = 30) {
    const item = await gateway.item('ready');
    const { body } = await gateway.call('post', `/api/instagram-queue/${item.id}`, { postImmediately: true });
    const attempt = await gateway.database.read.attempts.findOpenOf(item.id);
    const id = attempt?.id ?? '';
    await gateway.database.sql.query("UPDATE stage_jobs SET state = 'done' WHERE subject_id = $1", [id]);
    await gateway.database.sql.query(
      `UPDATE publish_attempts SET state = $2, next_look_at = now() + interval '1 hour',
         intent_at = CASE WHEN $4 THEN now() - make_interval(mins => $3) END, called_at = CASE WHEN $4 THEN now() - make_interval(mins => $3) END,
         container_id = 'c1', updated_at = now() - make_interval(mins => $3) WHERE id = $1`,
      [id, state, minutesAgo, state === 'intent' || state === 'unknown'],
    );
    return { item, placeId: body.data._id as string, attemptId: id };
  }
  const settle = (placeId: string, body: SettleBody | object) => gateway.call('post', `/api/instagram-queue/${placeId}/settle`, body);
  /** What reconciliation does once the container has expired and the account does not show the post. */
  const reconcileAsAbsent = (attemptId: string) =>
    gateway.database.unitOfWork(async (uow) => {
      const attempt = await uow.attempts.lockAfterJobs(attemptId);
      if (attempt !== null)
        await settleUnpublished(uow, attempt, failureOf('reconciled_as_absent', { fields: { reason: 'Not on the account.' } }), {
          actor: 'test',
          evidence: true,
        });
    });
  const ASKED = { fields: { reason: 'Is the post on the account?' } };
  const stateOf = async (id: string) => (await gateway.database.read.items.find(id))?.state;

  it('marks a post that is on the account as published', async () => {
    const { item, placeId, attemptId } = await sent('unknown');
    const permalink = 'https://www.instagram.com/reel/Cabc/';
    const { status, body } = await settle(placeId, { outcome: 'live', mediaId: '17900000000000001', permalink });
    expect([status, body.data]).toEqual([200, expect.objectContaining({ status: 'posted', outcome: null, failure: null, permalink })]);
    expect(await gateway.database.read.attempts.find(attemptId)).toMatchObject({ state: 'published', settledBy: 'person' });
    expect(await stateOf(item.id)).toBe('posted');
    expect((await settle(placeId, { outcome: 'absent' })).status).toBe(409);
    const other = await sent('unknown');
    expect((await settle(other.placeId, { outcome: 'live', mediaId: '17900000000000001' })).status).toBe(409);
  });

  it('looks up the media of a post that is reported as live without its id', async () => {
    const { placeId, attemptId } = await sent('unknown');
    await settle(placeId, { outcome: 'live' });
    expect(await gateway.database.read.attempts.find(attemptId)).toMatchObject({ state: 'published', mediaId: null });
    await gateway.app.get(ScheduleReconciliationTask).run();
    expect(await gateway.database.read.jobs.findOpen('reconcile', attemptId)).toMatchObject({ state: 'requested' });
  });

  it('marks a post as published when an answer arrives after its attempt has failed', async () => {
    const { item, placeId, attemptId } = await sent('unknown', DAY);
    await reconcileAsAbsent(attemptId);
    await gateway.call('post', `/api/instagram-queue/${placeId}/retry`).expect(200);
    await gateway.database.read.attempts.keepAnswer(attemptId, '17900000000000077');
    await gateway.app.get(ScheduleReconciliationTask).run();
    expect([await stateOf(item.id), await gateway.database.read.attempts.find(attemptId)]).toMatchObject([
      'posted',
      { state: 'published', mediaId: '17900000000000077', settledBy: 'answer' },
    ]);
    const [open] = await gateway.database.sql.query(
      "SELECT id FROM queue_items WHERE item_id = $1 AND status IN ('pending','scheduled','posting')",
      [item.id],
    );
    expect(open).toBeUndefined();
  });

  it.each([30, DAY])('reconciles an absent post %d minutes after its call, whatever the person saw', async (minutesAgo) => {
    const early = await sent('unknown', 5);
    expect((await settle(early.placeId, { outcome: 'absent' })).status).toBe(409);
    const { item, placeId, attemptId } = await sent('unknown', minutesAgo);
    const answer = failureOf('instagram_value_refused');
    await gateway.database.read.attempts.patch(attemptId, { failure: { ...failureOf('publication_undecided', ASKED), answer } });
    expect((await settle(placeId, { outcome: 'absent' })).body.data).toMatchObject({ status: 'posting', outcome: 'unknown' });
    expect(await gateway.database.read.jobs.findOpen('reconcile', attemptId)).toMatchObject({ state: 'requested' });
    expect(await gateway.database.read.attempts.find(attemptId)).toMatchObject({
      state: 'unknown',
      absentAt: expect.any(Date) as Date,
      failure: { code: 'absent_by_person', answer },
    });
    await reconcileAsAbsent(attemptId);
    expect(await stateOf(item.id)).toBe('ready');
    await gateway.call('post', `/api/instagram-queue/${item.id}`, { postImmediately: true }).expect(200);
  });

  it('blocks a post that was claimed while its outcome was unknown', async () => {
    const print = { sha256: 'c1'.repeat(32), pdq: [] };
    const claim = { title: 'Dusk', claimant: 'A', contact: null, sourceUrl: null, note: null, createdBy: 'admin@example.test' };
    await gateway.database.unitOfWork((uow) => uow.rights.addClaim(claim, [print]));
    const blocks = async ({ item, attemptId }: Awaited<ReturnType<typeof sent>>, end: () => Promise<unknown>) => {
      await gateway.database.unitOfWork((uow) => uow.rights.saveFingerprints(item.id, [print]));
      await end();
      expect(await stateOf(item.id)).toBe('blocked');
      const failure = { kind: 'rights_blocked', message: 'Shows the claimed work "Dusk".' };
      expect(await gateway.database.read.attempts.find(attemptId)).toMatchObject({ state: 'failed', failure });
      const told = `SELECT type, state FROM event_history WHERE item_id = $1 AND state = 'blocked' ORDER BY type`;
      expect(await gateway.database.sql.query(told, [item.id])).toMatchObject([{ type: 'dmca.blocked' }, { type: 'post.failed' }]);
    };
    const unknown = await sent('unknown', DAY);
    await gateway.database.sql.query('UPDATE publish_attempts SET container_id = NULL WHERE id = $1', [unknown.attemptId]);
    await blocks(unknown, () => settle(unknown.placeId, { outcome: 'absent' }).expect(200));
    await blocks(await sent('container'), () => gateway.app.get(ScheduleReconciliationTask).run());
  });

  it('refuses a post with a known outcome and an invalid permalink', async () => {
    const { item, placeId } = await sent('container');
    expect((await settle(placeId, { outcome: 'absent' })).status).toBe(409);
    expect((await settle(item.id, { outcome: 'absent' })).status).toBe(404);
    for (const permalink of ['javascript:alert(1)', 'https://evil.example/reel/1', 'http://www.instagram.com/reel/1']) {
      expect((await settle(placeId, { outcome: 'live', permalink })).status).toBe(422);
    }
    expect((await settle(placeId, { outcome: 'absent', mediaId: '1' })).status).toBe(422);
  });

  it.each(['after an attempt', 'before its first attempt'])(
    'records a post that failed %s as published in the app, looks it up, and refuses to publish it again',
    async (when) => {
      const { sql, read } = gateway.database;
      let itemId: string;
      let placeId: string;
      if (when === 'after an attempt') {
        const early = await sent('container');
        await gateway.app.get(ScheduleReconciliationTask).run();
        [itemId, placeId] = [early.item.id, early.placeId];
      } else {
        itemId = (await gateway.item('ready')).id;
        placeId = (await gateway.call('post', `/api/instagram-queue/${itemId}`, {})).body.data._id as string;
        await sql.query("UPDATE queue_items SET status = 'failed', finished_at = now(), scheduled_for = NULL WHERE id = $1", [placeId]);
        await sql.query("UPDATE content_items SET state = 'ready' WHERE id = $1", [itemId]);
      }
      const refused = JSON.stringify(failureOf('instagram_video_format'));
      await sql.query(`UPDATE queue_items SET failure = $2, options = '{"collaborators":["a.friend"]}' WHERE id = $1`, [placeId, refused]);
      const task = await gateway.call('get', `/api/instagram-queue/${placeId}/in-app`).expect(200);
      expect(task.body.data.files).toEqual([{ url: expect.stringContaining(`/api/media/video/${itemId}?`), fileName: expect.any(String) }]);
      expect(task.body.data.collaborators).toEqual(['a.friend']);
      const { body } = await gateway.call('post', `/api/instagram-queue/${placeId}/in-app`, {}).expect(200);
      expect(body.data).toMatchObject({ status: 'posted', failure: null });
      expect(await stateOf(itemId)).toBe('posted');
      const attempt = (await read.attempts.ofItems([itemId])).get(itemId);
      expect(attempt).toMatchObject({ state: 'published', settledBy: 'person', mediaId: null });
      await gateway.app.get(ScheduleReconciliationTask).run();
      expect(await read.jobs.findOpen('reconcile', attempt?.id ?? '')).not.toBeNull();
      expect((await gateway.call('post', `/api/instagram-queue/${placeId}/in-app`, {})).status).toBe(409);
      expect((await gateway.call('post', `/api/instagram-queue/${itemId}`, {})).status).toBe(409);
    },
  );

  it('lists an unresolved outcome as a failure', async () => {
    const { placeId } = await sent('unknown');
    const question = {
      code: 'call_unanswered',
      kind: 'unknown_outcome',
      message: 'Is it there?',
      side: 'instagram',
      nextAction: 'Look.',
    } as const;
    await gateway.database.read.queue.markOutcomeUnknown(placeId, question);
    expect((await gateway.call('get', '/api/failures')).body.data.failures).toContainEqual(
      expect.objectContaining({ id: placeId, kind: 'publish', message: 'Is it there?', nextAction: 'Look.' }),
    );
  });

  it('ends attempts without an open job and reconciles those that may be published', async () => {
    const open = await sent('open');
    const made = await sent('container');
    const called = await sent('intent');
    const fresh = await sent('open', 1);
    const asked = await sent('unknown');
    await gateway.app.get(ScheduleReconciliationTask).run();
    expect([await stateOf(open.item.id), await stateOf(made.item.id)]).toEqual(['ready', 'ready']);
    expect(await gateway.database.read.attempts.find(called.attemptId)).toMatchObject({ state: 'unknown' });
    expect(await gateway.database.read.jobs.findOpen('reconcile', called.attemptId)).not.toBeNull();
    expect(await stateOf(fresh.item.id)).toBe('posting');
    expect(await gateway.database.read.jobs.findOpen('reconcile', asked.attemptId)).toBeNull();
  });
});
