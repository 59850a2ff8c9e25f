import type { NoticeDetail, RightsCaseView, Strikes } from '@autoposter/contracts';
import { failureOf } from '@autoposter/domain';
import { fileFields } from '@autoposter/testkit';
import { holdBack } from '@autoposter/workflow';
import { v7 as uuidv7 } from 'uuid';
import { ExpireClaimsTask } from '../scheduler/tasks/expire-claims.task';
import { describeGateway, GatewayFixture } from '../testing/gateway-fixture';

describeGateway('evidence in cases', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => (gateway = await GatewayFixture.start()));
  afterAll(() => gateway?.stop());

  const posted = async (digit: string, author = 'copier') => {
    const sha256 = digit.repeat(64);
    const item = await gateway.item('posted', { author });
    await gateway.database.unitOfWork(async (uow) => {
      await uow.media.replace(item.id, 'original', [fileFields({ sha256 })]);
      await uow.rights.saveFingerprints(item.id, [{ sha256, pdq: [] }]);
    });
    return { item, sha256 };
  };
  const claim = async (body: object): Promise<string> =>
    (await gateway.call('post', '/api/rights/claims', { title: 'Valley', claimant: 'North Light', ...body }).expect(200)).body.data.id;
  const casesOf = async (itemId: string): Promise<RightsCaseView[]> =>
    ((await gateway.call('get', '/api/rights/cases').expect(200)).body.data.posts as RightsCaseView[]).filter(
      (one) => one.itemId === itemId,
    );

  it('shows what the files of the post have in common with the work, side by side', async () => {
    const { item, sha256 } = await posted('a');
    await claim({ sha256 });
    const [found] = await casesOf(item.id);
    expect(found?.evidence).toEqual({
      named: null,
      match: expect.objectContaining({
        by: 'sha256',
        distance: 0,
        ours: { url: expect.stringContaining(`/api/media/compared/${item.id}`), mediaType: 'video', atSeconds: null },
        // the claim was entered without a file
        theirs: null,
      }),
    });
    const moved = await gateway.call('post', `/api/rights/cases/${found?.id ?? ''}`, { action: 'dismissed' }).expect(200);
    expect((moved.body.data as RightsCaseView).evidence).toEqual(found?.evidence);
  });

  it('shows the match also of a post that the notice names', async () => {
    const { item } = await posted('b');
    const sent = {
      ...{ receivedAt: '2026-05-04T10:00:00.000Z', claimant: 'North Light', contact: 'law@example.com', signature: 'N. Light' },
      ...{ goodFaith: true, accurate: true, work: 'Valley', locations: [`https://console.example/admin/items/${item.id}`] },
      reference: 'NL-7',
    };
    const { cases } = (await gateway.call('post', '/api/rights/notices', sent).expect(200)).body.data as NoticeDetail;
    expect(cases.map(({ evidence }) => [evidence?.named, evidence?.match?.by])).toEqual([['location', 'sha256']]);
    expect(cases.map(({ noticeReference, claimTitle }) => [noticeReference, claimTitle])).toEqual([['NL-7', 'Valley']]);
  });

  it('keeps what the notice named when the post is found by its files later', async () => {
    const { item } = await posted('2');
    const sent = {
      ...{ receivedAt: '2026-05-04T10:00:00.000Z', claimant: 'North Light', contact: 'law@example.com', signature: 'N. Light' },
      ...{ goodFaith: true, accurate: true, work: 'Valley', locations: [`https://console.example/admin/items/${item.id}`] },
    };
    const { claimId } = (await gateway.call('post', '/api/rights/notices', sent).expect(200)).body.data as NoticeDetail;
    const match = { kind: 'claim', id: claimId, title: 'Valley', by: 'pdq', distance: 4, matched: 1, compared: 1, published: false };
    await gateway.database.unitOfWork((uow) =>
      holdBack(uow, [{ itemId: item.id, verdict: 'blocked', reasons: [], matches: [match as never] }], { actor: 'a worker', claimId }),
    );
    expect((await casesOf(item.id)).map(({ evidence }) => [evidence?.named, evidence?.match?.by])).toEqual([['location', 'pdq']]);
  });

  it('names what the claim names of the post', async () => {
    const { item } = await posted('c', 'whole_author');
    await claim({ author: 'u/whole_author' });
    expect((await casesOf(item.id)).map(({ evidence }) => evidence)).toEqual([{ named: 'author', match: null }]);
  });

  it('shows the match that an administrator called the same work', async () => {
    const { item } = await posted('d');
    const id = await claim({ pdqHashes: ['0f'.repeat(32)] });
    const match = { kind: 'claim', id, title: 'Valley', by: 'pdq', distance: 30, matched: 1, compared: 1, published: false };
    await gateway.database.unitOfWork((uow) =>
      uow.rights.saveDecision({ itemId: item.id, verdict: 'flagged', reasons: [], matches: [match as never], provenance: {} }),
    );
    await gateway.call('post', '/api/rights/answers', { itemId: item.id, other: { kind: 'claim', id }, answer: 'same' }).expect(200);
    expect((await casesOf(item.id)).map(({ evidence }) => evidence)).toMatchObject([{ named: null, match: { by: 'pdq', distance: 30 } }]);
  });

  it('shows of two claims on one post the match of each', async () => {
    const { item, sha256 } = await posted('e');
    await claim({ title: 'First', sha256 });
    await claim({ title: 'Second', author: 'u/copier' });
    const found = await casesOf(item.id);
    expect(found.map(({ noticeReference }) => noticeReference)).toEqual([null, null]);
    expect(found.map(({ claimTitle, evidence }) => [claimTitle, evidence?.named, evidence?.match?.by]).sort()).toEqual([
      ['First', null, 'sha256'],
      ['Second', 'author', undefined],
    ]);
  });

  it('says why the removal of its post failed, until a person moves the case', async () => {
    const { item } = await posted('3');
    const failure = failureOf('post_of_disconnected_account', { fields: { account: '@first' } });
    const id = await gateway.database.unitOfWork(async (uow) => {
      const caseId = uuidv7();
      await uow.cases.open({ id: caseId, reason: 'source_removed', itemId: item.id, itemState: 'posted', state: 'open' });
      await uow.cases.move(caseId, ['open'], 'removing', 'a person');
      await uow.cases.noteFailure(caseId, failure);
      return caseId;
    });
    expect((await casesOf(item.id)).map(({ note }) => note)).toEqual([
      'The account @first of this post is not connected. Connect the account again under Settings, or remove the post in the Instagram app and confirm its removal here.',
    ]);
    const moved = await gateway.call('post', `/api/rights/cases/${id}`, { action: 'removed' }).expect(200);
    expect((moved.body.data as RightsCaseView).note).toBeNull();
  });

  it.each(['disputed', 'expired'] as const)(
    'keeps the case of a claim that is %s, without removal and alert, until it is active again',
    async (status) => {
      const { item, sha256 } = await posted(status === 'disputed' ? '4' : '5');
      const claimId = await claim({ sha256 });
      const [{ id = '', dueAt = '' } = {}] = await casesOf(item.id);
      await gateway.database.unitOfWork((uow) => uow.cases.move(id, ['open'], 'removing', 'a person'));
      const due = Date.parse(dueAt ?? '');
      const overdue = async () => (await gateway.database.read.cases.alertsBetween(new Date(due - 1), new Date(due))).overdue;
      expect(await overdue()).toBe(1);
      if (status === 'disputed') await gateway.call('post', `/api/rights/claims/${claimId}/status`, { status }).expect(200);
      else {
        await gateway.database.sql.query(`UPDATE rights_claims SET expires_at = now() WHERE id = $1`, [claimId]);
        await gateway.app.get(ExpireClaimsTask).run();
      }
      expect(await casesOf(item.id)).toMatchObject([{ id, state: 'open', dueAt, claimStatus: status }]);
      expect(await overdue()).toBe(0);
      // it was not active for 30 hours, and the deadline passed 20 hours ago
      const { sql } = gateway.database;
      await sql.query(`UPDATE rights_claims SET inactive_since = inactive_since - interval '30 hours' WHERE id = $1`, [claimId]);
      await sql.query(`UPDATE rights_cases SET due_at = due_at - interval '44 hours' WHERE id = $1`, [id]);
      await gateway.call('post', `/api/rights/claims/${claimId}/status`, { status: 'active' }).expect(200);
      const [again] = await casesOf(item.id);
      expect(again).toMatchObject({ id, state: 'open', claimStatus: 'active' });
      expect(Math.floor((Date.parse(again?.dueAt ?? '') - due) / 3_600_000)).toBe(30 - 44);
      expect(await overdue()).toBe(0);
    },
  );

  it('keeps a deadline that was missed before the claim was disputed', async () => {
    const { item, sha256 } = await posted('6');
    const claimId = await claim({ sha256 });
    await gateway.database.sql.query(`UPDATE rights_cases SET due_at = now() - interval '1 hour' WHERE claim_id = $1`, [claimId]);
    const [{ dueAt } = {}] = await casesOf(item.id);
    for (const status of ['disputed', 'active']) await gateway.call('post', `/api/rights/claims/${claimId}/status`, { status }).expect(200);
    expect(await casesOf(item.id)).toMatchObject([{ state: 'open', dueAt, claimStatus: 'active' }]);
  });

  it('names the works that Instagram named, and has none for a source that was removed', async () => {
    const [{ item: matched }, { item: gone }] = [await posted('f'), await posted('1')];
    const found = { itemState: 'posted', state: 'open' } as const;
    await gateway.database.unitOfWork(async (uow) => {
      const detail = { mediaId: '17', matches: ['Dawn (music) of North Light'] };
      await uow.cases.open({ ...found, id: uuidv7(), reason: 'platform_match', itemId: matched.id, detail });
      await uow.cases.open({ ...found, id: uuidv7(), reason: 'source_removed', itemId: gone.id });
    });
    expect([...(await casesOf(matched.id)), ...(await casesOf(gone.id))]).toMatchObject([
      { evidence: null, platformMatches: ['Dawn (music) of North Light'] },
      { evidence: null, platformMatches: [] },
    ]);
  });
});

describeGateway('takedown notices that are closed', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => (gateway = await GatewayFixture.start()));
  afterAll(() => gateway?.stop());

  const pageOf = ({ id }: { id: string }): string => `https://console.example/admin/items/${id}`;
  const notice = async (work: string, locations: string[]): Promise<NoticeDetail> => {
    const sent = { receivedAt: '2026-05-04T10:00:00.000Z', claimant: 'North Light', contact: 'law@example.com', signature: 'N. Light' };
    const body = { ...sent, goodFaith: true, accurate: true, work, locations };
    return (await gateway.call('post', '/api/rights/notices', body).expect(200)).body.data;
  };
  const step = (id: string, name: string, body: object) => gateway.call('post', `/api/rights/notices/${id}/${name}`, body);

  it.each([
    ['no post of ours', () => Promise.resolve('https://www.instagram.com/reel/elsewhere/')],
    ['only a post that it stopped', async () => pageOf(await gateway.item('ready'))],
  ])('records the strike of an upheld notice about %s, which counts for no account', async (_what, locate) => {
    const strikes = async () => (await gateway.call('get', '/api/rights/strikes')).body.data as Strikes;
    const { active } = await strikes();
    const { id } = await notice('Drizzle', [await locate()]);
    await step(id, 'close', { outcome: 'upheld' }).expect(200);
    const after = await strikes();
    expect([after.active, after.strikes.filter(({ noticeId }) => noticeId === id)]).toEqual([
      active,
      [expect.objectContaining({ accountId: null })],
    ]);
  });

  describe('a counter notice after the notice was upheld', () => {
    const COUNTER = { receivedAt: '2026-05-05T10:00:00.000Z', sender: 'Its maker', statement: 'It is mine.' };
    const strikesOf = async (noticeId: string) => {
      const { strikes } = (await gateway.call('get', '/api/rights/strikes')).body.data as Strikes;
      return strikes.filter((strike) => strike.noticeId === noticeId).map(({ clearedAt }) => clearedAt);
    };
    const upheld = async (item: { id: string }) => {
      const { id, claimId } = await notice('Frost', [pageOf(item)]);
      await step(id, 'close', { outcome: 'upheld' }).expect(200);
      return { id, claimId: claimId ?? '' };
    };

    it('begins the window of the restoration, in which the strike counts', async () => {
      const { id } = await upheld(await gateway.item('posted'));
      const countered = (await step(id, 'counter-notice', COUNTER).expect(200)).body.data as NoticeDetail;
      expect(countered).toMatchObject({ status: 'countered', restoreFrom: '2026-05-19T10:00:00.000Z', closedAt: null });
      expect(await strikesOf(id)).toEqual([null]);
      expect(await gateway.database.read.notices.findOpen()).toContainEqual(
        expect.objectContaining({ counterReceivedAt: new Date(COUNTER.receivedAt) }),
      );
      expect((await step(id, 'counter-notice', COUNTER)).status).toBe(409);
    });

    it.each([
      ['restored', 'disputed'],
      ['rejected', 'withdrawn'],
    ])('clears the strike when the notice is %s', async (outcome, claimStatus) => {
      const { id, claimId } = await upheld(await gateway.item('posted'));
      await step(id, 'counter-notice', COUNTER).expect(200);
      await step(id, 'close', { outcome }).expect(200);
      expect(await strikesOf(id)).toEqual([expect.any(String)]);
      expect((await gateway.database.read.rights.findClaim(claimId))?.claim.status).toBe(claimStatus);
      expect((await step(id, 'counter-notice', COUNTER)).status).toBe(409);
    });

    it.each([
      ['a published post', 'posted'],
      ['a post that was stopped', 'ready'],
    ] as const)('keeps the one strike when the notice about %s is upheld again', async (_what, state) => {
      const { id } = await upheld(await gateway.item(state));
      await step(id, 'counter-notice', COUNTER).expect(200);
      expect((await step(id, 'close', { outcome: 'upheld' }).expect(200)).body.data).toMatchObject({ status: 'upheld' });
      expect(await strikesOf(id)).toEqual([null]);
      expect((await step(id, 'counter-notice', COUNTER)).status).toBe(409);
    });

    it('gives a post that is found afterwards a day, not the deadline of the notice', async () => {
      const [item, found] = [await gateway.item('posted'), await gateway.item('posted')];
      const { id, claimId } = await upheld(item);
      const { removeBy } = (await step(id, 'counter-notice', COUNTER).expect(200)).body.data as NoticeDetail;
      await gateway.database.unitOfWork((uow) =>
        holdBack(uow, [{ itemId: found.id, verdict: 'blocked', reasons: [] }], { actor: 'a worker', claimId }),
      );
      const { cases } = (await gateway.call('get', `/api/rights/notices/${id}`)).body.data as NoticeDetail;
      const { dueAt, openedAt } = cases.find(({ itemId }) => itemId === found.id) ?? { dueAt: null, openedAt: removeBy };
      expect(Date.parse(dueAt ?? removeBy) - Date.parse(openedAt)).toBe(24 * 3_600_000);
    });
  });

  it('upholds no notice whose claim was withdrawn, and says what to do instead', async () => {
    const { id, claimId } = await notice('Sleet', [pageOf(await gateway.item('posted'))]);
    await gateway.call('post', `/api/rights/claims/${claimId}/withdraw`).expect(200);
    const refused = await step(id, 'close', { outcome: 'upheld' }).expect(409);
    expect(refused.body).toMatchObject({ code: 'claim_withdrawn', error: expect.stringMatching(/ Close it as rejected, or record/u) });
    expect((await gateway.call('get', `/api/rights/notices/${id}`)).body.data).toMatchObject({ status: 'acting', closedAt: null });
    await step(id, 'close', { outcome: 'rejected' }).expect(200);
  });

  it('keeps the pause for strikes that no longer count, says so, and lets a person resume', async () => {
    await gateway.database.sql.query('UPDATE account_strikes SET cleared_at = now()');
    await gateway.call('post', '/api/publishing/resume').expect(200);
    const claims: (string | null)[] = [];
    for (const work of ['Rain', 'Snow', 'Ice']) {
      const { id, claimId } = await notice(work, [pageOf(await gateway.item('posted'))]);
      await step(id, 'close', { outcome: 'upheld' }).expect(200);
      claims.push(claimId);
    }
    const publishing = async () => (await gateway.call('get', '/api/publishing')).body.data;
    const counted = await publishing();
    expect(counted).toMatchObject({
      paused: true,
      cause: 'strikes',
      reason: '3 takedown notices about posts of this account were upheld.',
    });
    await gateway.call('post', `/api/rights/claims/${claims[0]}/withdraw`).expect(200);
    const over = {
      reason: 'Publishing is still paused for strikes that no longer count.',
      nextAction: 'Resume publishing when you are ready.',
    };
    expect(await publishing()).toEqual({ ...counted, ...over });
    expect((await gateway.call('get', '/api/instagram-queue/status')).body.data.hold).toMatchObject({ cause: 'strikes', ...over });
    expect((await gateway.call('post', '/api/publishing/resume').expect(200)).body.data).toMatchObject({ paused: false });
  });

  it('says which stopped posts may run through DMCA protection again once the notice is restored', async () => {
    const [item, deleted] = [await gateway.item('ready'), await gateway.item('ready')];
    const { id } = await notice('Hail', [pageOf(item), pageOf(deleted)]);
    const runnable = async () =>
      new Map(
        ((await gateway.call('get', `/api/rights/notices/${id}`)).body.data as NoticeDetail).cases.map((one) => [
          one.itemId,
          one.canRunAgain,
        ]),
      );
    expect([...(await runnable()).values()]).toEqual([false, false]);
    await gateway.call('delete', `/api/downloads/${deleted.id}`).expect(200);
    await step(id, 'close', { outcome: 'rejected' }).expect(200);
    expect(await runnable()).toEqual(
      new Map([
        [item.id, true],
        [deleted.id, false],
      ]),
    );
    await gateway.call('post', `/api/dmca/process/${item.id}`).expect(200);
    expect((await runnable()).get(item.id)).toBe(false);
  });
});
