import type { FailureKind } from '@autoposter/contracts';
import { type ItemState, PipelineError } from '@autoposter/domain';
import type { ObjectStore } from '@autoposter/object-store';
import { silentLogger } from '@autoposter/observability';
import type { ContentItem } from '@autoposter/persistence';
import { contentItem, FakeDatabase, publishAttempt, queueItem } from '@autoposter/testkit';
import { findRemoved } from './find-removed';

const said = (kind: FailureKind) => () =>
  Promise.reject(new PipelineError({ code: 'reddit_failed', kind, message: 'Reddit says so.', side: 'reddit', nextAction: 'Wait.' }));
const itemsOf = (count: number) =>
  Array.from({ length: count }, (_, number) => contentItem({ id: `item-${number}`, sourceId: `post${number}` }));

/** Items that are due at one of the checks, and what Reddit says of each: a list that lacks those in `missing`, and `resolve`. */
function arrange({
  held = [],
  kept = [],
  gone = [],
  missing,
  resolve = said('not_found'),
  ...stubs
}: {
  held?: ContentItem[];
  kept?: ContentItem[];
  /** Deleted here, and published. */
  gone?: ContentItem[];
  missing?: string[];
  resolve?: (url: string) => Promise<unknown>;
  [stub: string]: unknown;
}) {
  const rounds = { held: [...held], kept: [...kept], deleted: [...gone] };
  const deleted: string[] = [];
  const fake = new FakeDatabase({
    'items.dueForSourceCheck': (states: ItemState[], _seconds: number, limit: number) =>
      (states.includes('posted') ? rounds.kept : rounds.held).splice(0, limit),
    'items.deletedDueForSourceCheck': (_seconds: number, limit: number) => rounds.deleted.splice(0, limit),
    'items.lock': (id: string) => [...held, ...kept, ...gone].find((item) => item.id === id),
    'items.purgeContent': [{ objectKey: 'originals/aa.mp4', sha256: 'aa' }],
    'items.stateOf': 'failed',
    'media.markForDeletion': (keys: string[]) => keys,
    ...stubs,
  });
  const asked: string[][] = [];
  const reddit = {
    removedAmong: async (ids: readonly string[]) => {
      asked.push([...ids]);
      return new Set(ids.filter((id) => missing?.includes(id) ?? true));
    },
    resolve: jest.fn(resolve as () => Promise<never>),
  };
  const objects = { delete: async (key: string) => void deleted.push(key) } as unknown as ObjectStore;
  return { fake, asked, deleted, reddit, found: findRemoved({ reddit, database: fake.database, objects, logger: silentLogger }) };
}
const moves = (fake: FakeDatabase) => fake.argsOf('items.transition').map(([, step]) => (step as { to: string }).to);
const checked = (fake: FakeDatabase) => fake.argsOf('items.markSourceChecked').flatMap(([ids]) => ids as string[]);

describe('findRemoved', () => {
  it.each(['downloaded', 'protected', 'captioning', 'ready'] as const)(
    'fails an item that is %s and deletes its content',
    async (state) => {
      const { fake, deleted, found } = arrange({ held: [contentItem({ state })] });
      expect(await found).toBe(1);
      expect(fake.argsOf('items.transition')[0]?.[1]).toMatchObject({ from: state, to: 'failed', patch: { failedStage: 'download' } });
      expect(fake.argsOf('items.addError')[0]?.[1]).toMatchObject({ stage: 'download', kind: 'not_found' });
      expect([fake.argsOf('jobs.cancelOpen'), deleted]).toEqual([[['item-1']], ['originals/aa.mp4']]);
      expect(fake.events).toMatchObject([{ type: 'download.failed', state: 'failed', actor: 'downloader' }]);
      expect(fake.argsOf('audit.record')[0]?.[0]).toMatchObject({
        action: 'item.removed_at_source',
        detail: { sourceId: 'abc123', was: state, files: 1, sha256: ['aa'] },
      });
      expect(checked(fake)).toEqual(['item-1']);
    },
  );

  it.each(['ready', 'posted'] as const)('says of an item that is %s why Reddit removed its post', async (state) => {
    const takenDown = PipelineError.of('reddit_post_disputed', {
      fields: { message: 'This post was taken down after a copyright claim.' },
    });
    const items = [contentItem({ state })];
    const { fake, found } = arrange({
      ...(state === 'posted' ? { kept: items } : { held: items }),
      resolve: () => Promise.reject(takenDown),
    });
    expect(await found).toBe(1);
    const message = expect.stringMatching(
      /after it was (?:downloaded|published here): This post was taken down after a copyright claim\.$/,
    ) as string;
    expect(fake.argsOf('items.addError')[0]?.[1]).toMatchObject({ message, kind: 'rights_blocked' });
    expect(fake.argsOf('provenance.append')[0]?.[2]).toMatchObject({ reason: message });
  });

  it('takes a queued item out of the queue', async () => {
    const place = { 'queue.findOpenOf': queueItem(), 'queue.findForUpdate': queueItem() };
    const { fake, found } = arrange({ held: [contentItem({ state: 'queued' })], ...place });
    expect([await found, moves(fake)]).toEqual([1, ['failed']]);
    expect(fake.argsOf('queue.transition')[0]?.[1]).toMatchObject({ to: 'cancelled' });
  });

  it('does not say of a post that was never downloaded that its files were deleted', async () => {
    const { fake, found } = arrange({ kept: [contentItem({ state: 'failed', failedStage: 'download', mediaType: 'other' })] });
    expect(await found).toBe(1);
    expect(fake.argsOf('items.addError')[0]?.[1]).toMatchObject({
      message: 'The post was removed at its source: Reddit says so.',
    });
  });

  it.each([
    ['a post', 'posted', [], 'after it was published', ['other']],
    ['a failed item', 'failed', [], 'removed at its source', []],
    ['a blocked item', 'blocked', [], 'removed at its source', []],
  ] as const)('records the removal of %s that stays in its state', async (_what, state, to, message, skipped) => {
    const { fake, found } = arrange({ kept: [contentItem({ state, failedStage: 'ai' })] });
    expect([await found, moves(fake)]).toEqual([1, to]);
    expect(fake.argsOf('items.addError')[0]?.[1]).toMatchObject({ message: expect.stringContaining(message) as string });
    const recorded = fake.argsOf('skipped.recordItem');
    expect(recorded.map(([, reason]) => reason)).toEqual(skipped);
    for (const [, , details, errorMessage] of recorded) {
      expect(errorMessage).toContain(message);
      expect(details).not.toContain(message);
    }
    expect(fake.argsOf('items.patch')).toEqual(state === 'failed' ? [['item-1', { failedStage: 'download' }]] : []);
  });

  it('deletes a discarded item', async () => {
    const { fake, found } = arrange({ kept: [contentItem({ state: 'discarded' })] });
    expect([await found, moves(fake)]).toEqual([1, ['deleted']]);
  });

  describe('of a published post', () => {
    const PUBLISHED = { 'attempts.ofItems': new Map([['item-1', publishAttempt({ state: 'published' })]]) };

    it.each(['discarded', 'blocked', 'failed', 'deleted'] as const)('opens a case where its item is %s', async (state) => {
      const given = state === 'deleted' ? { gone: [contentItem({ state })] } : { kept: [contentItem({ state })] };
      const { fake, found } = arrange({ ...given, ...PUBLISHED });
      expect([await found, moves(fake)]).toEqual([1, state === 'discarded' ? ['deleted'] : []]);
      expect(fake.argsOf('cases.open')).toMatchObject([
        [{ reason: 'source_removed', itemId: 'item-1', itemState: state, state: 'open', dueInHours: 24 }],
      ]);
    });

    it('opens none where the post was removed already', async () => {
      const { fake, found } = arrange({ kept: [contentItem({ state: 'posted' })], ...PUBLISHED, 'cases.isRemoved': true });
      expect([await found, fake.argsOf('cases.open')]).toEqual([1, []]);
    });
  });

  it.each([
    ['that Reddit still lists', { held: [contentItem()], missing: [] }],
    ['that the list lacks but Reddit still shows', { held: [contentItem()], resolve: async () => ({}) }],
    ['that Reddit does not show us', { held: [contentItem()], resolve: said('upstream_rejected') }],
    ['that is being published', { held: [contentItem({ state: 'posting' })] }],
    ['that a scheduler just starts', { held: [contentItem({ state: 'queued' })] }],
    ['that a concurrent writer moved', { held: [contentItem()], 'items.transition': false }],
    ['without a Reddit id', { held: [contentItem({ sourceId: 'link:/r/x' })] }],
  ])('keeps an item %s and checks it again later', async (_what, given) => {
    const { fake, deleted, found } = arrange(given);
    expect([await found, deleted, fake.argsOf('items.purgeContent'), checked(fake)]).toEqual([0, [], [], ['item-1']]);
  });

  it.each(['not_authorised', 'not_configured', 'rate_limited', 'transient'] as const)('ends the round on %s', async (kind) => {
    const { fake, found } = arrange({ held: [contentItem()], resolve: said(kind) });
    await expect(found).rejects.toMatchObject({ failure: { kind } });
    expect(fake.argsOf('items.purgeContent')).toEqual([]);
  });

  it('passes a programming error on', async () => {
    await expect(arrange({ held: [contentItem()], resolve: () => Promise.reject(new TypeError('broken')) }).found).rejects.toThrow(
      'broken',
    );
  });

  it('asks for 100 posts at a time and at most 2,000 in a round', async () => {
    const { asked, found } = arrange({ held: itemsOf(2_050), missing: [] });
    await found;
    expect([asked.length, new Set(asked.map((ids) => ids.length))]).toEqual([20, new Set([100])]);
  });

  it('asks for at most 40 posts one by one and leaves the others for the next round', async () => {
    const { fake, reddit, asked, found } = arrange({ held: itemsOf(45), resolve: said('upstream_rejected') });
    await found;
    expect([reddit.resolve.mock.calls.length, checked(fake).length, asked.length]).toEqual([40, 40, 1]);
  });

  it('checks posts that may be published every four minutes and the others once a day', async () => {
    const { fake, found } = arrange({});
    await found;
    expect(fake.argsOf('items.dueForSourceCheck').map(([states, seconds]) => [(states as string[]).includes('posted'), seconds])).toEqual([
      [false, 240],
      [true, 86_400],
    ]);
  });
});
