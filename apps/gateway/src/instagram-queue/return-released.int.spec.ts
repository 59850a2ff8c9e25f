import type { RightsMatch } from '@autoposter/domain';
import type { ContentItem } from '@autoposter/persistence';
import { findingsOf, holdBack } from '@autoposter/workflow';
import { ExpireClaimsTask } from '../scheduler/tasks/expire-claims.task';
import { describeGateway, GatewayFixture } from '../testing/gateway-fixture';

describeGateway('a post that failed because of a rights stop', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => (gateway = await GatewayFixture.start()));
  afterAll(() => gateway?.stop());
  beforeEach(async () => {
    await gateway.empty();
    await gateway.call('put', '/api/instagram-queue/randomization', { enabled: false, maxDelayMinutes: 0 }).expect(200);
    await gateway.call('put', '/api/instagram-queue/time-blocking', { enabled: false, startTime: '00:00', endTime: '06:00' }).expect(200);
    await gateway.call('post', '/api/instagram-queue/start').expect(200);
  });

  const query = (text: string, values: unknown[]): Promise<{ [column: string]: unknown }[]> => gateway.database.sql.query(text, values);
  /** Queued by a person, and being prepared by the publishing worker. */
  const startPosting = async (values: Partial<ContentItem>) => {
    const item = await gateway.item('ready', values);
    const id = (await gateway.call('post', `/api/instagram-queue/${item.id}`, { postImmediately: true }).expect(200)).body.data
      ._id as string;
    expect((await gateway.database.read.queue.find(id))?.status).toBe('posting');
    return { item, id };
  };
  const ask = async (author: string): Promise<string> =>
    (await gateway.call('post', '/api/rights/permissions', { kind: 'author', named: `u/${author}`, grantor: 'Ada' }).expect(200)).body.data
      .id;
  const answer = (permission: string, granted: boolean) =>
    gateway.call('post', `/api/rights/permissions/${permission}/answer`, { granted, answer: granted ? 'Yes' : 'No' }).expect(200);
  const refuse = async (author: string) => {
    const started = await startPosting({ author });
    const permission = await ask(author);
    await answer(permission, false);
    expect(await gateway.database.read.queue.find(started.id)).toMatchObject({ status: 'failed', failure: { code: 'not_permitted' } });
    return { ...started, permission };
  };
  const run = () => gateway.app.get(ExpireClaimsTask).run();
  const statusOf = async (id: string) => (await gateway.database.read.queue.find(id))?.status;

  it('returns to the queue of its account when the permission is given, with a line in history and audit log', async () => {
    const { id, item, permission } = await refuse('released_author');
    const before = await gateway.database.read.queue.find(id);
    await run();
    expect(await statusOf(id)).toBe('failed');
    await answer(permission, true);
    await run();
    expect(await gateway.database.read.queue.find(id)).toMatchObject({
      ...{ status: 'scheduled', accountId: before?.accountId, caption: before?.caption, failure: null, finishedAt: null, immediate: false },
    });
    expect((await gateway.database.read.items.find(item.id))?.state).toBe('queued');
    const events = await query(`SELECT reason, actor FROM event_history WHERE item_id = $1 AND type = 'item.queued' ORDER BY seq`, [
      item.id,
    ]);
    expect(events.at(-1)).toMatchObject({ reason: expect.stringContaining('is over'), actor: 'scheduler' });
    const audited = await query(`SELECT action, detail FROM audit_log WHERE subject = $1 AND action = 'queue.returned'`, [id]);
    expect(audited).toEqual([{ action: 'queue.returned', detail: { stoppedBy: 'not_permitted' } }]);
  });

  it('returns although many others stay stopped', async () => {
    const released = await refuse('released_late');
    await answer(released.permission, true);
    // failed posts of authors who still refuse, with smaller ids
    const { item, id } = await refuse('still_refusing');
    const clone = `jsonb_populate_record(i, jsonb_build_object('id', gen_random_uuid(), 'source_id', 'many' || n, 'needs_review', false))`;
    await query(
      `WITH items AS (INSERT INTO content_items SELECT (${clone}).* FROM content_items i, generate_series(1, 60) AS n WHERE i.id = $1 RETURNING id)
       INSERT INTO queue_items SELECT (jsonb_populate_record(q, jsonb_build_object('id', '00000000' || substr(items.id::text, 9), 'item_id', items.id))).*
       FROM queue_items q, items WHERE q.id = $2`,
      [item.id, id],
    );
    await run();
    expect(await statusOf(released.id)).toBe('failed');
    await run();
    expect(await statusOf(released.id)).toBe('scheduled');
  });

  it('stays failed after a publish call, after another failure, after 30 days, and once it was queued again', async () => {
    const called = await refuse('called_author');
    await query(`UPDATE publish_attempts SET called_at = now() WHERE item_id = $1`, [called.item.id]);
    const intended = await refuse('intended_author');
    await query(`UPDATE publish_attempts SET intent_at = now() WHERE item_id = $1`, [intended.item.id]);
    const other = await refuse('other_author');
    await query(`UPDATE queue_items SET failure = jsonb_set(failure, '{code}', '"rights_match"') WHERE id = $1`, [other.id]);
    const old = await refuse('old_author');
    await query(`UPDATE queue_items SET finished_at = now() - interval '31 days' WHERE id = $1`, [old.id]);
    const again = await refuse('again_author');
    for (const { permission } of [called, intended, other, old, again]) await answer(permission, true);
    const second = (await gateway.call('post', `/api/instagram-queue/${again.item.id}`, {}).expect(200)).body.data._id as string;
    await gateway.call('delete', `/api/instagram-queue/${second}`).expect(200);
    await run();
    for (const { id } of [called, intended, other, old, again]) expect(await statusOf(id)).toBe('failed');
  });

  it('returns after the end of a claim only when DMCA protection has passed it again', async () => {
    const { id, item } = await startPosting({ author: 'claimed_author' });
    const body = { title: 'A work', claimant: 'A claimant', author: 'u/claimed_author' };
    const claim = (await gateway.call('post', '/api/rights/claims', body).expect(200)).body.data.id as string;
    expect(await gateway.database.read.queue.find(id)).toMatchObject({ status: 'failed', failure: { code: 'claimed_media' } });
    const pass = () => query(`UPDATE content_items SET state = 'ready' WHERE id = $1`, [item.id]);
    await query(`UPDATE content_items SET state = 'blocked' WHERE id = $1`, [item.id]);
    await pass();
    await run();
    expect(await statusOf(id)).toBe('failed');
    await query(`UPDATE content_items SET state = 'blocked' WHERE id = $1`, [item.id]);
    await gateway.call('post', `/api/rights/claims/${claim}/withdraw`).expect(200);
    await run();
    expect(await statusOf(id)).toBe('failed');
    await pass();
    await run();
    expect(await statusOf(id)).toBe('scheduled');
  });

  it('needs a review before any retry when it was found to resemble a claimed work after it was queued', async () => {
    const { id, item } = await startPosting({ author: 'flagged_author' });
    const match = { kind: 'claim', id: item.id, title: 'A work', by: 'pdq', distance: 30, matched: 1, compared: 1, strength: 'flag' };
    const found = {
      itemId: item.id,
      matches: [match] as unknown as RightsMatch[],
      files: [{ kind: 'image', usable: 1, total: 1 }] as const,
    };
    const flag = () =>
      gateway.database.unitOfWork((uow) =>
        holdBack(uow, findingsOf([{ ...found, files: [...found.files] }]), { actor: 'a', claimId: null }),
      );
    expect(await flag()).toMatchObject({ flagged: 1 });
    const failed = await gateway.database.read.queue.find(id);
    expect(failed).toMatchObject({ status: 'failed', failure: { code: 'claimed_media' } });
    const { causes } = (await gateway.call('get', '/api/failures/causes').expect(200)).body.data as { causes: { cause: string }[] };
    for (const { cause } of causes)
      expect((await gateway.call('post', '/api/failures/retry', { cause }).expect(200)).body.data).toMatchObject({
        retried: 0,
        refused: 1,
      });
    expect((await gateway.call('post', `/api/instagram-queue/${id}/retry`)).status).toBe(409);
    await run();
    expect(await statusOf(id)).toBe('failed');
    // a person who queues it again has seen the reasons
    const again = (await gateway.call('post', `/api/instagram-queue/${item.id}`, {}).expect(200)).body.data._id as string;
    await query(`UPDATE queue_items SET status = 'failed', finished_at = now(), failure = $2 WHERE id = $1`, [
      again,
      JSON.stringify(failed?.failure),
    ]);
    await query(`UPDATE content_items SET state = 'ready' WHERE id = $1`, [item.id]);
    await gateway.call('post', `/api/instagram-queue/${again}/retry`).expect(200);
  });
});
