import { anItem, type FreshDatabase, useFreshDatabases } from '@autoposter/testkit';
import type { UnitOfWork } from '../database/unit-of-work';
import type { NewJob } from '../stage-job/stage-job.repository';
import { type ContentItem, newContentItem, type NewItem } from './content-item.entity';

const START = { from: 'downloaded', to: 'protecting' } as const;
const END = { from: 'protecting', to: 'protected' } as const;

const jobOf = ({ id }: ContentItem): NewJob => ({
  stage: 'dmca',
  subjectId: id,
  itemId: id,
  messageKey: id,
  maxAttempts: 3,
  correlationId: id,
  options: { tone: 'dry', words: ['a', "'"] },
  dueAt: new Date('2026-05-05T10:00:00.123Z'),
  state: 'waiting',
});

const post = (sourceId: string): NewItem => ({
  platform: 'reddit',
  sourceId,
  originalUrl: `https://www.reddit.com/comments/${sourceId}/`,
  autoProcessStage: 'queuePost',
});

describe('moves of items', () => {
  let fresh: FreshDatabase;

  useFreshDatabases('embedded', (made) => {
    fresh = made;
  });

  const items = (count: number) =>
    fresh.database.unitOfWork((uow) => Promise.all(Array.from({ length: count }, () => anItem(uow, { state: 'downloaded' }))));
  const enter = (uow: UnitOfWork, item: ContentItem, patch = {}) =>
    uow.jobs.createWith(uow.items.transitionStatement(item.id, { ...START, fromVersion: item.version, patch }), jobOf(item));
  const together = <T>(work: (uow: UnitOfWork) => Promise<T>) => fresh.database.unitOfWork(work, { defersMoves: true });
  const stored = async () =>
    (await fresh.database.read.items.list()).map(({ state, version, failedStage }) => ({ state, version, failedStage }));

  it('are sent together before the next statement, which sees all of them', async () => {
    const all = await items(3);
    const seen = await together(async (uow) => {
      const jobs = await Promise.all(all.map((item, n) => enter(uow, item, n === 1 ? { failedStage: 'ai' } : {})));
      return { jobs, found: await uow.jobs.findMany(jobs.map((job) => job?.id ?? '')) };
    });
    expect(seen.found.map(({ requestedAt: _later, ...job }) => job)).toEqual(
      expect.arrayContaining(seen.jobs.map((job) => ({ ...job, requestedAt: undefined }))),
    );
    expect((await stored()).map(({ failedStage }) => failedStage).sort()).toEqual(['ai', null, null]);
    expect(await stored()).toEqual(Array.from({ length: 3 }, () => expect.objectContaining({ state: 'protecting', version: 2 })));
  });

  it('are written in their order when an item moves twice', async () => {
    const [item] = await items(1);
    if (item === undefined) throw new Error('there is no item');
    await together(async (uow) => {
      await enter(uow, item);
      expect(await uow.items.transition(item.id, { ...END, fromVersion: 2 })).toBe(true);
      expect(await uow.items.stateOf(item.id)).toBe('protected');
    });
    expect(await stored()).toEqual([{ state: 'protected', version: 3, failedStage: null }]);
  });

  it.each<[string, (uow: UnitOfWork, item: ContentItem) => Promise<unknown>]>([
    ['changed', (uow, { id }) => uow.items.transition(id, { ...START, fromVersion: 1 })],
    ['was edited', (_uow, { id }) => fresh.database.sql.query('UPDATE content_items SET version = version + 1 WHERE id = $1', [id])],
    ['has an open job of the stage', (uow, item) => uow.jobs.create(jobOf(item))],
  ])('fail the unit of work when one item %s meanwhile, and nothing is written', async (_how, change) => {
    const all = await items(3);
    await fresh.database.unitOfWork((uow) => change(uow, all[1] as ContentItem));
    const before = await stored();
    await expect(together((uow) => Promise.all(all.map((item) => enter(uow, item))))).rejects.toThrow('1 of 3 moves of items were refused');
    expect(await stored()).toEqual(before);
  });

  it('are refused one by one where they are not deferred', async () => {
    const [moved, free] = (await items(2)) as [ContentItem, ContentItem];
    await fresh.database.read.items.transition(moved.id, { ...START, fromVersion: 1 });
    const results = await fresh.database.unitOfWork(async (uow) => [await enter(uow, moved), await enter(uow, free)]);
    expect(results).toEqual([null, expect.objectContaining({ stage: 'dmca', subjectId: free.id })]);
    expect(await fresh.database.read.items.transition(moved.id, { ...START, fromVersion: 1 })).toBe(false);
  });

  it('insert a new item with its job, as the code expects the defaults of the tables', async () => {
    const item = newContentItem({ ...post('new'), state: 'downloading', version: 2 });
    const write = (uow: UnitOfWork) => uow.jobs.createWith(uow.items.insertionStatement(item), jobOf(item));
    const job = await fresh.database.unitOfWork(write);
    const times = { createdAt: expect.any(Date) as Date, updatedAt: expect.any(Date) as Date };
    expect(await fresh.database.read.items.list()).toEqual([{ ...item, ...times }]);
    expect(await fresh.database.read.jobs.ofItem(item.id)).toEqual([{ ...job, requestedAt: expect.any(Date) as Date }]);
  });

  it('insert neither the item nor its job when the source post is known', async () => {
    const known = await fresh.database.unitOfWork((uow) => anItem(uow));
    const again = newContentItem(post(known.sourceId));
    const write = (uow: UnitOfWork) => uow.jobs.createWith(uow.items.insertionStatement(again), jobOf(again));
    expect(await fresh.database.unitOfWork(write)).toBeNull();
    expect(await fresh.database.read.items.list()).toEqual([known]);
    expect(await fresh.database.read.jobs.findOpen('dmca', again.id)).toBeNull();
  });

  it('read only the open jobs of their own items, also while the statistics know no open job', async () => {
    const jobs = (state: string, count: number) =>
      fresh.database.sql.query(
        `INSERT INTO stage_jobs (id, stage, subject_id, message_key, state, max_attempts, correlation_id)
         SELECT gen_random_uuid(), (ARRAY['collect','download','dmca','ai'])[1 + n % 4], gen_random_uuid(), 'k', $1, 3, gen_random_uuid() FROM generate_series(1, $2::int) AS n`,
        [state, count],
      );
    await jobs('done', 3_000);
    await fresh.database.sql.query('VACUUM (ANALYZE) stage_jobs');
    await jobs('requested', 200);
    const all = await items(20);
    const read = await together(async (uow) => {
      // with free pages the wrong plan is the cheaper one here, as it is in tables of some hundred thousand rows
      const { run } = uow as unknown as { run(text: string): Promise<unknown> };
      await run.call(uow, 'SET LOCAL random_page_cost = 0');
      await run.call(uow, 'SET LOCAL seq_page_cost = 0');
      await Promise.all(all.map((item) => enter(uow, item)));
      // sends the moves
      await uow.jobs.findMany([]);
      return tuplesRead(uow);
    });
    expect(read).toBeLessThan(200);
  });
});

/** Rows of `stage_jobs` that the transaction has read so far. */
const tuplesRead = async (uow: UnitOfWork): Promise<number> => {
  const { value } = uow as unknown as { value(text: string): Promise<number> };
  return value.call(uow, `SELECT (seq_tup_read + idx_tup_fetch)::int FROM pg_stat_xact_user_tables WHERE relname = 'stage_jobs'`);
};
