import type { AnswerCountView, OpenMatchView, RightsCaseView } from '@autoposter/contracts';
import { fileFields } from '@autoposter/testkit';
import { describeGateway, GatewayFixture } from '../testing/gateway-fixture';

describeGateway('answers about matches', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => (gateway = await GatewayFixture.start()));
  afterAll(() => gateway?.stop());

  const stateOf = async (id: string) => (await gateway.database.read.items.find(id))?.state;
  const publishedOn = (accountId: string, itemId: string, permalink: string | null = null) =>
    gateway.database.sql.query(
      `INSERT INTO publish_attempts (id, item_id, queue_item_id, account_id, state, caption, caption_hash, media_sha256, permalink, media_id)
       VALUES (gen_random_uuid(), $2, gen_random_uuid(), $1, 'published', 'x', 'x', 'x', $3, '17')`,
      [accountId, itemId, permalink],
    );
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
    expect(await answers.judged(item.id, [], again)).toEqual([]);
    expect(await answers.judged('01890000-0000-7000-8000-00000000abcd', ['3'.repeat(64)], again)).toEqual([]);
    expect(await answers.judged('01890000-0000-7000-8000-00000000abcd', [], again)).toEqual(again);
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
    expect((await listed()).filter(({ itemId }) => itemId === item.id)).toMatchObject([{ state: 'blocked', answered: { answer: 'same' } }]);
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
    expect(await answers.judged(gallery.id, [compared, shown], found)).toEqual([found[1]]);

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
    const claim = (await gateway.call('post', '/api/rights/claims', { title: 'Counted', claimant: 'x', pdqHashes: ['1'.repeat(64)] })).body
      .data;
    const segment = { ours: {}, theirs: {}, offsetSeconds: 0 };
    const video = (shareOfOurs: number) => ({ shareOfOurs, segment });
    const picture = (leastAlike: number) => ({ comparison: { correlation: 0.99, differing: 0, leastAlike } });
    for (const [strength, measured, answer] of [
      ['block', video(0.62), 'different'],
      ['block', video(0.69), 'same'],
      ['flag', video(1), 'different'],
      ['block', picture(0.83), 'different'],
      ['flag', picture(0.7), 'different'],
      ['flag', picture(-1), 'same'],
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
        ...measured,
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
    expect(counts.filter(({ rule, from }) => rule === 'picture' && from !== null)).toEqual([
      { verdict: 'blocked', rule: 'picture', from: 0.8, confirmed: 0, rejected: 1 },
      { verdict: 'flagged', rule: 'picture', from: 0.7, confirmed: 0, rejected: 1 },
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
    const { answers } = gateway.database.read;
    expect(await answers.judged(item.id, [], [answer('same').other as never])).toMatchObject([{ strength: 'block' }]);
  });

  describe('about one of several flagged posts with the same file', () => {
    const flagged = async (
      { item: like, claim }: { item: { id: string }; claim: { id: string; title: string } },
      hashes: readonly string[],
    ) => {
      const decision = await gateway.database.read.rights.decisionOf(like.id);
      const reason = { code: 'resembles_work', fields: { title: claim.title, by: 'pdq', matched: 1, compared: 1, distance: 20 } };
      const item = await gateway.item('ready', { needsReview: true, reviewReasons: [reason] } as never);
      const matches = hashes.map((_hash, file) => ({ ...decision?.matches[0], file }) as never);
      await gateway.database.unitOfWork(async (uow) => {
        const files = hashes.map((sha256, position) => fileFields({ sha256, position }));
        await uow.media.replace(item.id, 'original', files);
        await uow.rights.saveDecision({ itemId: item.id, verdict: 'flagged', reasons: [], matches, provenance: {} });
      });
      return item;
    };
    const isWaiting = async (...items: { id: string }[]) => {
      const found = await Promise.all(items.map(({ id }) => gateway.database.read.items.find(id)));
      return found.map((item) => item?.state === 'ready' && item.needsReview);
    };

    it.each([
      ['different', 'd5', 'ready'],
      ['same', 'd6', 'blocked'],
    ])('are the answer of the others as well: %s', async (given, digits, state) => {
      const [first, elsewhere] = [await matched('ready', 'flagged', digits), await matched('ready', 'flagged', `${digits}0f`)];
      const [sha256, another] = [digits.repeat(32), 'd7'.repeat(32)];
      const twin = await flagged(first, [sha256]);
      const others = [await flagged(first, [another]), await flagged(first, [sha256, another]), await flagged(elsewhere, [sha256])];
      await gateway.call('post', '/api/rights/answers', first.answer(given)).expect(200);
      expect(await isWaiting(first.item, twin, ...others)).toEqual([false, false, true, true, true]);
      expect(await stateOf(twin.id)).toBe(state);
      const { posts } = (await gateway.call('get', `/api/audit-log?action=rights.answer&subject=${twin.id}`)).body.data;
      expect(posts).toMatchObject([{ detail: { answer: given, sameFileAs: first.item.id } }]);
    });

    it('leave out a post that is being published', async () => {
      const first = await matched('ready', 'flagged', 'd8');
      const twin = await flagged(first, ['d8'.repeat(32)]);
      await gateway.database.sql.query(`UPDATE content_items SET state = 'posting' WHERE id = $1`, [twin.id]);
      await gateway.call('post', '/api/rights/answers', first.answer('same')).expect(200);
      expect([await stateOf(first.item.id), await stateOf(twin.id)]).toEqual(['blocked', 'posting']);
    });
  });

  it('hold for the files and the decision at the time of the latest answer', async () => {
    const { item, claim, answer } = await matched('ready', 'flagged', 'a3');
    await gateway.call('post', '/api/rights/answers', answer('same')).expect(200);
    const [before, now] = ['a3', 'b3'].map((digits) => digits.repeat(32));
    await gateway.database.unitOfWork(async (uow) => {
      const { matches } = (await uow.rights.decisionOf(item.id)) ?? { matches: [] };
      await uow.media.replace(item.id, 'original', [fileFields({ sha256: now })]);
      await uow.rights.saveDecision({ itemId: item.id, verdict: 'blocked', reasons: [], matches, provenance: {} });
    });
    await gateway.call('post', '/api/rights/answers', answer('same')).expect(200);
    const { answers } = gateway.database.read;
    const other = '01890000-0000-7000-8000-00000000abcd';
    const strengths = async (sha256: string | undefined) => {
      const match = { kind: 'claim' as const, id: claim.id as string, file: 0, strength: 'flag' as const };
      return (await answers.judged(other, [sha256 ?? null], [match])).map(({ strength }) => strength);
    };
    expect([await strengths(now), await strengths(before)]).toEqual([['block'], ['flag']]);
    expect(await answers.find(item.id, { kind: 'claim', id: claim.id })).toMatchObject({ verdict: 'blocked' });

    await gateway.database.unitOfWork((uow) => uow.media.replace(item.id, 'original', []));
    await gateway.call('post', '/api/rights/answers', answer('same')).expect(200);
    expect(await strengths(now)).toEqual(['block']);
  });

  it('block what was confirmed in later checks as well, also the same file in another post, until it is called different', async () => {
    const { item, claim, answer } = await matched('ready', 'flagged', '03');
    await gateway.call('post', '/api/rights/answers', answer('same')).expect(200);
    const { answers, rights } = gateway.database.read;
    const sha256 = '03'.repeat(32);
    const match = [{ kind: 'claim' as const, id: claim.id as string, file: 0, strength: 'flag' as const }];
    const other = await gateway.item('ready');
    const strengths = async (itemId: string, hash: string) => (await answers.judged(itemId, [hash], match)).map(({ strength }) => strength);
    expect(await strengths(item.id, 'ee'.repeat(32))).toEqual(['block']);
    expect(await strengths(other.id, sha256)).toEqual(['block']);
    expect(await strengths(other.id, 'ee'.repeat(32))).toEqual(['flag']);

    await gateway.database.unitOfWork(async (uow) => {
      await uow.media.replace(other.id, 'original', [fileFields({ sha256 })]);
      await uow.rights.saveFingerprints(other.id, [{ sha256, pdq: [] }]);
    });
    const swept = async () => (await rights.findClaimed(claim, [{ sha256, pdq: [] }])).filter(({ itemId }) => itemId === other.id);
    expect(await swept()).toMatchObject([{ matches: [{ strength: 'block' }] }]);
    await gateway.call('post', '/api/rights/answers', answer('different')).expect(200);
    expect([await strengths(item.id, sha256), await strengths(other.id, sha256), await swept()]).toEqual([[], [], []]);
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

  it('dismiss the case of a published post, which only another file of the claim opens again', async () => {
    const { item, claim, answer } = await matched('ready', 'flagged', '0a');
    await publishedOn('dismissed', item.id);
    await gateway.database.unitOfWork((uow) => uow.rights.saveFingerprints(item.id, [{ sha256: '0a'.repeat(32), pdq: [] }]));
    const { cases } = gateway.database.read;
    const stateOfCase = async () => {
      const { cases: all } = await cases.page(null, 0, 100);
      return all.filter(({ itemId }) => itemId === item.id).map(({ state }) => state);
    };
    await gateway.call('post', '/api/rights/answers', answer('same')).expect(200);
    expect(await stateOfCase()).toEqual(['open']);
    await gateway.call('post', '/api/rights/answers', answer('different')).expect(200);
    expect([await stateOfCase(), await cases.isDismissed(item.id, claim.id)]).toEqual([['dismissed'], true]);
    await gateway.database.unitOfWork((uow) => uow.rights.addClaimPrints(claim.id, [{ sha256: '0b'.repeat(32), pdq: [] }]));
    expect(await cases.isDismissed(item.id, claim.id)).toBe(false);
  });

  it('wait for a post that was discarded here and is live, and open its removal only when a person calls it the same', async () => {
    const { item, answer } = await matched('ready', 'flagged', 'c7');
    await publishedOn('live', item.id);
    await gateway.database.sql.query(`UPDATE content_items SET state = 'discarded' WHERE id = $1`, [item.id]);
    const waiting = async (): Promise<OpenMatchView[]> =>
      (await gateway.call('get', '/api/rights/matches?verdict=flagged')).body.data.posts;
    const casesOf = () =>
      gateway.database.sql.query('SELECT state, due_at IS NULL AS free FROM rights_cases WHERE item_id = $1', [item.id]);
    expect((await waiting()).filter(({ itemId }) => itemId === item.id)).toHaveLength(1);
    expect(await casesOf()).toEqual([]);
    await gateway.call('post', '/api/rights/answers', answer('same')).expect(200);
    expect(await casesOf()).toEqual([{ state: 'open', free: false }]);
    expect((await waiting()).filter(({ itemId }) => itemId === item.id)).toEqual([]);
  });

  it('block a confirmed match', async () => {
    const { item, answer } = await matched('ready', 'flagged', '5');
    await gateway.call('post', '/api/rights/answers', answer('same')).expect(200);
    expect(await stateOf(item.id)).toBe('blocked');
    const other = { kind: 'claim', id: '01890000-0000-7000-8000-00000000abcd' };
    expect((await gateway.call('post', '/api/rights/answers', { ...answer('same'), other })).status).toBe(404);
  });
});
