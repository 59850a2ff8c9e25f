import { topics } from '@autoposter/contracts';
import { failureOf } from '@autoposter/domain';
import { deferred, type FreshDatabase, pollUntil, StageTestHarness, testStage, useFreshDatabases } from '@autoposter/testkit';
import { defineStep, done } from './define-step';
import { postgresJobBus } from './job-bus';
import { sweepLost } from './request-stage';

const work = defineStep<unknown, null>({ name: 'work', effect: 'pure', run: () => Promise.resolve(done(null)) });
/** So long that only an announcement starts a job in time. */
const NO_POLL_MS = 600_000;

describe('postgresJobBus', () => {
  let fresh: FreshDatabase;
  let harness: StageTestHarness;

  useFreshDatabases('embedded', async (made) => {
    fresh = made;
    harness = await StageTestHarness.open(fresh.database);
    return () => harness.close();
  });

  const elsewhere = async () => {
    const database = await fresh.connectAgain();
    return { database, bus: postgresJobBus(database) };
  };
  const listeners = async (): Promise<number> =>
    (
      await fresh.database.sql.query(
        `SELECT 1 FROM pg_stat_activity WHERE query = 'LISTEN autoposter_jobs' AND datname = current_database()`,
      )
    ).length;

  it('wakes the workers of other processes and of its own right after the commit', async () => {
    await harness.startRunner(testStage({ steps: [work] }), { ...(await elsewhere()), pollMs: NO_POLL_MS });
    await pollUntil(async () => (await listeners()) === 1);
    await harness.jobInState((await harness.requestDownload()).job.id, 'done', 5_000);
    await harness.startRunner(testStage({ steps: [work], slots: 5 }), { pollMs: NO_POLL_MS });
    await harness.jobInState((await harness.requestDownload()).job.id, 'done', 5_000);
  });

  it('finds jobs by polling without notifications', async () => {
    const there = await elsewhere();
    // as behind a pooler that shares sessions: the connection succeeds and gets none
    jest.spyOn(there.database.sql, 'listen').mockResolvedValue(() => Promise.resolve());
    await harness.startRunner(testStage({ steps: [work] }), there);
    await harness.jobInState((await harness.requestDownload()).job.id, 'done', 5_000);
    expect(await listeners()).toBe(0);
  });

  it('continues after the server ended every connection', async () => {
    const held = deferred();
    const slow = defineStep<unknown, null>({ name: 'slow', effect: 'read', run: () => held.promise.then(() => done(null)) });
    const there = await elsewhere();
    await harness.startRunner(testStage({ steps: [slow] }), there);
    const first = await harness.requestDownload();
    await harness.jobInState(first.job.id, 'running');
    await fresh.database.sql
      .query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`)
      .catch(() => undefined);
    held.resolve();
    expect(await harness.jobInState(first.job.id, 'done')).toMatchObject({ attempts: 1 });
    await harness.jobInState((await pollUntil(() => harness.requestDownload())).job.id, 'done');
  });

  it('writes no messages, and discards those of an earlier configuration', async () => {
    await harness.requestDownload();
    expect(await fresh.database.sql.query('SELECT 1 FROM outbox')).toEqual([]);
    await fresh.database.sql.query(`INSERT INTO outbox (id, topic, key, envelope) VALUES (gen_random_uuid(), 't', 'k', '{}')`);
    await postgresJobBus(fresh.database).prepare();
    expect((await fresh.database.read.outbox.backlog()).waiting).toBe(0);
    expect(await fresh.database.unitOfWork((uow) => sweepLost(uow, 200, 0))).toBe(0);
  });
});

describe('messageJobBus', () => {
  let fresh: FreshDatabase;
  let harness: StageTestHarness;

  useFreshDatabases(
    'embedded',
    async (made) => {
      fresh = made;
      harness = await StageTestHarness.open(fresh.database);
      return () => harness.close();
    },
    { publishing: { requests: true, facts: false } },
  );

  it('resends the message of a requested job only if no request is unsent in the outbox', async () => {
    await harness.close();
    const { sql, read } = fresh.database;
    const { job } = await harness.requestDownload();
    const sweep = () => fresh.database.unitOfWork((uow) => sweepLost(uow));
    const sweepAfter = async (seconds: number) => {
      await sql.query('UPDATE stage_jobs SET due_at = coalesce(due_at, requested_at) - make_interval(secs => $1)', [seconds]);
      return sweep();
    };
    expect((await read.outbox.backlog()).waiting).toBe(1);
    expect(await sweepAfter(7_200)).toBe(0);
    await sql.query('DELETE FROM outbox');
    // it may have been sent right now
    expect(await sweepAfter(50)).toBe(0);
    // the copy of an earlier death is no announcement
    await fresh.database.unitOfWork((uow) =>
      Promise.resolve(uow.outbox.bury(job, failureOf('timed_out', { fields: { seconds: 1 } }), null)),
    );
    expect(await sweepAfter(11)).toBe(1);
    expect(await sweep()).toBe(0);
  });

  it('reads neither the jobs nor the messages of a long queue to find the lost ones', async () => {
    await harness.close();
    const { sql } = fresh.database;
    const { job } = await harness.requestDownload();
    const others = '(SELECT 1 FROM generate_series(1, 3000)) AS other';
    await sql.query(
      `INSERT INTO stage_jobs (id, stage, subject_id, item_id, message_key, max_attempts, correlation_id, state, requested_at)
       SELECT gen_random_uuid(), stage, gen_random_uuid(), item_id, message_key, max_attempts, correlation_id, state, now() - interval '2 minutes'
       FROM stage_jobs CROSS JOIN ${others}`,
    );
    await sql.query(
      `INSERT INTO outbox (id, topic, key, envelope)
       SELECT gen_random_uuid(), topic, key, jsonb_set(envelope, '{payload,jobId}', to_jsonb(j.id)) FROM outbox, stage_jobs j WHERE j.id <> $1`,
      [job.id],
    );
    await sql.query(`DELETE FROM outbox WHERE envelope->'payload'->>'jobId' = $1`, [job.id]);
    await sql.query(`UPDATE stage_jobs SET requested_at = now() - interval '3 minutes' WHERE id = $1`, [job.id]);
    for (const table of ['stage_jobs', 'outbox']) await sql.query(`ANALYZE ${table}`);
    const read = await fresh.database.unitOfWork(async (uow) => {
      const count = async (): Promise<number> => {
        const [rows] = await Reflect.get(uow, 'manager').query(
          `SELECT sum(seq_tup_read + idx_tup_fetch)::int AS count FROM pg_stat_xact_user_tables WHERE relname IN ('stage_jobs', 'outbox')`,
        );
        return (rows as { count: number }).count;
      };
      // the statistics still contain the statements before
      const before = await count();
      expect(await uow.jobs.sweepRequested(60, 10)).toMatchObject([{ id: job.id, swept: 1 }]);
      return (await count()) - before;
    });
    expect(read).toBeLessThan(100);
  });

  it('resends the message of an unclaimed job at growing intervals', async () => {
    const { job } = await harness.requestDownload();
    await pollUntil(async () => (await fresh.database.read.outbox.backlog()).waiting === 0);
    const sweepAfter = async (seconds: number): Promise<number> => {
      await pollUntil(async () => (await fresh.database.read.outbox.backlog()).waiting === 0);
      const ago = 'make_interval(secs => $1)';
      await fresh.database.sql.query(`UPDATE stage_jobs SET requested_at = requested_at - ${ago}, due_at = due_at - ${ago}`, [seconds]);
      return fresh.database.unitOfWork((uow) => sweepLost(uow));
    };
    const swept: number[] = [];
    for (const seconds of [50, 11, 110, 11, 230, 11]) swept.push(await sweepAfter(seconds));
    expect(swept).toEqual([0, 1, 0, 1, 0, 1]);
    expect(await harness.job(job.id)).toMatchObject({ state: 'requested', requestNumber: 1, swept: 3 });
  });

  it('resends a lost message of a requested job, so that it counts as lag again', async () => {
    const { job } = await harness.requestDownload();
    await pollUntil(async () => (await fresh.database.read.outbox.backlog()).waiting === 0);
    harness.broker.groups.set('downloader.download pipeline.download.requested.v1', []);
    expect([await harness.lag(), await fresh.database.unitOfWork((uow) => sweepLost(uow))]).toEqual([0, 0]);
    await fresh.database.sql.query(`UPDATE stage_jobs SET requested_at = now() - interval '61 seconds'`);
    expect(await fresh.database.unitOfWork((uow) => sweepLost(uow))).toBe(1);
    await pollUntil(async () => (await harness.lag()) === 1);
    await harness.startRunner(testStage({ steps: [work] }));
    expect(await harness.jobInState(job.id, 'done')).toMatchObject({ requestNumber: 1, attempts: 1 });
    await pollUntil(async () => (await harness.lag()) === 0);
  });

  it('runs and settles jobs whose messages are late or lost, and settles messages of ended jobs', async () => {
    const topic = topics.requested.download.name;
    await harness.startRunner(testStage({ steps: [work] }));
    const { job } = await harness.requestDownload();
    await harness.jobInState(job.id, 'done');
    await pollUntil(async () => (await harness.lag()) === 0);
    const [sent] = harness.broker.topics.get(topic) ?? [];
    harness.broker.append(topic, sent?.key ?? '', sent?.text ?? '');
    await pollUntil(async () => (await harness.lag()) === 0);
    expect(await harness.job(job.id)).toMatchObject({ attempts: 1 });
  });

  it('settles the late and repeated messages of a job that ended here at once, but not that of its next request', async () => {
    const topic = topics.requested.download.name;
    const retrying = defineStep<unknown, null>({ name: 'work', effect: 'pure', run: () => Promise.reject(new Error('not yet')) });
    await harness.startRunner(testStage({ steps: [retrying] }), { pollMs: NO_POLL_MS, retrySeconds: 3_600 });
    const { job } = await harness.requestDownload();
    await harness.jobInState(job.id, 'retrying');
    const [sent] = await pollUntil(() => harness.broker.topics.get(topic)?.length === 1 && harness.broker.topics.get(topic));
    const text = sent?.text ?? '';
    harness.broker.append(topic, 'late', text);
    await pollUntil(async () => (await harness.lag()) === 0);
    harness.broker.append(topic, 'next', text.replace('"turn":1', '"turn":2'));
    harness.broker.append(topic, 'last', text);
    await pollUntil(async () => (await harness.lag()) === 1);
  });

  it('quarantines an unreadable message and continues', async () => {
    await harness.startRunner(testStage({ steps: [work] }));
    harness.broker.append('pipeline.download.requested.v1', 'x', '{"type":"stage.requested"\u0000');
    const { job } = await harness.requestDownload();
    await harness.jobInState(job.id, 'done');
    const kept = await pollUntil(async () => (await fresh.database.read.quarantine.list(5))[0]);
    expect(kept).toMatchObject({ topic: 'pipeline.download.requested.v1', body: expect.stringContaining('stage.requested') });
  });
});
