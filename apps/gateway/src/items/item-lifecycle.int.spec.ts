import {
  type ContentDetails,
  contentDetailsSchema,
  contentItemSchema,
  downloadSchema,
  readyForAiSchema,
  readyForDmcaSchema,
} from '@autoposter/contracts';
import { type Failure, failureOf } from '@autoposter/domain';
import type { StageJob } from '@autoposter/persistence';
import { claimJob, endJob } from '@autoposter/testkit';
import { GatewayFixture, describeGateway } from '../testing/gateway-fixture';

describeGateway('items', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => (gateway = await GatewayFixture.start()));
  afterAll(() => gateway?.stop());

  const jobOf = async (itemId: string, stage: 'download' | 'dmca' | 'ai') => gateway.database.read.jobs.findOpen(stage, itemId);
  const stateOf = async (id: string) => (await gateway.database.read.items.find(id))?.state;

  describe('submitted links', () => {
    const url = (id: string) => `https://www.reddit.com/r/aww/comments/${id}/title?utm_source=share`;

    it('creates an item and requests its download in one transaction', async () => {
      const { body, status } = await gateway.call('post', '/api/reddit/process', { url: url('1aaaaa') });
      expect([status, body.data.status, body.data.known]).toEqual([200, 'processing', false]);
      const job = await jobOf(body.data.id, 'download');
      expect(job).toMatchObject({ state: 'requested', messageKey: body.data.id });
      const [row] = await gateway.database.sql.query<{ together: boolean }>(
        'SELECT i.xmin::text = j.xmin::text AS together FROM content_items i JOIN stage_jobs j ON j.item_id = i.id WHERE j.id = $1',
        [job?.id],
      );
      expect(row).toEqual({ together: true });
    });

    it('maps every form of a link to the same item', async () => {
      const first = await gateway.call('post', '/api/reddit/process', { url: url('1bbbbb') });
      const again = await gateway.call('post', '/api/reddit/process', { url: 'https://old.reddit.com/comments/1BBBBB' });
      expect(again.body.data).toMatchObject({ id: first.body.data.id, known: true });
    });

    it.each([
      ['reddit', 'https://redd.it/1short', 'https://www.reddit.com/comments/1short'],
      ['reddit', 'https://www.reddit.com/gallery/1galle', 'https://www.reddit.com/comments/1galle'],
      ['reddit', 'https://v.redd.it/abc123def456', 'https://v.redd.it/abc123def456'],
      ['reddit', 'https://i.redd.it/abc123def456.jpeg', 'https://i.redd.it/abc123def456.jpeg'],
      ['reddit', 'https://www.reddit.com/r/aww/s/AbCdEf1234', 'https://www.reddit.com/r/aww/s/AbCdEf1234'],
      ['instagram', 'https://www.instagram.com/reels/Chhh_3333/', 'https://www.instagram.com/reel/Chhh_3333/'],
      ['instagram', 'https://www.instagram.com/tv/Ciii_4444/', 'https://www.instagram.com/p/Ciii_4444/'],
    ] as const)('accepts a link of %s in the form %s', async (platform, address, originalUrl) => {
      const { body, status } = await gateway.call('post', `/api/${platform}/process`, { url: address });
      expect([status, body.data]).toEqual([200, expect.objectContaining({ originalUrl, known: false })]);
      expect((await jobOf(body.data.id, 'download'))?.state).toBe('requested');
    });

    it('queues known and new posts automatically when the complete pipeline is requested', async () => {
      const whole = await gateway.call('post', '/api/pipeline/process-complete', { url: url('1ccccc') });
      expect((await gateway.database.read.items.find(whole.body.data.id))?.autoProcessStage).toBe('queuePost');
      const waiting = await gateway.item('downloaded', { sourceId: '1ddddd' });
      await gateway.call('post', '/api/pipeline/process-complete', { url: url('1ddddd') }).expect(200);
      expect(await stateOf(waiting.id)).toBe('protecting');
      expect((await jobOf(waiting.id, 'dmca'))?.state).toBe('requested');
    });

    it('restores a deleted post', async () => {
      const gone = await gateway.item('deleted', { sourceId: '1eeeee' });
      const { body } = await gateway.call('post', '/api/reddit/process', { url: url('1eeeee') });
      expect(body.data).toMatchObject({ id: gone.id, status: 'processing', known: false });
      expect(await stateOf(gone.id)).toBe('downloading');
    });

    it('stores the account of an Instagram post and retries a download that failed without it', async () => {
      const paste = (address: string) =>
        gateway.call('post', '/api/instagram/process', { url: `https://www.instagram.com/${address}/?igsh=x` });
      const failed = await gateway.item('failed', {
        platform: 'instagram',
        sourceId: 'Cfff_1111',
        originalUrl: 'https://www.instagram.com/reel/Cfff_1111/',
        failedStage: 'download',
      });
      expect((await paste('reel/Cfff_1111')).body.data).toMatchObject({ id: failed.id, status: 'failed', known: true });
      const named = { originalUrl: 'https://www.instagram.com/some.one/reel/Cfff_1111/', status: 'processing' };
      expect((await paste('Some.One/reel/Cfff_1111')).body.data).toMatchObject({ ...named, id: failed.id });
      expect((await jobOf(failed.id, 'download'))?.state).toBe('requested');
      const { body } = await paste('some.one/p/Cggg_2222');
      expect(body.data.originalUrl).toBe('https://www.instagram.com/some.one/p/Cggg_2222/');
    });

    it.each([
      ['https://www.reddit.com/r/aww/', 'not to a post'],
      ['https://www.instagram.com/p/Cabcdefg123/', 'not from Reddit'],
      ['https://evil.example/?https://www.reddit.com/r/aww/comments/1x', 'must be Reddit or Instagram'],
    ])('refuses %s with a message', async (address, words) => {
      const { body, status } = await gateway.call('post', '/api/reddit/process', { url: address });
      expect([status, body.error]).toEqual([422, expect.stringContaining(words)]);
    });
  });

  it('lists items by state in the shape of the schema', async () => {
    const [downloaded, protectedItem, ready] = [
      await gateway.item('downloaded'),
      await gateway.item('protected'),
      await gateway.item('ready'),
    ];
    const of = async (path: string, id: string) =>
      ((await gateway.call('get', path)).body.data as { id?: string; _id?: string }[]).find((row) => (row.id ?? row._id) === id);
    expect(readyForDmcaSchema.strict().safeParse(await of('/api/dmca/ready', downloaded.id)).success).toBe(true);
    expect(readyForAiSchema.strict().safeParse(await of('/api/ai/ready', protectedItem.id)).success).toBe(true);
    const content = contentItemSchema.strict().parse(await of('/api/ai/completed', ready.id));
    expect(content).toMatchObject({ status: 'ai_completed', aiContent: { hashtags: ['#one', '#two'] }, fileSize: expect.any(Number) });
    const download = downloadSchema.strict().parse(await of('/api/downloads', ready.id));
    expect(download).toMatchObject({ status: 'completed', fileInfo: { dimensions: { width: 1080, height: 1920 }, storageType: 'local' } });
    const details = await gateway.call('get', `/api/content/${ready.id}`);
    expect(contentDetailsSchema.strict().safeParse(details.body.data).success).toBe(true);
  });

  it('returns all items, or pages without repetition and gaps', async () => {
    const whole = (await gateway.call('get', '/api/downloads')).body.data as { _id: string }[];
    const paged: string[] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor === null ? '' : `&cursor=${cursor}`;
      const { body } = await gateway.call('get', `/api/downloads?limit=3${query}`);
      paged.push(...(body.data as { _id: string }[]).map((row) => row._id));
      cursor = body.nextCursor;
    } while (cursor !== null);
    expect(paged).toEqual(whole.map((row) => row._id));
    const cards = (await gateway.call('get', '/api/ai/completed?limit=1')).body;
    expect([cards.data.length, cards.totalCount > 0, cards.data[0].commentsData]).toEqual([1, true, null]);
  });

  it('requests DMCA protection of one item and refuses one in another state', async () => {
    const item = await gateway.item('downloaded');
    const first = await gateway.call('post', `/api/dmca/process/${item.id}`);
    expect(first.body.data).toMatchObject({ id: item.id, state: 'protecting', jobId: expect.any(String) });
    const second = await gateway.call('post', `/api/dmca/process/${item.id}`);
    expect([second.status, second.body.error]).toEqual([409, expect.stringContaining('Only a downloaded post')]);
    expect((await gateway.call('post', `/api/ai/process/${item.id}`, {})).status).toBe(409);
  });

  it('lists only the first ready files, those that wait for a provider last, and counts all', async () => {
    await gateway.item('downloaded');
    await gateway.item('downloaded');
    const [oldest, waiting] = [await gateway.item('protected'), await gateway.item('captioning')];
    await gateway.database.sql.query(`UPDATE content_items SET updated_at = '2020-01-01' WHERE id = ANY($1::uuid[])`, [
      [oldest.id, waiting.id],
    ]);
    await gateway.database.sql.query(
      `INSERT INTO stage_jobs (id, stage, subject_id, item_id, message_key, state, max_attempts, wait_code, due_at, correlation_id)
       VALUES (gen_random_uuid(), 'ai', $1::uuid, $1::uuid, $1::uuid::text, 'waiting', 3, 'quota_exceeded', now() + interval '1 hour', gen_random_uuid())`,
      [waiting.id],
    );
    for (const path of ['/api/dmca/ready', '/api/ai/ready']) {
      const all = (await gateway.call('get', path).expect(200)).body as { data: { id: string }[]; totalCount: number };
      expect(all.totalCount).toBe(all.data.length);
      const first = (await gateway.call('get', `${path}?limit=1`).expect(200)).body;
      expect(first).toMatchObject({ data: [{ id: all.data[0]?.id }], totalCount: all.totalCount });
      await gateway.call('get', `${path}?limit=1001`).expect(422);
    }
    const { data } = (await gateway.call('get', '/api/ai/ready')).body as { data: { id: string }[] };
    expect([data[0]?.id, data.at(-1)?.id]).toEqual([oldest.id, waiting.id]);
    await gateway.database.sql.query('DELETE FROM stage_jobs WHERE item_id = $1', [waiting.id]);
    await gateway.database.sql.query('DELETE FROM content_items WHERE id = $1', [waiting.id]);
  });

  it('tells why a post is tried again', async () => {
    const item = await gateway.item('captioning');
    const failure = failureOf('storage_timed_out', { fields: { operation: 'get', seconds: 30 } });
    await gateway.database.sql.query(
      `INSERT INTO stage_jobs (id, stage, subject_id, item_id, message_key, state, max_attempts, failure, due_at, correlation_id)
       VALUES (gen_random_uuid(), 'ai', $1::uuid, $1::uuid, $1::uuid::text, 'retrying', 3, $2::jsonb, now() + interval '1 minute', gen_random_uuid())`,
      [item.id, failure],
    );
    const { body } = await gateway.call('get', `/api/content/${item.id}`).expect(200);
    const { message, kind, side } = failure;
    expect(body.data.waiting).toMatchObject({ reason: `Retrying after a failure. ${message}`, code: kind, side });
    await gateway.database.sql.query('DELETE FROM stage_jobs WHERE item_id = $1', [item.id]);
    await gateway.database.sql.query('DELETE FROM content_items WHERE id = $1', [item.id]);
  });

  it('requests all items at once: the first batch now, the others at the configured pace', async () => {
    const items = [await gateway.item('protected'), await gateway.item('protected'), await gateway.item('protected')];
    const before = ((await gateway.call('get', '/api/ai/ready')).body.data as unknown[]).length;
    const { body } = await gateway.call('post', '/api/ai/process-all', {
      batchSize: 2,
      delayBetweenFiles: 5000,
      maxFiles: 10,
      tone: 'dry',
    });
    expect(body).toMatchObject({ success: true, total: before, processed: before, skipped: 0 });
    const jobs = await Promise.all(items.map((item) => jobOf(item.id, 'ai')));
    expect(jobs.every((job) => job?.correlationId === body.runId && job?.options['tone'] === 'dry')).toBe(true);
    const waits = await gateway.database.sql.query<{ state: string; n: number }>(
      'SELECT state, count(*)::int AS n FROM stage_jobs WHERE correlation_id = $1 GROUP BY state ORDER BY state',
      [body.runId],
    );
    expect(waits).toEqual([
      { state: 'requested', n: 2 },
      { state: 'waiting', n: before - 2 },
    ]);
    expect((await gateway.call('get', '/api/ai/ready')).body.data).toEqual([]);
  });

  it('counts items over the limit as skipped', async () => {
    await gateway.item('protected');
    await gateway.item('protected');
    const { body } = await gateway.call('post', '/api/ai/process-all', { maxFiles: 1 });
    expect(body).toMatchObject({ processed: 1, total: 2, skipped: 1 });
  });

  it('retries an item at its failed stage up to the limit', async () => {
    const item = await gateway.item('failed', { failedStage: 'ai', retryCount: 2 });
    expect((await gateway.call('post', `/api/instagram/retry/${item.id}`)).status).toBe(404);
    const { body } = await gateway.call('post', `/api/reddit/retry/${item.id}`);
    expect(body.data).toMatchObject({ state: 'captioning' });
    expect(await gateway.database.read.items.find(item.id)).toMatchObject({ retryCount: 3, failedStage: null });
    const damaged = await gateway.item('failed', {
      failedStage: 'dmca',
      processingErrors: [
        {
          stage: 'dmca',
          message: 'The file is damaged.',
          timestamp: new Date().toISOString(),
          kind: 'corrupt_media',
          resumeFrom: 'download',
        },
      ],
    });
    expect((await gateway.call('post', `/api/reddit/retry/${damaged.id}`)).status).toBeLessThan(300);
    expect(await gateway.database.read.items.find(damaged.id)).toMatchObject({ state: 'downloading', retryCount: 1 });
    const worn = await gateway.item('failed', { failedStage: 'dmca', retryCount: 3 });
    expect((await gateway.call('post', `/api/reddit/retry/${worn.id}`)).status).toBe(409);
    const fine = await gateway.item('ready');
    expect((await gateway.call('post', `/api/reddit/retry/${fine.id}`)).status).toBe(409);
  });

  it.each([
    ['blocked', null],
    ['failed', 'download'],
    ['failed', 'dmca'],
  ] as const)('are not tried again when %s (at %s) and removed at their source, and say what to do', async (state, failedStage) => {
    const item = await gateway.item(state, { failedStage });
    await gateway.database.unitOfWork((uow) => uow.items.purgeContent(item.id));
    const { status, body } = await gateway.call('post', `/api/reddit/retry/${item.id}`);
    expect([status, body.message]).toEqual([409, expect.stringContaining('removed at its source and its files were deleted here')]);
    expect((await gateway.call('post', `/api/dmca/process/${item.id}`)).status).toBe(409);
    expect(await gateway.database.read.items.find(item.id)).toMatchObject({ state, retryCount: 0 });
    expect(await gateway.database.read.jobs.findOpen('dmca', item.id)).toBeNull();
  });

  it('keeps a tombstone of a deleted item and deletes files that no other item uses', async () => {
    const item = await gateway.item('downloaded');
    const [file] = await gateway.database.read.media.ofItem(item.id);
    await gateway.call('delete', `/api/downloads/${item.id}`).expect(200);
    expect(await stateOf(item.id)).toBe('deleted');
    expect(await gateway.objects.stat(file?.objectKey ?? '')).toBeNull();
    expect((await gateway.call('delete', `/api/downloads/${item.id}`)).status).toBe(404);
    const posting = await gateway.item('posting');
    expect((await gateway.call('delete', `/api/downloads/${posting.id}`)).status).toBe(409);
  });

  it('discards an item, and accepts captions up to the limit', async () => {
    const item = await gateway.item('ready');
    const edited = await gateway.call('put', `/api/ai/update-caption/${item.id}`, { caption: '  New words  ' });
    expect(edited.body.data.aiContent).toMatchObject({ caption: 'New words', editedBy: 'admin@example.com' });
    await gateway.call('put', `/api/ai/update-caption/${item.id}`, { caption: 'x'.repeat(2200) }).expect(200);
    expect((await gateway.call('put', `/api/ai/update-caption/${item.id}`, { caption: 'x'.repeat(2201) })).status).toBe(422);
    expect((await gateway.call('put', `/api/ai/update-caption/${item.id}`, { caption: '  ' })).status).toBe(422);
    // two UTF-16 units each: too long for what is counted when it is queued
    expect((await gateway.call('put', `/api/ai/update-caption/${item.id}`, { caption: '😀'.repeat(1101) })).status).toBe(422);
    const tags = Array.from({ length: 31 }, (_, index) => `#t${index}`).join(' ');
    const refused = await gateway.call('put', `/api/ai/update-caption/${item.id}`, { caption: tags });
    expect([refused.status, refused.body.error]).toEqual([422, expect.stringContaining('31 hashtags')]);
    const captioning = await gateway.item('ready');
    await gateway.call('post', `/api/ai/process/${captioning.id}`, {}).expect(200);
    expect((await gateway.call('put', `/api/ai/update-caption/${captioning.id}`, { caption: 'Lost words' })).status).toBe(409);
    await gateway.call('put', `/api/ai/discard/${item.id}`).expect(200);
    const shown = (await gateway.call('get', '/api/ai/completed')).body.data as { id: string }[];
    expect(shown.some((row) => row.id === item.id)).toBe(false);
  });

  it('restores a discarded item once, unless it matches a newer rights claim', async () => {
    const [ready, failed, claimed] = [await gateway.item('ready'), await gateway.item('failed'), await gateway.item('ready')];
    for (const { id } of [ready, failed, claimed]) await gateway.call('put', `/api/ai/discard/${id}`).expect(200);
    const back = await gateway.call('post', `/api/content/${ready.id}/restore`);
    expect([back.status, back.body.data.status]).toEqual([200, 'ai_completed']);
    const again = await gateway.call('post', `/api/content/${ready.id}/restore`);
    expect([again.status, again.body.error]).toEqual([409, 'Only a discarded post can be restored; this one is ready.']);
    await gateway.database.unitOfWork(async (uow) => {
      uow.history.append({ type: 'dmca.failed', subjectId: failed.id, itemId: failed.id, state: 'failed' });
      uow.history.append({ type: 'item.discarded', subjectId: failed.id, itemId: failed.id, state: 'discarded' });
    });
    await gateway.call('post', `/api/content/${failed.id}/restore`).expect(200);
    expect(await stateOf(failed.id)).toBe('failed');
    const sha256 = 'c'.repeat(64);
    await gateway.database.unitOfWork((uow) => uow.rights.saveFingerprints(claimed.id, [{ sha256, pdq: [] }]));
    await gateway.call('post', '/api/rights/claims', { title: 'Dawn', claimant: 'North Light', sha256 }).expect(200);
    const refused = await gateway.call('post', `/api/content/${claimed.id}/restore`);
    expect([refused.status, refused.body.error]).toEqual([409, expect.stringContaining('the claimed work "Dawn"')]);
    expect((await gateway.call('post', `/api/content/${crypto.randomUUID()}/restore`)).status).toBe(404);
  });

  it('shows the jobs of each stage with their failed attempts', async () => {
    const item = await gateway.item('downloaded');
    await gateway.call('post', `/api/dmca/process/${item.id}`).expect(200);
    const job = await jobOf(item.id, 'dmca');
    const held = await claimJob(gateway.database, job?.id ?? '');
    const failure = { kind: 'timeout', message: 'It took too long.', side: 'ours', nextAction: null } as unknown as Failure;
    await endJob(gateway.database.read.jobs, held as StageJob, { state: 'retrying', inSeconds: 60, failure });
    const { stages } = (await gateway.call('get', `/api/content/${item.id}`)).body.data as ContentDetails;
    expect(stages).toMatchObject([
      { stage: 'dmca', state: 'retrying', attempts: 1, dueAt: expect.any(String), endings: [{ attempt: 1, message: 'It took too long.' }] },
    ]);
  });

  it('serves media to a signed URL or a session, whole and in ranges', async () => {
    const item = await gateway.item('ready');
    const list = (await gateway.call('get', '/api/ai/completed')).body.data as { id: string; processedCdnUrl: string }[];
    const address = list.find((row) => row.id === item.id)?.processedCdnUrl ?? '';
    const whole = await gateway.visitor.get(address).buffer(true);
    expect([whole.status, whole.headers['content-type'], whole.headers['accept-ranges']]).toEqual([200, 'video/mp4', 'bytes']);
    expect(whole.body.toString()).toBe(`video of ${item.id}`);
    const tag = whole.headers['etag'] ?? '';
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*'])
      expect((await gateway.visitor.get(address).set('If-None-Match', known)).status).toBe(304);
    expect((await gateway.visitor.get(address).set('If-None-Match', '"other"')).status).toBe(200);
    const part = await gateway.visitor.get(address).set('Range', 'bytes=6-7').buffer(true);
    expect([part.status, part.headers['content-range'], part.body.toString()]).toEqual([206, 'bytes 6-7/45', 'of']);
    expect((await gateway.visitor.get(address).set('Range', 'bytes=45-')).status).toBe(416);
    expect(
      (await gateway.visitor.get(address.replace(/signature=./u, (start) => (start.endsWith('_') ? 'signature=-' : 'signature=_')))).status,
    ).toBe(401);
    expect((await gateway.visitor.get(`/api/media/video/${item.id}`)).status).toBe(401);
    expect((await gateway.call('get', `/api/media/video/${item.id}`)).status).toBe(200);
    expect((await gateway.call('get', `/api/media/cover/${item.id}`)).status).toBe(404);
  });

  it('clears all items except those being published, the ledger and the tombstones', async () => {
    const [ready, posting] = [await gateway.item('ready'), await gateway.item('posting')];
    await gateway.call('delete', '/api/reddit/clear-all').expect(200);
    expect([await stateOf(ready.id), await stateOf(posting.id)]).toEqual(['deleted', 'posting']);
    expect((await gateway.call('get', '/api/downloads')).body.data.map((row: { _id: string }) => row._id)).toContain(posting.id);
    const open = await gateway.database.sql.query("SELECT 1 FROM stage_jobs WHERE state IN ('requested','running','waiting','retrying')");
    expect(open).toEqual([]);
    const [audit] = await gateway.database.read.audit.list(1);
    expect(audit).toMatchObject({ actor: 'admin@example.com', action: 'data.clear' });
  });

  it('publishes nothing after Clear All unless the call was already sent', async () => {
    const [waiting, called, refused] = [await gateway.item('ready'), await gateway.item('ready'), await gateway.item('ready')];
    for (const { id } of [waiting, called, refused])
      await gateway.call('post', `/api/instagram-queue/${id}`, { postImmediately: true }).expect(200);
    await gateway.database.sql.query("UPDATE publish_attempts SET state = 'intent', intent_at = now() WHERE item_id = $1", [called.id]);
    await gateway.database.sql.query("UPDATE publish_attempts SET state = 'container', called_at = now() WHERE item_id = $1", [refused.id]);
    await gateway.call('delete', '/api/reddit/clear-all').expect(200);
    expect([await stateOf(waiting.id), await stateOf(called.id), await stateOf(refused.id)]).toEqual(['deleted', 'posting', 'posting']);
    const jobs = await gateway.database.sql.query<{ item_id: string }>(
      "SELECT item_id FROM stage_jobs WHERE stage = 'post' AND state IN ('requested','running','waiting','retrying')",
    );
    expect(jobs.map((job) => job.item_id).sort()).toEqual([called.id, refused.id].sort());
    const attempts = await gateway.database.sql.query('SELECT item_id, state FROM publish_attempts WHERE item_id = ANY($1::uuid[])', [
      [waiting.id, called.id],
    ]);
    expect(attempts).toEqual(
      expect.arrayContaining([
        { item_id: waiting.id, state: 'failed' },
        { item_id: called.id, state: 'intent' },
      ]),
    );
  });

  it('shows what a post waits for while it is being published', async () => {
    const item = await gateway.item('ready');
    await gateway.call('post', `/api/instagram-queue/${item.id}`, { postImmediately: true }).expect(200);
    await gateway.database.sql.query(
      "UPDATE stage_jobs SET state = 'waiting', due_at = '2030-01-01T00:00:00Z', wait_reason = 'The quota is used up.' WHERE item_id = $1",
      [item.id],
    );
    const { body } = await gateway.call('get', `/api/content/${item.id}`);
    expect(body.data).toMatchObject({ state: 'posting', waiting: { until: '2030-01-01T00:00:00.000Z', reason: 'The quota is used up.' } });
  });
});
