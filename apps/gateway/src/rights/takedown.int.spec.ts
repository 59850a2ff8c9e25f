import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import type { Evidence, EvidenceKey, InstagramAccounts, NoticeDetail, Strikes } from '@autoposter/contracts';
import { fileFields } from '@autoposter/testkit';
import { connectedAccount } from '../testing/api-table/arrangements';
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
  const publishedOn = (
    accountId: string,
    itemId: string,
    permalink: string | null = null,
    { queueItemId = randomUUID() as string, mediaId = '17' } = {},
  ) =>
    gateway.database.sql.query(
      `INSERT INTO publish_attempts (id, item_id, queue_item_id, account_id, state, caption, caption_hash, media_sha256, permalink, media_id)
       VALUES (gen_random_uuid(), $2, $4, $1, 'published', 'x', 'x', 'x', $3, $5)`,
      [accountId, itemId, permalink, queueItemId, mediaId],
    );
  const NOTICE = {
    receivedAt: '2026-05-04T10:00:00.000Z',
    claimant: 'North Light',
    contact: 'law@example.com',
    goodFaith: true,
    accurate: true,
    signature: 'N. Light',
  };
  /** The address of the page of a post that is live; no record names its account. */
  const livePost = async () => `https://console.example/admin/items/${(await gateway.item('posted')).id}`;
  const notice = async (body: object): Promise<NoticeDetail> =>
    (await gateway.call('post', '/api/rights/notices', { ...NOTICE, ...body }).expect(200)).body.data;
  const step = (id: string, name: string, body: object) => gateway.call('post', `/api/rights/notices/${id}/${name}`, body);

  it('works a notice from its arrival to its answer', async () => {
    const posted = await printed('posted', 'a');
    await publishedOn('arrival', posted.id);
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
    expect(closed).toMatchObject({ status: 'upheld', repeatedAuthors: [] });
    expect((await gateway.call('get', '/api/rights/strikes')).body.data).toMatchObject({ active: 1, pausesAt: 3 });
    expect(await stateOf(other.id)).toBe('ready');
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

  it('removes posts of each account in turn, those that are due first, as far as their ids are known', async () => {
    const removing = async (account: string, dueInHours: number, mediaId: string | null) => {
      const { id: itemId } = await gateway.item('posted');
      await publishedOn(account, itemId);
      await gateway.database.sql.query('UPDATE publish_attempts SET media_id = $2 WHERE item_id = $1', [itemId, mediaId]);
      return gateway.database.unitOfWork(async (uow) => {
        const id = randomUUID();
        await uow.cases.open({ id, reason: 'source_removed', itemId, itemState: 'posted', state: 'open', dueInHours });
        await uow.cases.move(id, ['open'], 'removing', 'test');
        return id;
      });
    };
    const failing = [await removing('dead', 1, 'd1'), await removing('dead', 2, 'd2'), await removing('dead', 3, 'd3')];
    const [unknown, later, first] = [await removing('live', 1, null), await removing('live', 9, 'l2'), await removing('live', 8, 'l1')];
    const removable = async (except: string[], limit: number) =>
      (await gateway.database.read.cases.removable(except, limit)).map(({ id }) => id);
    expect(await removable([], 4)).toEqual([failing[0], first, failing[1], later]);
    expect(await removable(failing, 20)).toEqual([first, later]);
    expect(await removable([], 20)).not.toContain(unknown);
  });

  it('starts no removal of a post whose id is unknown, and lists what is pending by its deadline', async () => {
    const [unknown, known] = [await printed('posted', 'c1'), await printed('posted', 'c2')];
    await publishedOn('pending', known.id);
    const of = async ({ id }: { id: string }, receivedAt: string) =>
      (await notice({ receivedAt, work: 'Pending', locations: [`https://console.example/admin/items/${id}`] })).cases[0]?.id ?? '';
    const later = await of(unknown, '2026-03-02T10:00:00.000Z');
    const first = await of(known, '2026-03-01T10:00:00.000Z');
    const remove = (id: string) => gateway.call('post', `/api/rights/cases/${id}`, { action: 'remove' });
    expect([(await remove(later)).status, (await remove(first)).status]).toEqual([409, 200]);
    const { posts } = (await gateway.call('get', '/api/rights/cases?state=pending&limit=2')).body.data;
    expect(posts).toMatchObject([
      { id: first, state: 'removing' },
      { id: later, state: 'open' },
    ]);
    const [from, until] = [new Date('2026-03-02T10:00:00.000Z'), new Date('2026-03-03T10:00:00.000Z')];
    expect(await gateway.database.read.cases.alertsBetween(from, until)).toEqual({ opened: 0, overdue: 1 });
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

  it('takes the answer of a notice that was closed without one, once', async () => {
    const countOpen = async () => (await gateway.database.read.notices.findOpen()).length;
    const before = await countOpen();
    const { id } = await notice({ work: 'Sleet', locations: ['https://www.instagram.com/reel/sleet/'] });
    expect(await countOpen()).toBe(before + 1);
    await step(id, 'close', { outcome: 'rejected' }).expect(200);
    const answered = (await step(id, 'answer', { answer: 'We found no post of ours.' }).expect(200)).body.data as NoticeDetail;
    expect(answered).toMatchObject({ status: 'rejected', answer: 'We found no post of ours.', closedAt: expect.any(String) });
    const again = await step(id, 'answer', { answer: 'Another one.' });
    expect([again.status, again.body.error]).toEqual([409, 'This notice is rejected already, and its claimant has an answer.']);
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

  it('has the file of a checked post fingerprinted as the work, too, after those without prints', async () => {
    const [live, unchecked] = [await printed('posted', 'b6'), await gateway.item('downloaded')];
    const locations = [live, unchecked].map(({ id }) => `https://console.example/admin/items/${id}`);
    const { claimId } = await notice({ work: 'Haze', locations });
    const files = await gateway.database.read.media.ofItems([live.id, unchecked.id]);
    const keyOf = (id: string) => files.get(id)?.find(({ role }) => role === 'original')?.objectKey;
    const work = (await gateway.database.read.rights.findClaim(claimId ?? ''))?.claim.work;
    expect(work).toMatchObject({ state: 'stored', objectKey: keyOf(unchecked.id), more: [{ objectKey: keyOf(live.id) }] });
    expect(await gateway.database.read.jobs.findOpen('register', claimId ?? '')).not.toBeNull();
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
      locations: ['https://www.reddit.com/r/aww/comments/later1/a_title/', 'https://www.instagram.com/p/OurOwnPost1/?igsh=x'],
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
    const { id, claimId } = await notice({ work: 'Thaw', locations: [await livePost()] });
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
      const { id } = await notice({ work, locations: [await livePost()] });
      await step(id, 'close', { outcome: 'upheld' }).expect(200);
    }
    const state = { paused: true, by: 'autoposter', cause: 'strikes', reason: expect.stringMatching(/takedown notices .* were upheld/u) };
    expect((await gateway.call('get', '/api/publishing')).body.data).toMatchObject(state);
    // resuming acknowledges them, and the next one pauses again
    expect((await gateway.call('post', '/api/publishing/resume').expect(200)).body.data).toMatchObject({ paused: false });
    const { id } = await notice({ work: 'Four', locations: [await livePost()] });
    await gateway.call('post', '/api/publishing/pause').expect(200);
    await step(id, 'close', { outcome: 'upheld' }).expect(200);
    const { since } = (await gateway.call('get', '/api/publishing')).body.data;
    expect((await gateway.call('post', '/api/publishing/resume', { since }).expect(200)).body.data).toMatchObject(state);
    // the same call again does not acknowledge strikes that it has not seen
    expect((await gateway.call('post', '/api/publishing/resume', { since })).status).toBe(409);
    expect((await gateway.call('post', '/api/publishing/resume').expect(200)).body.data).toMatchObject({ paused: false });
  });

  it('counts a strike against the account on which the post was published, and pauses that one alone', async () => {
    await gateway.call('post', '/api/publishing/resume').expect(200);
    const accountId = await connectedAccount(gateway);
    const before = (await gateway.call('get', '/api/rights/strikes')).body.data as Strikes;
    for (const work of ['Fog', 'Mist', 'Haze']) {
      const item = await gateway.item('posted');
      const place = { itemId: item.id, status: 'posted', caption: 'x', queuedBy: 'a', accountId } as const;
      const queueItem = await gateway.database.unitOfWork((uow) => uow.queue.create(place));
      await publishedOn('17841400000000002', item.id, null, { queueItemId: queueItem?.id, mediaId: item.id });
      const { id } = await notice({ work, locations: [`https://console.example/admin/items/${item.id}`] });
      await step(id, 'close', { outcome: 'upheld' }).expect(200);
    }
    const after = (await gateway.call('get', '/api/rights/strikes')).body.data as Strikes;
    expect(after.accounts).toEqual([...(before.accounts ?? []), { accountId, active: 3 }]);
    expect([after.active - before.active, after.strikes.filter((one) => one.accountId === accountId).length]).toEqual([3, 3]);
    expect((await gateway.call('get', '/api/publishing')).body.data).toMatchObject({ paused: false });
    const { accounts } = (await gateway.call('get', '/api/instagram-accounts')).body.data as InstagramAccounts;
    expect(accounts.find(({ id }) => id === accountId)?.publishing).toMatchObject({ paused: true, cause: 'strikes' });
  });

  it('exports signed evidence that a script verifies offline with the published key', async () => {
    const item = await gateway.item('ready');
    const gone = await gateway.item('discarded');
    const cover = await gateway.objects.put('covers', Readable.from([Buffer.from('a small picture')]), 'image/jpeg', 'jpg');
    await gateway.database.unitOfWork(async (uow) => {
      await uow.media.replace(item.id, 'cover', [
        fileFields({ mediaType: 'image', objectKey: cover.key, sha256: cover.sha256, bytes: cover.bytes, contentType: 'image/jpeg' }),
      ]);
      const files = await uow.media.ofItem(item.id);
      const hashes = (wanted: string) => files.filter(({ role }) => role === wanted).map(({ sha256 }) => sha256);
      const title = 'ä "quoted"\nline';
      await uow.provenance.append(item.id, 'source', { permalink: 'https://redd.it/1a', title, author: null, files });
      const other = { kind: 'claim' as const, id: '01890000-0000-7000-8000-00000000abcd' };
      const frame = { other, file: 0, side: 'ours' as const, atSeconds: 0.1 + 0.2, sha256: cover.sha256 };
      const contentCredentials = [{ issuer: 'A Camera', bytes: 12, verified: false }];
      const lost = { ...frame, other: { kind: 'item' as const, id: gone.id }, side: 'theirs' as const };
      const stored = { version: 2, originals: hashes('original'), processed: hashes('processed'), covers: hashes('cover') };
      const matches = [{ id: other.id, title: 'Föhn' }];
      await uow.provenance.append(item.id, 'rights', { ...stored, frames: [frame, lost], contentCredentials, matches });
      await uow.frames.add(item.id, [{ ...frame, contentType: 'image/jpeg', bytes: Buffer.from('a small picture') }]);
      await uow.provenance.append(item.id, 'published', { mediaId: '1789' });
      await uow.items.purgeContent(gone.id);
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
    expect(verify(current)[1]).toContain('1 recorded frames were deleted');
    expect(body.data.item).toMatchObject({ originalUrl: 'https://redd.it/1a', author: null, subreddit: item.subreddit });
    expect(body.data.frames).toMatchObject([{ other: { title: 'Föhn' }, side: 'ours' }]);
    expect(verify(former)).toEqual([1, expect.stringContaining(`foreign key, ${current}`)]);
    expect(verify()).toEqual([2, expect.stringContaining('Usage')]);
    for (const statement of ["UPDATE provenance_records SET body = '{}'", 'DELETE FROM provenance_records', 'TRUNCATE provenance_records'])
      await expect(gateway.database.sql.query(statement)).rejects.toThrow('append-only');
  });

  it('exports evidence of one state, also while a claim adds to it', async () => {
    const item = await gateway.item('ready');
    await gateway.database.unitOfWork((uow) => uow.provenance.append(item.id, 'source', { permalink: item.originalUrl }));
    const frame = {
      other: { kind: 'claim' as const, id: '01890000-0000-7000-8000-00000000abce' },
      ...{ file: 0, side: 'ours' as const, atSeconds: null, sha256: 'd1'.repeat(32) },
    };
    const exported = await gateway.database.sql.transaction(async (tx) => {
      await tx.query('LOCK TABLE rights_frames IN ACCESS EXCLUSIVE MODE');
      const answer = gateway.call('get', `/api/rights/items/${item.id}/evidence`).then(({ body }) => body.data as Evidence);
      await gateway.lockIsAwaited('SELECT other_kind AS kind');
      await tx.query(
        `INSERT INTO rights_frames (item_id, other_kind, other_id, file_no, side, content_type, sha256, bytes)
         VALUES ($1, 'claim', $2, 0, 'ours', 'image/jpeg', $3, 'x')`,
        [item.id, frame.other.id, frame.sha256],
      );
      return { answer };
    });
    const { records, frames } = await exported.answer;
    expect([records.map(({ kind }) => kind), frames]).toEqual([['source'], []]);
  });
});
