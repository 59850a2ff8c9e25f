import type { ContentItem, StageJob } from '@autoposter/persistence';
import { renderReviewReason, type Failure } from '@autoposter/domain';
import { failItem } from '@autoposter/workflow';
import { claimJob, endJob } from '@autoposter/testkit';
import { describeGateway, GatewayFixture } from '../testing/gateway-fixture';

const refusal: Failure = {
  code: 'caption_unusable',
  kind: 'policy',
  message: 'Gemini refuses this content.',
  side: 'gemini',
  nextAction: 'Write it by hand.',
};

/** Posts that no model writes a caption for: its quota is used up, or it refused. */
describeGateway('manual captions', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => (gateway = await GatewayFixture.start()));
  afterAll(() => gateway?.stop());

  const asked = async (): Promise<{ item: ContentItem; job: StageJob }> => {
    const item = await gateway.item('protected', { autoProcessStage: 'queuePost' });
    await gateway.call('post', `/api/ai/process/${item.id}`, { tone: 'dry' }).expect(200);
    const open = await gateway.database.read.jobs.findOpen('ai', item.id);
    const job = open && (await claimJob(gateway.database, open.id));
    if (!job) throw new Error('not claimed');
    return { item, job };
  };
  /** The run waits for tomorrow's quota. */
  const waiting = async () => {
    const held = await asked();
    const end = { state: 'waiting', inSeconds: 40_000, reason: "The day's AI requests are used up (gemini)." } as const;
    await gateway.database.unitOfWork((uow) => endJob(uow.jobs, held.job, end));
    return held;
  };
  const refused = async () => {
    const held = await asked();
    await gateway.database.unitOfWork(async (uow) => {
      await endJob(uow.jobs, held.job, { state: 'dead', failure: refusal });
      await failItem(uow, await uow.items.lock(held.item.id), 'ai', refusal, 'describe-visuals');
    });
    return held;
  };
  const stateOf = async ({ id }: { id: string }) => (await gateway.database.read.items.find(id))?.state;
  const write = (item: ContentItem, caption = 'Written by hand') => gateway.call('put', `/api/ai/update-caption/${item.id}`, { caption });

  it('names the possible actions while a caption waits', async () => {
    const { item } = await waiting();
    const { body } = await gateway.call('get', `/api/content/${item.id}`);
    expect(body.data).toMatchObject({
      waiting: { reason: expect.stringContaining('used up') },
      nextAction: expect.stringContaining('write it yourself'),
    });
  });

  it('discards an item whose caption waits, without leaving a due job', async () => {
    const { item, job } = await waiting();
    await gateway.call('put', `/api/ai/discard/${item.id}`).expect(200);
    expect([await stateOf(item), (await gateway.database.read.jobs.find(job.id))?.state]).toEqual(['discarded', 'cancelled']);
  });

  it('replaces a waiting job by one with the new options', async () => {
    const { item, job } = await waiting();
    const { body } = await gateway.call('post', `/api/ai/process/${item.id}`, { tone: 'warm' }).expect(200);
    expect(body.data).toMatchObject({ id: item.id, state: 'captioning' });
    const open = await gateway.database.read.jobs.findOpen('ai', item.id);
    expect(open).toMatchObject({
      id: body.data.jobId,
      state: 'requested',
      options: expect.objectContaining({ tone: 'warm' }),
      journal: {},
    });
    expect((await gateway.database.read.jobs.find(job.id))?.state).toBe('cancelled');
  });

  it('stops an item with a manual caption for review, whatever its setting', async () => {
    for (const { item } of [
      await waiting(),
      await refused(),
      { item: await gateway.item('protected', { autoProcessStage: 'queuePost' }) },
    ]) {
      const { body } = await write(item).expect(200);
      expect(body.data).toMatchObject({
        state: 'ready',
        status: 'ai_completed',
        needsReview: true,
        reviewReasons: [expect.stringContaining('by hand')],
        nextAction: null,
        aiContent: { caption: 'Written by hand', editedBy: 'admin@example.com', hashtags: [] },
      });
      expect(await gateway.database.read.jobs.findOpen('ai', item.id)).toBeNull();
      await gateway.call('post', `/api/instagram-queue/${item.id}`, {}).expect(200);
    }
  });

  it('refuses a manual caption while a worker writes one', async () => {
    const { item, job } = await asked();
    expect((await write(item)).status).toBe(409);
    expect((await gateway.call('put', `/api/ai/discard/${item.id}`)).status).toBe(409);
    expect((await gateway.call('post', `/api/ai/process/${item.id}`, {})).status).toBe(409);
    expect(await gateway.database.read.jobs.find(job.id)).toMatchObject({ state: 'running', fence: job.fence });
    // the other way round: what the old run still wants to write is refused
    const late = await waiting();
    await write(late.item).expect(200);
    expect(await gateway.database.unitOfWork((uow) => endJob(uow.jobs, late.job, { state: 'done' }))).toBe(false);
    expect(await claimJob(gateway.database, late.job.id)).toBeNull();
  });

  it('accepts manual hashtags up to the limit and keeps the stored ones without them', async () => {
    const ready = await gateway.item('ready');
    const save = (body: object) => gateway.call('put', `/api/ai/update-caption/${ready.id}`, body);
    const saved = await save({ caption: 'Snow day', hashtags: ['#fox', 'snow', 'Fox'] }).expect(200);
    expect(saved.body.data.aiContent).toMatchObject({ caption: 'Snow day', hashtags: ['#fox', '#snow'] });
    const kept = await save({ caption: 'Snow days' }).expect(200);
    expect(kept.body.data.aiContent).toMatchObject({ caption: 'Snow days', hashtags: ['#fox', '#snow'] });
    for (const body of [
      { caption: 'Snow', hashtags: ['a', 'b', 'c', 'd', 'e', 'f'] },
      { caption: 'Snow #one #two', hashtags: ['a', 'b', 'c', 'd'] },
      { caption: 'Snow', hashtags: ['evil.com'] },
      { caption: 'Snow', hashtags: ['a\u200bb'] },
      { caption: 'Snow\u200b day' },
      { caption: 'x'.repeat(2190), hashtags: ['fox'] },
    ])
      expect((await save(body)).status).toBe(422);
    expect((await save({ caption: 'Snow day', hashtags: [] }).expect(200)).body.data.aiContent.hashtags).toEqual([]);
  });

  it('applies the configured hashtag limit when a caption is saved and queued, and reports it', async () => {
    const limit = async (at: GatewayFixture) => (await at.call('get', '/api/instagram/config').expect(200)).body.data.hashtagLimit;
    expect(await limit(gateway)).toEqual({ max: 5, since: '2025-12-18', source: expect.stringContaining('Instagram') });
    const generous = await gateway.beside({ maxHashtags: 7 });
    try {
      expect(await limit(generous)).toEqual({ max: 7, since: null, source: 'INSTAGRAM_HASHTAG_LIMIT' });
      const ready = await generous.item('ready');
      const hashtags = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
      const save = (tags: string[]) => generous.call('put', `/api/ai/update-caption/${ready.id}`, { caption: 'Snow', hashtags: tags });
      expect((await save([...hashtags, 'h'])).body.error).toContain('more than 7 hashtags');
      await save(hashtags).expect(200);
      const queued = await generous.call('post', `/api/instagram-queue/${ready.id}`, {}).expect(200);
      const place = await gateway.database.read.queue.find(queued.body.data._id);
      expect(place?.caption).toContain('#a #b #c #d #e #f #g');
      const custom = '#a #b #c #d #e #f #g #h';
      const other = await generous.item('ready');
      const refused = await generous.call('post', `/api/instagram-queue/${other.id}`, { customCaption: custom });
      expect([refused.status, refused.body.error]).toEqual([422, expect.stringContaining('at most 7')]);
    } finally {
      await generous.stop();
    }
  });

  it('needs no review for a manual caption and lists its violations', async () => {
    const ready = await gateway.item('ready');
    const { body } = await gateway.call('put', `/api/ai/update-caption/${ready.id}`, { caption: 'Thanks @friend' }).expect(200);
    expect(body.data.needsReview).toBe(false);
    expect(body.data.aiContent.violations).toEqual([expect.stringContaining('mentions an account')]);
  });

  it('lists no rule that only the former caption broke', async () => {
    const reviewReasons = [{ code: 'contains_url' }, { code: 'sensitive_source' }, { code: 'too_little_detail' }] as const;
    const flagged = await gateway.item('ready', { needsReview: true, reviewReasons: [...reviewReasons] });
    const { body } = await write(flagged).expect(200);
    expect([body.data.needsReview, body.data.reviewReasons]).toEqual([true, reviewReasons.slice(1).map(renderReviewReason)]);

    const corrected = await gateway.item('ready', { needsReview: true, reviewReasons: [{ code: 'contains_url' }] });
    expect((await write(corrected).expect(200)).body.data).toMatchObject({ needsReview: false, reviewReasons: [] });
  });

  it('refuses a manual caption before DMCA protection', async () => {
    const early = await gateway.item('downloaded');
    expect((await write(early)).body.error).toMatch(/is downloaded and has no caption yet.*after DMCA protection/u);
  });
});
