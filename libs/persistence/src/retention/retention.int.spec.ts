import { anItem, useFreshDatabases, type FreshDatabase } from '@autoposter/testkit';
import { v7 as uuidv7 } from 'uuid';
import { RETENTION_RULES } from './retention.repository';

const DAYS = 30;

describe('retention', () => {
  let fresh: FreshDatabase;
  useFreshDatabases('embedded', (made) => {
    fresh = made;
  });

  const sql = <R>(text: string, values: unknown[] = []): Promise<R[]> => fresh.database.sql.query<R>(text, values);
  const count = async (from: string): Promise<number> => (await sql<{ n: number }>(`SELECT count(*)::int AS n FROM ${from}`))[0]?.n ?? -1;
  const prune = (rule: string, batch: number): Promise<number> => fresh.database.read.retention.prune(rule, DAYS, batch);
  const pruneAll = async (batch = 500): Promise<void> => {
    for (const rule of RETENTION_RULES) while ((await prune(rule, batch)) >= batch);
  };
  const subreddit = async (name: string): Promise<string> => {
    const id = uuidv7();
    await sql(
      `INSERT INTO subreddits (id, name, interval_minutes, posts_to_fetch, time_period, auto_process_stage, filters)
       VALUES ($1, $2, 60, 10, 'day', 'dmcaProtection', '{}')`,
      [id, name],
    );
    return id;
  };

  it('deletes thousands of old rows in bounded batches and keeps newer ones', async () => {
    await sql(
      `INSERT INTO event_history (seq, id, type, subject_id, correlation_id, occurred_at)
       SELECT n, gen_random_uuid(), 'item.edited', gen_random_uuid(), gen_random_uuid(), now() - make_interval(days => 40) + n * interval '5 minutes'
       FROM generate_series(1, 5000) AS n`,
    );
    await sql(
      `INSERT INTO stage_jobs (id, stage, subject_id, message_key, state, max_attempts, correlation_id, finished_at)
       SELECT gen_random_uuid(), 'dmca', gen_random_uuid(), 'k', CASE WHEN n % 7 = 0 THEN 'cancelled' ELSE 'done' END, 3, gen_random_uuid(),
         now() - make_interval(days => CASE WHEN n % 2 = 0 THEN 31 ELSE 29 END)
       FROM generate_series(1, 4000) AS n`,
    );
    await sql(
      `INSERT INTO outbox (id, topic, key, envelope, sent_at)
       SELECT gen_random_uuid(), 't', 'k', '{}', CASE WHEN n % 3 = 0 THEN NULL ELSE now() - make_interval(days => 31) END FROM generate_series(1, 3000) AS n`,
    );
    await sql(
      `INSERT INTO quarantined_messages (id, topic, body, reason, received_at)
       SELECT gen_random_uuid(), 't', 'b', 'r', now() - make_interval(days => n % 60) FROM generate_series(0, 2999) AS n`,
    );
    const old = await count(`event_history WHERE occurred_at < now() - interval '30 days'`);
    expect(old).toBeGreaterThan(2000);
    for (const rule of ['event_history', 'closed_jobs', 'outbox', 'quarantined_messages']) expect(await prune(rule, 100)).toBe(100);
    expect(await count('event_history')).toBe(4900);
    await pruneAll();
    expect(await count('event_history')).toBe(5000 - old);
    expect(await count('stage_jobs')).toBe(2000);
    expect(await count('outbox')).toBe(1000);
    expect(await count(`quarantined_messages WHERE received_at < now() - interval '30 days'`)).toBe(0);
    expect(await count('quarantined_messages')).toBeGreaterThan(1400);
  });

  it('keeps open jobs of any age, and dead jobs that are unresolved', async () => {
    const item = await fresh.database.unitOfWork((uow) => anItem(uow, { state: 'failed', failedStage: 'dmca' }));
    const job = async (state: string, subject: string, itemId: string | null = null): Promise<string> => {
      const id = uuidv7();
      await sql(
        `INSERT INTO stage_jobs (id, stage, subject_id, item_id, message_key, state, max_attempts, correlation_id, requested_at, finished_at)
         VALUES ($1, 'dmca', $2, $3, 'k', $4, 3, gen_random_uuid(), now() - interval '90 days', CASE WHEN $4 IN ('done','dead') THEN now() - interval '80 days' END)`,
        [id, subject, itemId, state],
      );
      return id;
    };
    const kept = [];
    for (const state of ['requested', 'running', 'waiting', 'retrying']) kept.push(await job(state, uuidv7()));
    const settled = await fresh.database.unitOfWork((uow) => anItem(uow, { state: 'ready' }));
    await job('dead', settled.id, settled.id);
    await job('done', settled.id, settled.id);
    kept.push(await job('dead', item.id, item.id));
    await pruneAll();
    const left = await sql<{ id: string }>('SELECT id FROM stage_jobs ORDER BY id');
    expect(left.map(({ id }) => id).sort()).toEqual(kept.sort());
    expect(await fresh.database.read.deadLetters.counts()).toEqual({ dmca: 1 });
  });

  it('keeps the newest run of each subreddit, runs of the last 30 days and open runs', async () => {
    const [busy, quiet] = [await subreddit('aww'), await subreddit('earthporn')];
    await sql(
      `INSERT INTO collect_runs (id, subreddit_id, state, asked_by, created_at, finished_at)
       SELECT gen_random_uuid(), $1, CASE WHEN n % 5 = 0 THEN 'failed' ELSE 'done' END, 'clock', now() - n * interval '20 minutes', now()
       FROM generate_series(1, 4000) AS n`,
      [busy],
    );
    await sql(
      `INSERT INTO collect_runs (id, subreddit_id, state, asked_by, created_at)
       SELECT gen_random_uuid(), $1, 'done', 'clock', now() - make_interval(days => 100 + n) FROM generate_series(1, 10) AS n`,
      [quiet],
    );
    const before = (await fresh.database.read.runs.latestOf([quiet])).get(quiet)?.id;
    await pruneAll();
    expect(await count(`collect_runs WHERE subreddit_id = '${busy}'`)).toBe(30 * 72 - 1);
    expect(await count(`collect_runs WHERE subreddit_id = '${quiet}'`)).toBe(1);
    expect((await fresh.database.read.runs.latestOf([quiet])).get(quiet)?.id).toBe(before);
  });

  it('keeps the fingerprints of a deleted item that can match, and deletes the others', async () => {
    const [gone, here] = await fresh.database.unitOfWork(async (uow) => [
      await anItem(uow, { state: 'deleted' }),
      await anItem(uow, { state: 'ready' }),
    ]);
    for (const { id } of [gone, here])
      await fresh.database.unitOfWork((uow) =>
        uow.rights.saveFingerprints(id, [
          {
            sha256: 'a'.repeat(64),
            pdq: Array.from({ length: 40 }, (_, n) => ({ hash: 'f'.repeat(64), quality: n < 10 ? 90 : 20, atSeconds: n })),
          },
        ]),
      );
    await sql(`UPDATE content_items SET updated_at = now() - interval '31 days'`);
    await pruneAll();
    expect(await count(`fingerprints WHERE owner_id = '${here.id}'`)).toBe(41);
    expect(await count(`fingerprints WHERE owner_id = '${gone.id}'`)).toBe(11);
    expect(await count(`fingerprints WHERE owner_id = '${gone.id}' AND sha256 IS NOT NULL`)).toBe(1);
  });

  it('never deletes audit log, rights records and publish attempts', async () => {
    await sql(`INSERT INTO audit_log (id, actor, action, at) VALUES (gen_random_uuid(), 'a', 'b', now() - interval '5 years')`);
    await sql(`INSERT INTO rights_claims (id, title, claimant, created_by, status, created_at)
      VALUES (gen_random_uuid(), 't', 'c', 'a', 'withdrawn', now() - interval '5 years')`);
    await sql(`INSERT INTO publish_attempts (id, item_id, queue_item_id, account_id, state, caption, caption_hash, media_sha256, updated_at)
      VALUES (gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'a', 'published', 'c', 'h', 's', now() - interval '5 years')`);
    await fresh.database.unitOfWork((uow) => anItem(uow, { state: 'deleted' }));
    await sql(`UPDATE content_items SET updated_at = now() - interval '5 years'`);
    await pruneAll();
    for (const table of ['audit_log', 'rights_claims', 'publish_attempts', 'content_items']) expect(await count(table)).toBe(1);
  });

  it('reads an index for each batch after all old rows were deleted', async () => {
    const id = await subreddit('pics');
    await sql(
      `INSERT INTO stage_jobs (id, stage, subject_id, message_key, state, max_attempts, correlation_id, finished_at)
       SELECT gen_random_uuid(), 'dmca', gen_random_uuid(), 'k', 'done', 3, gen_random_uuid(), now() FROM generate_series(1, 20000) AS n`,
    );
    await sql(
      `INSERT INTO collect_runs (id, subreddit_id, state, asked_by, created_at, finished_at)
       SELECT gen_random_uuid(), $1, 'done', 'clock', now() - n * interval '1 second', now() FROM generate_series(1, 20000) AS n`,
      [id],
    );
    await sql(
      `INSERT INTO event_history (seq, id, type, subject_id, correlation_id)
       SELECT n, gen_random_uuid(), 'item.edited', gen_random_uuid(), gen_random_uuid() FROM generate_series(1, 20000) AS n`,
    );
    await sql('ANALYZE stage_jobs, collect_runs, event_history');
    const one = await fresh.connectAgain(1);
    const rowsReadInSequence = async (): Promise<number> => {
      await one.sql.query('SELECT pg_stat_force_next_flush()');
      const [row] = await one.sql.query<{ n: number }>(
        `SELECT sum(seq_tup_read)::int AS n FROM pg_stat_user_tables WHERE relname IN ('stage_jobs','collect_runs','event_history')`,
      );
      return row?.n ?? -1;
    };
    const before = await rowsReadInSequence();
    for (const rule of RETENTION_RULES) expect(await one.read.retention.prune(rule, DAYS, 100)).toBe(0);
    expect(await rowsReadInSequence()).toBe(before);
  });

  it('finds the newest runs of many subreddits without reading older ones', async () => {
    const ids = await Promise.all(['aww', 'pics', 'gifs'].map(subreddit));
    await sql(
      `INSERT INTO collect_runs (id, subreddit_id, state, asked_by, created_at, finished_at)
       SELECT gen_random_uuid(), s.id, CASE WHEN n % 50 = 0 THEN 'failed' ELSE 'done' END, 'clock', now() - n * interval '1 hour', now() - n * interval '1 hour'
       FROM generate_series(1, 10000) AS n, unnest($1::uuid[]) AS s (id)`,
      [ids],
    );
    await sql('ANALYZE collect_runs');
    const one = await fresh.connectAgain(1);
    const rowsRead = async (): Promise<{ inSequence: number; byIndex: number }> => {
      await one.sql.query('SELECT pg_stat_force_next_flush()');
      const [row] = await one.sql.query<{ inSequence: number; byIndex: number }>(
        `SELECT seq_tup_read::int AS "inSequence", idx_tup_fetch::int AS "byIndex" FROM pg_stat_user_tables WHERE relname = 'collect_runs'`,
      );
      return row ?? { inSequence: -1, byIndex: -1 };
    };
    const before = await rowsRead();
    const latest = await one.read.runs.latestOf(ids);
    expect([...latest.keys()].sort()).toEqual([...ids].sort());
    for (const run of latest.values()) expect(Date.now() - run.createdAt.getTime()).toBeLessThan(2 * 3_600_000);
    expect(await one.read.runs.countOpen()).toBe(0);
    const after = await rowsRead();
    expect(after.inSequence).toBe(before.inSequence);
    expect(after.byIndex - before.byIndex).toBeLessThan(20);
  });
});
