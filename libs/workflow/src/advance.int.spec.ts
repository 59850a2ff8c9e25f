import { fireDue, LeaderLease, requestStage } from '@autoposter/job-engine';
import { anItem, aReadyItem, type FreshDatabase, useFreshDatabases } from '@autoposter/testkit';
import { advance, failItem } from './advance';
import { enqueue, startPosting } from './enqueue';

const failure = {
  code: 'media_announced_too_large',
  kind: 'too_large',
  message: 'The file is too large.',
  side: 'reddit',
  nextAction: 'Leave it out.',
} as const;

describe('advance', () => {
  let fresh: FreshDatabase;

  useFreshDatabases(
    'embedded',
    (made) => {
      fresh = made;
    },
    { publishing: { requests: true, facts: false } },
  );

  const run: FreshDatabase['database']['unitOfWork'] = (work) => fresh.database.unitOfWork(work);
  const outbox = () =>
    fresh.database.sql.query<{ topic: string; key: string }>(
      `SELECT topic, key FROM outbox WHERE topic LIKE '%requested%' ORDER BY created_at`,
    );

  it('requests the next stage in the same commit as the move', async () => {
    const item = await run((uow) => anItem(uow, { state: 'downloading', autoProcessStage: 'queuePost' }));
    const moved = await run((uow) =>
      advance(uow, item, { by: 'stage', finished: 'download' }, { actor: 'system', patch: { title: 'Seen' } }),
    );
    expect(moved).toMatchObject({ outcome: 'entered', stage: 'dmca', state: 'protecting' });
    expect(await fresh.database.read.items.find(item.id)).toMatchObject({ state: 'protecting', title: 'Seen', version: 2 });
    expect(item).toMatchObject({ state: 'protecting', version: 2 });
    expect(await outbox()).toEqual([{ topic: 'pipeline.dmca.requested.v1', key: item.id }]);
  });

  it('lets a job with a due date wait and requests it when it is due', async () => {
    const item = await run((uow) => anItem(uow, { state: 'downloaded' }));
    const dueAt = new Date(Date.now() + 60_000);
    const moved = await run((uow) =>
      advance(uow, item, { by: 'person', wants: 'dmca' }, { actor: 'admin@example.org', dueAt, waitReason: 'Later.' }),
    );
    expect(moved).toMatchObject({ outcome: 'entered', state: 'protecting', job: { state: 'waiting', dueAt, waitReason: 'Later.' } });
    expect(await outbox()).toEqual([]);
    await fresh.database.sql.query(`UPDATE stage_jobs SET due_at = now() - interval '1 second'`);
    expect(await run((uow) => fireDue(uow))).toBe(1);
    expect(await outbox()).toEqual([{ topic: 'pipeline.dmca.requested.v1', key: item.id }]);
  });

  it('accepts one of several concurrent requests for the same stage', async () => {
    const item = await run((uow) => anItem(uow, { state: 'downloaded' }));
    const press = () => run((uow) => advance(uow, { ...item }, { by: 'person', wants: 'dmca' }, { actor: 'admin@example.org' }));
    const outcomes = (await Promise.allSettled([press(), press(), press()])).map((one) =>
      one.status === 'fulfilled' ? one.value.outcome : 'rolled back',
    );
    expect(outcomes.filter((outcome) => outcome === 'entered')).toHaveLength(1);
    expect(await outbox()).toHaveLength(1);
  });

  it('never queues an item that was published before', async () => {
    const item = await run((uow) => aReadyItem(uow, {}));
    const first = await run(async (uow) => {
      const queued = await enqueue(uow, item, { immediate: true, accountId: '17', actor: 'admin@example.org' });
      if (queued.outcome !== 'queued' || queued.attempt === null) throw new Error(queued.outcome);
      return queued.attempt;
    });
    await fresh.database.sql.query(`UPDATE publish_attempts SET state = 'published', media_id = 'm1', published_at = now() WHERE id = $1`, [
      first.id,
    ]);
    await fresh.database.sql.query(`UPDATE queue_items SET status = 'posted' WHERE item_id = $1`, [item.id]);
    await fresh.database.sql.query(`UPDATE content_items SET state = 'ready' WHERE id = $1`, [item.id]);
    const revived = await run(async (uow) => {
      const again = await uow.items.findForUpdate(item.id);
      if (again === null) throw new Error('gone');
      return enqueue(uow, again, { caption: 'Other words.', immediate: true, accountId: '17', actor: 'admin@example.org' });
    });
    expect(revived).toEqual({ outcome: 'refused', reasons: [{ code: 'published_before', fields: { permalink: null } }] });
    expect(await fresh.database.read.items.find(item.id)).toMatchObject({ state: 'ready' });
  });

  it('puts a finished item into the queue with the composed caption', async () => {
    const item = await run((uow) => aReadyItem(uow, { state: 'captioning', autoProcessStage: 'queuePost' }));
    const moved = await run((uow) => advance(uow, item, { by: 'stage', finished: 'ai' }, { actor: 'system' }));
    expect(moved).toMatchObject({
      outcome: 'queued',
      queueItem: { status: 'pending', caption: 'Snow day.\n\nCredit: u/fox_watcher on Reddit in r/aww\n\n#fox #snow' },
    });
    expect((await fresh.database.read.items.find(item.id))?.state).toBe('queued');
  });

  it('opens the publish attempt at once for Post Now', async () => {
    const item = await run((uow) => aReadyItem(uow));
    const queued = await run((uow) =>
      enqueue(uow, item, { immediate: true, accountId: '17841', actor: 'admin@example.org', caption: 'Mine.' }),
    );
    expect(queued).toMatchObject({
      outcome: 'queued',
      queueItem: { status: 'posting', immediate: true },
      attempt: { state: 'open', kind: 'reel', caption: 'Mine.\n\nCredit: u/fox_watcher on Reddit in r/aww\n\n#fox #snow' },
    });
    expect(await fresh.database.read.items.find(item.id)).toMatchObject({ state: 'posting' });
    expect(await outbox()).toEqual([{ topic: 'pipeline.post.requested.v1', key: '17841' }]);
  });

  it('opens one attempt for an item under concurrent starts', async () => {
    const item = await run((uow) => aReadyItem(uow));
    const queued = await run((uow) => enqueue(uow, item, { immediate: false, actor: 'system' }));
    if (queued.outcome !== 'queued') throw new Error('not queued');
    const start = () => run((uow) => startPosting(uow, queued.queueItem, { accountId: '17841', actor: 'system' }));
    const outcomes = (await Promise.all([start(), start(), start()])).map(({ outcome }) => outcome);
    expect(outcomes.filter((outcome) => outcome === 'started')).toHaveLength(1);
    expect(await outbox()).toHaveLength(1);
  });

  it('records the error of a failed item', async () => {
    const item = await run((uow) => anItem(uow, { state: 'downloading' }));
    expect(await run((uow) => failItem(uow, item, 'download', failure, 'fetch-media'))).toBe(true);
    expect(await fresh.database.read.items.find(item.id)).toMatchObject({
      state: 'failed',
      failedStage: 'download',
      failureSeenAt: null,
      processingErrors: [{ stage: 'download', message: failure.message, nextAction: failure.nextAction, kind: 'too_large' }],
    });
  });

  it('accepts one open job per stage and subject', async () => {
    const item = await run((uow) => anItem(uow));
    const ask = { stage: 'dmca', subjectId: item.id, itemId: item.id, key: item.id, actor: 'system' } as const;
    const [first, second] = [await run((uow) => requestStage(uow, ask)), await run((uow) => requestStage(uow, ask))];
    expect(first.accepted).toBe(true);
    expect(second).toMatchObject({ accepted: false, job: { id: first.job?.id } });
    expect(await outbox()).toHaveLength(1);
  });

  it('elects one leader at a time and raises the fence with each change', async () => {
    const lease = (owner: string) => new LeaderLease({ database: fresh.database, name: 'clock', owner, seconds: 30 });
    const [a, b] = [lease('a'), lease('b')];
    const fences = await Promise.all([a.hold(), b.hold()]);
    expect(fences.filter((fence) => fence !== null)).toEqual([1]);
    const [leader, other] = fences[0] === null ? [b, a] : [a, b];
    expect(await leader.hold()).toBe(1);
    expect(await other.hold()).toBeNull();
    await leader.release();
    expect(await other.hold()).toBe(2);
    expect(await leader.hold()).toBeNull();
  });
});
