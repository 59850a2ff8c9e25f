import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { topics } from '@autoposter/contracts';
import { failureOf } from '@autoposter/domain';
import {
  claimJob,
  deferred,
  type FreshDatabase,
  pollUntil,
  postgresKinds,
  StageTestHarness,
  testStage,
  useFreshDatabases,
} from '@autoposter/testkit';
import { defineStep, done, fail, skip, wait } from './define-step';
import type { JobBus, JobMessage } from './job-bus';
import { fireDue } from './request-stage';

const failure = failureOf('reddit_unreachable');

const BUSES = [
  ['rows', { requests: false, facts: false }],
  ['messages', { requests: true, facts: false }],
] as const;
const CASES = postgresKinds().flatMap((kind) => BUSES.map(([bus, publishing]) => [kind, bus, publishing] as const));

describe.each(CASES)('StageRunner on PostgreSQL (%s), announced by %s', (kind, _bus, publishing) => {
  let fresh: FreshDatabase;
  let harness: StageTestHarness;
  let log: string[];

  useFreshDatabases(
    kind,
    async (made) => {
      fresh = made;
      harness = await StageTestHarness.open(fresh.database);
      log = [];
      return () => harness.close();
    },
    { publishing },
  );

  /** Requests the jobs that are due, of which at least one is expected. */
  const fire = () => pollUntil(async () => (await fresh.database.unitOfWork((uow) => fireDue(uow))) > 0);
  const history = async (itemId: string) => (await fresh.database.read.history.ofItem(itemId)).map(({ type }) => type);

  it('runs a job from its request to the next state in one commit and settles its message', async () => {
    const step = defineStep<unknown, string>({ name: 'work', effect: 'pure', run: () => Promise.resolve(done('fine')) });
    await harness.startRunner(testStage({ steps: [step] }, log));
    const { item, job } = await harness.requestDownload();
    const ended = await harness.jobInState(job.id, 'done');
    expect(ended).toMatchObject({ attempts: 1, leaseOwner: null, leaseUntil: null });
    expect(log).toEqual(['started', 'done']);
    expect((await fresh.database.read.items.find(item.id))?.state).toBe('downloaded');
    expect(await history(item.id)).toEqual(['download.requested', 'download.started', 'download.completed']);
    await pollUntil(async () => (await harness.lag()) === 0);
  });

  it('settles the messages of a job that it runs without a statement', async () => {
    const release = deferred();
    const step = defineStep<unknown, null>({ name: 'work', effect: 'pure', run: () => release.promise.then(() => done(null)) });
    let deliver: (message: JobMessage) => Promise<void> = () => Promise.resolve();
    const bus = Object.assign(Object.create(harness.bus()) as JobBus, {
      subscribe: (_stage: unknown, { onMessage }: { onMessage: typeof deliver }) => {
        deliver = (message) => onMessage(message);
        return Promise.resolve({ drain: () => Promise.resolve() });
      },
    });
    const { job } = await harness.requestDownload();
    await harness.startRunner(testStage({ steps: [step] }, log), { bus });
    await harness.jobInState(job.id, 'running');
    const reads = jest.spyOn(fresh.database.read.jobs, 'findMany');
    const settled: number[] = [];
    const message = (requestNumber: number) => ({ jobId: job.id, requestNumber, settle: () => void settled.push(requestNumber) });
    await deliver(message(job.requestNumber));
    await deliver(message(job.requestNumber - 1));
    expect(settled).toEqual([job.requestNumber - 1]);
    release.resolve();
    await pollUntil(() => settled.length === 2);
    expect(settled[1]).toBe(job.requestNumber);
    expect(reads).not.toHaveBeenCalled();
  });

  it('runs each job once with eight workers and duplicate messages', async () => {
    const runs = new Map<string, number>();
    const step = defineStep<{ id: string }, null>({
      name: 'work',
      effect: 'pure',
      run: (item) => {
        runs.set(item.id, (runs.get(item.id) ?? 0) + 1);
        return Promise.resolve(done(null));
      },
    });
    const orders = await Promise.all(Array.from({ length: 20 }, () => harness.requestDownload()));
    await Promise.all(Array.from({ length: 8 }, () => harness.startRunner(testStage({ steps: [step], slots: 3 }))));
    // sends every request twice: a bus may deliver duplicates
    const topic = topics.requested.download.name;
    if (publishing.requests) {
      await pollUntil(() => harness.broker.topics.get(topic)?.length === orders.length);
      for (const { key, text } of [...(harness.broker.topics.get(topic) ?? [])]) harness.broker.append(topic, key, text);
    }
    await Promise.all(orders.map(({ job }) => harness.jobInState(job.id, 'done')));
    expect([...runs.values()]).toEqual(Array.from({ length: 20 }, () => 1));
    await pollUntil(async () => (await harness.lag()) === 0);
  });

  it('shares the jobs between two workers with one slot each', async () => {
    const orders = await Promise.all(Array.from({ length: 12 }, () => harness.requestDownload()));
    const runsOf = [0, 0];
    const rounds = [deferred(), deferred()];
    const stage = (worker: number) =>
      testStage({
        slots: 1,
        steps: [
          defineStep<unknown, null>({
            name: 'work',
            effect: 'pure',
            run: async () => {
              const round = runsOf[worker] ?? 0;
              runsOf[worker] = round + 1;
              // the first two runs of a worker wait for those of the other one, so that a paused worker still gets its share
              if (Math.min(...runsOf) > round) rounds[round]?.resolve();
              await rounds[round]?.promise;
              return done(null);
            },
          }),
        ],
      });
    for (const worker of [0, 1]) await harness.startRunner(stage(worker));
    await Promise.all(orders.map(({ job }) => harness.jobInState(job.id, 'done')));
    expect(Math.min(...runsOf)).toBeGreaterThan(1);
    expect(runsOf[0]! + runsOf[1]!).toBe(orders.length);
    await pollUntil(async () => (await harness.lag()) === 0);
  });

  it('lets exactly one of eight workers claim a job', async () => {
    const { job } = await harness.requestDownload();
    const claims = await Promise.all(
      Array.from({ length: 8 }, (_, index) => claimJob(fresh.database, job.id, { owner: `claimer ${index}` })),
    );
    expect(claims.filter((claim) => claim !== null)).toHaveLength(1);
    expect(await harness.job(job.id)).toMatchObject({ attempts: 1, fence: 1 });
  });

  it('runs one job at a time for a publishing account', async () => {
    const { jobs } = fresh.database.read;
    for (const account of ['a', 'b', 'c', 'd', 'e', 'f']) {
      const both = (await Promise.all([harness.requestDownload(), harness.requestDownload()])).map(({ job }) => job.id);
      await fresh.database.sql.query(`UPDATE stage_jobs SET stage = 'post', message_key = $1 WHERE id = ANY($2::uuid[])`, [account, both]);
      const next = async (): Promise<unknown> =>
        (await jobs.claimNext({ stage: 'post', limit: 1, owner: 'poster', leaseSeconds: 30, peopleOnly: false, except: [] }))[0] ?? null;
      // the loser of the race gets nothing
      const claims = await Promise.all(
        account < 'd' ? both.flatMap((id) => [next(), claimJob(fresh.database, id, { owner: 'poster' })]) : both.map(next),
      );
      expect(claims.filter((one) => one !== null)).toHaveLength(1);
      await fresh.database.sql.query(`UPDATE stage_jobs SET state = 'cancelled' WHERE id = ANY($1::uuid[])`, [both]);
    }
  });

  it('retries a transient failure with backoff, then ends as dead and fails the item', async () => {
    const step = defineStep<unknown, never>({ name: 'fetch', effect: 'read', run: () => Promise.resolve(fail(failure)) });
    await harness.startRunner(testStage({ steps: [step] }, log));
    const { item, job } = await harness.requestDownload({ maxAttempts: 2 });
    const retrying = await harness.jobInState(job.id, 'retrying');
    expect(retrying.attempts).toBe(1);
    expect(retrying.dueAt?.getTime()).toBeGreaterThan(Date.now() - 1000);
    await pollUntil(async () => (await harness.lag()) === 0);
    await fire();
    const dead = await harness.jobInState(job.id, 'dead');
    expect(dead).toMatchObject({ attempts: 2, requestNumber: 2, failure: { kind: 'transient' } });
    expect(dead.history.map(({ outcome, step: at }) => `${outcome} at ${at}`)).toEqual(['retrying at fetch', 'dead at fetch']);
    expect(await fresh.database.read.items.find(item.id)).toMatchObject({
      state: 'failed',
      failedStage: 'download',
      processingErrors: [{ stage: 'download', message: failure.message }],
    });
    if (!publishing.requests) return;
    const letters = await pollUntil(() => {
      const sent = harness.broker.topics.get(topics.dead.download.name) ?? [];
      return sent.length > 0 ? Promise.resolve(sent) : Promise.reject(new Error('not sent yet'));
    });
    expect(letters.map(({ text }) => JSON.parse(text) as unknown)).toEqual([
      expect.objectContaining({ payload: expect.objectContaining({ jobId: job.id, step: 'fetch', kind: 'transient' }) }),
    ]);
  });

  it('outlasts an outage of the object storage without using up the attempts', async () => {
    const away = failureOf('storage_unavailable', { fields: { operation: 'a read', code: 'ECONNREFUSED' } });
    let times = 0;
    const step = defineStep<unknown, null>({
      name: 'read',
      effect: 'read',
      run: () => Promise.resolve((times += 1) < 5 ? fail(away) : done(null)),
    });
    await harness.startRunner(testStage({ steps: [step] }, log));
    const { job } = await harness.requestDownload({ maxAttempts: 1 });
    for (let requestNumber = 1; requestNumber <= 4; requestNumber += 1) {
      await pollUntil(async () => (await harness.jobInState(job.id, 'retrying')).requestNumber === requestNumber);
      expect(await harness.job(job.id)).toMatchObject({ attempts: 0, failure: away });
      await harness.fireWaitingJobs();
    }
    expect(await harness.jobInState(job.id, 'done')).toMatchObject({ attempts: 1, requestNumber: 5 });
    expect(log).toEqual(['started', 'done']);
  });

  it('reads the input again after a lost connection, because a job that dies without it is not recorded by its stage', async () => {
    const stage = testStage({
      steps: [defineStep<unknown, null>({ name: 'work', effect: 'pure', run: () => Promise.resolve(done(null)) })],
    });
    let loads = 0;
    const load: typeof stage.load = (uow, one) =>
      (loads += 1) === 1 ? Promise.reject(Object.assign(new Error('lost'), { code: 'ECONNRESET' })) : stage.load(uow, one);
    await harness.startRunner({ ...stage, load });
    const { job } = await harness.requestDownload({ maxAttempts: 1 });
    expect(await harness.jobInState(job.id, 'done')).toMatchObject({ attempts: 1 });
    expect(loads).toBe(2);
  });

  it('waits without consuming an attempt, frees slot and message, and continues', async () => {
    let times = 0;
    const step = defineStep<unknown, null>({
      name: 'poll',
      effect: 'read',
      run: () => Promise.resolve((times += 1) < 4 ? wait(0, 'Not ready yet.') : done(null)),
    });
    const runner = await harness.startRunner(testStage({ steps: [step] }, log));
    const { job } = await harness.requestDownload({ maxAttempts: 1 });
    for (let requestNumber = 1; requestNumber <= 3; requestNumber += 1) {
      const waiting = await harness.jobInState(job.id, 'waiting');
      expect(waiting).toMatchObject({ attempts: 0, waitReason: 'Not ready yet.', requestNumber });
      await pollUntil(async () => (await harness.lag()) === 0 && runner.running === 0);
      await fire();
    }
    expect(await harness.jobInState(job.id, 'done')).toMatchObject({ attempts: 1, requestNumber: 4 });
    expect(log).toEqual(['started', 'waiting Not ready yet.', 'waiting Not ready yet.', 'waiting Not ready yet.', 'done']);
  });

  it('runs a finished step again when a later step asks to redo it', async () => {
    const made: string[] = [];
    const make = defineStep<unknown, string>({
      name: 'make',
      effect: 'idempotent',
      run: () => Promise.resolve(done(`thing ${made.push('thing')}`)),
    });
    const look = defineStep<string, string>({
      name: 'look',
      effect: 'read',
      run: (thing) => Promise.resolve(thing === 'thing 1' ? wait(0, 'It broke.', { redo: 'make' }) : done(thing)),
    });
    const journals: unknown[] = [];
    const waiting = (_uow: unknown, _item: unknown, _until: Date, _reason: string, job: { journal: Record<string, unknown> }) =>
      Promise.resolve(void journals.push(job.journal['make']));
    await harness.startRunner(testStage({ steps: [make, look], commit: { waiting } }, log));
    const { job } = await harness.requestDownload({ maxAttempts: 1 });
    expect((await harness.jobInState(job.id, 'waiting')).journal).not.toHaveProperty('make');
    await fire();
    expect((await harness.jobInState(job.id, 'done')).journal).toMatchObject({ make: 'thing 2' });
    expect(journals).toEqual([null]);
  });

  it('continues a step from its checkpoint, and drops the checkpoint on a redo', async () => {
    const runs: unknown[] = [];
    const make = defineStep<unknown, number>({
      name: 'make',
      effect: 'idempotent',
      async run(_input, _tools, { checkpoint, saveCheckpoint }) {
        runs.push(checkpoint);
        await saveCheckpoint(runs.length);
        if (runs.length === 1) throw new Error('in between');
        return done(runs.length);
      },
    });
    const look = defineStep<number, number>({
      name: 'look',
      effect: 'read',
      run: (times) => Promise.resolve(times < 3 ? wait(0, 'It broke.', { redo: 'make' }) : done(times)),
    });
    await harness.startRunner(testStage({ steps: [make, look] }, log));
    const { job } = await harness.requestDownload();
    await harness.jobInState(job.id, 'retrying');
    await fresh.database.sql.query(`UPDATE stage_jobs SET due_at = now() - interval '1 second' WHERE id = $1`, [job.id]);
    await fire();
    await harness.jobInState(job.id, 'waiting');
    await fire();
    await harness.jobInState(job.id, 'done');
    expect(runs).toEqual([undefined, 1, undefined]);
  });

  it('resumes after the last journaled step and never repeats it', async () => {
    const runs: string[] = [];
    let broken = true;
    const read = defineStep<unknown, null>({ name: 'read', effect: 'read', run: () => Promise.resolve(done((runs.push('read'), null))) });
    const store = defineStep<null, { key: string }>({
      name: 'store',
      effect: 'idempotent',
      run: () => Promise.resolve(done((runs.push('store'), { key: 'k' }))),
    });
    const tell = defineStep<{ key: string }, string>({
      name: 'tell',
      effect: 'read',
      run: ({ key }) => Promise.resolve(broken ? fail(failure) : done((runs.push(`tell ${key}`), key))),
    });
    await harness.startRunner(testStage({ steps: [read, store, tell] }, log));
    const { job } = await harness.requestDownload();
    await harness.jobInState(job.id, 'retrying');
    broken = false;
    await fire();
    await harness.jobInState(job.id, 'done');
    expect(runs).toEqual(['read', 'store', 'tell k']);
  });

  it('skips an item with its reason', async () => {
    const step = defineStep<unknown, never>({
      name: 'look',
      effect: 'read',
      run: () => Promise.resolve(skip('unsupported_format', 'A poll.')),
    });
    await harness.startRunner(testStage({ steps: [step] }, log));
    const { item, job } = await harness.requestDownload();
    await harness.jobInState(job.id, 'done');
    expect(log).toEqual(['started', 'skipped unsupported_format']);
    expect(await history(item.id)).toContain('download.skipped');
  });

  it('stops an attempt at its time limit and deletes its work folder', async () => {
    let folder = '';
    const step = defineStep<unknown, never>({
      name: 'endless',
      effect: 'read',
      run: (_input, _tools, { signal, workFolder }) => {
        folder = workFolder;
        writeFileSync(join(workFolder, 'draft'), 'x');
        return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
      },
    });
    await harness.startRunner(testStage({ steps: [step], timeoutMs: 100 }, log));
    // on a busy machine the time is over before the step begins
    await pollUntil(async () => {
      const { job } = await harness.requestDownload({ maxAttempts: 1 });
      const { failure } = await harness.jobInState(job.id, 'dead');
      expect(failure).toMatchObject({ kind: 'transient', message: expect.stringContaining('longer than') });
      return folder !== '';
    });
    await pollUntil(() => !existsSync(folder));
  });

  it('releases a running job on drain without counting the attempt', async () => {
    const started = deferred();
    const step = defineStep<unknown, never>({
      name: 'long',
      effect: 'read',
      run: (_input, _tools, { signal }) => {
        started.resolve();
        return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
      },
    });
    const runner = await harness.startRunner(testStage({ steps: [step] }, log));
    const { job } = await harness.requestDownload();
    await started.promise;
    await runner.drain(50);
    expect(await harness.job(job.id)).toMatchObject({ state: 'requested', attempts: 0, leaseOwner: null });
    // it counts as lag, so that a worker is started for it
    await pollUntil(async () => (await harness.lag()) === 1);
    const quick = defineStep<unknown, null>({ name: 'long', effect: 'read', run: () => Promise.resolve(done(null)) });
    await harness.startRunner(testStage({ steps: [quick] }, log));
    expect(await harness.jobInState(job.id, 'done')).toMatchObject({ attempts: 1 });
  });

  it('lets an attempt end before the deadline of a drain', async () => {
    const started = deferred();
    const finish = deferred();
    const step = defineStep<unknown, null>({
      name: 'short',
      effect: 'read',
      run: async () => {
        started.resolve();
        await finish.promise;
        return done(null);
      },
    });
    const runner = await harness.startRunner(testStage({ steps: [step] }, log));
    const { job } = await harness.requestDownload();
    await started.promise;
    const drained = runner.drain(10_000);
    finish.resolve();
    await drained;
    expect((await harness.job(job.id)).state).toBe('done');
  });
});
