import { context, propagation, trace } from '@opentelemetry/api';
import { node } from '@opentelemetry/sdk-node';
import { defineStep, done, fail } from '@autoposter/job-engine';
import { currentTraceparent, inSpan } from '@autoposter/observability';
import {
  anItem,
  aReadyItem,
  pollUntil,
  type FreshDatabase,
  useFreshDatabases,
  postgresKinds,
  testStage,
  StageTestHarness,
} from '@autoposter/testkit';
import { advance } from './advance';
import { enqueue, startPosting } from './enqueue';
import { requestReconcile } from './settle-attempt';

const step = (name: string) => defineStep<unknown, null>({ name, effect: 'idempotent', run: () => Promise.resolve(done(null)) });
const lastly = defineStep<unknown, null>({ name: 'last', effect: 'pure', run: () => Promise.resolve(done(null)) });

describe.each(postgresKinds())('attempt spans on PostgreSQL (%s)', (kind) => {
  let fresh: FreshDatabase;
  let harness: StageTestHarness;
  const exporter = new node.InMemorySpanExporter();

  useFreshDatabases(
    kind,
    async (made) => {
      fresh = made;
      harness = await StageTestHarness.open(fresh.database);
      return async () => {
        trace.disable();
        context.disable();
        propagation.disable();
        exporter.reset();
        await harness.close();
      };
    },
    { publishing: { requests: true, facts: true } },
  );

  const record = (): void => new node.NodeTracerProvider({ spanProcessors: [new node.SimpleSpanProcessor(exporter)] }).register();
  const span = (name: string): Promise<node.ReadableSpan> =>
    pollUntil(() => {
      const found = exporter.getFinishedSpans().find((one) => one.name === name);
      return found ? Promise.resolve(found) : Promise.reject(new Error(`no span ${name} yet`));
    });
  const latest = async (stage: string) => {
    const rows = await fresh.database.sql.query<{ id: string; traceparent: string | null }>(
      'SELECT id, traceparent FROM stage_jobs WHERE stage = $1',
      [stage],
    );
    return rows[0] ?? Promise.reject(new Error(`no job of ${stage} yet`));
  };
  const messages = async (isWanted: (topic: string) => boolean) => {
    await pollUntil(async () => (await fresh.database.read.outbox.backlog()).waiting === 0);
    const all = [...harness.broker.topics].flatMap(([topic, log]) => (isWanted(topic) ? log : []));
    return all
      .sort((one, other) => Number(one.id) - Number(other.id))
      .map(({ text }) => JSON.parse(text) as { type: string; traceparent: string | null });
  };
  const sent = async (): Promise<(string | null)[]> =>
    (await messages((topic) => topic.includes('requested'))).map(({ traceparent }) => traceparent);

  /** The trace of each fact, by type. */
  const facts = async (): Promise<Map<string, string | null>> =>
    new Map((await messages((topic) => topic === 'pipeline.facts.v1')).map(({ type, traceparent }) => [type, traceparent]));

  /** A person requests an item, which then runs through its stages. */
  const ask = async (): Promise<string | null> => {
    await harness.startRunner(testStage({ steps: [step('fetch'), lastly] }));
    await harness.startRunner(testStage({ name: 'dmca', steps: [lastly], commit: { done: () => Promise.resolve() } }));
    return inSpan('POST /api/content', {}, async () => {
      await fresh.database.unitOfWork(async (uow) => {
        const item = await anItem(uow, { state: 'accepted', autoProcessStage: 'aiCaption' });
        await advance(uow, item, { by: 'person', wants: 'download' }, { actor: 'admin@example.org' });
      });
      return currentTraceparent();
    });
  };

  it('keep one trace from an HTTP request through download to the dmca request', async () => {
    record();
    const asked = await ask();
    const dmca = await harness.jobInState((await pollUntil(() => latest('dmca'))).id, 'done');
    const [request, download, fetch, check] = [
      await span('POST /api/content'),
      await span('download'),
      await span('download.fetch'),
      await span('dmca'),
    ];
    const { traceId, spanId } = request.spanContext();
    expect(asked).toBe(`00-${traceId}-${spanId}-01`);
    expect(download.parentSpanContext).toMatchObject({ traceId, spanId });
    expect(download.attributes).toMatchObject({ outcome: 'done', attempt: 1 });
    expect(fetch.parentSpanContext).toMatchObject({ traceId, spanId: download.spanContext().spanId });
    const fromDownload = `00-${traceId}-${download.spanContext().spanId}-01`;
    expect(dmca.traceparent).toBe(fromDownload);
    expect(check.parentSpanContext).toMatchObject({ traceId, spanId: download.spanContext().spanId });
    expect(await sent()).toEqual([asked, fromDownload]);
    const log = await facts();
    expect(log.get('download.requested')).toBe(asked);
    for (const type of ['download.completed', 'dmca.requested']) expect(log.get(type)).toBe(fromDownload);
    // the attempt itself writes it
    expect(log.get('dmca.started')).toBe(`00-${traceId}-${check.spanContext().spanId}-01`);
  });

  it('keep the trace of the request that queued a post until the scheduler posts it', async () => {
    record();
    const queued = await inSpan('POST /api/instagram-queue/:id', {}, () =>
      fresh.database.unitOfWork(async (uow) => {
        const answer = await enqueue(uow, await aReadyItem(uow), { immediate: false, actor: 'admin@example.org' });
        if (answer.outcome !== 'queued') throw new Error(answer.outcome);
        return answer.queueItem;
      }),
    );
    await harness.startRunner(testStage({ name: 'post', steps: [lastly], commit: { done: () => Promise.resolve() } }));
    await fresh.database.unitOfWork(async (uow) => {
      const started = await startPosting(uow, (await uow.queue.find(queued.id)) ?? queued, { accountId: 'account', actor: 'clock' });
      if (started.outcome !== 'started') throw new Error(started.outcome);
    });
    const { traceId, spanId } = (await span('POST /api/instagram-queue/:id')).spanContext();
    const post = await span('post');
    expect(post.parentSpanContext).toMatchObject({ traceId, spanId });
    expect((await span('post.last')).spanContext().traceId).toBe(traceId);
    expect((await latest('post')).traceparent).toBe(`00-${traceId}-${spanId}-01`);
    // the scheduler requests reconciliation hours later
    await fresh.database.unitOfWork(async (uow) => {
      const [row] = await fresh.database.sql.query<{ id: string }>('SELECT id FROM publish_attempts');
      const attempt = await uow.attempts.lock(row?.id ?? '');
      await requestReconcile(uow, attempt, { actor: 'clock' });
    });
    expect((await latest('reconcile')).traceparent).toContain(traceId);
    expect((await facts()).get('post.requested')).toContain(traceId);
  });

  it('start a new trace without an HTTP request, and record failures', async () => {
    record();
    const refused = {
      code: 'reddit_post_missing',
      kind: 'not_found',
      message: 'It is gone.',
      side: 'reddit',
      nextAction: 'Nothing.',
    } as const;
    const failing = defineStep<unknown, never>({ name: 'fetch', effect: 'read', run: () => Promise.resolve(fail(refused)) });
    await harness.startRunner(testStage({ steps: [failing] }));
    const { job } = await harness.requestDownload();
    expect(job.traceparent).toBeNull();
    const run = await span('download');
    expect(run.parentSpanContext).toBeUndefined();
    expect(run.attributes).toMatchObject({ outcome: 'dead', 'job.id': job.id });
    expect((await span('download.fetch')).status).toMatchObject({ code: 2, message: 'It is gone.' });
  });

  it('are absent when tracing was not started', async () => {
    expect(await ask()).toBeNull();
    await harness.jobInState((await pollUntil(() => latest('dmca'))).id, 'done');
    expect(await sent()).toEqual([null, null]);
    expect(exporter.getFinishedSpans()).toEqual([]);
  });
});
