import type { ClaimedItem, ContentItem, PublishAttempt } from '@autoposter/persistence';
import { contentItem, FakeDatabase, publishAttempt, queueItem } from '@autoposter/testkit';
import { findingsOf, holdBack } from './hold-back';
import { claimedSource } from './rights-claims';

const BY = { actor: 'admin@example.com', claimId: 'claim-1' };
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

describe('holdBack', () => {
  const hold = async (item: Partial<ContentItem> | null, found = EXACT, stubs: Record<string, unknown> = {}) => {
    const fake = new FakeDatabase({
      'items.findForUpdate': item && contentItem(item),
      'items.lock': contentItem({ state: 'ready' }),
      ...stubs,
    });
    const held = await holdBack(fake.uow, findingsOf([found]), BY);
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
    expect(fake.argsOf('cases.open')).toMatchObject([[{ state: 'held', itemState: state, dueInHours: null }]]);
  });

  it('flags an item that a claim matches in part', async () => {
    const { fake, held, moves } = await hold({ state: 'ready' }, PARTIAL);
    expect([held, moves]).toEqual([{ ...NONE, flagged: 1 }, []]);
    expect(fake.argsOf('items.patch')[0]?.[1]).toMatchObject({ needsReview: true });
    expect(fake.argsOf('rights.addMatches')).toMatchObject([['item-1', { verdict: 'flagged', matches: PARTIAL.matches }]]);
    expect(fake.argsOf('provenance.append')).toMatchObject([
      ['item-1', 'claim', { claimId: 'claim-1', verdict: 'flagged', matches: PARTIAL.matches, frames: [] }],
    ]);
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

  it('ends an attempt whose permission was revoked, with that as its failure', async () => {
    const reasons = [{ code: 'permission_revoked', fields: { grantor: 'Ada' } }] as const;
    const stubs = {
      'items.findForUpdate': contentItem({ state: 'posting' }),
      'items.lock': contentItem({ state: 'ready' }),
      ...attempt('open'),
    };
    const fake = new FakeDatabase(stubs);
    const by = { actor: 'me', claimId: null, permission: 'revoked' } as const;
    expect(await holdBack(fake.uow, [{ itemId: 'item-1', verdict: 'flagged', reasons }], by)).toEqual({ ...NONE, flagged: 1 });
    const failure = { code: 'not_permitted', message: 'The permission of Ada was revoked.' };
    expect(fake.argsOf('attempts.transition')[0]?.[1]).toMatchObject({ to: 'failed', patch: { failure } });
    expect(fake.argsOf('items.patch')).toEqual([['item-1', { needsReview: true, reviewReasons: reasons }]]);
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

  it('reports a published post and opens a case with a deadline', async () => {
    const { fake, held, moves } = await hold({ state: 'posted', title: 'A fox' });
    expect(fake.argsOf('cases.open')).toMatchObject([
      [{ reason: 'claim', claimId: 'claim-1', itemId: 'item-1', state: 'open', dueInHours: 24 }],
    ]);
    expect([held, moves]).toEqual([{ ...NONE, out: [{ id: 'item-1', title: 'A fox' }] }, []]);
  });

  it.each([
    ['published', { state: 'posted' } as const, {}],
    [
      'discarded here after its publication',
      { state: 'discarded' } as const,
      { 'attempts.ofItems': new Map([['item-1', publishAttempt({ state: 'published' })]]) },
    ],
  ])('lists a weak match of a post that was %s for an answer, without a case', async (_what, item, stubs) => {
    const { fake, held, moves } = await hold(item, PARTIAL, stubs);
    expect([held, moves, fake.argsOf('cases.open'), fake.argsOf('items.patch')]).toEqual([{ ...NONE, flagged: 1 }, [], [], []]);
    expect(fake.argsOf('rights.addMatches')).toMatchObject([['item-1', { verdict: 'flagged', matches: PARTIAL.matches }]]);
    expect(fake.argsOf('provenance.append')).toMatchObject([['item-1', 'claim', { verdict: 'flagged' }]]);
  });

  it('flags a post whose publication is uncertain for a weak match, without a case', async () => {
    const { fake, held } = await hold({ state: 'posting' }, PARTIAL, attempt('unknown'));
    expect([held, fake.argsOf('cases.open')]).toEqual([{ ...NONE, flagged: 1 }, []]);
    expect(fake.argsOf('items.patch')[0]?.[1]).toMatchObject({ needsReview: true });
    expect(fake.argsOf('rights.addMatches')).toHaveLength(1);
  });

  it('tells no claimant that a post was removed which only resembles the work', async () => {
    const stubs = { 'cases.isRemoved': true, 'notices.ofClaim': { id: 'notice-1', closedAt: new Date(0) } };
    const { fake, held } = await hold({ state: 'posted' }, PARTIAL, stubs);
    expect([held, fake.argsOf('cases.open'), fake.argsOf('rights.addMatches')]).toEqual([NONE, [], []]);
  });

  describe('an item that is published although its state is another one', () => {
    const PUBLISHED = { 'attempts.ofItems': new Map([['item-1', publishAttempt({ state: 'published' })]]) };

    it.each(['discarded', 'deleted', 'blocked'] as const)('is reported with a case where it is %s', async (state) => {
      const { fake, held, moves } = await hold({ state, title: 'A fox' }, EXACT, PUBLISHED);
      expect([held, moves]).toEqual([{ ...NONE, out: [{ id: 'item-1', title: 'A fox' }] }, []]);
      expect(fake.argsOf('cases.open')).toMatchObject([[{ itemState: state, state: 'open', dueInHours: 24 }]]);
    });

    it('is blocked as well where it was collected again', async () => {
      const { fake, held, moves } = await hold({ state: 'ready' }, EXACT, PUBLISHED);
      expect([held.blocked, held.out.length, moves]).toEqual([1, 1, ['blocked']]);
      expect(fake.argsOf('cases.open')).toMatchObject([[{ state: 'open' }]]);
    });

    it('is left where an administrator dismissed its case', async () => {
      const { fake, held } = await hold({ state: 'posted' }, EXACT, { 'cases.isDismissed': true });
      expect([held, fake.argsOf('cases.open'), fake.argsOf('provenance.append')]).toEqual([NONE, [], []]);
    });

    it('is left where it was removed already', async () => {
      const { fake, held } = await hold({ state: 'discarded' }, EXACT, { ...PUBLISHED, 'cases.isRemoved': true });
      expect([held, fake.argsOf('cases.open')]).toEqual([NONE, []]);
    });
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

  describe('a claim that names the post', () => {
    const failure = claimedSource({ title: 'Dusk', target: { kind: 'author', key: 'reddit:painter' } });
    const stop = async (item: Partial<ContentItem>) => {
      const fake = new FakeDatabase({ 'items.findForUpdate': contentItem(item) });
      const held = await holdBack(fake.uow, [{ itemId: 'item-1', verdict: 'blocked', reasons: [], failure }], BY);
      return { fake, held, moves: fake.argsOf('items.transition').map(([, step]) => (step as { to: string }).to) };
    };

    it.each(['accepted', 'downloading'] as const)('ends the download of a post that is %s, so that a retry starts there', async (state) => {
      const { fake, held, moves } = await stop({ state });
      expect([held.blocked, moves]).toEqual([1, ['failed']]);
      expect(fake.argsOf('jobs.cancelOpen')).toEqual([['item-1']]);
      expect(fake.argsOf('items.addError')[0]?.[1]).toMatchObject({
        stage: 'download',
        message: 'The author of this post is claimed: "Dusk".',
        kind: 'rights_blocked',
      });
      expect(fake.argsOf('skipped.recordItem')[0]?.[1]).toBe('dmca_failure');
      expect(fake.events).toMatchObject([{ type: 'download.skipped', state: 'failed' }]);
      expect(fake.argsOf('provenance.append')).toMatchObject([
        ['item-1', 'blocked', { reason: failure.message, actor: BY.actor }],
        ['item-1', 'claim', { claimId: BY.claimId, matches: [], frames: [] }],
      ]);
    });

    it.each(['downloaded', 'protecting', 'ready'] as const)('blocks an item that is %s', async (state) => {
      const { held, moves } = await stop({ state });
      expect([held.blocked, moves]).toEqual([1, ['blocked']]);
    });

    it('reports a published post, and records the claim for its evidence', async () => {
      const { fake, held } = await stop({ state: 'posted' });
      expect(held.out).toMatchObject([{ id: 'item-1' }]);
      expect(fake.argsOf('provenance.append')).toMatchObject([['item-1', 'claim', { claimId: BY.claimId, noticeId: null }]]);
    });
  });
});
