import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import type { AnswerCountView, EvidenceKey, NoticeDetail, OpenMatchView, RightsCaseView, Strikes } from '@autoposter/contracts';
import { fileFields } from '@autoposter/testkit';
import { describeGateway, GatewayFixture } from '../testing/gateway-fixture';

const VERIFY = resolve(__dirname, '../../../../tools/evidence/verify.mjs');

describeGateway('takedown notices', () => {
  let gateway: GatewayFixture;
  const folder = mkdtempSync(join(tmpdir(), 'takedown-'));
  beforeAll(async () => (gateway = await GatewayFixture.start()));
  afterAll(async () => {
    await gateway?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const stateOf = async (id: string) => (await gateway.database.read.items.find(id))?.state;
  const printed = async (state: 'ready' | 'posted' | 'queued' | 'downloaded', digit: string) => {
    const item = await gateway.item(state, { author: 'copier' });
    await gateway.database.unitOfWork(async (uow) => {
      await uow.rights.saveFingerprints(item.id, [{ sha256: digit.repeat(64 / digit.length), pdq: [] }]);
      if (state === 'queued') await uow.queue.create({ itemId: item.id, status: 'scheduled', caption: 'x', queuedBy: 'a' });
    });
    return item;
  };
  const publishedOn = (accountId: string, itemId: string, permalink: string | null = null) =>
    gateway.database.sql.query(
      `INSERT INTO publish_attempts (id, item_id, queue_item_id, account_id, state, caption, caption_hash, media_sha256, permalink, media_id)
       VALUES (gen_random_uuid(), $2, gen_random_uuid(), $1, 'published', 'x', 'x', 'x', $3, '17')`,
      [accountId, itemId, permalink],
    );
  const NOTICE = {
    receivedAt: '2026-05-04T10:00:00.000Z',
    claimant: 'North Light',
    contact: 'law@example.com',
    goodFaith: true,
    accurate: true,
    signature: 'N. Light',
  };
  const notice = async (body: object): Promise<NoticeDetail> =>
    (await gateway.call('post', '/api/rights/notices', { ...NOTICE, ...body }).expect(200)).body.data;
  const step = (id: string, name: string, body: object) => gateway.call('post', `/api/rights/notices/${id}/${name}`, body);

  it('works a notice from its arrival to its answer', async () => {
    const posted = await printed('posted', 'a');
    const [copy, queued, other] = [await printed('ready', 'a'), await printed('queued', 'a'), await printed('ready', 'b')];
    const arrived = await notice({ work: 'Valley', reference: 'NL-1', locations: [`https://console.example/admin/items/${posted.id}`] });
    expect(arrived).toMatchObject({
      status: 'acting',
      missing: [],
      removeBy: '2026-05-05T10:00:00.000Z',
      answerBy: '2026-05-07T10:00:00.000Z',
    });
    expect(await Promise.all([posted, copy, queued, other].map(({ id }) => stateOf(id)))).toEqual([
      'posted',
      'blocked',
      'blocked',
      'ready',
    ]);
    const found = new Map(arrived.cases.map((one) => [one.itemId, one]));
    expect([found.get(posted.id)?.state, found.get(copy.id)?.state, found.get(queued.id)?.state]).toEqual(['open', 'held', 'held']);

    const toRemove = found.get(posted.id)?.id ?? '';
    await gateway.call('post', `/api/rights/cases/${toRemove}`, { action: 'remove' }).expect(200);
    await gateway.call('post', `/api/rights/cases/${toRemove}`, { action: 'removed', note: 'Checked in the app' }).expect(200);
    expect((await gateway.call('post', `/api/rights/cases/${toRemove}`, { action: 'dismissed' })).status).toBe(409);
    const { draft } = (await gateway.call('get', `/api/rights/notices/${arrived.id}`)).body.data as NoticeDetail;
    expect(draft).toContain('stopped 2 posts before publication');
    expect((await step(arrived.id, 'answer', { answer: draft }).expect(200)).body.data).toMatchObject({
      status: 'answered',
      answer: draft,
    });

    const closed = (await step(arrived.id, 'close', { outcome: 'upheld' }).expect(200)).body.data as NoticeDetail;
    expect(closed).toMatchObject({ status: 'upheld', repeatedAuthors: [{ author: 'copier', cases: 3 }] });
    expect((await gateway.call('get', '/api/rights/strikes')).body.data).toMatchObject({ active: 1, pausesAt: 3 });
    // the author of repeated cases is claimed as a whole
    expect(await gateway.database.read.claims.onTargets([{ kind: 'author', key: 'reddit:copier' }])).toHaveLength(1);
    expect(await stateOf(other.id)).toBe('blocked');
    expect((await step(arrived.id, 'close', { outcome: 'rejected' })).status).toBe(409);
  });

  it('keeps an incomplete notice without acting on it, and drafts what it lacks', async () => {
    const item = await printed('ready', 'c');
    const { signature: _without, ...rest } = NOTICE;
    const body = { ...rest, work: 'Dusk', locations: [`https://console.example/admin/items/${item.id}`] };
    const arrived = (await gateway.call('post', '/api/rights/notices', body).expect(200)).body.data as NoticeDetail;
    expect(arrived).toMatchObject({ status: 'incomplete', missing: ['signature'], cases: [], claimId: null });
    expect(arrived.draft).toContain('signature');
    expect(await stateOf(item.id)).toBe('ready');
  });

  it('restores only after the window of a counter notice, and the claim then no longer stops posts', async () => {
    const item = await printed('posted', 'd');
    const arrived = await notice({ work: 'Noon', locations: [`https://console.example/admin/items/${item.id}`] });
    expect((await step(arrived.id, 'close', { outcome: 'restored' })).status).toBe(409);
    const counter = { receivedAt: '2026-05-04T10:00:00.000Z', sender: 'Its maker', statement: 'It is mine.' };
    const countered = (await step(arrived.id, 'counter-notice', counter).expect(200)).body.data as NoticeDetail;
    expect(countered).toMatchObject({
      status: 'countered',
      restoreFrom: '2026-05-18T10:00:00.000Z',
      restoreBy: '2026-05-22T10:00:00.000Z',
    });
    expect((await step(arrived.id, 'counter-notice', counter)).status).toBe(409);
    await step(arrived.id, 'close', { outcome: 'restored' }).expect(200);
    expect((await gateway.database.read.rights.findClaim(arrived.claimId ?? ''))?.claim.status).toBe('disputed');
  });

  it('upholds complete notices alone, and dates nothing in the future or before the notice', async () => {
    const { signature: _without, ...rest } = NOTICE;
    const incomplete = (await gateway.call('post', '/api/rights/notices', { ...rest, work: 'Fog', locations: [] })).body
      .data as NoticeDetail;
    const { active } = (await gateway.call('get', '/api/rights/strikes')).body.data;
    expect((await step(incomplete.id, 'close', { outcome: 'upheld' })).status).toBe(409);
    expect((await gateway.call('get', '/api/rights/strikes')).body.data.active).toBe(active);
    const later = new Date(Date.now() + 48 * 3_600_000).toISOString();
    expect((await gateway.call('post', '/api/rights/notices', { ...NOTICE, receivedAt: later, work: 'Fog' })).status).toBe(422);
    const { id } = await notice({ work: 'Rain', locations: ['https://www.instagram.com/reel/rain/'] });
    const counter = (receivedAt: string) => step(id, 'counter-notice', { receivedAt, sender: 'Its maker', statement: 'It is mine.' });
    expect((await counter('2020-01-01T00:00:00.000Z')).status).toBe(422);
    expect((await counter(later)).status).toBe(422);
  });

  it.each(['discarded', 'deleted', 'blocked'] as const)('finds a published post whose item is %s', async (state) => {
    const item = await gateway.item('posted', { author: `live_${state}` });
    const permalink = `https://www.instagram.com/reel/live-${state}/`;
    await publishedOn(`account-${state}`, item.id, permalink);
    await gateway.database.sql.query('UPDATE content_items SET state = $2 WHERE id = $1', [item.id, state]);
    const arrived = await notice({ work: `Live ${state}`, locations: [permalink] });
    expect(arrived.cases).toMatchObject([{ itemId: item.id, itemState: state, state: 'open', dueAt: arrived.removeBy, permalink }]);
    expect(arrived.draft).not.toContain('found no post');
    const claim = { title: `Of ${state}`, claimant: 'x', author: `u/live_${state}` };
    expect((await gateway.call('post', '/api/rights/claims', claim)).body.data.held.out).toMatchObject([{ id: item.id }]);
  });

  it('opens the case of a post again that was stopped and turns out to be live', async () => {
    const item = await printed('ready', 'b7');
    const arrived = await notice({ work: 'Dawn', locations: [`https://console.example/admin/items/${item.id}`] });
    expect(arrived.cases).toMatchObject([{ state: 'held' }]);
    const reopen = () => gateway.database.unitOfWork((uow) => uow.cases.reopenHeld(item.id, 24));
    expect([await reopen(), await reopen()]).toEqual([[arrived.claimId], []]);
    const { cases } = (await gateway.call('get', `/api/rights/notices/${arrived.id}`)).body.data as NoticeDetail;
    expect(cases).toMatchObject([{ state: 'open', closedAt: null, dueAt: expect.any(String) }]);
  });

  it('gives cases the deadline of the notice, also those that a claim opened before', async () => {
    const item = await printed('posted', 'e1');
    const { held } = (await gateway.call('post', '/api/rights/claims', { title: 'Snow', claimant: 'x', sha256: 'e1'.repeat(32) })).body
      .data;
    expect(held.out).toHaveLength(1);
    const receivedAt = new Date(Date.now() - 20 * 3_600_000).toISOString();
    const arrived = await notice({ receivedAt, work: 'Snow', locations: [`https://console.example/admin/items/${item.id}`] });
    expect(arrived.cases.map(({ dueAt }) => dueAt)).toEqual([arrived.removeBy]);
    const audited = (await gateway.call('get', `/api/audit-log?action=rights.notice&subject=${arrived.id}`)).body.data.posts;
    expect(audited).toEqual([expect.objectContaining({ detail: { claimId: arrived.claimId, missing: [] } })]);
  });

  it('takes nothing down for a notice that is rejected, and counts it against no author', async () => {
    const authored = async (digit: string) => {
      const item = await gateway.item('posted', { author: 'innocent' });
      await gateway.database.unitOfWork((uow) => uow.rights.saveFingerprints(item.id, [{ sha256: digit.repeat(32), pdq: [] }]));
      return item;
    };
    for (const digit of ['61', '71', '81']) {
      const item = await authored(digit);
      const arrived = await notice({ work: `Work ${digit}`, locations: [`https://console.example/admin/items/${item.id}`] });
      const closed = (await step(arrived.id, 'close', { outcome: digit === '81' ? 'upheld' : 'rejected' }).expect(200)).body
        .data as NoticeDetail;
      expect(closed.cases.map(({ state }) => state)).toEqual([digit === '81' ? 'open' : 'dismissed']);
      expect(closed.repeatedAuthors).toEqual([]);
    }
    expect(await gateway.database.read.claims.onTargets([{ kind: 'author', key: 'reddit:innocent' }])).toEqual([]);
  });

  it('keeps the first of two decisions on a notice, with what follows from it', async () => {
    const { id, claimId } = await notice({ work: 'Hail', locations: ['https://www.instagram.com/reel/hail/'] });
    const results = await Promise.all(['rejected', 'upheld', 'rejected'].map((outcome) => step(id, 'close', { outcome })));
    expect(results.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const { status } = (await gateway.call('get', `/api/rights/notices/${id}`)).body.data as NoticeDetail;
    expect((await gateway.database.read.rights.findClaim(claimId ?? ''))?.claim.status).toBe(status === 'upheld' ? 'active' : 'withdrawn');
  });

  it('lists posts that show its work when that is fingerprinted later', async () => {
    const item = await printed('posted', 'ab');
    const arrived = await notice({ work: 'Ice', locations: ['https://www.instagram.com/reel/ice/'] });
    const claimId = arrived.claimId ?? '';
    await gateway.database.unitOfWork((uow) => uow.rights.addClaimPrints(claimId, [{ sha256: 'ab'.repeat(32), pdq: [] }]));
    await gateway.call('post', `/api/rights/claims/${claimId}/status`, { status: 'disputed' }).expect(200);
    await gateway.call('post', `/api/rights/claims/${claimId}/status`, { status: 'active' }).expect(200);
    const { cases } = (await gateway.call('get', `/api/rights/notices/${arrived.id}`)).body.data as NoticeDetail;
    expect(cases).toMatchObject([{ itemId: item.id, reason: 'notice', state: 'open', dueAt: arrived.removeBy }]);
  });

  it('has the file of a post that was not checked yet fingerprinted as the work', async () => {
    const item = await gateway.item('downloaded', { author: 'unchecked' });
    const file = fileFields({ mediaType: 'image', sha256: 'cd'.repeat(32) });
    await gateway.database.unitOfWork((uow) => uow.media.replace(item.id, 'original', [file]));
    const arrived = await notice({ work: 'Mist', locations: [`https://console.example/admin/items/${item.id}`] });
    const claim = (await gateway.database.read.rights.findClaim(arrived.claimId ?? ''))?.claim;
    expect(claim?.work).toMatchObject({ state: 'stored', objectKey: file.objectKey, sha256: file.sha256 });
    const jobs = await gateway.database.sql.query(`SELECT state FROM stage_jobs WHERE stage = 'register' AND subject_id = $1`, [claim?.id]);
    expect(jobs).toHaveLength(1);
    expect(await stateOf(item.id)).toBe('blocked');
  });

  it('has the work fetched from the addresses that the claimant gave, beside the files of posts that were not checked yet', async () => {
    const item = await gateway.item('downloaded', { author: 'unchecked' });
    const files = ['ef', 'fe'].map((digits) => fileFields({ mediaType: 'image', sha256: digits.repeat(32) }));
    await gateway.database.unitOfWork((uow) => uow.media.replace(item.id, 'original', files));
    const workUrls = ['https://northlight.example/valley.jpg'];
    const arrived = await notice({ work: 'Dew', workUrls, locations: [`https://console.example/admin/items/${item.id}`] });
    const claim = (await gateway.database.read.rights.findClaim(arrived.claimId ?? ''))?.claim;
    expect(claim?.work).toMatchObject({
      state: 'requested',
      urls: workUrls,
      sha256: files[0]?.sha256,
      more: [{ sha256: files[1]?.sha256 }],
    });
    expect(await gateway.database.read.jobs.findOpen('retrieve', claim?.id ?? '')).toMatchObject({ state: 'requested', forPerson: true });
  });

  it('drafts no promise that its claim cannot keep', async () => {
    const locations = ['https://console.example/admin/items/00000000-0000-7000-8000-000000000000'];
    const unknown = await notice({ work: 'Squall', locations });
    expect(unknown.draft).toContain('We cannot recognise other copies of "Squall" yet');
    const claimId = unknown.claimId ?? '';
    await gateway.database.unitOfWork((uow) =>
      uow.rights.addClaimPrints(claimId, [{ sha256: 'b5'.repeat(32), pdq: [{ hash: 'b5'.repeat(32), quality: 100, atSeconds: null }] }]),
    );
    const draft = async () => ((await gateway.call('get', `/api/rights/notices/${unknown.id}`)).body.data as NoticeDetail).draft;
    expect(await draft()).toContain('"Squall" is in our register');
    await gateway.call('post', `/api/rights/claims/${claimId}/status`, { status: 'disputed' }).expect(200);
    expect(await draft()).not.toContain('register');
    const fetched = await notice({ work: 'Breeze', workUrls: ['https://northlight.example/breeze.jpg'], locations });
    expect(fetched.draft).toContain('We are adding "Breeze" to our register');
  });

  it('claims the posts at its locations that are collected later, but not what we published ourselves', async () => {
    const live = await printed('posted', 'a7');
    await publishedOn('17841400000000000', live.id, 'https://www.instagram.com/reel/OurOwnPost1/');
    const { claimId, cases } = await notice({
      work: 'Sleet',
      locations: ['https://www.reddit.com/r/aww/comments/later1/a_title/', 'https://www.instagram.com/reel/OurOwnPost1/?igsh=x'],
    });
    expect(cases).toMatchObject([{ itemId: live.id, state: 'open' }]);
    const targets = (await gateway.database.read.claims.targetsOf([claimId ?? ''])).get(claimId ?? '') ?? [];
    expect(targets.map(({ key }) => key)).toEqual(expect.arrayContaining(['reddit:later1', `reddit:${live.sourceId}`]));
    expect(targets.map(({ key }) => key).filter((key) => key.startsWith('instagram:'))).toEqual([]);
  });

  it('claims the source of a post that it locates by its page before its download', async () => {
    const item = await gateway.item('accepted');
    await notice({ work: 'Gale', locations: [`https://console.example/admin/items/${item.id}`] });
    expect(await stateOf(item.id)).toBe('failed');
    const claims = await gateway.database.read.claims.onTargets([{ kind: 'url', key: `reddit:${item.sourceId}` }]);
    expect(claims).toMatchObject([{ title: 'Gale' }]);
  });

  it('opens no case for a post that was taken down already, and tells the next claimant so', async () => {
    const item = await printed('posted', 'f1');
    const locations = [`https://console.example/admin/items/${item.id}`];
    const [first] = (await notice({ work: 'Frost', locations })).cases;
    const { held } = (await gateway.call('post', '/api/rights/claims', { title: 'Frost 2', claimant: 'x', sha256: 'f1'.repeat(32) })).body
      .data;
    expect(held.out).toHaveLength(1);
    await gateway.call('post', `/api/rights/cases/${first?.id ?? ''}`, { action: 'removed' }).expect(200);
    const cases = await gateway.database.sql.query('SELECT state FROM rights_cases WHERE item_id = $1', [item.id]);
    expect(cases).toEqual([{ state: 'removed' }, { state: 'removed' }]);
    const later = (await gateway.call('post', '/api/rights/claims', { title: 'Frost 3', claimant: 'x', sha256: 'f1'.repeat(32) })).body
      .data;
    expect(later.held.out).toEqual([]);
    const second = await notice({ work: 'Frost 4', locations });
    expect(second.cases.map(({ state }) => state)).toEqual(['removed']);
    expect(second.draft).toContain('We removed');
  });

  it('revokes a strike when the claim of the upheld notice is withdrawn', async () => {
    const strikes = async () => (await gateway.call('get', '/api/rights/strikes')).body.data as Strikes;
    const { active } = await strikes();
    const { id, claimId } = await notice({ work: 'Thaw', locations: ['https://www.instagram.com/reel/thaw/'] });
    await step(id, 'close', { outcome: 'upheld' }).expect(200);
    expect((await strikes()).active).toBe(active + 1);
    await gateway
      .call('post', `/api/rights/claims/${claimId}/status`, { status: 'withdrawn', note: 'The claimant was wrong.' })
      .expect(200);
    const after = await strikes();
    expect([after.active, after.strikes.find(({ noticeId }) => noticeId === id)?.clearedAt]).toEqual([active, expect.any(String)]);
    const { posts } = (await gateway.call('get', `/api/audit-log?action=rights.strike.cleared&subject=${id}`)).body.data;
    expect(posts).toHaveLength(1);
  });

  it('pauses publishing at the third strike', async () => {
    for (const work of ['One', 'Two', 'Three']) {
      const { id } = await notice({ work, locations: ['https://www.instagram.com/reel/none/'] });
      await step(id, 'close', { outcome: 'upheld' }).expect(200);
    }
    expect((await gateway.call('get', '/api/publishing')).body.data).toMatchObject({ paused: true, by: 'strike rule' });
  });

  describe('answers about matches', () => {
    const matched = async (state: 'ready' | 'blocked', verdict: 'flagged' | 'blocked', digit: string) => {
      const claim = (
        await gateway.call('post', '/api/rights/claims', {
          title: `Work ${digit}`,
          claimant: 'x',
          pdqHashes: [digit.repeat(64 / digit.length)],
        })
      ).body.data;
      const reason = { code: 'resembles_work', fields: { title: claim.title, by: 'pdq', matched: 1, compared: 1, distance: 20 } };
      const item = await gateway.item(state, verdict === 'flagged' ? ({ needsReview: true, reviewReasons: [reason] } as never) : {});
      const match = { kind: 'claim', id: claim.id, title: claim.title, by: 'pdq', distance: 20, matched: 1, compared: 1, published: false };
      await gateway.database.unitOfWork(async (uow) => {
        await uow.media.replace(item.id, 'original', [fileFields({ sha256: digit.repeat(64 / digit.length) })]);
        await uow.rights.saveDecision({ itemId: item.id, verdict, reasons: [], matches: [match as never], provenance: {} });
      });
      return { item, claim, answer: (answer: string) => ({ itemId: item.id, other: { kind: 'claim', id: claim.id }, answer }) };
    };

    it('release an innocent look-alike for good, and count it', async () => {
      const { item, claim, answer } = await matched('ready', 'flagged', '3');
      const waiting = (await gateway.call('get', '/api/rights/matches?verdict=flagged')).body.data.posts;
      expect(waiting).toEqual([expect.objectContaining({ itemId: item.id, other: expect.objectContaining({ id: claim.id }) })]);
      await gateway.call('post', '/api/rights/answers', answer('different')).expect(200);
      expect(await gateway.database.read.items.find(item.id)).toMatchObject({ state: 'ready', needsReview: false, reviewReasons: [] });
      expect((await gateway.call('get', '/api/rights/matches?verdict=flagged')).body.data.posts).toEqual([]);
      // neither this item nor another one of the same file is matched with the work again
      const again = [{ kind: 'claim' as const, id: claim.id as string }];
      const { answers } = gateway.database.read;
      expect(await answers.withoutDifferent(item.id, [], again)).toEqual([]);
      expect(await answers.withoutDifferent('01890000-0000-7000-8000-00000000abcd', ['3'.repeat(64)], again)).toEqual([]);
      expect(await answers.withoutDifferent('01890000-0000-7000-8000-00000000abcd', [], again)).toEqual(again);
      const counts = (await gateway.call('get', '/api/rights/answers')).body.data;
      expect(counts).toEqual([{ verdict: 'flagged', rule: 'picture', from: null, confirmed: 0, rejected: 1 }]);
    });

    it('are listed and can be replaced, also after the post was deleted', async () => {
      const { item, answer } = await matched('ready', 'flagged', 'e');
      const listed = async (): Promise<OpenMatchView[]> =>
        (await gateway.call('get', '/api/rights/matches?answered=true').expect(200)).body.data.posts;
      await gateway.call('post', '/api/rights/answers', answer('different')).expect(200);
      const [match] = await listed();
      expect(match).toMatchObject({ itemId: item.id, answered: { answer: 'different', by: 'admin@example.com' } });
      expect((await gateway.call('post', '/api/rights/answers', answer('same'))).body.data.state).toBe('blocked');
      expect((await listed()).filter(({ itemId }) => itemId === item.id)).toMatchObject([
        { state: 'blocked', answered: { answer: 'same' } },
      ]);
      await gateway.call('delete', `/api/downloads/${item.id}`).expect(200);
      const after = await gateway.call('post', '/api/rights/answers', answer('same')).expect(200);
      expect(after.body.data.state).toBe('deleted');
    });

    it('keep a post for review while another work of the same title matches it', async () => {
      const { item, answer } = await matched('ready', 'flagged', 'a');
      const first = (await gateway.database.read.rights.decisionOf(item.id))?.matches[0];
      const second = { ...first, id: '01890000-0000-7000-8000-00000000abcd' };
      const matches = [first, second] as never[];
      await gateway.database.unitOfWork((uow) =>
        uow.rights.saveDecision({ itemId: item.id, verdict: 'flagged', reasons: [], matches, provenance: {} }),
      );
      await gateway.call('post', '/api/rights/answers', answer('different')).expect(200);
      expect(await gateway.database.read.items.find(item.id)).toMatchObject({
        needsReview: true,
        reviewReasons: [{ code: 'resembles_work', fields: { title: 'Work a' } }],
      });
      await gateway.call('post', '/api/rights/answers', { ...answer('different'), other: { kind: 'claim', id: second.id } }).expect(200);
      expect(await gateway.database.read.items.find(item.id)).toMatchObject({ needsReview: false, reviewReasons: [] });
    });

    it('release the file that was compared, and no other file of a gallery', async () => {
      const { claim, answer } = await matched('ready', 'flagged', '6');
      await gateway.call('post', '/api/rights/answers', answer('different')).expect(200);
      const { answers, rights } = gateway.database.read;
      const gallery = await gateway.item('protected');
      const [compared, shown] = ['6'.repeat(64), '7'.repeat(64)];
      const found = [0, 1].map((file) => ({ kind: 'claim' as const, id: claim.id as string, file }));
      expect(await answers.withoutDifferent(gallery.id, [compared, shown], found)).toEqual([found[1]]);

      await gateway.database.unitOfWork(async (uow) => {
        await uow.media.replace(
          gallery.id,
          'original',
          [compared, shown].map((sha256, position) => fileFields({ sha256, position })),
        );
        await uow.rights.saveFingerprints(
          gallery.id,
          [compared, shown].map((sha256) => ({ sha256, pdq: [] })),
        );
      });
      const showing = async (sha256: string) =>
        (await rights.findClaimed(claim, [{ sha256, pdq: [] }])).map(({ itemId, matches }) => [itemId, matches.map(({ file }) => file)]);
      expect(await showing(shown)).toEqual([[gallery.id, [1]]]);
      expect(await showing(compared)).toEqual([]);
    });

    it('compare the stored file of the post with what is left of the work, for who may see them', async () => {
      const item = await gateway.item('ready');
      const claim = (await gateway.call('post', '/api/rights/claims', { title: 'Seen', claimant: 'x', pdqHashes: ['8'.repeat(64)] })).body
        .data;
      const found = { kind: 'claim', id: claim.id, title: 'Seen', by: 'pdq', distance: 20, matched: 3, compared: 4, published: false };
      const segment = { ours: { fromSeconds: 2, toSeconds: 5 }, theirs: { fromSeconds: 4, toSeconds: 7 }, offsetSeconds: 2 };
      const evidence = { strength: 'flag', shareOfOurs: 0.75, shareOfTheirs: 0.5, views: ['full', 'mirrored'], segment, file: 0 };
      const match = { ...found, ...evidence, nearest: { theirFile: 1, ours: 3, theirs: null } } as never;
      await gateway.database.unitOfWork(async (uow) => {
        const preview = { side: 2, luma: Buffer.from([0, 1, 2, 3]) };
        await uow.rights.addClaimPrints(claim.id, [{ sha256: '8'.repeat(64), pdq: [], preview }]);
        await uow.rights.saveDecision({ itemId: item.id, verdict: 'flagged', reasons: [], matches: [match], provenance: {} });
      });
      const list = async () =>
        ((await gateway.call('get', '/api/rights/matches')).body.data.posts as OpenMatchView[]).find(({ itemId }) => itemId === item.id);
      const shown = await list();
      expect(shown).toMatchObject({ shareOfOurs: 0.75, shareOfTheirs: 0.5, views: ['full', 'mirrored'], segment, comparison: null });
      expect([shown?.ours?.mediaType, shown?.ours?.atSeconds, shown?.theirs?.mediaType]).toEqual(['video', 3, 'image']);
      const video = await gateway.visitor.get(shown?.ours?.url ?? '').expect(200);
      expect(video.headers['content-type']).toBe('video/mp4');
      const preview = await gateway.visitor.get(shown?.theirs?.url ?? '').expect(200);
      expect(preview.headers['content-type']).toBe('image/png');
      await gateway.visitor.get(`/api/media/compared/${claim.id}`).expect(401);
      await gateway.visitor.get((shown?.theirs?.url ?? '').replace(claim.id, item.id)).expect(401);

      await gateway.database.sql.query(`UPDATE content_items SET state = 'deleted' WHERE id = $1`, [item.id]);
      expect(await gateway.database.read.answers.compared([{ id: item.id, file: 0 }])).toEqual([]);
    });

    it('are counted by what the match was enough for and by what was measured', async () => {
      const claim = (await gateway.call('post', '/api/rights/claims', { title: 'Counted', claimant: 'x', pdqHashes: ['1'.repeat(64)] }))
        .body.data;
      const segment = { ours: {}, theirs: {}, offsetSeconds: 0 };
      for (const [strength, shareOfOurs, answer] of [
        ['block', 0.62, 'different'],
        ['block', 0.69, 'same'],
        ['flag', 1, 'different'],
      ] as const) {
        const { id: itemId } = await gateway.item('ready');
        const other = { kind: 'claim' as const, id: claim.id as string };
        const match = {
          ...other,
          title: 'Counted',
          by: 'pdq',
          distance: 4,
          matched: 3,
          compared: 4,
          published: false,
          strength,
          shareOfOurs,
          segment,
        };
        await gateway.database.unitOfWork((uow) =>
          uow.rights.saveDecision({ itemId, verdict: 'blocked', reasons: [], matches: [match as never], provenance: {} }),
        );
        await gateway.call('post', '/api/rights/answers', { itemId, other, answer }).expect(200);
      }
      const counts = (await gateway.call('get', '/api/rights/answers')).body.data as AnswerCountView[];
      expect(counts.filter(({ rule }) => rule === 'video')).toEqual([
        { verdict: 'blocked', rule: 'video', from: 0.6, confirmed: 1, rejected: 1 },
        { verdict: 'flagged', rule: 'video', from: 0.9, confirmed: 0, rejected: 1 },
      ]);
    });

    it('send a blocked look-alike through DMCA protection again', async () => {
      const { item, answer } = await matched('blocked', 'blocked', '4');
      await gateway.call('post', '/api/rights/answers', answer('different')).expect(200);
      expect(await stateOf(item.id)).toBe('protecting');
    });

    it('can be replaced after DMCA protection no longer found the work', async () => {
      const { item, answer } = await matched('blocked', 'blocked', '9');
      await gateway.call('post', '/api/rights/answers', answer('different')).expect(200);
      await gateway.database.unitOfWork(async (uow) => {
        await uow.rights.saveDecision({ itemId: item.id, verdict: 'clear', reasons: [], matches: [], provenance: {} });
      });
      await gateway.database.sql.query(`UPDATE content_items SET state = 'ready' WHERE id = $1`, [item.id]);
      await gateway.call('post', '/api/rights/answers', answer('same')).expect(200);
      expect(await stateOf(item.id)).toBe('blocked');
      expect(await gateway.database.read.answers.withoutDifferent(item.id, [], [answer('same').other as never])).toHaveLength(1);
    });

    it.each(['posted', 'discarded'] as const)('open a case for a confirmed match of a published post that is %s', async (state) => {
      const { item, claim, answer } = await matched('ready', 'flagged', state === 'posted' ? '01' : '02');
      await publishedOn(`confirmed-${state}`, item.id);
      await gateway.database.sql.query('UPDATE content_items SET state = $2 WHERE id = $1', [item.id, state]);
      await gateway.call('post', '/api/rights/answers', answer('same')).expect(200);
      expect(await stateOf(item.id)).toBe(state);
      const { posts } = (await gateway.call('get', '/api/rights/cases?state=open&limit=100')).body.data;
      const opened = (posts as RightsCaseView[]).filter(({ itemId }) => itemId === item.id);
      expect(opened).toMatchObject([{ reason: 'claim', claimTitle: claim.title, dueAt: expect.any(String) }]);
    });

    it('block a confirmed match', async () => {
      const { item, answer } = await matched('ready', 'flagged', '5');
      await gateway.call('post', '/api/rights/answers', answer('same')).expect(200);
      expect(await stateOf(item.id)).toBe('blocked');
      const other = { kind: 'claim', id: '01890000-0000-7000-8000-00000000abcd' };
      expect((await gateway.call('post', '/api/rights/answers', { ...answer('same'), other })).status).toBe(404);
    });
  });

  it('exports signed evidence that a script verifies offline with the published key', async () => {
    const item = await gateway.item('ready');
    const cover = await gateway.objects.put('covers', Readable.from([Buffer.from('a small picture')]), 'image/jpeg', 'jpg');
    await gateway.database.unitOfWork(async (uow) => {
      await uow.media.replace(item.id, 'cover', [
        fileFields({ mediaType: 'image', objectKey: cover.key, sha256: cover.sha256, bytes: cover.bytes, contentType: 'image/jpeg' }),
      ]);
      await uow.provenance.append(item.id, 'source', { permalink: item.originalUrl, note: 'ä "quoted"\nline' });
      const other = { kind: 'claim' as const, id: '01890000-0000-7000-8000-00000000abcd' };
      const frame = { other, file: 0, side: 'ours' as const, atSeconds: 0.1 + 0.2, sha256: cover.sha256 };
      const contentCredentials = [{ issuer: 'A Camera', bytes: 12, verified: false }];
      await uow.provenance.append(item.id, 'rights', { frames: [frame], contentCredentials, matches: [{ id: other.id, title: 'Föhn' }] });
      await uow.frames.add(item.id, [{ ...frame, contentType: 'image/jpeg', bytes: Buffer.from('a small picture') }]);
      await uow.provenance.append(item.id, 'published', { mediaId: '1789' });
    });
    const { body } = await gateway.call('get', `/api/rights/items/${item.id}/evidence`).expect(200);
    const { keys } = (await gateway.call('get', '/api/rights/evidence-keys').expect(200)).body.data as { keys: EvidenceKey[] };
    const [current, former] = keys.map(({ keyId }) => keyId);
    const file = join(folder, 'bundle.json');
    writeFileSync(file, JSON.stringify(body.data, null, 2));
    const verify = (...ids: (string | undefined)[]) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [VERIFY, file, ...ids.map((id) => id ?? '')], { encoding: 'utf8' });
      return [status, stdout + stderr];
    };
    expect(verify(current)).toEqual([0, expect.stringContaining('Verified: 3 records, 1 thumbnails and 1 matching frames')]);
    expect(verify(current)[1]).toContain('content credentials of A Camera');
    expect(body.data.frames).toMatchObject([{ other: { title: 'Föhn' }, side: 'ours' }]);
    expect(verify(former)).toEqual([1, expect.stringContaining(`foreign key, ${current}`)]);
    expect(verify()).toEqual([2, expect.stringContaining('Usage')]);
    for (const statement of ["UPDATE provenance_records SET body = '{}'", 'DELETE FROM provenance_records', 'TRUNCATE provenance_records'])
      await expect(gateway.database.sql.query(statement)).rejects.toThrow('append-only');
  });
});
