import { setTimeout as pause } from 'node:timers/promises';
import type { ContentItem } from '@autoposter/persistence';
import {
  claimJob,
  deferred,
  endJob,
  type FreshDatabase,
  pollUntil,
  type PostgresServer,
  StageTestHarness,
  testStage,
  useFreshDatabases,
} from '@autoposter/testkit';
import type { StageCommit } from './define-stage';
import { defineStep, done, fail, skip, unknown, wait } from './define-step';
import { fireDue } from './request-stage';

const BUSES = [
  ['rows', { requests: false, facts: false }],
  ['messages', { requests: true, facts: false }],
] as const;

describe.each(BUSES)('StageRunner, announced by %s, after lost workers and connections', (_bus, publishing) => {
  let server: PostgresServer;
  let fresh: FreshDatabase;
  let harness: StageTestHarness;
  let log: string[];

  useFreshDatabases(
    'embedded',
    async (made, started) => {
      fresh = made;
      server = started;
      harness = await StageTestHarness.open(fresh.database);
      log = [];
      return () => harness.close();
    },
    { exclusive: true, publishing },
  );

  const expire = (jobId: string) =>
    fresh.database.sql.query(`UPDATE stage_jobs SET lease_until = now() - interval '1 second' WHERE id = $1`, [jobId]);

  it('takes over a job with an expired lease and rejects later writes of the former worker', async () => {
    const { item, job } = await harness.requestDownload();
    const old = await claimJob(fresh.database, job.id, { owner: 'silent worker' });
    if (old === null) throw new Error('not claimed');
    await expire(job.id);
    const step = defineStep<unknown, null>({ name: 'work', effect: 'idempotent', run: () => Promise.resolve(done(null)) });
    const held = deferred();
    const slow = defineStep<unknown, null>({ name: 'slow', effect: 'read', run: () => held.promise.then(() => done(null)) });
    await harness.startRunner(testStage({ steps: [step, slow] }, log));
    await pollUntil(async () => (await harness.job(job.id)).fence === 2);
    const { jobs } = fresh.database.read;
    expect(await jobs.renew(old, 30)).toBe(false);
    expect(await jobs.journal(old, 'work', 'stale')).toBe(false);
    expect(await jobs.recordIntent(old, 'publish', 30)).toBe(false);
    expect(await endJob(jobs, old, { state: 'done' })).toBe(false);
    held.resolve();
    expect(await harness.jobInState(job.id, 'done')).toMatchObject({ attempts: 2, journal: { work: null } });
    expect((await fresh.database.read.items.find(item.id))?.version).toBe(item.version + 1);
  });

  it('claims a job with an expired lease before the jobs that wait for a slot', async () => {
    const held = deferred();
    const order: string[] = [];
    const step = defineStep<{ id: string }, null>({
      name: 'work',
      effect: 'read',
      run: async (subject) => {
        order.push(subject.id);
        if (order.length === 1) await held.promise;
        return done(null);
      },
    });
    const first = await harness.requestDownload();
    await harness.startRunner(testStage({ steps: [step], slots: 1 }, log));
    await pollUntil(() => order.length === 1);
    const waiting = await harness.requestDownload();
    const orphan = await harness.requestDownload();
    await claimJob(fresh.database, orphan.job.id, { owner: 'silent worker' });
    await expire(orphan.job.id);
    // at least one poll while the only slot is taken
    await pause(200);
    held.resolve();
    await harness.jobInState(waiting.job.id, 'done');
    await harness.jobInState(orphan.job.id, 'done');
    expect(order).toEqual([first.item.id, orphan.item.id, waiting.item.id]);
  });

  it('rolls back the whole commit of an attempt that lost its lease', async () => {
    const started = deferred();
    const held = deferred();
    const step = defineStep<unknown, null>({
      name: 'work',
      effect: 'read',
      run: async () => {
        started.resolve();
        await held.promise;
        return done(null);
      },
    });
    const first = await harness.startRunner(testStage({ steps: [step] }, log), { leaseSeconds: 60 });
    const { item, job } = await harness.requestDownload();
    await started.promise;
    await expire(job.id);
    const thief = await claimJob(fresh.database, job.id, { owner: 'thief', leaseSeconds: 60 });
    expect(thief).toMatchObject({ fence: 2, attempts: 2 });
    held.resolve();
    await pollUntil(() => first.running === 0);
    expect(await harness.job(job.id)).toMatchObject({ state: 'running', leaseOwner: 'thief' });
    expect((await fresh.database.read.items.find(item.id))?.state).toBe('downloading');
    // the message is still held, because the job has not ended
    expect(await harness.lag()).toBe(1);
    await fresh.database.unitOfWork((uow) => endJob(uow.jobs, { id: job.id, fence: 2 }, { state: 'cancelled' }));
    await pollUntil(async () => (await harness.lag()) === 0);
  });

  it('makes no irreversible call if the lease may have expired since the intent, and the next worker records an unknown outcome', async () => {
    let calls = 0;
    const clock = freezableClock();
    const publish = defineStep<unknown, null>({
      name: 'publish',
      effect: 'irreversible',
      run: (_input, _tools, { assertHeld }) => {
        assertHeld();
        calls += 1;
        return Promise.resolve(done(null));
      },
    });
    // freezes the process after it requested the intent, for longer than the lease is certain
    const intended = () => Promise.resolve(clock.freeze(40_000));
    const first = await harness.startRunner(testStage({ steps: [publish], commit: { intended } }, log), { leaseSeconds: 60 });
    const { job } = await harness.requestDownload();
    await pollUntil(async () => (await harness.job(job.id)).intentStep === 'publish' && first.running === 0, 300_000);
    expect([calls, (await harness.job(job.id)).state]).toEqual([0, 'running']);
    await expire(job.id);
    await harness.jobInState(job.id, 'done');
    expect([calls, log.filter((one) => one.startsWith('unknown'))]).toEqual([0, ['unknown unknown_outcome']]);
    // only now: a runner that woke up after its clock was set back would wait as long before its next claim
    clock.restore();
  });

  it('begins no step if the lease may have expired during the one before', async () => {
    let calls = 0;
    const clock = freezableClock();
    const freeze = defineStep<unknown, null>({
      name: 'freeze',
      effect: 'read',
      run: () => {
        clock.freeze(40_000);
        return Promise.resolve(done(null));
      },
    });
    const call = defineStep<unknown, null>({
      name: 'call',
      effect: 'idempotent',
      run: () => {
        calls += 1;
        return Promise.resolve(done(null));
      },
    });
    const first = await harness.startRunner(testStage({ steps: [freeze, call] }, log), { leaseSeconds: 60 });
    const { job } = await harness.requestDownload();
    await pollUntil(() => clock.isFrozen && first.running === 0, 300_000);
    expect([calls, (await harness.job(job.id)).state]).toEqual([0, 'running']);
    await expire(job.id);
    await harness.jobInState(job.id, 'done');
    expect(calls).toBe(1);
    clock.restore();
  });

  it('commits no intent after the lease expired by the database clock, and starts a call with a full lease', async () => {
    const { jobs } = fresh.database.read;
    const { job } = await harness.requestDownload();
    const claimed = await claimJob(fresh.database, job.id, { owner: 'worker', leaseSeconds: 5 });
    if (claimed === null) throw new Error('the job was not to be had');
    await fresh.database.sql.query(`UPDATE stage_jobs SET lease_until = clock_timestamp() - interval '1 second' WHERE id = $1`, [job.id]);
    expect(await jobs.recordIntent(claimed, 'publish', 60)).toBe(false);
    await fresh.database.sql.query(`UPDATE stage_jobs SET lease_until = clock_timestamp() + interval '1 second' WHERE id = $1`, [job.id]);
    expect(await jobs.recordIntent(claimed, 'publish', 60)).toBe(true);
    const [left] = await fresh.database.sql.query<{ seconds: number }>(
      'SELECT extract(epoch FROM lease_until - clock_timestamp())::float8 AS seconds FROM stage_jobs WHERE id = $1',
      [job.id],
    );
    expect(left?.seconds).toBeGreaterThan(30);
  });

  it('gives steps the database clock when the process clock is wrong', async () => {
    const seen: Date[] = [];
    const look = defineStep<unknown, null>({
      name: 'look',
      effect: 'pure',
      run: (_input, _tools, { now }) => {
        seen.push(now);
        return Promise.resolve(done(null));
      },
    });
    jest.useFakeTimers({
      now: Date.now() + 3_600_000,
      doNotFake: [
        'setTimeout',
        'clearTimeout',
        'setInterval',
        'clearInterval',
        'setImmediate',
        'clearImmediate',
        'nextTick',
        'queueMicrotask',
        'performance',
        'hrtime',
      ],
    });
    try {
      await harness.startRunner(testStage({ steps: [look] }, log));
      const { job } = await harness.requestDownload();
      await harness.jobInState(job.id, 'done');
    } finally {
      jest.useRealTimers();
    }
    const [row] = await fresh.database.sql.query<{ now: Date }>('SELECT clock_timestamp() AS now');
    expect(Math.abs((row?.now.getTime() ?? 0) - (seen[0]?.getTime() ?? 0))).toBeLessThan(600_000);
  });

  it('renews the lease until a long step ends', async () => {
    const held = deferred();
    const step = defineStep<unknown, null>({ name: 'work', effect: 'read', run: () => held.promise.then(() => done(null)) });
    await harness.startRunner(testStage({ steps: [step] }, log), { leaseSeconds: 3 });
    await harness.startRunner(testStage({ steps: [step] }, log), { leaseSeconds: 3 });
    const { job } = await harness.requestDownload();
    const before = (await harness.jobInState(job.id, 'running')).leaseUntil?.getTime() ?? 0;
    // then the first lease has ended
    await pollUntil(async () => ((await harness.job(job.id)).leaseUntil?.getTime() ?? 0) > before + 4000, 30_000);
    held.resolve();
    expect(await harness.jobInState(job.id, 'done')).toMatchObject({ attempts: 1, fence: 1 });
  });

  it('counts an attempt at claim, so that a job that kills its worker ends as dead', async () => {
    const { item, job } = await harness.requestDownload({ maxAttempts: 2 });
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      expect(await claimJob(fresh.database, job.id, { owner: 'dying worker' })).toMatchObject({
        attempts: attempt,
      });
      await expire(job.id);
    }
    const run = jest.fn(() => Promise.resolve(done(null)));
    await harness.startRunner(testStage({ steps: [defineStep({ name: 'work', effect: 'read', run })] }, log));
    const dead = await harness.jobInState(job.id, 'dead');
    expect(run).not.toHaveBeenCalled();
    expect(dead.failure?.message).toMatch(/started 2 times and never finished/);
    expect((await fresh.database.read.items.find(item.id))?.state).toBe('failed');
  });

  it('commits the intent before an irreversible call and its result right after', async () => {
    const seen: unknown[] = [];
    const call = defineStep<unknown, { mediaId: string }>({
      name: 'publish',
      effect: 'irreversible',
      run: async (_input, _tools, { jobId }) => {
        seen.push((await harness.job(jobId)).intentStep);
        return done({ mediaId: '17900' });
      },
    });
    let broken = true;
    const after = defineStep<{ mediaId: string }, null>({
      name: 'after',
      effect: 'read',
      run: () =>
        Promise.resolve(
          broken ? fail({ code: 'unexpected_error', kind: 'transient', message: 'No.', side: 'ours', nextAction: 'Wait.' }) : done(null),
        ),
    });
    await harness.startRunner(testStage({ steps: [call, after] }, log));
    const { job } = await harness.requestDownload();
    expect(await harness.jobInState(job.id, 'retrying')).toMatchObject({ journal: { publish: { mediaId: '17900' } }, intentStep: null });
    broken = false;
    await pollUntil(async () => (await fresh.database.unitOfWork((uow) => fireDue(uow))) > 0);
    await harness.jobInState(job.id, 'done');
    expect(seen).toEqual(['publish']);
    expect(log).toEqual(['started', 'intended', 'done']);
  });

  it('records an unknown outcome instead of repeating an irreversible call during which a worker died', async () => {
    const { job } = await harness.requestDownload();
    const old = await claimJob(fresh.database, job.id, { owner: 'dying worker' });
    if (old === null) throw new Error('not claimed');
    await fresh.database.read.jobs.recordIntent(old, 'publish', 30);
    await expire(job.id);
    const run = jest.fn(() => Promise.resolve(done(null)));
    await harness.startRunner(testStage({ steps: [defineStep({ name: 'publish', effect: 'irreversible', run })] }, log));
    await harness.jobInState(job.id, 'done');
    expect(run).not.toHaveBeenCalled();
    expect(log).toEqual(['started', 'unknown unknown_outcome']);
  });

  it.each([
    ['throws', () => Promise.reject(new Error('socket hang up'))],
    [
      'says so',
      () =>
        Promise.resolve(
          unknown({ code: 'call_unanswered', kind: 'unknown_outcome', message: 'No answer.', side: 'instagram', nextAction: 'Wait.' }),
        ),
    ],
  ])('takes the outcome for unknown when the call %s', async (_how, run) => {
    await harness.startRunner(testStage({ steps: [defineStep({ name: 'publish', effect: 'irreversible', run })] }, log));
    const { job } = await harness.requestDownload();
    await harness.jobInState(job.id, 'done');
    expect(log).toEqual(['started', 'intended', 'unknown unknown_outcome']);
  });

  it('clears the intent when the platform reports that nothing happened', async () => {
    await harness.startRunner(
      testStage({ steps: [defineStep({ name: 'publish', effect: 'irreversible', run: () => Promise.resolve(wait(60, 'Busy.')) })] }, log),
    );
    const { job } = await harness.requestDownload();
    expect(await harness.jobInState(job.id, 'waiting')).toMatchObject({ intentStep: null, attempts: 0 });
    expect(log).toEqual(['started', 'intended', 'waiting Busy.']);
  });

  it('waits without the call, and without an attempt, when the stage postpones the intent', async () => {
    const run = jest.fn(() => Promise.resolve(done('17900')));
    const commit = { intended: () => Promise.resolve(wait(60, 'Paused.')) };
    await harness.startRunner(testStage({ steps: [defineStep({ name: 'publish', effect: 'irreversible', run })], commit }, log));
    const { job } = await harness.requestDownload();
    expect(await harness.jobInState(job.id, 'waiting')).toMatchObject({ intentStep: null, attempts: 0, waitReason: 'Paused.' });
    expect([run.mock.calls, log]).toEqual([[], ['started', 'waiting Paused.']]);
  });

  it('skips the item without the call when the stage refuses the intent', async () => {
    const run = jest.fn(() => Promise.resolve(done('17900')));
    const commit: Partial<StageCommit<ContentItem, unknown>> = {
      async intended(uow, item) {
        await uow.items.patch(item.id, { title: 'Intended' });
        return skip('dmca_failure', 'Shows a claimed work.');
      },
    };
    await harness.startRunner(testStage({ steps: [defineStep({ name: 'publish', effect: 'irreversible', run })], commit }, log));
    const { item, job } = await harness.requestDownload();
    expect(await harness.jobInState(job.id, 'done')).toMatchObject({ intentStep: null, failure: null });
    expect(run).not.toHaveBeenCalled();
    expect(log).toEqual(['started', 'skipped dmca_failure']);
    expect((await fresh.database.read.items.find(item.id))?.title).toBe(item.title);
    const { sql } = fresh.database;
    expect(await sql.query("SELECT 1 FROM outbox WHERE topic LIKE '%.dead.v1'")).toEqual([]);
    expect(await sql.query("SELECT reason FROM event_history WHERE type = 'download.skipped'")).toEqual([
      { reason: 'Shows a claimed work.' },
    ]);
  });

  it('records an unknown outcome, not a failure, when every commit after an irreversible call fails', async () => {
    const call = defineStep<unknown, string>({ name: 'publish', effect: 'irreversible', run: () => Promise.resolve(done('17900')) });
    const commit = { done: () => Promise.reject(new Error('a mistake in the program')) };
    await harness.startRunner(testStage({ steps: [call], commit }, log));
    const { job } = await harness.requestDownload({ maxAttempts: 2 });
    await harness.jobInState(job.id, 'retrying');
    await pollUntil(async () => (await fresh.database.unitOfWork((uow) => fireDue(uow))) > 0);
    expect(await harness.jobInState(job.id, 'done')).toMatchObject({ attempts: 2, journal: { publish: '17900' } });
    expect(log).toEqual(['started', 'intended', 'unknown internal']);
  });

  it('continues automatically after an outage of the database', async () => {
    let runs = 0;
    const step = defineStep<unknown, null>({ name: 'work', effect: 'read', run: () => Promise.resolve(done(((runs += 1), null))) });
    await harness.startRunner(testStage({ steps: [step] }, log));
    const first = await harness.requestDownload();
    await harness.jobInState(first.job.id, 'done');
    await server.halt();
    const health = await fresh.database.health();
    expect(health).toMatchObject({ ok: false, detail: expect.stringContaining('does not answer') });
    await server.resume();
    await pollUntil(async () => (await fresh.database.health()).ok);
    const second = await harness.requestDownload();
    await harness.jobInState(second.job.id, 'done');
    expect(runs).toBe(2);
  });

  it('keeps the result of an irreversible call through an outage of the database', async () => {
    const called = deferred();
    const answer = deferred();
    const step = defineStep<unknown, string>({
      name: 'publish',
      effect: 'irreversible',
      run: async () => {
        called.resolve();
        await answer.promise;
        return done('17900');
      },
    });
    await harness.startRunner(testStage({ steps: [step] }, log), { leaseSeconds: 5 });
    const { job } = await harness.requestDownload();
    await called.promise;
    await server.halt();
    answer.resolve();
    await server.resume();
    await pollUntil(async () => (await harness.job(job.id).catch(() => null))?.state === 'done');
    expect((await harness.job(job.id)).journal).toMatchObject({ publish: '17900' });
    expect(log.filter((word) => word !== 'done')).toEqual(['started', 'intended']);
  });
});

/** The monotonic clock of this process; `freeze` moves it forward at once, as if the process had been suspended for so long. */
function freezableClock() {
  let frozenMs = 0;
  const real = performance.now.bind(performance);
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => real() + frozenMs);
  return {
    freeze: (ms: number): void => void (frozenMs = ms),
    get isFrozen() {
      return frozenMs > 0;
    },
    restore: () => clock.mockRestore(),
  };
}
