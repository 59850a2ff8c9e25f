import { deadLettersResponseSchema, pipelineSchema, type Stage } from '@autoposter/contracts';
import type { Failure } from '@autoposter/domain';
import type { ContentItem, StageJob } from '@autoposter/persistence';
import { aSubreddit, claimJob, endJob } from '@autoposter/testkit';
import { requestStage, SILENT_AFTER_SECONDS } from '@autoposter/job-engine';
import { failItem, settleFailed } from '@autoposter/workflow';
import { v7 as uuidv7 } from 'uuid';
import { BUS, type BusLag } from '../bootstrap/systems';
import { describeGateway } from '../testing/gateway-fixture';
import { GatewayFixture } from '../testing/gateway-fixture';

const failure: Failure = {
  code: 'gemini_overloaded',
  kind: 'transient',
  message: 'The model said no.',
  side: 'gemini',
  nextAction: 'Try it again by hand.',
};

describeGateway('pipeline', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => (gateway = await GatewayFixture.start()));
  afterAll(() => gateway?.stop());
  beforeEach(() => gateway.empty());
  afterEach(() => jest.restoreAllMocks());

  const now = async () => pipelineSchema.strict().parse((await gateway.call('get', '/api/pipeline')).body.data);
  const of = async (stage: Stage) => (await now()).stages.find((one) => one.stage === stage);
  const letters = async (query = '') =>
    deadLettersResponseSchema.parse((await gateway.call('get', `/api/pipeline/dead-letters${query}`)).body).data;

  const ask = (item: ContentItem, stage: 'download' | 'dmca' | 'ai') =>
    gateway.database.unitOfWork(async (uow) => {
      const asked = await requestStage(uow, { stage, subjectId: item.id, itemId: item.id, key: item.id, actor: 'test' });
      if (!asked.accepted) throw new Error('not accepted');
      return asked.job;
    });

  const hold = async (job: StageJob, owner: string) => {
    const held = await claimJob(gateway.database, job.id, { owner });
    if (held === null) throw new Error('not claimed');
    return held;
  };

  /** An item whose run of a stage was given up, as a worker leaves it. */
  const dead = async (stage: 'dmca' | 'ai' = 'ai'): Promise<{ item: ContentItem; job: StageJob }> => {
    const item = await gateway.item(stage === 'ai' ? 'captioning' : 'protecting');
    const job = await hold(await ask(item, stage), 'a worker');
    await gateway.database.unitOfWork(async (uow) => {
      await endJob(uow.jobs, job, { state: 'dead', failure }, 'describe-visuals');
      await failItem(uow, item, stage, failure, 'describe-visuals');
    });
    return { item, job };
  };

  it('shows backlog, workers and consumer lag of each stage', async () => {
    const [first, second] = [await gateway.item('captioning'), await gateway.item('captioning')];
    await hold(await ask(first, 'ai'), 'ai-worker@here/1');
    const waiting = await ask(second, 'ai');
    await gateway.database.sql.query("UPDATE stage_jobs SET requested_at = now() - interval '90 seconds' WHERE id = $1", [waiting.id]);
    await gateway.database.read.heartbeats.beat('ai-worker@here/1', ['ai'], 3600);
    await gateway.database.read.heartbeats.beat('ai-worker@gone/2', ['ai'], 3600);
    await gateway.database.sql.query("UPDATE workers SET seen_at = now() - make_interval(secs => $1) WHERE id LIKE '%gone%'", [
      SILENT_AFTER_SECONDS + 5,
    ]);
    const ai = await of('ai');
    expect(ai).toMatchObject({ app: 'ai-worker', waiting: 1, running: 1, postponed: 0, retrying: 0, deadLetters: 0, lag: 2 });
    expect(ai?.oldestWaitingSeconds).toBeGreaterThanOrEqual(90);
    expect(ai?.workers.map(({ id, alive }) => [id, alive])).toEqual([
      ['ai-worker@gone/2', false],
      ['ai-worker@here/1', true],
    ]);
    expect(ai?.workers[1]?.workingOn).toEqual([expect.objectContaining({ itemId: first.id, title: first.title, attempt: 1 })]);
    expect(await of('dmca')).toMatchObject({ waiting: 0, lag: 0, oldestWaitingSeconds: null, workers: [] });
    expect((await now()).outbox).toEqual({ waiting: 0, parked: 0, oldestSeconds: null });
  });

  it('shows which sources the waiting jobs come from, people first', async () => {
    const subreddit = await gateway.database.unitOfWork((uow) => aSubreddit(uow, { name: 'aww' }));
    for (const state of ['captioning', 'captioning', 'captioning'] as const) {
      const item = await gateway.item(state);
      await gateway.database.read.items.patch(item.id, { subredditId: subreddit.id });
      await ask(item, 'ai');
    }
    await ask(await gateway.item('captioning'), 'ai');
    await gateway.database.sql.query('UPDATE stage_jobs SET for_person = true WHERE id = (SELECT min(id::text)::uuid FROM stage_jobs)');
    expect((await of('ai'))?.waitingBySource).toEqual([
      { source: null, forPerson: true, waiting: 1 },
      { source: 'r/aww', forPerson: false, waiting: 2 },
      { source: null, forPerson: false, waiting: 1 },
    ]);
    expect(await of('dmca')).toMatchObject({ waitingBySource: [] });
  });

  it('distinguishes postponed and retrying jobs', async () => {
    const [postponed, retrying] = [await gateway.item('captioning'), await gateway.item('captioning')];
    const held = [await hold(await ask(postponed, 'ai'), 'a worker'), await hold(await ask(retrying, 'ai'), 'a worker')];
    await gateway.database.unitOfWork((uow) =>
      endJob(uow.jobs, held[0]!, { state: 'waiting', inSeconds: 60, reason: 'The quota is used up.' }),
    );
    await gateway.database.unitOfWork((uow) => endJob(uow.jobs, held[1]!, { state: 'retrying', inSeconds: 60, failure }));
    expect(await of('ai')).toMatchObject({ waiting: 0, running: 0, postponed: 1, retrying: 1 });
  });

  it('says what a worker found out about its models', async () => {
    expect(await of('ai')).toMatchObject({ notice: null });
    const found = [
      { model: 'gemini', available: true, message: 'The model a is available.' },
      { model: 'groq', available: false, message: 'Groq does not list the model b; set GROQ_MODEL to one that it lists.' },
    ];
    await gateway.database.read.workerReports.save('ai-models', found, 'ai-worker');
    expect(await of('ai')).toMatchObject({ notice: found[1]?.message });
    expect(await of('dmca')).toMatchObject({ notice: null });
  });

  it('has no lag to tell where the bus does not answer, and answers all the same', async () => {
    jest.spyOn(gateway.app.get<BusLag>(BUS), 'lag').mockRejectedValue(new Error('the broker is away'));
    expect(await of('ai')).toMatchObject({ lag: null });
  });

  it('lists what was given up, in pages, and asks for it again in the name of who pressed the button', async () => {
    const [one, two] = [await dead('ai'), await dead('dmca')];
    expect((await of('ai'))?.deadLetters).toBe(1);
    const { posts, pagination } = await letters();
    expect([posts.map(({ id }) => id), pagination.totalCount]).toEqual([[two.job.id, one.job.id], 2]);
    expect((await letters('?limit=1&page=2')).posts.map(({ id }) => id)).toEqual([one.job.id]);
    expect((await letters('?stage=ai')).posts).toEqual([
      expect.objectContaining({
        id: one.job.id,
        stage: 'ai',
        subject: { itemId: one.item.id, title: one.item.title },
        kind: 'transient',
        message: failure.message,
        side: 'gemini',
        nextAction: failure.nextAction,
        attempts: 1,
        replayable: true,
      }),
    ]);

    const replayed = await gateway.call('post', `/api/pipeline/dead-letters/${one.job.id}/replay`);
    expect([replayed.status, replayed.body.data]).toEqual([200, { id: one.item.id, state: 'captioning', jobId: one.job.id }]);
    expect(await gateway.database.read.jobs.find(one.job.id)).toMatchObject({ state: 'requested', attempts: 0, requestNumber: 2 });
    expect((await letters()).posts.map(({ id }) => id)).toEqual([two.job.id]);
    expect((await gateway.database.read.audit.list(1))[0]).toMatchObject({
      actor: 'admin@example.com',
      action: 'pipeline.replay',
      subject: one.item.id,
    });
    const again = await gateway.call('post', `/api/pipeline/dead-letters/${one.job.id}/replay`);
    expect([again.status, again.body.error]).toEqual([409, 'Only failed jobs can be replayed; this one is requested.']);
    expect((await gateway.call('post', `/api/pipeline/dead-letters/${uuidv7()}/replay`)).status).toBe(404);
  });

  it('leaves out what was dealt with since: tried again, discarded', async () => {
    const [retried, discarded] = [await dead(), await dead()];
    await gateway.call('post', `/api/reddit/retry/${retried.item.id}`).expect(200);
    await gateway.call('put', `/api/ai/discard/${discarded.item.id}`).expect(200);
    expect(await letters()).toMatchObject({ posts: [], pagination: { totalCount: 0 } });
    const refused = await gateway.call('post', `/api/pipeline/dead-letters/${discarded.job.id}/replay`);
    expect([refused.status, refused.body.error]).toEqual([409, expect.stringMatching(/is no longer stopped at ai; it is \w+\.$/u)]);
  });

  it('asks for all runs of a stage again, and for those of no other', async () => {
    const all = [await dead('ai'), await dead('ai')];
    const other = await dead('dmca');
    const { body } = await gateway.call('post', '/api/pipeline/dead-letters/replay-all', { stage: 'ai' });
    expect(body.data).toEqual({ replayed: 2, refused: 0, left: 0 });
    for (const { job } of all) expect((await gateway.database.read.jobs.find(job.id))?.state).toBe('requested');
    expect((await letters()).posts.map(({ id }) => id)).toEqual([other.job.id]);
    expect((await gateway.call('post', '/api/pipeline/dead-letters/replay-all', { stage: 'post' })).status).toBe(422);
  });

  it('shows a run of a subreddit that was given up until a later one ran', async () => {
    const subreddit = (await gateway.call('post', '/api/subreddits', { name: 'broken' })).body.data._id as string;
    const run = await gateway.database.read.runs.create({ subredditId: subreddit, requestedBy: 'clock' });
    const asked = await gateway.database.unitOfWork((uow) =>
      requestStage(uow, { stage: 'collect', subjectId: run?.id ?? '', itemId: null, key: subreddit, actor: 'test' }),
    );
    const held = await hold(asked.job as StageJob, 'a worker');
    await gateway.database.unitOfWork((uow) => endJob(uow.jobs, held, { state: 'dead', failure }));
    await gateway.database.read.runs.settle(run?.id ?? '', 'failed', { failure });
    expect((await letters()).posts).toEqual([
      expect.objectContaining({ stage: 'collect', subject: { itemId: null, title: 'r/broken' }, replayable: false }),
    ]);
    const refused = await gateway.call('post', `/api/pipeline/dead-letters/${held.id}/replay`);
    expect([refused.status, refused.body.error]).toEqual([409, expect.stringContaining('run the subreddit again')]);
    const later = await gateway.database.read.runs.create({ subredditId: subreddit, requestedBy: 'clock' });
    await gateway.database.read.runs.settle(later?.id ?? '', 'done', {});
    expect((await letters()).posts).toEqual([]);
  });

  it('shows a post that could not be published until it is queued again', async () => {
    const item = await gateway.item('ready');
    const post = () => gateway.call('post', `/api/instagram-queue/${item.id}`, { postImmediately: true }).expect(200);
    await post();
    const attempt = await gateway.database.read.attempts.findOpenOf(item.id);
    const open = await gateway.database.read.jobs.findOpen('post', attempt?.id ?? '');
    const job = await hold(open as StageJob, 'a worker');
    await gateway.database.unitOfWork(async (uow) => {
      await endJob(uow.jobs, job, { state: 'dead', failure });
      await settleFailed(uow, await uow.attempts.lock(attempt?.id ?? ''), failure);
    });
    expect((await letters('?stage=post')).posts).toEqual([
      expect.objectContaining({ id: job.id, subject: { itemId: item.id, title: item.title }, replayable: false }),
    ]);
    const refused = await gateway.call('post', `/api/pipeline/dead-letters/${job.id}/replay`);
    expect([refused.status, refused.body.error]).toEqual([409, expect.stringContaining('put the post into the queue again')]);
    await post();
    expect((await letters()).posts).toEqual([]);
  });

  it('keeps messages that could not be read, with the reason and their beginning', async () => {
    const add = (body: string) =>
      gateway.database.read.quarantine.add({
        topic: 'pipeline.ai.requested.v1',
        partition: 3,
        messageOffset: '17',
        body,
        reason: 'payload.jobId: Invalid UUID',
      });
    await add('first');
    await add('x'.repeat(5000));
    expect((await now()).quarantined).toBe(2);
    const { body } = await gateway.call('get', '/api/pipeline/quarantine?limit=1');
    expect(body.data.pagination).toMatchObject({ totalCount: 2, hasNextPage: true });
    expect(body.data.posts).toEqual([
      expect.objectContaining({ partition: 3, offset: '17', reason: 'payload.jobId: Invalid UUID', text: 'x'.repeat(2000) }),
    ]);
  });
});
