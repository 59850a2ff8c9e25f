import { STAGES } from '@autoposter/contracts';
import type { BusLag } from '../bootstrap/systems';
import { FakeDatabase, minutesFromNow, NOW } from '@autoposter/testkit';
import { PipelineService, presentDeadLetter, presentQuarantined } from './pipeline.service';

function arrange(stubs: Record<string, unknown> = {}, lag: BusLag['lag'] = async () => 4) {
  const fake = new FakeDatabase({
    'jobCounts.pressure': [],
    'jobCounts.waitingBySource': [],
    'jobCounts.running': [],
    'heartbeats.list': [],
    'deadLetters.counts': {},
    'outbox.backlog': { unsent: 0 },
    'quarantine.countAll': 5,
    ...stubs,
  });
  return { fake, service: new PipelineService(fake.database, { lag }) };
}
const stageOf = async (service: PipelineService, name: string) => (await service.now()).stages.find(({ stage }) => stage === name);

describe('PipelineService.now', () => {
  it('shows every stage, also without jobs', async () => {
    const { stages, quarantined, measuredAt } = await arrange().service.now();
    expect(stages.map(({ stage }) => stage)).toEqual([...STAGES]);
    expect([quarantined, measuredAt]).toEqual([5, NOW.toISOString()]);
    const idle = {
      waiting: 0,
      running: 0,
      postponed: 0,
      retrying: 0,
      deadLetters: 0,
      lag: 4,
      oldestWaitingSeconds: null,
      notice: null,
      workers: [],
    };
    for (const stage of stages) expect(stage).toMatchObject(idle);
  });

  it('joins backlog, dead jobs, workers and their running jobs of a stage', async () => {
    const worker = (id: string, silentSeconds: number) => ({ id, stages: ['ai'], since: NOW, seenAt: NOW, silentSeconds });
    const run = { id: 'job-1', stage: 'ai', leaseOwner: 'one', itemId: 'item-1', title: 'A fox', attempts: 0, startedAt: NOW };
    const { service } = arrange({
      'jobCounts.pressure': [{ stage: 'ai', waiting: 2, running: 1, postponed: 3, retrying: 4, oldestWaitingSeconds: -1 }],
      'jobCounts.waitingBySource': [
        { stage: 'ai', source: 'r/aww', forPerson: false, waiting: 2 },
        { stage: 'post', source: null, forPerson: true, waiting: 1 },
      ],
      'jobCounts.running': [run, { ...run, id: 'job-2', stage: 'dmca' }],
      'heartbeats.list': [worker('one', 0), worker('two', 3_600), { ...worker('other', 0), stages: ['post'] }],
      'deadLetters.counts': { ai: 6 },
    });
    const running = { jobId: 'job-1', stage: 'ai', itemId: 'item-1', title: 'A fox', attempt: 1, startedAt: NOW.toISOString() };
    expect(await stageOf(service, 'ai')).toMatchObject({
      app: 'ai-worker',
      waiting: 2,
      running: 1,
      postponed: 3,
      retrying: 4,
      deadLetters: 6,
      // the clocks of two transactions may differ by a moment
      oldestWaitingSeconds: 0,
      waitingBySource: [{ source: 'r/aww', forPerson: false, waiting: 2 }],
      workers: [
        { id: 'one', alive: true, workingOn: [running] },
        { id: 'two', alive: false, workingOn: [] },
      ],
    });
  });

  it('shows models that a provider no longer offers', async () => {
    const report = [
      { available: true, message: 'Fine.' },
      { available: false, message: 'Gone.' },
    ];
    const { service } = arrange({ 'workerReports.find': { report, reportedAt: NOW } });
    expect((await stageOf(service, 'ai'))?.notice).toBe('Gone.');
    expect((await stageOf(service, 'dmca'))?.notice).toBeNull();
  });

  it('shows no lag while the event bus fails', async () => {
    const { service } = arrange({}, () => Promise.reject(new Error('away')));
    expect((await stageOf(service, 'ai'))?.lag).toBeNull();
  });
});

describe('PipelineService.quarantine', () => {
  it('reads one page and the total', async () => {
    const { fake, service } = arrange({ 'quarantine.list': ['row'] });
    expect(await service.quarantine({ page: 2, limit: 10 })).toEqual({ rows: ['row'], total: 5 });
    expect(fake.argsOf('quarantine.list')).toEqual([[10, 10]]);
  });
});

describe('presentDeadLetter', () => {
  const row = { id: 'job-1', stage: 'ai', itemId: 'item-1', title: null, attempts: 3, diedAt: NOW, failure: null } as never;

  it('has a text for each part of a failure that is missing', () => {
    expect(presentDeadLetter(row)).toEqual({
      id: 'job-1',
      stage: 'ai',
      subject: { itemId: 'item-1', title: 'Untitled' },
      kind: 'internal',
      message: 'Unknown error',
      side: 'ours',
      nextAction: 'Check the server log of that time.',
      attempts: 3,
      diedAt: NOW.toISOString(),
      replayable: true,
    });
  });

  it('offers no replay of a stage without an item', () => {
    expect(presentDeadLetter({ ...(row as object), stage: 'collect' } as never).replayable).toBe(false);
  });
});

describe('presentQuarantined', () => {
  it('cuts a long message', () => {
    const row = {
      id: '1',
      topic: 't',
      partition: 0,
      messageOffset: '7',
      body: 'x'.repeat(3_000),
      reason: 'r',
      receivedAt: minutesFromNow(0),
    };
    const { text, offset } = presentQuarantined(row as never);
    expect([text.length <= 2_001, offset]).toEqual([true, '7']);
  });
});
