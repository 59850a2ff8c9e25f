import { loadConfig } from '@autoposter/config';
import { ENVIRONMENT_ACCOUNT_ID } from '@autoposter/contracts';
import { failureOf } from '@autoposter/domain';
import { bindStage, defineStep, done, type Systems } from '@autoposter/job-engine';
import { silentLogger } from '@autoposter/observability';
import type { ContentItem, PublishAttempt } from '@autoposter/persistence';
import { pollUntil, StageTestHarness } from '@autoposter/testkit';
import { describeGateway, GatewayFixture } from '../../../../apps/gateway/src/testing/gateway-fixture';
import { postStage } from '../../../../apps/instagram-poster/src/post/post.stage';
import { posterTools } from '../../../../apps/instagram-poster/src/poster.tools';
import { FakePublisher } from '../../../../apps/instagram-poster/src/testing/publisher.fake';

/** Where a change falls: after the last step before the call, or in the transaction that records the call, before or after its checks. */
const MOMENTS = ['before the transaction', 'before its checks', 'after its checks'] as const;
type Moment = (typeof MOMENTS)[number];

interface Answer {
  status: number;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the body of any route
  body: any;
}

interface Change {
  what: string;
  request: (item: ContentItem) => PromiseLike<Answer>;
  /** What the answer says about the post: it is not published, or it is or may be. `null` says neither, as a pause. */
  says: (answer: Answer, item: ContentItem) => 'stopped' | 'out' | null;
}

const IDENTICAL = 'ab'.repeat(32);
const refusable = { says: ({ status }: Answer) => (status === 200 ? 'stopped' : status === 409 ? 'out' : null) } as const;
const silent = { says: () => null };
const held = {
  says({ body }: Answer, { id }: ContentItem) {
    const { out } = body.data.held as { out: { id: string }[] };
    return out.some((one) => one.id === id) ? 'out' : 'stopped';
  },
} as const;

describeGateway('a change while a publish call is about to be recorded', () => {
  let gateway: GatewayFixture;
  let publisher: FakePublisher;
  let stages: StageTestHarness;
  let subredditId: string;
  let reach: (moment: Moment) => Promise<void>;

  beforeEach(async () => {
    publisher = new FakePublisher();
    gateway = await GatewayFixture.start({ hasPublicAddress: true, instagramAccountId: publisher.accountId });
    subredditId = (await gateway.call('post', '/api/subreddits', { name: 'aww' }).expect(200)).body.data._id;
    const { database, objects, settings } = gateway;
    const config = loadConfig('instagram-poster', { DATABASE_URL: 'postgres://localhost/none' });
    const systems = { config, database, objects, logger: silentLogger } as unknown as Systems;
    const ofFake = {
      ...{ publisher, api: settings.instagramApi, access: { images: true, videos: true } },
      links: { isPublic: true, forMeta: (key: string) => `https://cdn.example.test/${key}` },
      reach: { problemWith: () => Promise.resolve(null) },
    };
    stages = await StageTestHarness.open(database, [bindStage(interleaved(), { ...posterTools(systems), ...ofFake })]);
  });
  afterEach(async () => {
    await stages?.close();
    await gateway?.stop();
  });

  /** The stage, which reports the moments. */
  function interleaved(): typeof postStage {
    const { steps, commit } = postStage;
    const atLast = defineStep<unknown, unknown, object>({
      name: 'at-last',
      effect: 'read',
      run: async (input) => {
        await reach('before the transaction');
        return done(input);
      },
    });
    const stage = {
      ...postStage,
      steps: steps.flatMap((step) => (step.effect === 'irreversible' ? [atLast, step] : [step])),
      commit: {
        ...commit,
        async intended(...of: Parameters<NonNullable<typeof commit.intended>>) {
          await reach('before its checks');
          const instead = await commit.intended?.(...of);
          if (!instead) await reach('after its checks');
          return instead;
        },
      },
    };
    return stage as unknown as typeof postStage;
  }

  const attemptOf = async ({ id }: ContentItem): Promise<PublishAttempt | undefined> =>
    (await gateway.database.read.attempts.ofItems([id])).get(id);
  const queueIdOf = async ({ id }: ContentItem): Promise<string> => (await gateway.database.read.queue.findOpenOf(id))?.id ?? '';
  const claim = (body: object) => gateway.call('post', '/api/rights/claims', { title: 'Dusk', claimant: 'A', ...body });

  /** Sends a post and makes the change at this moment. The publishing worker continues once it has ended, or waits for the transaction. */
  async function interleave(moment: Moment, request: Change['request']) {
    const item = await gateway.item('ready', { author: 'ada' });
    await gateway.database.unitOfWork((uow) => uow.rights.saveFingerprints(item.id, [{ sha256: IDENTICAL, pdq: [] }]));
    let change: Promise<Answer> | undefined;
    let answer: Answer | undefined;
    let cameFirst = false;
    reach = async (reached) => {
      if (reached !== moment || change !== undefined) return;
      change = Promise.resolve(request(item)).then((one) => (answer = one));
      const waits = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      await pollUntil(async () => answer !== undefined || (await gateway.database.sql.query(waits)).length > 0);
      cameFirst = answer !== undefined;
    };
    await gateway.call('post', `/api/instagram-queue/${item.id}`, { postImmediately: true }).expect(200);
    const attempt = await attemptOf(item);
    await pollUntil(async () => {
      if (answer === undefined) return false;
      await stages.fireWaitingJobs();
      const job = await gateway.database.read.jobs.findOpen('post', attempt?.id ?? '');
      // after a pause it waits
      return job === null || (publisher.publishCalls === 0 && job.state === 'waiting');
    });
    return { item, cameFirst, answer: await (change as unknown as Promise<Answer>) };
  }

  /** The post keeps its distance from another one of its queue. */
  async function publishInApp({ id }: ContentItem): Promise<Answer> {
    const { sql } = gateway.database;
    await sql.query('UPDATE queue_items SET immediate = false WHERE item_id = $1', [id]);
    const refused = await gateway.item('ready');
    const queueItemId = (await gateway.call('post', `/api/instagram-queue/${refused.id}`, {}).expect(200)).body.data._id as string;
    await sql.query(`UPDATE queue_items SET status = 'failed', failure = $2, finished_at = now() - interval '1 day' WHERE id = $1`, [
      queueItemId,
      JSON.stringify(failureOf('instagram_spam_suspected')),
    ]);
    await sql.query(`UPDATE content_items SET state = 'ready' WHERE id = $1`, [refused.id]);
    return gateway.call('post', `/api/instagram-queue/${queueItemId}/in-app`, {});
  }

  const CHANGES: readonly Change[] = [
    { what: 'a claim on its file', request: () => claim({ sha256: IDENTICAL }), ...held },
    { what: 'a claim on its author', request: () => claim({ author: 'u/ada' }), ...held },
    {
      what: 'a removal from the queue',
      request: async (item) => gateway.call('delete', `/api/instagram-queue/${await queueIdOf(item)}`),
      ...refusable,
    },
    { what: 'a discard', request: ({ id }) => gateway.call('put', `/api/ai/discard/${id}`), ...refusable },
    { what: 'its deletion', request: ({ id }) => gateway.call('delete', `/api/downloads/${id}`), ...refusable },
    {
      what: 'another caption',
      request: ({ id }) => gateway.call('put', `/api/ai/update-caption/${id}`, { caption: 'Other words.' }),
      ...refusable,
    },
    {
      what: 'other options',
      request: async (item) => gateway.call('put', `/api/instagram-queue/${await queueIdOf(item)}/options`, {}),
      ...refusable,
    },
    {
      what: 'Clear All',
      request: () => gateway.call('delete', '/api/reddit/clear-all'),
      says: ({ body }) => ((body.data.stillPublishing as number) === 0 ? 'stopped' : 'out'),
    },
    { what: 'a pause', request: () => gateway.call('post', '/api/publishing/pause'), ...silent },
    {
      what: 'an account that requires permissions',
      request: () => gateway.call('patch', `/api/instagram-accounts/${ENVIRONMENT_ACCOUNT_ID}/needs-permission`, { needsPermission: true }),
      ...silent,
    },
    {
      what: 'a subreddit that requires permissions',
      request: () => gateway.call('patch', `/api/subreddits/${subredditId}/needs-permission`, { needsPermission: true }),
      ...silent,
    },
    { what: 'a post before it that a person published in the app', request: publishInApp, ...silent },
  ];

  it.each(MOMENTS.flatMap((moment) => CHANGES.map((change) => ({ ...change, moment }))))(
    'stops the call or learns that it is recorded: $what, $moment',
    async ({ moment, request, says }) => {
      const { item, answer, cameFirst } = await interleave(moment, request);
      const isCalled = publisher.publishCalls > 0;
      const said = says(answer, item);
      if (said !== null) expect(said).toBe(isCalled ? 'out' : 'stopped');
      // what was confirmed before the transaction continued is obeyed
      else expect([answer.status, isCalled]).toEqual([200, !cameFirst]);
    },
  );
});
