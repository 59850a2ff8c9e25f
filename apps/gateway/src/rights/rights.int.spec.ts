import { claimSchema, type Claim } from '@autoposter/contracts';
import { DEFAULT_RIGHTS_THRESHOLDS, SETTING } from '@autoposter/domain';
import { requestStage } from '@autoposter/job-engine';
import { claimJob, pollUntil } from '@autoposter/testkit';
import { findClaimNaming } from '@autoposter/workflow';
import { describeGateway } from '../testing/gateway-fixture';
import { GatewayFixture } from '../testing/gateway-fixture';

describeGateway('rights claims', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => (gateway = await GatewayFixture.start()));
  afterAll(() => gateway?.stop());

  const claim = (body: object) => gateway.call('post', '/api/rights/claims', { title: 'A film', claimant: 'Its maker', ...body });
  const sha256 = 'ab'.repeat(32);

  it('registers a claim by hashes and matches them from then on', async () => {
    const { body, status } = await claim({ sha256, pdqHashes: ['cd'.repeat(32)] });
    expect(status).toBe(200);
    expect(claimSchema.strict().parse(body.data)).toMatchObject({ status: 'active', fingerprints: 2, createdBy: 'admin@example.com' });
    const item = await gateway.item('downloaded');
    expect(await gateway.database.read.rights.findMatches(item.id, [{ sha256, pdq: [] }])).toEqual([
      expect.objectContaining({ kind: 'claim', id: body.data.id }),
    ]);
  });

  it('registers the fingerprints of an item', async () => {
    const item = await gateway.item('protected');
    expect((await claim({ itemId: item.id })).status).toBe(409);
    const pdq = [
      { hash: 'ef'.repeat(32), quality: 90, atSeconds: 1 },
      { hash: '01'.repeat(32), quality: 10, atSeconds: 2 },
    ];
    await gateway.database.unitOfWork((uow) => uow.rights.saveFingerprints(item.id, [{ sha256: '12'.repeat(32), pdq }]));
    const { id, fingerprints } = (await claim({ itemId: item.id })).body.data;
    expect(fingerprints).toBe(3);
    // its file gets the views for cropped copies, which the prints of an item lack
    const [original] = await gateway.database.read.media.ofItem(item.id, 'original');
    expect((await gateway.database.read.rights.findClaim(id))?.claim.work).toMatchObject({
      state: 'stored',
      objectKey: original?.objectKey,
    });
    expect(await gateway.database.read.jobs.findOpen('register', id)).toMatchObject({ state: 'requested' });
  });

  it('fingerprints what was made of an item whose original is gone', async () => {
    const item = await gateway.item('protected');
    await gateway.database.unitOfWork(async (uow) => {
      await uow.rights.saveFingerprints(item.id, [{ sha256: '13'.repeat(32), pdq: [] }]);
      await uow.media.replace(item.id, 'original', []);
    });
    const { id } = (await claim({ itemId: item.id }).expect(200)).body.data;
    const [processed] = await gateway.database.read.media.ofItem(item.id, 'processed');
    expect((await gateway.database.read.rights.findClaim(id))?.claim.work).toMatchObject({
      state: 'stored',
      objectKey: processed?.objectKey,
    });
  });

  it('blocks matching items and removes them from the queue', async () => {
    const [named, same, other] = [await gateway.item('ready'), await gateway.item('ready'), await gateway.item('ready')];
    await gateway.database.unitOfWork(async (uow) => {
      for (const item of [named, same]) await uow.rights.saveFingerprints(item.id, [{ sha256: '77'.repeat(32), pdq: [] }]);
    });
    const place = await gateway.call('post', `/api/instagram-queue/${same.id}`, {}).expect(200);
    await claim({ itemId: named.id }).expect(200);
    const states = await gateway.database.read.items.findMany([named.id, same.id, other.id]);
    expect(new Map(states.map(({ id, state }) => [id, state]))).toEqual(
      new Map([
        [named.id, 'blocked'],
        [same.id, 'blocked'],
        [other.id, 'ready'],
      ]),
    );
    expect(await gateway.database.read.queue.find(place.body.data._id)).toMatchObject({ status: 'cancelled' });
    expect((await gateway.call('post', `/api/instagram-queue/${named.id}`, {})).status).toBe(409);
    const { body } = await gateway.call('get', '/api/skipped-posts?skipReason=dmca_failure');
    expect(body.data.posts.map((post: { itemId: string }) => post.itemId)).toEqual(expect.arrayContaining([named.id, same.id]));
  });

  /** Four frames that are alike, each two bits further from the first. */
  const scene = (digit: string) => ['0', '1', '3', '7'].map((end) => `${digit.repeat(63)}${end}`);
  const seen = (digit: string) => [{ sha256: null, pdq: scene(digit).map((hash, at) => ({ hash, quality: 90, atSeconds: at })) }];
  const now = async (id: string) => gateway.database.read.items.find(id);

  it('blocks similar items at every stage and reports the published ones', async () => {
    const states = ['protected', 'captioning', 'ready', 'queued', 'failed', 'downloaded', 'posted'] as const;
    const items = new Map<string, string>();
    for (const state of states) {
      const item = await gateway.item(state, state === 'failed' ? { failedStage: 'ai' } : {});
      items.set(state, item.id);
      await gateway.database.unitOfWork(async (uow) => {
        await uow.rights.saveFingerprints(item.id, seen('9'));
        if (state === 'queued') await uow.queue.create({ itemId: item.id, status: 'scheduled', caption: 'x', queuedBy: 'a' });
        if (state === 'captioning') await requestStage(uow, { stage: 'ai', subjectId: item.id, itemId: item.id, key: item.id, actor: 'a' });
      });
    }
    const { body } = await claim({ title: 'Dusk', pdqHashes: [scene('9')[0]] }).expect(200);
    expect(body.data.held).toEqual({ blocked: 5, flagged: 0, out: [{ id: items.get('posted'), title: expect.any(String) }] });
    const after = Object.fromEntries(await Promise.all(states.map(async (state) => [state, (await now(items.get(state) ?? ''))?.state])));
    const blocked = { protected: 'blocked', captioning: 'blocked', ready: 'blocked', queued: 'blocked', failed: 'blocked' };
    expect(after).toEqual({ ...blocked, downloaded: 'downloaded', posted: 'posted' });
    expect(await gateway.database.read.jobs.findOpen('ai', items.get('captioning') ?? '')).toBeNull();
    expect(await gateway.database.read.queue.findOpenOf(items.get('queued') ?? '')).toBeNull();
  });

  it('flags a partial video match for review and removes it from the queue', async () => {
    const [ready, queued] = [await gateway.item('ready'), await gateway.item('queued')];
    const scenes = ['2', '4', '6', 'a', 'c'].map((digit, at) => ({ hash: digit.repeat(64), quality: 90, atSeconds: at }));
    await gateway.database.unitOfWork(async (uow) => {
      for (const { id } of [ready, queued]) await uow.rights.saveFingerprints(id, [{ sha256: null, pdq: scenes }]);
      await uow.queue.create({ itemId: queued.id, status: 'pending', caption: 'x', queuedBy: 'a' });
    });
    const { body } = await claim({ title: 'A glimpse', pdqHashes: ['2'.repeat(64)] }).expect(200);
    expect(body.data.held).toEqual({ blocked: 0, flagged: 2, out: [] });
    for (const { id } of [ready, queued]) {
      const fields = { title: 'A glimpse', by: 'pdq', matched: 1, compared: 5, distance: 0 };
      const reviewReasons = [{ code: 'resembles_work', fields }];
      expect(await now(id)).toMatchObject({ state: 'ready', needsReview: true, reviewReasons });
    }
  });

  it('decides by the thresholds that an administrator sets, and records the change', async () => {
    const stored = (await gateway.call('get', '/api/rights/thresholds').expect(200)).body.data;
    const shown = await gateway.item('protected');
    const scenes = ['b', 'd', 'e', 'f', '6'].map((digit, at) => ({ hash: digit.repeat(64), quality: 90, atSeconds: at }));
    const claimed = scenes.slice(0, 3).map(({ hash }) => hash);
    await claim({ title: 'Three scenes', pdqHashes: claimed }).expect(200);
    const strength = async () => (await gateway.database.read.rights.findMatches(shown.id, [{ sha256: null, pdq: scenes }]))[0]?.strength;
    expect(await strength()).toBe('block');
    await gateway.call('put', '/api/rights/thresholds', { ...stored, videoBlockShare: 0.7 }).expect(200);
    expect(await strength()).toBe('flag');
    const wrong = await gateway.call('put', '/api/rights/thresholds', { ...stored, videoFlagShare: 0.61 });
    expect([wrong.status, wrong.body.error]).toEqual([422, expect.stringContaining('flagged at no greater share')]);
    const former = await gateway.call('put', '/api/rights/thresholds', { ...stored, pictureDiffering: 0.04 });
    expect([former.status, former.body.error]).toEqual([400, expect.stringContaining('pictureDiffering')]);
    await gateway.call('put', '/api/rights/thresholds', stored).expect(200);
    const { body } = await gateway.call('get', '/api/audit-log?action=rights.thresholds');
    expect(body.data.posts[0].detail).toMatchObject({ before: { videoBlockShare: 0.7 }, after: { videoBlockShare: 0.6 } });
  });

  it('ignores a stored threshold that no longer exists, and keeps the others', async () => {
    await gateway.database.unitOfWork((uow) =>
      uow.settings.set(SETTING.rightsThresholds, { pictureDiffering: 0.1, soundSeconds: 20 }, 'a'),
    );
    const { body } = await gateway.call('get', '/api/rights/thresholds').expect(200);
    expect(body.data).toEqual({ ...DEFAULT_RIGHTS_THRESHOLDS, soundSeconds: 20 });
    await gateway.call('put', '/api/rights/thresholds', DEFAULT_RIGHTS_THRESHOLDS).expect(200);
  });

  it.each([
    ['open', false, '05'],
    ['container', false, '15'],
    ['container', true, '45'],
    ['intent', true, '25'],
    ['unknown', true, '35'],
  ] as const)('handles an item with a publish attempt in state %s, called: %s', async (state, wasCalled, digits) => {
    const item = await gateway.item('ready');
    const digest = digits.repeat(32);
    await gateway.database.unitOfWork((uow) => uow.rights.saveFingerprints(item.id, [{ sha256: digest, pdq: [] }]));
    await gateway.call('post', `/api/instagram-queue/${item.id}`, { postImmediately: true }).expect(200);
    const attempt = await gateway.database.read.attempts.findOpenOf(item.id);
    const move = 'UPDATE publish_attempts SET state = $2, called_at = CASE WHEN $3 THEN now() END WHERE id = $1';
    await gateway.database.sql.query(move, [attempt?.id, state, wasCalled]);
    const { body } = await claim({ title: 'Too late', sha256: digest }).expect(200);
    const job = await gateway.database.read.jobs.findOpen('post', attempt?.id ?? '');
    if (!wasCalled) {
      expect(body.data.held).toMatchObject({ blocked: 1, out: [] });
      expect([(await now(item.id))?.state, job]).toEqual(['blocked', null]);
      expect(await gateway.database.read.attempts.find(attempt?.id ?? '')).toMatchObject({
        state: 'failed',
        failure: { kind: 'rights_blocked' },
      });
    } else {
      expect(body.data.held).toMatchObject({ blocked: 0, out: [{ id: item.id }] });
      expect(await now(item.id)).toMatchObject({
        state: 'posting',
        needsReview: true,
        reviewReasons: [{ code: 'shows_claimed_work', fields: { title: 'Too late' } }],
      });
      expect(job).not.toBeNull();
    }
  });

  it('does not deadlock with a worker at its publish call', async () => {
    const { database } = gateway;
    const item = await gateway.item('ready');
    const digest = '6c'.repeat(32);
    await database.unitOfWork((uow) => uow.rights.saveFingerprints(item.id, [{ sha256: digest, pdq: [] }]));
    await gateway.call('post', `/api/instagram-queue/${item.id}`, { postImmediately: true }).expect(200);
    const attempt = await database.read.attempts.findOpenOf(item.id);
    const open = await database.read.jobs.findOpen('post', attempt?.id ?? '');
    const job = await claimJob(database, open?.id ?? '', { owner: 'worker', leaseSeconds: 60 });
    if (attempt === null || job === null) throw new Error('the job could not be had');
    let answer: Promise<{ body: { data: { held: unknown } } }> | undefined;
    await database.sql.transaction(async (worker) => {
      await worker.query(`UPDATE stage_jobs SET intent_step = 'publish' WHERE id = $1`, [job.id]);
      answer = Promise.resolve(claim({ title: 'At once', sha256: digest }).expect(200));
      await gateway.lockIsAwaited();
      await worker.query('SELECT 1 FROM publish_attempts WHERE id = $1 FOR UPDATE NOWAIT', [attempt.id]);
      await worker.query('SELECT 1 FROM queue_items WHERE id = $1 FOR UPDATE NOWAIT', [attempt.queueItemId]);
      await worker.query('SELECT 1 FROM content_items WHERE id = $1 FOR UPDATE NOWAIT', [item.id]);
      await worker.query(`UPDATE publish_attempts SET state = 'intent' WHERE id = $1`, [attempt.id]);
    });
    expect((await answer)?.body.data.held).toMatchObject({ blocked: 0, out: [{ id: item.id }] });
    expect(await database.read.jobs.findOpen('post', attempt.id)).toMatchObject({ id: job.id, fence: job.fence });
  });

  it('shows trimmed length, omitted and enlarged files of an item', async () => {
    const item = await gateway.item('ready');
    const provenance = { trimmedFromSeconds: 125.5, filesLeftOut: 4, contentCredentials: [{ issuer: 'Example Cameras', verified: false }] };
    const enlargedFrom = [{ width: 320, height: 180 }];
    const changes = [{ enlargedFrom: null }, { enlargedFrom: enlargedFrom[0] }];
    await gateway.database.unitOfWork((uow) =>
      uow.rights.saveDecision({ itemId: item.id, verdict: 'clear', reasons: [], matches: [], provenance: { ...provenance, changes } }),
    );
    expect((await gateway.call('get', `/api/content/${item.id}`)).body.data).toMatchObject({ ...provenance, enlargedFrom });
    const list = (await gateway.call('get', '/api/ai/completed')).body.data as { id: string }[];
    expect(list.find(({ id }) => id === item.id)).toMatchObject(provenance);
  });

  it.each([
    [{ sourceUrl: 'https://redd.it/claimed1' }, { sourceId: 'claimed1' }],
    [{ subreddit: 'r/claimed_origin' }, { originSubreddit: 'Claimed_Origin' }],
    [{ sourceUrl: 'https://i.redd.it/claimedpicture.jpg' }, { sourcePost: 'https://preview.redd.it/a-claimedpicture.jpg?width=1' }],
    [{ sourceUrl: 'https://redd.it/claimed2' }, { originId: 'claimed2' }],
    [{ author: 'u/Claimed_Author' }, { author: 'claimed_author' }],
    [{ author: 'u/Claimed_Sharer' }, { sharedBy: 'claimed_sharer' }],
    [{ subreddit: 'r/Claimed_Sub' }, { subreddit: 'claimed_sub' }],
  ])('stops collected posts that a claim by %j names, and those only', async (named, change) => {
    const {
      sourcePost: url,
      originId,
      originSubreddit,
      sharedBy,
      ...fields
    } = change as Partial<Record<'sourcePost' | 'originId' | 'originSubreddit' | 'sharedBy', string>>;
    const source = { platform: 'reddit', sourceId: 'other', permalink: 'https://redd.it/other', author: 'a', subreddit: 's' };
    const isStored = [url, originId, originSubreddit, sharedBy].some((given) => given !== undefined);
    const post = isStored ? { sourcePost: { ...source, originId, originSubreddit, sharedBy, media: url ? [{ url }] : [] } } : {};
    const states = ['accepted', 'downloaded', 'ready', 'posted'] as const;
    const items = [];
    for (const state of states) {
      const own = 'sourceId' in fields && state !== 'ready' ? { sourceId: state } : fields;
      items.push(await gateway.item(state, { ...own, ...post } as never));
    }
    const other = await gateway.item('ready');
    const { body } = await claim(named).expect(200);
    const after = await Promise.all(items.map(async ({ id }) => (await now(id))?.state));
    expect(after).toEqual(
      'sourceId' in fields ? ['accepted', 'downloaded', 'blocked', 'posted'] : ['failed', 'blocked', 'blocked', 'posted'],
    );
    expect(body.data.held.out).toHaveLength('sourceId' in fields ? 0 : 1);
    expect((await now(other.id))?.state).toBe('ready');
    expect(body.data.targets).toHaveLength(1);
  });

  it('blocks by active claims alone, and records each change of status', async () => {
    const item = await gateway.item('downloaded', { author: 'disputed_author' });
    const { id } = (await claim({ author: 'someone_else', noticeReference: 'N-1', noticeDate: '2026-05-04' }).expect(200)).body.data;
    const change = (body: object) => gateway.call('post', `/api/rights/claims/${id}/status`, body);
    const target = [{ kind: 'author', key: 'reddit:someone_else' }] as const;
    const blocking = () => gateway.database.read.claims.onTargets(target);
    expect(await blocking()).toHaveLength(1);
    await change({ status: 'disputed', note: 'Counter notice' }).expect(200);
    expect(await blocking()).toEqual([]);
    const expiresAt = new Date(Date.now() + 60_000).toISOString();
    const renewed = await change({ status: 'active', expiresAt }).expect(200);
    expect(renewed.body.data).toMatchObject({ status: 'active', expiresAt, noticeReference: 'N-1', noticeDate: '2026-05-04' });
    const expired = () => gateway.database.unitOfWork((uow) => uow.claims.expireDue());
    expect(await expired()).toEqual([]);
    await gateway.database.sql.query(`UPDATE rights_claims SET expires_at = now() - interval '1 second' WHERE id = $1`, [id]);
    expect(await expired()).toEqual([id]);
    await change({ status: 'withdrawn' }).expect(200);
    expect((await change({ status: 'active' })).status).toBe(409);
    const { body } = await gateway.call('get', `/api/audit-log?subject=${id}`);
    expect(body.data.posts.map((entry: { action: string }) => entry.action)).toEqual(
      expect.arrayContaining(['rights.claim', 'rights.dispute', 'rights.reactivate', 'rights.withdraw']),
    );
    expect((await now(item.id))?.state).toBe('downloaded');
  });

  it('refuses an end in the past, and holds nothing back', async () => {
    const item = await gateway.item('ready', { author: 'past_author' });
    const past = { expiresAt: new Date(Date.now() - 60_000).toISOString() };
    const refused = await claim({ author: 'past_author', ...past });
    expect([refused.status, refused.body.error]).toEqual([422, 'Please give an end in the future.']);
    expect((await now(item.id))?.state).toBe('ready');
    const { id } = (await claim({ author: 'another_past_author' }).expect(200)).body.data;
    await gateway.call('post', `/api/rights/claims/${id}/status`, { status: 'disputed' }).expect(200);
    expect((await gateway.call('post', `/api/rights/claims/${id}/status`, { status: 'active', ...past })).status).toBe(422);
  });

  it('never stops the posts that an entry beside the claim allows, until it ends', async () => {
    const digest = '8d'.repeat(32);
    const created = (await claim({ title: 'Allowed film', sha256: digest, author: 'allowed_author' }).expect(200)).body.data;
    const item = await gateway.item('downloaded', { author: 'allowed_author' });
    const other = await gateway.item('downloaded', { author: 'other_author' });
    const { rights, claims } = gateway.database.read;
    const matched = async (id: string) => (await rights.findMatches(id, [{ sha256: digest, pdq: [] }])).map((match) => match.id);
    const naming = async () => findClaimNaming(claims, item);
    expect([await matched(item.id), (await naming())?.code]).toEqual([[created.id], 'claimed_source']);

    const allow = (body: object) =>
      gateway.call('post', `/api/rights/claims/${created.id}/allow`, { reason: 'The claimant posts it', ...body });
    expect((await allow({ kind: 'author', named: 'no name' })).status).toBe(422);
    const { allowed } = (await allow({ kind: 'author', named: 'u/Allowed_Author' }).expect(200)).body.data as Claim;
    expect(allowed).toEqual([expect.objectContaining({ kind: 'author', key: 'reddit:allowed_author', reason: 'The claimant posts it' })]);
    expect([await matched(item.id), await naming(), await matched(other.id)]).toEqual([[], null, [created.id]]);
    // neither the claim that becomes active again nor its fingerprints hold the post back
    await gateway.database.unitOfWork((uow) => uow.rights.saveFingerprints(item.id, [{ sha256: digest, pdq: [] }]));
    await gateway.call('post', `/api/rights/claims/${created.id}/status`, { status: 'disputed' }).expect(200);
    const renewed = await gateway.call('post', `/api/rights/claims/${created.id}/status`, { status: 'active' }).expect(200);
    expect(renewed.body.data.held).toEqual({ blocked: 0, flagged: 0, out: [] });

    const end = () => gateway.call('post', `/api/rights/allow-entries/${allowed[0]?.id}/end`);
    expect((await end().expect(200)).body.data.allowed).toEqual([]);
    expect((await end()).status).toBe(404);
    expect([await matched(item.id), (await naming())?.code]).toEqual([[created.id], 'claimed_source']);
    const past = await allow({ kind: 'author', named: 'u/allowed_author', expiresAt: '2020-01-01T00:00:00.000Z' });
    expect([past.status, past.body.error]).toEqual([422, 'Please give an end in the future.']);
    await allow({ kind: 'author', named: 'u/allowed_author', expiresAt: new Date(Date.now() + 1_000).toISOString() }).expect(200);
    await pollUntil(async () => (await matched(item.id)).length === 1);
    const { body } = await gateway.call('get', `/api/audit-log?subject=${created.id}`);
    expect(body.data.posts.map((entry: { action: string }) => entry.action)).toEqual(
      expect.arrayContaining(['rights.allow', 'rights.end_allow']),
    );
  });

  it('replaces the entry that allows the same posts, also when two administrators add it at once', async () => {
    const created = (await claim({ author: 'twice_allowed' }).expect(200)).body.data;
    const allow = (reason: string) =>
      gateway.call('post', `/api/rights/claims/${created.id}/allow`, { kind: 'author', named: 'u/twice_allowed', reason });
    await allow('First');
    await Promise.all([allow('Second'), allow('Third')]);
    const { allowed } = (await allow('Last').expect(200)).body.data as Claim;
    expect(allowed).toEqual([expect.objectContaining({ key: 'reddit:twice_allowed', reason: 'Last' })]);
    await gateway.call('post', `/api/rights/allow-entries/${allowed[0]?.id}/end`).expect(200);
    const item = await gateway.item('downloaded', { author: 'twice_allowed' });
    expect((await findClaimNaming(gateway.database.read.claims, item))?.code).toBe('claimed_source');
  });

  it('refuses a claim on an unknown item', async () => {
    expect((await claim({ itemId: '01890000-0000-7000-8000-00000000abcd' })).status).toBe(404);
  });

  it('refuses a claim without hashes', async () => {
    expect((await claim({})).status).toBe(422);
  });

  it.each([
    [{ title: undefined }, 400, 'title: Please give the work a title'],
    [{ title: '  ' }, 422, 'title: Please give the work a title'],
    [{ claimant: '' }, 422, 'claimant: Please name who claims the work'],
    [{ sha256: 'short' }, 422, 'sha256: Please give the SHA-256 as 64 hexadecimal digits'],
    [{ pdqHashes: ['x'] }, 422, 'pdqHashes, entry 1: Please give the PDQ hash as 64 hexadecimal digits'],
    [{ itemId: 'mine' }, 422, 'itemId: Please name one of our posts by its id'],
    [{ upload: true, workUrls: ['https://a.example/b'] }, 422, 'workUrls: Give either a file or addresses of the work.'],
    [{ sourceUrl: 'javascript:alert(1)' }, 422, 'sourceUrl: Please give an address that begins with http:// or https://'],
  ])('refuses %j with a message', async (change, status, sentence) => {
    const answer = await claim({ sha256, ...change });
    expect([answer.status, answer.body.error]).toEqual([status, expect.stringContaining(sentence)]);
  });

  it.each([
    ['title', 'x'.repeat(301), 'Please give at most 300 characters, not 301 characters.'],
    ['claimant', 'x'.repeat(201), 'Please give at most 200 characters, not 201 characters.'],
    ['sourceUrl', `https://a.example/${'x'.repeat(2000)}`, 'Please give an address of at most 2000 characters, not 2018 characters.'],
  ])('says how long %s may be', async (field, text, sentence) => {
    const answer = await claim({ sha256, [field]: text });
    expect([answer.status, answer.body.error]).toEqual([422, `${field}: ${sentence}`]);
  });

  it('lists claims and withdraws one once', async () => {
    const { id } = (await claim({ sha256: '34'.repeat(32) })).body.data;
    expect((await gateway.call('post', `/api/rights/claims/${id}/withdraw`)).body.data.status).toBe('withdrawn');
    expect((await gateway.call('post', `/api/rights/claims/${id}/withdraw`)).status).toBe(409);
    const { body } = await gateway.call('get', '/api/rights/claims?status=withdrawn');
    expect(body.data.posts[0].id).toBe(id);
    expect(new Set(body.data.posts.map((post: { status: string }) => post.status))).toEqual(new Set(['withdrawn']));
  });
});
