import type { FailureKind } from '@autoposter/contracts';
import { CLOSED, refused, type Failure } from '@autoposter/domain';
import type { ContentItem } from '@autoposter/persistence';
import { recordError } from '@autoposter/workflow';
import { claimJob, endJob } from '@autoposter/testkit';
import { describeGateway } from '../testing/gateway-fixture';
import { GatewayFixture } from '../testing/gateway-fixture';

describeGateway('AI providers', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => (gateway = await GatewayFixture.start()));
  afterAll(() => gateway?.stop());
  beforeEach(() => gateway.empty());

  const until = new Date(Date.now() + 7_200_000).toISOString();
  const failureOf = (kind: FailureKind, retryAt = until): Failure => ({
    code: 'gemini_daily_quota',
    kind,
    message: 'Gemini quota of 20 requests for the day is exceeded (429).',
    side: 'gemini',
    nextAction: 'Wait.',
    retryAt,
  });
  /** As a worker leaves it behind. */
  async function opened(failure: Failure, at = new Date()): Promise<void> {
    await gateway.database.unitOfWork(async (uow) => {
      await uow.aiProviders.configure({ provider: 'gemini', model: 'flash', configuration: 'x', dailyLimit: 20 });
      const row = await uow.aiProviders.lock('gemini');
      if (row) await uow.aiProviders.save(row, refused(CLOSED, at, failure));
    });
  }
  async function waiting(kind: FailureKind): Promise<ContentItem> {
    const item = await gateway.item('protected');
    await gateway.call('post', `/api/ai/process/${item.id}`, {}).expect(200);
    await gateway.database.unitOfWork(async (uow) => {
      const open = await uow.jobs.findOpen('ai', item.id);
      expect(open?.options).toMatchObject({ byPerson: true });
      const job = await claimJob(gateway.database, open?.id ?? '', { jobs: uow.jobs });
      if (job === null) throw new Error('not claimed');
      const failure = failureOf(kind);
      await endJob(uow.jobs, job, { state: 'waiting', inSeconds: 7200, reason: failure.message, cause: failure });
    });
    return item;
  }
  const ready = async () => (await gateway.call('get', '/api/ai/ready').expect(200)).body.data;
  const overview = async () => (await gateway.call('get', '/api/pipeline/overview').expect(200)).body.data;
  const failures = async () => (await gateway.call('get', '/api/failures').expect(200)).body.data.failures;

  it.each(['quota_exceeded', 'not_authorised'] as const)('lists an item as waiting with code and time after %s', async (kind) => {
    const item = await waiting(kind);
    const other = await gateway.item('protected');
    const files = await ready();
    expect(files.map(({ id }: { id: string }) => id).sort()).toEqual([item.id, other.id].sort());
    const file = files.find(({ id }: { id: string }) => id === item.id);
    expect(file).toMatchObject({
      state: 'captioning',
      waiting: { code: kind, side: 'gemini', reason: expect.stringContaining('20 requests') },
    });
    expect(Date.parse(file.waiting.until)).toBeGreaterThan(Date.now() + 7_000_000);
    // asked for again, it is in work
    await gateway.call('post', `/api/ai/process/${item.id}`, {}).expect(200);
    expect((await ready()).map(({ id }: { id: string }) => id)).toEqual([other.id]);
  });

  it('omits an item that waits for its turn in a run over all items', async () => {
    for (let file = 0; file < 3; file += 1) await gateway.item('protected');
    await gateway.call('post', '/api/ai/process-all', {}).expect(200);
    expect(await ready()).toEqual([]);
  });

  it('shows a quota until its reset and an invalid key until it is replaced', async () => {
    await opened(failureOf('quota_exceeded'));
    expect((await overview()).aiProviders).toEqual([
      expect.objectContaining({
        provider: 'gemini',
        name: 'Gemini',
        limit: 20,
        problem: expect.objectContaining({ code: 'quota_exceeded', until, message: failureOf('quota_exceeded').message }),
      }),
    ]);
    const [hourAgo, minuteAgo] = [new Date(Date.now() - 3_600_000), new Date(Date.now() - 60_000)];
    await opened(failureOf('quota_exceeded', minuteAgo.toISOString()), hourAgo);
    expect((await overview()).aiProviders[0].problem).toBeNull();
    await opened(failureOf('not_authorised', minuteAgo.toISOString()), hourAgo);
    expect((await overview()).aiProviders[0].problem).toMatchObject({ code: 'not_authorised', until: null });
  });

  it('lists a problem for administrators as an unseen failure until it is seen or solved', async () => {
    await opened(failureOf('quota_exceeded'));
    expect(await failures()).toEqual([]);
    await opened(failureOf('not_authorised'));
    const [failure] = await failures();
    expect(failure).toMatchObject({ kind: 'provider', title: 'Gemini', stage: 'ai', code: 'not_authorised' });
    await gateway.call('post', '/api/failures/seen', { ids: [failure.id] }).expect(200);
    expect(await failures()).toEqual([]);
  });

  it('counts requests per provider and day against the limit of the workers', async () => {
    await opened(failureOf('rate_limited', new Date().toISOString()));
    await gateway.database.read.aiProviders.configure({ provider: 'groq', model: 'oss', configuration: 'y', dailyLimit: 20 });
    const [{ resetsAt }] = (await overview()).aiProviders;
    const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Los_Angeles' }).format(new Date());
    for (let call = 0; call < 20; call += 1) await gateway.database.read.quota.take('ai.gemini', day, 20);
    for (let call = 0; call < 3; call += 1) await gateway.database.read.quota.take('ai.groq', new Date().toISOString().slice(0, 10), 20);
    const { aiQuota, aiProviders } = await overview();
    expect(aiQuota).toEqual({ used: 20, limit: 20 });
    expect(aiProviders[0]).toMatchObject({
      used: 20,
      problem: {
        code: 'quota_exceeded',
        until: resetsAt,
        message: expect.stringContaining('All 20 requests of the day to Gemini are used up'),
      },
    });
    expect(aiProviders[1]).toMatchObject({ provider: 'groq', name: 'Groq', used: 3, limit: 20 });
  });

  it('shows a failed new caption until the caption is written or edited', async () => {
    const item = await gateway.item('ready');
    await gateway.call('post', `/api/ai/process/${item.id}`, { replaceEdited: true }).expect(200);
    await gateway.database.unitOfWork(async (uow) => {
      const open = await uow.jobs.findOpen('ai', item.id);
      expect(open?.options).toMatchObject({ replaceEdited: true });
      const job = await claimJob(gateway.database, open?.id ?? '', { jobs: uow.jobs });
      if (job === null) throw new Error('not claimed');
      await endJob(uow.jobs, job, { state: 'dead', failure: failureOf('policy') });
      const asked = await uow.items.lock(item.id);
      await uow.items.transition(item.id, { fromVersion: asked.version, from: 'captioning', to: 'ready' });
      await recordError(uow, item.id, 'ai', failureOf('policy'), 'describe-visuals');
    });
    const shown = async () => (await gateway.call('get', `/api/content/${item.id}`).expect(200)).body.data;
    expect(await shown()).toMatchObject({
      state: 'ready',
      lastError: { stage: 'ai', kind: 'policy', message: expect.stringContaining('exceeded') },
    });
    expect(await failures()).toEqual([expect.objectContaining({ id: item.id, kind: 'item', stage: 'ai', code: 'policy' })]);
    await gateway.call('put', `/api/ai/update-caption/${item.id}`, { caption: 'My own words' }).expect(200);
    expect((await shown()).lastError).toBeNull();
    expect(await failures()).toEqual([]);
  });
});
