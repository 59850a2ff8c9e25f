import { aiDay, type Failure } from '@autoposter/domain';
import { requestStage } from '@autoposter/job-engine';
import { claimJob, endJob } from '@autoposter/testkit';
import { v7 as uuidv7 } from 'uuid';
import { describeGateway, GatewayFixture } from '../testing/gateway-fixture';

describeGateway('overview and failures', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => (gateway = await GatewayFixture.start()));
  afterAll(() => gateway?.stop());

  const error = {
    stage: 'ai',
    message: 'The model said no.',
    timestamp: '2026-05-05T10:00:00.000Z',
    nextAction: 'Try again.',
    kind: 'transient',
  };
  const overview = async () => (await gateway.call('get', '/api/pipeline/overview')).body.data;
  const failures = async () => (await gateway.call('get', '/api/failures')).body.data;

  it('counts items per stage and AI requests per day', async () => {
    for (const state of ['accepted', 'downloaded', 'protecting', 'ready', 'queued', 'posting', 'posted'] as const)
      await gateway.item(state);
    await gateway.item('failed', { failedStage: 'ai', processingErrors: [error] });
    await gateway.item('blocked');
    const now = new Date();
    const today = aiDay('gemini', now).day;
    await gateway.database.read.quota.take('ai.gemini', today, 50);
    await gateway.database.read.quota.take('ai.gemini', today, 50);
    await gateway.database.read.quota.take('ai.groq', aiDay('groq', now).day, 50);
    expect(await overview()).toEqual({
      stages: {
        download: { waiting: 1, running: 0, failed: 0 },
        dmca: { waiting: 1, running: 1, failed: 1 },
        ai: { waiting: 0, running: 0, failed: 1 },
        ready: 1,
        queued: 2,
        posted: 1,
      },
      aiQuota: { used: 2, limit: 50 },
      aiProviders: [],
      unseenFailures: 2,
      publishingPaused: false,
      pausedAccounts: [],
    });
  });

  it('keeps all marks of failures that are seen at the same moment', async () => {
    const ids = Array.from({ length: 8 }, () => uuidv7());
    await Promise.all(ids.map((id) => gateway.call('post', '/api/failures/seen', { ids: [id] }).expect(200)));
    const mark = await gateway.database.read.settings.get<{ ids: string[] }>('failures_seen');
    expect(mark?.ids).toEqual(expect.arrayContaining(ids));
  });

  it('lists failures with their next action until they are seen', async () => {
    const { failures: told } = await failures();
    expect(told.find((entry: { stage: string }) => entry.stage === 'ai')).toMatchObject({
      kind: 'item',
      message: error.message,
      nextAction: 'Try again.',
    });
    await gateway.call('post', '/api/failures/seen', { ids: [told[0].id] }).expect(200);
    expect((await failures()).unseen).toBe(1);
    await gateway.call('post', '/api/failures/seen', {}).expect(200);
    expect((await failures()).unseen).toBe(0);
  });

  it('lists a published post that was removed at its source', async () => {
    const item = await gateway.item('posted');
    await gateway.database.unitOfWork(async (uow) => {
      await uow.items.addError(item.id, { ...error, stage: 'download', message: 'Removed at its source.', nextAction: 'Decide.' });
      await uow.items.purgeContent(item.id);
    });
    expect((await failures()).failures).toEqual([
      expect.objectContaining({ id: item.id, kind: 'item', stage: 'post', message: 'Removed at its source.', nextAction: 'Decide.' }),
    ]);
    const details = (await gateway.call('get', `/api/content/${item.id}`)).body.data;
    expect(details).toMatchObject({ sourceRemovedAt: expect.any(String), videoUrl: null, state: 'posted' });
    await gateway.call('post', '/api/failures/seen', { ids: [item.id] }).expect(200);
    expect((await failures()).unseen).toBe(0);
  });

  it('lists a dead job that did not fail its item until it is seen', async () => {
    const item = await gateway.item('captioning');
    const died: Failure = {
      code: 'unexpected_error',
      kind: 'internal',
      message: 'It could not be written.',
      side: 'ours',
      nextAction: 'Check the log.',
    };
    const dead = await gateway.database.unitOfWork(async (uow) => {
      await requestStage(uow, { stage: 'ai', subjectId: item.id, itemId: item.id, key: item.id, actor: 'test' });
      const open = await uow.jobs.findOpen('ai', item.id);
      const job = await claimJob(gateway.database, open?.id ?? '', { jobs: uow.jobs });
      if (job === null) throw new Error('not claimed');
      await endJob(uow.jobs, job, { state: 'dead', failure: died });
      return job;
    });
    expect((await failures()).failures).toEqual([
      expect.objectContaining({ id: item.id, kind: 'item', stage: 'ai', message: died.message, nextAction: died.nextAction }),
    ]);
    await gateway.call('post', '/api/failures/seen', { ids: [item.id] }).expect(200);
    expect((await failures()).unseen).toBe(0);
    // it can be asked for again where dead letters are listed
    const { body } = await gateway.call('get', '/api/pipeline/dead-letters');
    expect(body.data.posts).toEqual([expect.objectContaining({ id: dead.id, replayable: true })]);
    await gateway.call('post', `/api/pipeline/dead-letters/${dead.id}/replay`).expect(200);
    expect((await gateway.call('get', '/api/pipeline/dead-letters')).body.data.posts).toEqual([]);
    await gateway.call('delete', `/api/downloads/${item.id}`).expect(200);
  });

  it('counts no dead publish job for the alerts, which count its attempt', async () => {
    const { read } = gateway.database;
    const begin = await read.now();
    const failure: Failure = { code: 'unexpected_error', kind: 'internal', message: 'No.', side: 'ours', nextAction: 'Check the log.' };
    await gateway.database.unitOfWork(async (uow) => {
      for (const stage of ['post', 'reconcile'] as const) {
        const subjectId = uuidv7();
        await requestStage(uow, { stage, subjectId, itemId: null, key: subjectId, actor: 'test' });
        const job = await claimJob(gateway.database, (await uow.jobs.findOpen(stage, subjectId))?.id ?? '', { jobs: uow.jobs });
        if (job === null) throw new Error('not claimed');
        await endJob(uow.jobs, job, { state: 'dead', failure });
      }
    });
    const counts = await read.failures.countBetween(new Date(begin.getTime() - 1), new Date(begin.getTime() + 60_000));
    expect(counts).toEqual({ failedPublishes: 0, unresolvedPublishes: 0, deadJobs: 1 });
  });

  it('lists refused messages of the event bus by topic or by message', async () => {
    const { sql } = gateway.database;
    const refuse = (topic: string, failure: string, seconds: number) =>
      sql.query(
        `INSERT INTO outbox (id, topic, key, envelope, attempts, failure, due_at, refused_at)
         VALUES ($1, $2, 'key', '{}', 4, $3, now() + interval '1 hour', now() - make_interval(secs => $4))`,
        [uuidv7(), topic, failure, seconds],
      );
    const told = async () =>
      ((await failures()).failures as { kind: string; code: string; message: string }[]).map(({ kind, code, message }) => [
        kind,
        code,
        message,
      ]);
    await sql.query(
      `UPDATE settings SET value = jsonb_set(value, '{until}', to_jsonb(now() - interval '1 minute')) WHERE name = 'failures_seen'`,
    );
    await refuse('a', 'not_authorised', 2);
    expect(await told()).toEqual([]);
    await refuse('a', 'not_authorised', 40);
    await refuse('a', 'transient', 30);
    await refuse('b', 'too_large', 28);
    await refuse('b', 'too_large', 26);
    expect(await told()).toEqual([
      ['bus', 'too_large', 'The event bus refuses a message for the topic b.'],
      ['bus', 'too_large', 'The event bus refuses a message for the topic b.'],
      ['bus', 'not_authorised', 'The event bus refuses 2 messages for the topic a.'],
    ]);
    expect((await overview()).unseenFailures).toBe(3);
    expect((await failures()).failures[2].nextAction).toMatch(/^Allow the user of Autoposter to write to this topic\./u);
    await gateway.call('post', '/api/failures/seen', {}).expect(200);
    expect(await told()).toEqual([]);
    await sql.query('DELETE FROM outbox WHERE attempts > 0');
  });

  it('lists failed queue items and collect runs', async () => {
    const subreddit = await gateway.call('post', '/api/subreddits', { name: 'broken' });
    const run = await gateway.database.read.runs.create({ subredditId: subreddit.body.data._id as string, requestedBy: 'clock' });
    const failure = {
      code: 'reddit_not_configured',
      kind: 'not_configured',
      message: 'Reddit is not configured.',
      side: 'operator',
      nextAction: 'Set the variables.',
    } as const;
    await gateway.database.read.runs.settle(run?.id ?? '', 'failed', { failure });
    const item = await gateway.item('ready');
    const place = await gateway.database.read.queue.create({ itemId: item.id, status: 'failed', caption: 'x', queuedBy: 'x', failure });
    const { failures: told } = await failures();
    expect(told.map((entry: { kind: string; id: string }) => [entry.kind, entry.id]).sort()).toEqual([
      ['collect', run?.id],
      ['publish', place?.id],
    ]);
    await gateway.call('post', '/api/failures/seen', { ids: [place?.id, uuidv7()] }).expect(200);
    expect((await failures()).failures.map((entry: { kind: string }) => entry.kind)).toEqual(['collect']);
  });

  it('retries all failed posts of one cause at once, with one audit entry, and leaves other causes alone', async () => {
    const failed = async (failure: object) => {
      const { id } = await gateway.item('ready');
      await gateway.database.sql.query(
        `INSERT INTO queue_items (id, item_id, status, caption, queued_by, failure, finished_at)
         VALUES (gen_random_uuid(), $1, 'failed', 'A caption', 'test', $2, now())`,
        [id, JSON.stringify(failure)],
      );
      return id;
    };
    const signature = { code: 'instagram_signature_rejected', side: 'operator', message: 'No signature.', nextAction: 'Set it.' };
    const one = await failed({ ...signature, detail: { code: 104, subcode: null, words: 'appsecret_proof required' } });
    const two = await failed({ ...signature, detail: { code: 104, subcode: null } });
    const other = await failed({ code: 'copyright_match', side: 'instagram', message: 'A match.', nextAction: 'Discard it.' });
    const causes = async () =>
      (await gateway.call('get', '/api/failures/causes').expect(200)).body.data.causes as { cause: string; count: number }[];
    const found = await causes();
    const [first, second] = ['instagram_signature_rejected/104', 'copyright_match'].map((one) => found.find(({ cause }) => cause === one));
    expect(first).toMatchObject({
      cause: 'instagram_signature_rejected/104',
      count: 2,
      step: 'post',
      side: 'operator',
      message: 'No signature.',
    });
    expect(second).toMatchObject({ cause: 'copyright_match', count: 1, details: null });
    const answer = await gateway.call('post', '/api/failures/retry', { cause: first?.cause }).expect(200);
    expect(answer.body.data).toEqual({ retried: 2, refused: 0 });
    const states = await Promise.all([one, two, other].map(async (id) => (await gateway.database.read.items.find(id))?.state));
    expect(states).toEqual(['queued', 'queued', 'ready']);
    const left = (await causes()).map(({ cause }) => cause);
    expect([left.includes('copyright_match'), left.includes('instagram_signature_rejected/104')]).toEqual([true, false]);
    const audited = await gateway.database.sql.query<{ detail: object }>("SELECT detail FROM audit_log WHERE action = 'failures.retried'");
    expect(audited).toEqual([{ detail: { cause: 'instagram_signature_rejected/104', retried: 2, refused: 0 } }]);
  });
});
