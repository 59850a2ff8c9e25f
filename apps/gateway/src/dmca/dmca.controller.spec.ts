import type { ContentItem } from '@autoposter/persistence';
import { contentItem, FakeDatabase, minutesFromNow, stageJob } from '@autoposter/testkit';
import type { ItemPresenter } from '../items/item.presenter';
import { DmcaController } from './dmca.controller';
import { asReply } from '../testing/as-reply';

const PRESENTER = { readyForDmca: ({ id }: { id: string }) => id } as unknown as ItemPresenter;
const ACTOR = 'admin@example.com';
const failedAt = (values: Partial<ContentItem>) => contentItem({ state: 'failed', ...values });

function arrange(item: ContentItem | null, stubs: Record<string, unknown> = {}) {
  const fake = new FakeDatabase({ 'items.findForUpdate': () => item, ...stubs });
  return { fake, controller: new DmcaController(fake.database, PRESENTER) };
}

describe('DmcaController.ready', () => {
  it('lists the first downloaded items and counts all', async () => {
    const { fake, controller } = arrange(null, { 'itemLists.inState': [{ id: 'item-1' }], 'itemLists.countInStates': 7 });
    expect(await controller.ready({ limit: 1 })).toEqual({ success: true, data: ['item-1'], totalCount: 7 });
    expect(fake.argsOf('itemLists.inState')).toEqual([['downloaded', 1]]);
  });
});

describe('DmcaController.process', () => {
  it.each([
    ['a downloaded item', contentItem({ state: 'downloaded' })],
    ['an item that failed at this stage', failedAt({ failedStage: 'dmca' })],
    ['a blocked item', contentItem({ state: 'blocked' })],
  ])('requests protection of %s', async (_what, item) => {
    const { fake, controller } = arrange(item);
    expect(await controller.process('item-1', ACTOR)).toEqual({
      success: true,
      data: { id: 'item-1', state: 'protecting', jobId: 'job-1' },
    });
    expect(fake.argsOf('jobs.createWith')[0]?.[1]).toMatchObject({ stage: 'dmca', subjectId: 'item-1', forPerson: true });
    expect([fake.events, fake.argsOf('outbox.request').length]).toMatchObject([
      [{ type: 'dmca.requested', state: 'protecting', actor: ACTOR }],
      1,
    ]);
    expect(fake.argsOf('skipped.resolve')).toHaveLength(1);
  });

  it.each([
    ['an unknown item', null, {}, 404],
    ['a deleted item', contentItem({ state: 'deleted' }), {}, 404],
    ['an item that is not downloaded yet', contentItem({ state: 'accepted' }), {}, 409],
    ['an item that failed at another stage', failedAt({ failedStage: 'download' }), {}, 409],
    [
      'an item whose input is damaged',
      failedAt({ failedStage: 'dmca', processingErrors: [{ stage: 'dmca', message: 'x', resumeFrom: 'download' }] as never }),
      {},
      409,
    ],
    ['an item that was removed at its source', contentItem({ state: 'downloaded', sourceRemovedAt: minutesFromNow(-1) }), {}, 409],
    ['an item with an open job', contentItem({ state: 'downloaded' }), { 'jobs.createWith': null, 'jobs.findOpen': stageJob() }, 409],
    ['an item that a concurrent writer moved', contentItem({ state: 'downloaded' }), { 'jobs.createWith': null }, 409],
  ])('refuses %s', async (_what, item, stubs, status) => {
    const { fake, controller } = arrange(item, stubs);
    await expect(asReply(controller.process('item-1', ACTOR))).rejects.toMatchObject({ status });
    expect([fake.argsOf('outbox.request'), fake.events]).toEqual([[], []]);
  });
});

describe('DmcaController.processAll', () => {
  const ids = ['item-1', 'item-2', 'item-3', 'item-4', 'item-5'];
  const body = { batchSize: 2, delayBetweenFiles: 60_000, maxFiles: 4 };

  it('requests the first batch now and delays the others', async () => {
    const { fake, controller } = arrange(null, {
      'itemLists.countInStates': ids.length,
      'itemLists.idsInState': (_state: string, limit: number) => ids.slice(0, limit),
      'items.findForUpdate': (id: string) => contentItem({ id, state: 'downloaded' }),
    });
    const answer = await controller.processAll(body, ACTOR);
    expect(answer).toMatchObject({
      success: true,
      processed: 4,
      total: 5,
      skipped: 1,
      message: 'DMCA protection was requested for 4 of 5 files.',
    });
    const jobs = fake
      .argsOf('jobs.createWith')
      .map(([, job]) => job as { state?: string; dueAt?: Date; forPerson: boolean; correlationId: string });
    expect(jobs.map(({ state, dueAt, forPerson }) => [state, dueAt, forPerson])).toEqual([
      [undefined, undefined, true],
      [undefined, undefined, true],
      ['waiting', minutesFromNow(1), false],
      ['waiting', minutesFromNow(1), false],
    ]);
    expect(new Set(jobs.map(({ correlationId }) => correlationId))).toEqual(new Set([answer.runId]));
    expect(fake.argsOf('stageRuns.create')).toEqual([[{ id: answer.runId, stage: 'dmca', startedBy: ACTOR }]]);
  });

  it('skips an item that moved on and fills its batch with the next one', async () => {
    const { fake, controller } = arrange(null, {
      'itemLists.countInStates': ids.length,
      'itemLists.idsInState': (_state: string, limit: number) => ids.slice(0, limit),
      'items.findForUpdate': (id: string) =>
        id === 'item-1' ? contentItem({ id, state: 'protecting' }) : contentItem({ id, state: 'downloaded' }),
    });
    expect(await controller.processAll(body, ACTOR)).toMatchObject({ processed: 3, skipped: 2 });
    expect(fake.argsOf('jobs.createWith').map(([, job]) => (job as { state?: string }).state)).toEqual([undefined, undefined, 'waiting']);
  });
});
