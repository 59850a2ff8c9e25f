import { contentItem, FakeDatabase } from '@autoposter/testkit';
import { RunsService } from './runs.service';

const ACTOR = 'admin@example.com';
const RUN = { id: 'run-1', stage: 'dmca' };

function arrange(stubs: Record<string, unknown> = {}) {
  const fake = new FakeDatabase({
    'stageRuns.find': RUN,
    'stageRuns.countOpen': 2,
    'stageRuns.unstarted': ['item-1'],
    'stageRuns.cancelUnstarted': true,
    'items.findForUpdate': contentItem({ state: 'protecting' }),
    ...stubs,
  });
  return { fake, service: new RunsService(fake.database) };
}

describe('RunsService.cancel', () => {
  it('returns unstarted items to their waiting state', async () => {
    const { fake, service } = arrange();
    expect(await service.cancel('run-1', ACTOR)).toEqual({ returned: 1, running: 2 });
    expect(fake.argsOf('items.transition')).toEqual([['item-1', { fromVersion: 1, from: 'protecting', to: 'downloaded' }]]);
    expect(fake.events).toMatchObject([
      { type: 'stage.cancelled', stage: 'dmca', state: 'downloaded', correlationId: 'run-1', actor: ACTOR },
    ]);
    expect(fake.argsOf('audit.record')[0]?.[0]).toMatchObject({ action: 'runs.cancel', subject: 'run-1', detail: { stage: 'dmca' } });
  });

  it.each([
    ['an item that is gone', { 'items.findForUpdate': null }],
    ['an item at a later stage', { 'items.findForUpdate': contentItem({ state: 'captioning' }) }],
    ['an item whose job a worker claimed', { 'stageRuns.cancelUnstarted': false }],
  ])('leaves %s as it is', async (_what, stubs) => {
    const { fake, service } = arrange(stubs);
    expect(await service.cancel('run-1', ACTOR)).toMatchObject({ returned: 0 });
    expect([fake.argsOf('items.transition'), fake.events]).toEqual([[], []]);
  });

  it.each([
    ['an unknown run', { 'stageRuns.find': null }, 404, 'There is no such run.'],
    ['a finished run', { 'stageRuns.countOpen': 0 }, 409, 'This run has already finished.'],
  ])('refuses %s', async (_what, stubs, status, message) => {
    const { fake, service } = arrange(stubs);
    await expect(service.cancel('run-1', ACTOR)).rejects.toMatchObject({ status, message });
    expect([fake.argsOf('stageRuns.unstarted'), fake.auditActions]).toEqual([[], []]);
  });

  it('rolls an item back if its locked row changed all the same', async () => {
    const { fake, service } = arrange({ 'items.transition': false });
    await expect(service.cancel('run-1', ACTOR)).rejects.toThrow('locked item item-1 was moved');
    expect(fake.argsOf('stageRuns.cancelUnstarted')).toEqual([]);
  });
});
