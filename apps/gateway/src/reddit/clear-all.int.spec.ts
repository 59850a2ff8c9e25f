import type { ClearedData } from '@autoposter/contracts';
import { LocalStore } from '@autoposter/object-store';
import { aSubreddit } from '@autoposter/testkit';
import { describeGateway, GatewayFixture } from '../testing/gateway-fixture';

/** A fifth of a large installation: a busy machine leaves a margin of ten below the timeout for any statement that is linear. */
const POSTS = 20_000;

/** Each post with two files and a cover, most with a caption, many queued. */
const SEED = [
  `INSERT INTO content_items (id, platform, source_id, original_url, title, state, auto_process_stage, processing_errors, top_comments)
   SELECT gen_random_uuid(), 'reddit', 'seed' || n, 'https://www.reddit.com/comments/' || n, 'Post ' || n,
     (ARRAY['ready','posted','queued','failed','captioning'])[1 + n % 5], 'queuePost', '[{"stage":"ai"}]', '[{"body":"Nice"}]'
   FROM generate_series(1, ${POSTS}) n`,
  `INSERT INTO media_files (id, item_id, role, media_type, object_key, file_name, content_type, bytes, sha256)
   SELECT gen_random_uuid(), i.id, role, 'video', 'processed/' || left(hash, 2) || '/' || hash || '.mp4', 'a.mp4', 'video/mp4', 1, hash
   FROM content_items i, unnest(ARRAY['original','processed','cover']) role, LATERAL (SELECT encode(sha256((i.id || role)::bytea), 'hex') AS hash) h`,
  `INSERT INTO captions (item_id, caption, caption_model) SELECT id, 'Words', 'test' FROM content_items WHERE state <> 'failed'`,
  `INSERT INTO queue_items (id, item_id, status, caption, queued_by)
   SELECT gen_random_uuid(), id, CASE state WHEN 'queued' THEN 'scheduled' ELSE 'posted' END, 'Words', 'a' FROM content_items WHERE state IN ('queued','posted')`,
  `INSERT INTO stage_jobs (id, stage, subject_id, item_id, message_key, state, max_attempts, correlation_id)
   SELECT gen_random_uuid(), 'ai', id, id, id::text, 'requested', 3, id FROM content_items WHERE state = 'captioning'`,
  `INSERT INTO skipped_posts (id, subreddit, source_id, original_url, reason)
   SELECT gen_random_uuid(), 'aww', 's' || n, 'https://www.reddit.com/comments/s' || n, 'min_score_filter' FROM generate_series(1, ${POSTS}) n`,
  'ANALYZE',
];

describeGateway('Clear All', () => {
  let gateway: GatewayFixture;
  beforeEach(async () => (gateway = await GatewayFixture.start()));
  afterEach(() => gateway?.stop());

  const clear = async () => {
    const { body } = await gateway.call('delete', '/api/reddit/clear-all').expect(200);
    return body as { message: string; data: ClearedData };
  };
  const count = async (table: string) => (await gateway.database.sql.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`))[0]?.n;

  it(`answers once ${POSTS} items are cleared, before the timeout at which the answer would be 503`, async () => {
    for (const statement of SEED) await gateway.database.sql.query(statement);
    // what is measured is the answer; files go after it
    const deleting = jest.spyOn(LocalStore.prototype, 'delete').mockResolvedValue();
    const started = performance.now();
    const { data } = await clear();
    const seconds = (performance.now() - started) / 1000;
    expect(data).toEqual({
      posts: POSTS,
      files: POSTS * 3,
      captions: POSTS * 0.8,
      queueItems: POSTS * 0.4,
      skippedPosts: POSTS,
      browserLogs: 0,
      stillPublishing: 0,
    });
    console.info(`Clear All of ${POSTS} posts: ${seconds.toFixed(1)} s`);
    await gateway.stop();
    deleting.mockRestore();
    gateway = await GatewayFixture.start();
  });

  it('keeps subreddits, settings, claims, provenance, ledger and audit log, and reports the counts', async () => {
    const item = await gateway.item('posted');
    await gateway.item('downloaded');
    await gateway.database.unitOfWork(async (uow) => {
      await aSubreddit(uow);
      await uow.rights.saveFingerprints(item.id, [{ sha256: 'ab'.repeat(32), pdq: [] }]);
      await uow.rights.saveDecision({ itemId: item.id, verdict: 'clear', reasons: [], matches: [], provenance: { author: 'an_author' } });
    });
    await gateway.call('post', '/api/rights/claims', { title: 'A film', claimant: 'Its maker', sha256: '12'.repeat(32) }).expect(200);
    await gateway.call('put', '/api/instagram-queue/interval', { intervalMinutes: 90 }).expect(200);
    const { message, data } = await clear();
    expect(message).toBe('2 posts, 2 files and 0 queue items were deleted.');
    expect(data).toMatchObject({ posts: 2, captions: 1 });
    for (const kept of ['subreddits', 'rights_claims', 'rights_verdicts', 'audit_log'])
      expect([kept, await count(kept)]).not.toEqual([kept, 0]);
    expect(await count('fingerprints')).toBe(2);
    expect((await gateway.call('get', '/api/instagram-queue/status')).body.data.intervalMinutes).toBe(90);
    expect(await gateway.database.read.items.find(item.id)).toMatchObject({ state: 'deleted', sourceId: item.sourceId });
    expect((await clear()).data).toMatchObject({ posts: 0, files: 0 });
    await gateway.item('downloaded');
    expect((await clear()).message).toBe('1 post, 1 file and 0 queue items were deleted.');
  });

  it.each([
    ['whose outcome is unknown', 'unknown', true],
    ['that was called and refused', 'container', true],
    ['that was never called', 'container', false],
  ] as const)('ends an attempt only before its first call: one %s', async (_what, state, called) => {
    const { database } = gateway;
    const { id } = await gateway.item('ready');
    const { _id } = (await gateway.call('post', `/api/instagram-queue/${id}`, { postImmediately: true }).expect(200)).body.data;
    const attempt = await database.read.attempts.findOpenOf(id);
    await database.sql.query(
      `UPDATE publish_attempts SET state = $2, container_id = 'c1', called_at = CASE WHEN $3 THEN now() END WHERE id = $1`,
      [attempt?.id, state, called],
    );
    expect((await clear()).data.stillPublishing).toBe(called ? 1 : 0);
    expect((await database.read.attempts.find(attempt?.id ?? ''))?.state).toBe(called ? state : 'failed');
    expect((await database.read.queue.find(_id as string))?.status).toBe(called ? 'posting' : undefined);
  });

  it('is retried after a deadlock', async () => {
    const { database } = gateway;
    const item = await gateway.item('ready');
    await gateway.call('post', `/api/ai/process/${item.id}`, {}).expect(200);
    let holder: Promise<void> = Promise.resolve();
    const locked = new Promise<void>((resolve, reject) => {
      const holding = database.sql.transaction(async (tx) => {
        await tx.query('SELECT 1 FROM content_items WHERE id = $1 FOR UPDATE', [item.id]);
        resolve();
        await gateway.lockIsAwaited('UPDATE content_items');
        await tx.query('SELECT 1 FROM stage_jobs WHERE item_id = $1 FOR UPDATE', [item.id]);
      });
      holder = holding.catch(reject);
    });
    await locked;
    await clear();
    await holder;
    expect((await database.read.items.find(item.id))?.state).toBe('deleted');
  });
});
