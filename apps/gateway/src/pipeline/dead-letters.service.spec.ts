import { contentItem, FakeDatabase, stageJob } from '@autoposter/testkit';
import { DeadLettersService } from './dead-letters.service';

const ACTOR = 'admin@example.com';
const dead = (values = {}) => stageJob({ state: 'dead', ...values });

function arrange(stubs: Record<string, unknown> = {}) {
  const fake = new FakeDatabase({
    'jobs.find': dead(),
    'jobs.replay': stageJob({ requestNumber: 2 }),
    'items.findForUpdate': contentItem({ state: 'failed', failedStage: 'ai' }),
    'deadLetters.list': [],
    'deadLetters.counts': { ai: 3, dmca: 4 },
    ...stubs,
  });
  return { fake, service: new DeadLettersService(fake.database) };
}

describe('DeadLettersService.list', () => {
  it.each([
    ['one stage', 'ai', 3],
    ['a stage without dead jobs', 'post', 0],
    ['all stages', undefined, 7],
  ] as const)('counts the dead jobs of %s', async (_what, stage, total) => {
    const { fake, service } = arrange();
    expect(await service.list({ ...(stage ? { stage } : {}), page: 3, limit: 10 })).toEqual({ rows: [], total });
    expect(fake.argsOf('deadLetters.list')).toEqual([[stage ?? null, 20, 10]]);
  });
});

describe('DeadLettersService.replay', () => {
  it('replays a dead job and records it', async () => {
    const { fake, service } = arrange();
    expect(await service.replay('job-1', ACTOR)).toEqual({ id: 'item-1', state: 'captioning', jobId: 'job-1' });
    expect(fake.argsOf('audit.record')).toEqual([
      [{ actor: ACTOR, action: 'pipeline.replay', subject: 'item-1', detail: { stage: 'ai', jobId: 'job-1' } }],
    ]);
  });

  it.each([
    ['an unknown job', { 'jobs.find': null }, 404, 'There is no such job.'],
    [
      'a job that is not dead',
      { 'jobs.find': stageJob({ state: 'running' }) },
      409,
      'Only failed jobs can be replayed; this one is running.',
    ],
    ['an item that moved on', { 'items.findForUpdate': contentItem({ state: 'ready' }) }, 409, 'no longer stopped at ai'],
  ])('refuses %s', async (_what, stubs, status, message) => {
    const { fake, service } = arrange(stubs);
    await expect(service.replay('job-1', ACTOR)).rejects.toMatchObject({ status, message: expect.stringContaining(message) as string });
    expect(fake.auditActions).toEqual([]);
  });
});

describe('DeadLettersService.replayAll', () => {
  it('counts replayed, refused and remaining jobs', async () => {
    const { fake, service } = arrange({
      'deadLetters.ids': ['job-1', 'job-2'],
      'jobs.find': (id: string) => (id === 'job-1' ? dead() : stageJob({ state: 'done' })),
    });
    expect(await service.replayAll('ai', ACTOR)).toEqual({ replayed: 1, refused: 1, left: 3 });
    expect(fake.argsOf('audit.record')).toEqual([[{ actor: ACTOR, action: 'pipeline.replay_all', detail: { stage: 'ai', replayed: 1 } }]]);
  });
});
