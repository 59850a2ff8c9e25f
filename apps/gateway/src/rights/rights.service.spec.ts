import type { ClaimedItem } from '@autoposter/persistence';
import { contentItem, FakeDatabase, NOW } from '@autoposter/testkit';
import { RightsService } from './rights.service';

const ACTOR = 'admin@example.com';
const MATCH = {
  kind: 'claim',
  id: 'claim-1',
  title: 'Dusk',
  by: 'sha256',
  distance: 0,
  matched: 1,
  compared: 1,
  file: 0,
  strength: 'block',
  shareOfOurs: 1,
  shareOfTheirs: 1,
  views: ['full', 'full'],
  segment: null,
  comparison: null,
  onlyShared: false,
  published: false,
} as const;
const EXACT: ClaimedItem = { itemId: 'item-1', matches: [MATCH], files: [{ kind: 'video', usable: 5, total: 5 }] };
const BODY = { title: 'Dusk', claimant: 'A label' };
const listed = (status = 'active') => ({
  claim: { id: 'claim-1', ...BODY, status, work: null, expiresAt: null, createdBy: ACTOR, createdAt: NOW },
  fingerprints: 1,
});

function arrange(stubs: Record<string, unknown> = {}) {
  const fake = new FakeDatabase({
    'rights.size': 7,
    'rights.findClaimed': [],
    'rights.findClaim': listed(),
    'cases.stopRemovals': [],
    'items.find': contentItem(),
    'items.findForUpdate': contentItem(),
    ...stubs,
  });
  return { fake, service: new RightsService(fake.database) };
}

describe('RightsService.page', () => {
  it('reads one page of the register', async () => {
    const { fake, service } = arrange({ 'rights.pageOfClaims': { claims: [listed()], total: 41 } });
    expect(await service.page({ page: 3, limit: 20 })).toMatchObject({
      claims: [{ id: 'claim-1', createdAt: NOW.toISOString() }],
      total: 41,
    });
    expect(fake.argsOf('rights.pageOfClaims')).toEqual([[null, 40, 20]]);
  });
});

describe('RightsService.create', () => {
  it('registers hashes and blocks matching items', async () => {
    const { fake, service } = arrange({
      'rights.findClaimed': (_claim: object, _prints: object, since?: number) => (since === undefined ? [EXACT] : []),
    });
    const claim = await service.create({ ...BODY, sha256: 'aa', pdqHashes: ['bb'] }, ACTOR);
    expect(claim).toMatchObject({ id: 'claim-1', held: { blocked: 1, flagged: 0, out: [] } });
    const [values, prints] = fake.argsOf('rights.addClaim')[0] as [object, object];
    expect(values).toMatchObject({ ...BODY, contact: null, sourceUrl: null, note: null, createdBy: ACTOR });
    expect(prints).toEqual([{ sha256: 'aa', pdq: [{ hash: 'bb', quality: 100, atSeconds: null }] }]);
    expect(fake.argsOf('audit.record').at(-1)?.[0]).toMatchObject({ action: 'rights.claim', detail: { title: 'Dusk', blocked: 1 } });
  });

  it('registers the fingerprints of an item', async () => {
    const stored = [{ sha256: 'aa', pdq: [{ hash: 'good', quality: 50, atSeconds: 1 }] }];
    const { fake, service } = arrange({ 'rights.printsOf': stored });
    await service.create({ ...BODY, itemId: 'item-1' }, ACTOR);
    expect(fake.argsOf('rights.addClaim')[0]?.[1]).toEqual(stored);
  });

  it('finds items that were added while it waited for the lock', async () => {
    const { fake, service } = arrange({
      'rights.findClaimed': (_claim: object, _prints: object, since?: number) => (since === 7 ? [EXACT] : []),
    });
    expect(await service.create({ ...BODY, sha256: 'aa' }, ACTOR)).toMatchObject({ held: { blocked: 1 } });
    expect(fake.argsOf('rights.findClaimed')).toHaveLength(2);
  });

  it.each([
    ['an unknown item', { 'items.find': null }, 404, 'There is no such post.'],
    ['an item before DMCA protection', {}, 409, 'This post has no fingerprints yet; run DMCA protection first.'],
  ])('refuses %s', async (_what, stubs, status, message) => {
    const { fake, service } = arrange(stubs);
    await expect(service.create({ ...BODY, itemId: 'item-1' }, ACTOR)).rejects.toMatchObject({ status, message });
    expect(fake.argsOf('rights.addClaim')).toEqual([]);
  });
});

describe('RightsService.create by what a claim names', () => {
  it.each([
    [{ sourceUrl: 'https://old.reddit.com/r/aww/comments/1abcde/title/' }, { kind: 'url', key: 'reddit:1abcde' }],
    [{ author: '@Painter' }, { kind: 'author', key: 'instagram:painter' }],
    [{ subreddit: 'r/Aww' }, { kind: 'subreddit', key: 'aww' }],
  ] as const)('registers %j and stops the posts that it names before their download', async (named, target) => {
    const { fake, service } = arrange({
      'claims.itemsNamed': [{ itemId: 'item-1', target }],
      'items.findForUpdate': contentItem({ state: 'accepted' }),
    });
    expect(await service.create({ ...BODY, ...named }, ACTOR)).toMatchObject({ held: { blocked: 1, flagged: 0, out: [] } });
    expect(fake.argsOf('claims.addTargets')).toEqual([[expect.any(String), [target]]]);
    expect(fake.argsOf('jobs.cancelOpen')).toEqual([['item-1']]);
    expect(fake.argsOf('items.transition')[0]?.[1]).toMatchObject({ to: 'failed', patch: { failedStage: 'download' } });
    expect(fake.argsOf('skipped.recordItem')[0]?.[1]).toBe('dmca_failure');
  });

  it.each([
    [
      { sourceUrl: 'https://www.reddit.com/r/aww/' },
      'This address names no single post or file. Give the address that a link to share leads to, or claim an author or a subreddit by its name.',
    ],
    [{ author: 'two words' }, 'Please write the author as u/name for Reddit or @name for Instagram.'],
    [{ subreddit: '!' }, 'Please write the subreddit as r/name.'],
  ])('refuses %j', async (named, message) => {
    const { fake, service } = arrange();
    await expect(service.create({ ...BODY, ...named }, ACTOR)).rejects.toMatchObject({ status: 422, message });
    expect(fake.argsOf('rights.addClaim')).toEqual([]);
  });
});

describe('RightsService.change', () => {
  const change = (from: string, status: 'active' | 'disputed' | 'withdrawn', stubs: object = {}) => {
    const { fake, service } = arrange({
      'rights.findClaim': listed(from),
      'rights.printsOfClaim': [],
      'claims.setStatus': true,
      'cases.dismissOfClaim': [],
      'notices.clearStrikesOf': [],
      ...stubs,
    });
    return { fake, answer: service.change('claim-1', { status, note: 'By letter' }, ACTOR) };
  };

  it.each([
    ['active', 'withdrawn', 'rights.withdraw'],
    ['active', 'disputed', 'rights.dispute'],
    ['disputed', 'withdrawn', 'rights.withdraw'],
    ['expired', 'active', 'rights.reactivate'],
  ] as const)('records that a claim that was %s is %s', async (from, to, action) => {
    const { fake, answer } = change(from, to);
    expect(await answer).toMatchObject({ id: 'claim-1' });
    expect(fake.argsOf('claims.setStatus')).toEqual([['claim-1', { from, to, note: 'By letter', expiresAt: null }]]);
    expect(fake.argsOf('audit.record')).toEqual([[expect.objectContaining({ action, subject: 'claim-1', actor: ACTOR })]]);
  });

  it('compares a claim that is active again with what was collected meanwhile', async () => {
    const { fake, answer } = change('disputed', 'active', { 'rights.findClaimed': [EXACT] });
    expect(await answer).toMatchObject({ held: { blocked: 1 } });
    expect(fake.argsOf('items.transition')[0]?.[1]).toMatchObject({ to: 'blocked' });
  });

  it('gives a claim that is active again a new number, and searches once more what came meanwhile', async () => {
    const { fake, answer } = change('disputed', 'active', { 'rights.size': 7 });
    await answer;
    expect(fake.argsOf('rights.renumberClaim')).toEqual([['claim-1']]);
    expect(fake.argsOf('rights.findClaimed').map(([, , since]) => since)).toEqual([undefined, 7]);
  });

  it.each([
    ['an unknown claim', { 'rights.findClaim': null }, 404, 'There is no such claim.'],
    ['a withdrawn claim', { 'rights.findClaim': listed('withdrawn') }, 409, 'This claim was already withdrawn.'],
    ['a claim that changed meanwhile', { 'claims.setStatus': false }, 409, 'This claim was changed meanwhile.'],
  ])('refuses %s', async (_what, stubs, status, message) => {
    const { fake, answer } = change('active', 'withdrawn', stubs);
    await expect(answer).rejects.toMatchObject({ status, message });
    expect(fake.auditActions).toEqual([]);
  });
});
