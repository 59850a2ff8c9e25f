import { failureOf } from '@autoposter/domain';
import { contentItem, FakeDatabase, NOW, publishAttempt, queueItem } from '@autoposter/testkit';
import { blockItem, blockItemForClaim, findBlockingClaim, findPublishingRefusal, rightsBlocked, settleUnpublished } from './rights-claims';

const CLAIM = {
  kind: 'claim',
  id: 'claim-1',
  title: 'Dusk',
  by: 'sha256',
  distance: 0,
  matched: 1,
  compared: 1,
  strength: 'block',
  published: false,
} as const;

const REVOKED = { code: 'permission_revoked', fields: { grantor: 'Ada' } };

const fakeWith = (stubs: Record<string, unknown> = {}) => new FakeDatabase(stubs);

describe('findBlockingClaim', () => {
  it.each([
    ['a claimed work', [CLAIM], 'claimed_work'],
    ['a similar work, which a person has reviewed', [{ ...CLAIM, strength: 'flag' }], null],
    ['another item, not a claim', [{ ...CLAIM, kind: 'item' }], null],
    ['nothing', [], null],
  ])('decides on a match with %s', async (_what, matches, code) => {
    const fake = fakeWith({ 'rights.findMatches': matches });
    expect((await findBlockingClaim(fake.uow, 'item-1'))?.code ?? null).toBe(code);
  });

  it('names the claimed work', async () => {
    const fake = fakeWith({ 'rights.findMatches': [CLAIM] });
    expect((await findBlockingClaim(fake.uow, 'item-1'))?.fields).toEqual({ title: 'Dusk' });
  });

  it('searches with the prints of the item', async () => {
    const files = [{ sha256: 'aa', pdq: [] }];
    const fake = fakeWith({ 'rights.printsOf': files });
    await findBlockingClaim(fake.uow, 'item-1');
    expect(fake.argsOf('rights.findMatches')).toEqual([['item-1', files]]);
  });
});

describe('findPublishingRefusal', () => {
  const refused = { 'items.find': contentItem(), 'permissions.stateOf': { refusal: REVOKED, credit: null, collaborator: null } };
  const together = { 'items.find': contentItem(), 'permissions.stateOf': { refusal: null, credit: null, collaborator: 'ada' } };
  it.each([
    ['a claim before a permission', { ...refused, 'rights.findMatches': [CLAIM] }, 'claimed_work'],
    ['a permission that was revoked', refused, 'not_permitted'],
    [
      'a collaboration that the post is not',
      { ...together, 'queue.findOpenOf': queueItem({ options: { collaborators: ['bob'] } }) },
      'not_permitted',
    ],
    [
      'nothing for the collaboration that was permitted',
      { ...together, 'queue.findOpenOf': queueItem({ options: { collaborators: ['ada'] } }) },
      undefined,
    ],
    ['nothing', { 'items.find': contentItem() }, undefined],
    ['nothing for an item that is gone', {}, undefined],
  ])('names %s', async (_what, stubs, code) => {
    expect((await findPublishingRefusal(fakeWith(stubs).uow, 'item-1'))?.code).toBe(code);
  });
});

describe('blockItem', () => {
  const failure = rightsBlocked('Shows the claimed work "Dusk".');

  it('blocks the item and records why in its errors and in the skipped log', async () => {
    const fake = fakeWith();
    const item = contentItem();
    await blockItem(fake.uow, item, failure, 'duplicate_post');
    expect(fake.argsOf('items.transition')[0]?.[1]).toMatchObject({ from: 'ready', to: 'blocked' });
    expect(fake.argsOf('items.addError')[0]?.[1]).toMatchObject({
      stage: 'dmca',
      message: 'Shows the claimed work "Dusk".',
      kind: 'rights_blocked',
      timestamp: NOW.toISOString(),
    });
    expect(fake.argsOf('skipped.recordItem')).toEqual([[item, 'duplicate_post', failure.message]]);
    expect(fake.events).toEqual([]);
  });

  it('throws, so that the transaction rolls back, if the locked item changed all the same', async () => {
    await expect(blockItem(fakeWith({ 'items.transition': false }).uow, contentItem(), failure)).rejects.toThrow('changed concurrently');
  });
});

describe('blockItemForClaim', () => {
  it('writes the event of the rights check, too', async () => {
    const fake = fakeWith();
    await blockItemForClaim(fake.uow, contentItem(), rightsBlocked('Why.'), 'me');
    expect(fake.events).toEqual([
      { type: 'dmca.blocked', subjectId: 'item-1', itemId: 'item-1', stage: 'dmca', state: 'blocked', reason: 'Why.', actor: 'me' },
    ]);
    expect(fake.argsOf('skipped.recordItem')[0]?.[1]).toBe('dmca_failure');
  });
});

describe('settleUnpublished', () => {
  const failure = failureOf('publish_lost', { retried: false });
  const settle = async (matches: object[], stubs: Record<string, unknown> = {}) => {
    const fake = fakeWith({
      'rights.findMatches': matches,
      'queue.findForUpdate': queueItem({ status: 'posting' }),
      'items.findForUpdate': contentItem({ state: 'posting' }),
      'items.lock': contentItem({ state: 'ready' }),
      ...stubs,
    });
    const result = await settleUnpublished(fake.uow, publishAttempt(), failure, { actor: 'me', settledBy: 'person' });
    return {
      result,
      failed: fake.argsOf('attempts.transition')[0]?.[1],
      moves: fake.argsOf('items.transition').map(([, step]) => (step as { to: string }).to),
      patches: fake.argsOf('items.patch').map(([, patch]) => patch),
    };
  };

  it('makes the item ready for review where its permission ended, which becomes the reason', async () => {
    const stubs = { 'items.find': contentItem(), 'permissions.stateOf': { refusal: REVOKED, credit: null, collaborator: null } };
    const { result, failed, moves, patches } = await settle([], stubs);
    expect([result, moves]).toEqual([{ state: 'ready', reason: 'The permission of Ada was revoked.' }, ['ready']]);
    expect(failed).toMatchObject({ patch: { failure: { code: 'not_permitted', kind: 'rights_blocked' } } });
    expect(patches).toEqual([{ needsReview: true, reviewReasons: [REVOKED] }]);
  });

  it('waits for nothing where a permission was given meanwhile', async () => {
    let asked = 0;
    const stateOf = () => ({ refusal: (asked += 1) === 1 ? REVOKED : null, credit: null, collaborator: null });
    const { moves, patches } = await settle([], { 'items.find': contentItem(), 'permissions.stateOf': stateOf });
    expect([moves, patches]).toEqual([['ready'], []]);
  });

  it('makes the item ready without a claim', async () => {
    const { result, failed, moves } = await settle([]);
    expect([result, moves]).toEqual([{ state: 'ready', reason: failure.message }, ['ready']]);
    expect(failed).toMatchObject({ to: 'failed', patch: { failure, settledBy: 'person' } });
  });

  it('blocks the item for a claim, which becomes the reason', async () => {
    const { result, failed, moves } = await settle([CLAIM]);
    expect([result.state, moves]).toEqual(['blocked', ['ready', 'blocked']]);
    expect(failed).toMatchObject({ patch: { failure: { code: 'claimed_work', message: result.reason } } });
  });

  it.each([
    ['a called attempt', { state: 'container', calledAt: NOW }],
    ['an intent', { state: 'intent' }],
    ['an attempt with an intent of an older program', { state: 'container', intentAt: NOW }],
  ] as const)('does not end %s without evidence: its outcome is unknown', async (_what, attempt) => {
    const fake = fakeWith({ 'rights.findMatches': [CLAIM] });
    const result = await settleUnpublished(fake.uow, publishAttempt(attempt), failure, { actor: 'me' });
    expect(result).toEqual({ state: 'posting', reason: failure.message });
    expect(fake.argsOf('attempts.transition')).toMatchObject([['attempt-1', { from: attempt.state, to: 'unknown', patch: { failure } }]]);
    expect(fake.argsOf('items.transition')).toEqual([]);
    expect(fake.argsOf('jobs.create').map(([job]) => (job as { stage: string }).stage)).toEqual(['reconcile']);
  });

  it('ends a called attempt with evidence from the account', async () => {
    const fake = fakeWith({ 'items.findForUpdate': contentItem({ state: 'posting' }) });
    const attempt = publishAttempt({ state: 'unknown', calledAt: NOW });
    const result = await settleUnpublished(fake.uow, attempt, failure, { actor: 'me', evidence: true });
    expect([result.state, fake.argsOf('attempts.transition')[0]?.[1]]).toMatchObject(['ready', { from: 'unknown', to: 'failed' }]);
  });

  it('leaves an item that a person moved meanwhile', async () => {
    const { result, moves } = await settle([CLAIM], { 'items.findForUpdate': null, 'items.lock': contentItem({ state: 'discarded' }) });
    expect([result.state, moves]).toEqual(['blocked', []]);
  });
});
