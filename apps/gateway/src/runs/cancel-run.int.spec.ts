import { v7 as uuidv7 } from 'uuid';
import { claimJob, endJob } from '@autoposter/testkit';
import { describeGateway } from '../testing/gateway-fixture';
import { GatewayFixture } from '../testing/gateway-fixture';

describeGateway('a run over all files', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => (gateway = await GatewayFixture.start()));
  afterAll(() => gateway?.stop());

  const cancel = (id: string) => gateway.call('post', `/api/runs/${id}/cancel`);
  const stateOf = async (id: string) => (await gateway.database.read.items.find(id))?.state;
  const jobOf = async (id: string, stage: 'dmca' | 'ai') => (await gateway.database.read.jobs.findOpen(stage, id))!;
  const claim = async (jobId: string) => claimJob(gateway.database, jobId);

  it('returns unstarted items to their waiting state and lets the others finish', async () => {
    const items = [];
    for (let made = 0; made < 4; made += 1) items.push((await gateway.item('downloaded')).id);
    const other = (await gateway.item('downloaded')).id;
    await gateway.call('post', `/api/dmca/process/${other}`).expect(200);
    const { body } = await gateway.call('post', '/api/dmca/process-all', { batchSize: 2, delayBetweenFiles: 5000 });
    expect(body.processed).toBe(4);
    // two jobs are requested now, two are delayed; one of each kind stays unclaimed
    const jobs = await Promise.all(items.map((id) => jobOf(id, 'dmca')));
    expect(jobs.map(({ state }) => state).sort()).toEqual(['requested', 'requested', 'waiting', 'waiting']);
    const inWork = jobs.find(({ state }) => state === 'requested')!;
    const held = (await claim(inWork.id))!;
    expect((await cancel(body.runId)).body).toEqual({ success: true, data: { returned: 3, running: 1 } });
    for (const job of jobs) expect(await stateOf(job.subjectId)).toBe(job.id === inWork.id ? 'protecting' : 'downloaded');
    expect([await stateOf(other), (await jobOf(other, 'dmca')).state]).toEqual(['protecting', 'requested']);
    // a message of a file that went back finds nothing to take
    for (const job of jobs) if (job.id !== inWork.id) expect(await claim(job.id)).toBeNull();
    // a claimed job keeps the run open, and no job is left to cancel
    expect((await cancel(body.runId)).body.data).toEqual({ returned: 0, running: 1 });
    expect(await endJob(gateway.database.read.jobs, held, { state: 'done' })).toBe(true);
    const late = await cancel(body.runId);
    expect([late.status, late.body.error]).toEqual([409, 'This run has already finished.']);
    // in its waiting state an item can be requested again
    const back = jobs.find(({ id }) => id !== inWork.id)!.subjectId;
    await gateway.call('post', `/api/dmca/process/${back}`).expect(200);
  });

  it('writes one audit entry and one history event per item', async () => {
    const { id } = await gateway.item('protected');
    const { body } = await gateway.call('post', '/api/ai/process-all', {});
    await cancel(body.runId).expect(200);
    expect(await stateOf(id)).toBe('protected');
    const lines = await gateway.database.sql.query(
      "SELECT stage, state, actor, correlation_id AS run FROM event_history WHERE item_id = $1 AND type = 'stage.cancelled'",
      [id],
    );
    expect(lines).toEqual([{ stage: 'ai', state: 'protected', actor: 'admin@example.com', run: body.runId }]);
    const entries = await gateway.database.sql.query('SELECT actor, action, detail, after FROM audit_log WHERE subject = $1', [body.runId]);
    expect(entries).toEqual([
      { actor: 'admin@example.com', action: 'runs.cancel', detail: { stage: 'ai' }, after: { returned: 1, running: 0 } },
    ]);
  });

  it('keeps started jobs and items at a later stage', async () => {
    const [tried, later] = [(await gateway.item('downloaded')).id, (await gateway.item('downloaded')).id];
    const { body } = await gateway.call('post', '/api/dmca/process-all', { batchSize: 10 });
    const job = await jobOf(tried, 'dmca');
    expect(await endJob(gateway.database.read.jobs, (await claim(job.id))!, { state: 'released' }, 'work')).toBe(true);
    const done = (await claim((await jobOf(later, 'dmca')).id))!;
    await endJob(gateway.database.read.jobs, done, { state: 'done' });
    const next = { stage: 'ai', subjectId: later, itemId: later, messageKey: later, maxAttempts: 3, correlationId: body.runId } as const;
    await gateway.database.read.jobs.create(next);
    expect((await cancel(body.runId)).body.data.running).toBe(1);
    expect([await stateOf(tried), (await jobOf(later, 'ai')).state]).toEqual(['protecting', 'requested']);
  });

  it('never cancels an item that a worker claims concurrently', async () => {
    const ids: string[] = [];
    for (let made = 0; made < 12; made += 1) ids.push((await gateway.item('downloaded')).id);
    const { body } = await gateway.call('post', '/api/dmca/process-all', { batchSize: 10, delayBetweenFiles: 0 });
    const jobs = await Promise.all(ids.map((id) => jobOf(id, 'dmca')));
    const [answer, ...taken] = await Promise.all([cancel(body.runId), ...jobs.map(({ id }) => claim(id))]);
    const states = await Promise.all(ids.map(stateOf));
    expect(states).toEqual(taken.map((job) => (job === null ? 'downloaded' : 'protecting')));
    const free = taken.filter((job) => job === null).length;
    expect(answer.body.data).toEqual({ returned: body.processed - ids.length + free, running: ids.length - free });
  });

  it('returns 404 for an unknown run', async () => {
    expect((await cancel(uuidv7())).status).toBe(404);
    expect((await cancel('no-id')).status).toBe(404);
    // the correlation of a single ask is no run
    const { id } = await gateway.item('downloaded');
    await gateway.call('post', `/api/dmca/process/${id}`).expect(200);
    expect((await cancel((await jobOf(id, 'dmca')).correlationId)).status).toBe(404);
  });
});
