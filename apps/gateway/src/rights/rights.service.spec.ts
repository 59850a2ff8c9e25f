import type { ClaimedItem, ContentItem, PublishAttempt } from '@autoposter/persistence';
import { contentItem, FakeDatabase, NOW, publishAttempt, queueItem } from '@autoposter/testkit';
import { blockClaimed } from './block-claimed';
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
const PARTIAL: ClaimedItem = { ...EXACT, matches: [{ ...MATCH, strength: 'flag', by: 'pdq', compared: 5 }] };
const BODY = { title: 'Dusk', claimant: 'A label' };
const listed = (status = 'active') => ({ claim: { id: 'claim-1', ...BODY, status, createdBy: ACTOR, createdAt: NOW }, fingerprints: 1 });

function arrange(stubs: Record<string, unknown> = {}) {
  const fake = new FakeDatabase({
    'rights.size': 7,
    'rights.findClaimed': [],
    'rights.findClaim': listed(),
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

describe('RightsService.withdraw', () => {
  it('withdraws an active claim', async () => {
    const { fake, service } = arrange({ 'rights.withdrawClaim': true });
    expect(await service.withdraw('claim-1', ACTOR)).toMatchObject({ id: 'claim-1' });
    expect(fake.auditActions).toEqual(['rights.withdraw']);
  });

  it.each([
    ['an unknown claim', { 'rights.findClaim': null }, 404, 'There is no such claim.'],
    ['a withdrawn claim', { 'rights.withdrawClaim': false }, 409, 'This claim was already withdrawn.'],
  ])('refuses %s', async (_what, stubs, status, message) => {
    const { fake, service } = arrange(stubs);
    await expect(service.withdraw('claim-1', ACTOR)).rejects.toMatchObject({ status, message });
    expect(fake.auditActions).toEqual([]);
  });
});

describe('blockClaimed', () => {
  const hold = async (item: Partial<ContentItem> | null, found = EXACT, stubs: Record<string, unknown> = {}) => {
    const fake = new FakeDatabase({
      'items.findForUpdate': item && contentItem(item),
      'items.lock': contentItem({ state: 'ready' }),
      ...stubs,
    });
    const held = await blockClaimed(fake.uow, [found], ACTOR);
    return { fake, held, moves: fake.argsOf('items.transition').map(([, step]) => (step as { to: string }).to) };
  };
  const attempt = (state: PublishAttempt['state']) => ({
    'attempts.findOpenOf': publishAttempt({ state }),
    'attempts.lockAfterJobs': publishAttempt({ state }),
  });
  const NONE = { blocked: 0, flagged: 0, out: [] };

  it.each(['protected', 'captioning', 'ready'] as const)('blocks an item that is %s', async (state) => {
    const { fake, held, moves } = await hold({ state });
    expect([held, moves]).toEqual([{ ...NONE, blocked: 1 }, ['blocked']]);
    expect(fake.argsOf('items.addError')[0]?.[1]).toMatchObject({ message: 'Shows the claimed work "Dusk".', kind: 'rights_blocked' });
    expect(fake.argsOf('jobs.cancelOpen')).toEqual([['item-1']]);
  });

  it('flags an item that a claim matches in part', async () => {
    const { fake, held, moves } = await hold({ state: 'ready' }, PARTIAL);
    expect([held, moves]).toEqual([{ ...NONE, flagged: 1 }, []]);
    expect(fake.argsOf('items.patch')[0]?.[1]).toMatchObject({ needsReview: true });
  });

  it.each([
    [EXACT, 'blocked'],
    [PARTIAL, 'ready'],
  ])('takes a queued item out of the queue %#', async (found, to) => {
    const waiting = { 'queue.findOpenOf': queueItem(), 'queue.findForUpdate': queueItem() };
    const { fake, moves } = await hold({ state: 'queued' }, found, waiting);
    expect(fake.argsOf('queue.transition')[0]?.[1]).toMatchObject({ to: 'cancelled' });
    expect(moves).toEqual([to]);
  });

  it.each(['open', 'container'] as const)('ends an attempt that is %s', async (state) => {
    const { fake, held, moves } = await hold({ state: 'posting' }, EXACT, attempt(state));
    expect(fake.argsOf('attempts.transition')[0]?.[1]).toMatchObject({ from: state, to: 'failed' });
    expect(fake.argsOf('jobs.cancelOpen')[0]).toEqual(['attempt-1']);
    expect([held, moves]).toEqual([{ ...NONE, blocked: 1 }, ['ready', 'blocked']]);
  });

  it.each(['intent', 'unknown'] as const)('reports a post whose attempt is %s and flags it', async (state) => {
    const { fake, held, moves } = await hold({ state: 'posting', title: 'A fox' }, EXACT, attempt(state));
    expect([held, moves]).toEqual([{ ...NONE, out: [{ id: 'item-1', title: 'A fox' }] }, []]);
    expect(fake.argsOf('attempts.transition')).toEqual([]);
    expect(fake.argsOf('items.patch')[0]?.[1]).toMatchObject({ needsReview: true });
  });

  it('reports a published post', async () => {
    const { held, moves } = await hold({ state: 'posted', title: 'A fox' });
    expect([held, moves]).toEqual([{ ...NONE, out: [{ id: 'item-1', title: 'A fox' }] }, []]);
  });

  it.each([
    ['an item that is gone', null, NONE],
    ['an item before the rights check', { state: 'downloaded' }, NONE],
    ['an item that failed before the rights check', { state: 'failed', failedStage: 'download' }, NONE],
    ['a discarded item', { state: 'discarded' }, NONE],
  ] as const)('leaves %s as it is', async (_what, item, held) => {
    expect(await hold(item)).toMatchObject({ held, moves: [] });
  });

  it('blocks an item that failed after the rights check', async () => {
    expect(await hold({ state: 'failed', failedStage: 'ai' })).toMatchObject({ held: { blocked: 1 }, moves: ['blocked'] });
  });
});
