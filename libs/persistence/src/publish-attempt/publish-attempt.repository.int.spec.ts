import { aReadyItem, type FreshDatabase, useFreshDatabases } from '@autoposter/testkit';
import { v7 as uuidv7 } from 'uuid';
import type { AttemptRepository } from './publish-attempt.repository';
import type { PublishAttempt } from './publish-attempt.entity';

describe('AttemptRepository', () => {
  let fresh: FreshDatabase;
  let attempts: AttemptRepository;

  useFreshDatabases('embedded', (made) => {
    fresh = made;
    attempts = fresh.database.read.attempts;
  });

  const past = new Date(Date.now() - 60_000);
  const future = new Date(Date.now() + 3_600_000);

  /** An attempt of a new item on account 1 with caption `c` and media `m`. */
  const anAttempt = async (
    state: PublishAttempt['state'] = 'open',
    values: Partial<PublishAttempt> = {},
    immediate = false,
  ): Promise<PublishAttempt> => {
    const opened = await fresh.database.unitOfWork(async (uow) => {
      const itemId = values.itemId ?? (await aReadyItem(uow, { state: 'queued' })).id;
      const place = await uow.queue.create({ itemId, status: 'posted', caption: 'A', queuedBy: 'x', immediate });
      const texts = { kind: 'reel', caption: 'A', captionHash: 'c', mediaSha256: 'm' } as const;
      const made = await uow.attempts.open({ itemId, queueItemId: place?.id ?? '', accountId: '1', ...texts });
      if (made === null) throw new Error('the item has an open attempt');
      if (Object.keys(values).length > 0) await uow.attempts.patch(made.id, values);
      return made;
    });
    await fresh.database.sql.query('UPDATE publish_attempts SET state = $2 WHERE id = $1', [opened.id, state]);
    return { ...opened, state };
  };
  const age = (id: string, minutes: number) =>
    fresh.database.sql.query('UPDATE publish_attempts SET updated_at = now() - make_interval(mins => $2) WHERE id = $1', [id, minutes]);

  it.each([
    ['intent', {}, true],
    ['unknown', {}, true],
    ['published', {}, true],
    ['failed', { answeredMediaId: '9' }, true],
    ['container', { calledAt: past }, true],
    ['open', {}, false],
    ['container', {}, false],
    ['failed', { calledAt: past }, false],
    ['published', { captionHash: 'another' }, false],
    ['intent', { mediaSha256: 'another' }, true],
    ['published', { mediaSha256: 'another' }, true],
    ['published', { mediaSha256: 'another', kind: 'story' }, false],
    ['published', { mediaSha256: 'another', calledAt: new Date(Date.now() - 8 * 86_400_000) }, false],
    ['container', { mediaSha256: 'another' }, false],
    ['published', { accountId: '2' }, false],
  ] as const)('finds an earlier attempt in state %s with %j that may have published the same post: %s', async (state, values, expected) => {
    const earlier = await anAttempt(state, values);
    const own = await anAttempt('intent');
    expect((await attempts.findEarlier(own))?.id).toBe(expected ? earlier.id : undefined);
  });

  it.each([{ caption: ' \n' }, { kind: 'story' as const }])(
    'finds no other media by the caption of a post that shows none: %j',
    async (change) => {
      await anAttempt('published', { mediaSha256: 'another' });
      expect(await attempts.findEarlier({ ...(await anAttempt('intent')), ...change })).toBeNull();
    },
  );

  it('finds an earlier attempt of the same item, whatever its caption and account', async () => {
    const own = await anAttempt('intent');
    const other = { accountId: '2', captionHash: 'another', mediaSha256: 'another' };
    const earlier = await anAttempt('failed', { ...other, answeredMediaId: '9' });
    await fresh.database.sql.query('UPDATE publish_attempts SET item_id = $2 WHERE id = $1', [earlier.id, own.itemId]);
    expect((await attempts.findEarlier(own))?.id).toBe(earlier.id);
  });

  it('commits one of two concurrent transitions', async () => {
    const { id } = await anAttempt('open');
    const move = () => attempts.transition(id, { fromVersion: 1, from: 'open', to: 'container', patch: { containerId: '5' } });
    expect((await Promise.all([move(), move()])).sort()).toEqual([false, true]);
    expect(await attempts.transition(id, { fromVersion: 1, from: 'container', to: 'intent' })).toBe(false);
  });

  it('keeps the first media id of an answer', async () => {
    const { id } = await anAttempt('failed');
    await attempts.keepAnswer(id, '1');
    await attempts.keepAnswer(id, '2');
    expect(await attempts.find(id)).toMatchObject({ state: 'failed', answeredMediaId: '1' });
  });

  it('counts the open calls of the queue, but not those of a post that a person published at once', async () => {
    await anAttempt('unknown', { calledAt: past });
    await anAttempt('intent', { calledAt: future }, true);
    expect(await attempts.lastOpenCallAt('1', uuidv7())).toEqual(past);
  });

  it.each(['open', 'container'] as const)('counts a refused call of an attempt that is %s again, until the attempt ends', async (state) => {
    const { id } = await anAttempt(state, { calledAt: past });
    expect(await attempts.lastOpenCallAt('1', uuidv7())).toEqual(past);
    await attempts.transition(id, { fromVersion: 1, from: state, to: 'failed' });
    expect(await attempts.lastOpenCallAt('1', uuidv7())).toBeNull();
  });

  it('reconciles what is due and what lost its job, but nothing that has one', async () => {
    const due = await anAttempt('unknown');
    const overdue = await anAttempt('unknown', { nextCheckAt: past });
    await anAttempt('unknown', { nextCheckAt: future });
    const unidentified = await anAttempt('published', { nextCheckAt: past });
    await anAttempt('published', { nextCheckAt: past, mediaId: '1' });
    const answered = await anAttempt('failed', { answeredMediaId: '2' });
    await anAttempt('failed');
    await anAttempt('container');
    const orphan = await anAttempt('container');
    await age(orphan.id, 11);
    expect((await attempts.idsToReconcile(10)).sort()).toEqual([due, overdue, unidentified, answered, orphan].map(({ id }) => id).sort());
    const job = { stage: 'reconcile', itemId: due.itemId, messageKey: '1', maxAttempts: 3, correlationId: uuidv7() } as const;
    await fresh.database.read.jobs.create({ ...job, subjectId: due.id });
    expect(await attempts.idsToReconcile(10)).not.toContain(due.id);
  });

  it('tells the media of other attempts from its own', async () => {
    const own = await anAttempt('unknown', { answeredMediaId: '1' });
    await anAttempt('published', { mediaId: '2' });
    await anAttempt('failed', { answeredMediaId: '3' });
    expect(await attempts.findLinked('1', ['1', '2', '3', '4'], own.id)).toEqual(new Set(['2', '3']));
    expect(await attempts.findLinked('1', ['1', '4'])).toEqual(new Set(['1']));
  });

  it('counts the other posts of a caption that are published without a known media id', async () => {
    const own = await anAttempt('published');
    await anAttempt('published');
    await anAttempt('published', { mediaId: '1' });
    await anAttempt('published', { captionHash: 'another' });
    await anAttempt('published', { kind: 'story' });
    expect(await attempts.countUnidentified(own)).toBe(1);
  });

  it('counts the other stories of the same time whose media is not known, whatever their caption', async () => {
    const story = { kind: 'story', calledAt: new Date() } as const;
    const own = { ...(await anAttempt('published', story)), ...story };
    await anAttempt('published', { ...story, captionHash: 'another' });
    await anAttempt('unknown', story);
    await anAttempt('published', { ...story, mediaId: '1' });
    await anAttempt('unknown', { ...story, answeredMediaId: '2' });
    await anAttempt('failed', story);
    await anAttempt('container', { kind: 'story' });
    await anAttempt('published', { calledAt: new Date() });
    await anAttempt('published', { ...story, calledAt: new Date(Date.now() - 3 * 3_600_000) });
    expect(await attempts.countUnidentified(own)).toBe(2);
  });

  it('shows the published attempt of an item rather than a newer one', async () => {
    const published = await anAttempt('published');
    const newer = await anAttempt('failed', { itemId: published.itemId });
    const other = await anAttempt('failed');
    const last = await anAttempt('open', { itemId: other.itemId });
    const shown = await attempts.ofItems([published.itemId, other.itemId]);
    expect(newer.itemId).toBe(published.itemId);
    expect([shown.get(published.itemId)?.id, shown.get(other.itemId)?.id]).toEqual([published.id, last.id]);
  });
});
