import { failureOf, SETTING } from '@autoposter/domain';
import type { ContentItem, PublishAttempt, QueueItem } from '@autoposter/persistence';
import { enqueue } from '@autoposter/workflow';
import { aReadyItem, pollUntil, type FreshDatabase, type StageTestHarness } from '@autoposter/testkit';
import type { PosterTools } from '../poster.tools';
import { usePostingTestHarness } from '../testing/posting-test-harness';
import type { PostingTestHarness } from '../testing/posting-test-harness';
import type { FakePublisher } from '../testing/publisher.fake';

describe('posting', () => {
  let harness: PostingTestHarness;
  let fresh: FreshDatabase;
  let publisher: FakePublisher;
  let tools: PosterTools;
  let stages: StageTestHarness;
  usePostingTestHarness((entered) => {
    harness = entered;
    ({ fresh, publisher, tools, stages } = harness);
  });

  const postNow = (caption?: string) => harness.postNow(caption);

  const row = async <T>(table: string, itemId: string, column: string) =>
    (await fresh.database.sql.query<T>(`SELECT * FROM ${table} WHERE ${column} = $1`, [itemId]))[0] as T;
  const attemptOf = (item: ContentItem) =>
    row<PublishAttempt & { settled_by: string; media_id: string }>('publish_attempts', item.id, 'item_id');
  const placeOf = (item: ContentItem) => row<QueueItem>('queue_items', item.id, 'item_id');
  const stateOf = async (item: ContentItem) => (await fresh.database.read.items.find(item.id))?.state;

  const reasonOf = async (item: ContentItem) =>
    (await row<{ wait_reason: string | null } | undefined>('stage_jobs', item.id, 'item_id'))?.wait_reason;

  const posted = (item: ContentItem) =>
    pollUntil(async () => {
      await stages.fireWaitingJobs();
      expect(await stateOf(item)).toBe('posted');
      return true;
    });

  /** The outcome stays unknown, with this failure for a person to act on. */
  const asksAPerson = (item: ContentItem, failure: object) =>
    pollUntil(async () => {
      await stages.fireWaitingJobs();
      expect(await placeOf(item)).toMatchObject({ status: 'posting', outcome: 'unknown', failure });
      return true;
    });

  it('publishes once, and ledger, queue and item say so', async () => {
    const item = await postNow();
    await posted(item);
    expect(await attemptOf(item)).toMatchObject({
      state: 'published',
      media_id: 'media-1',
      media_type: 'REELS',
      permalink: 'https://example.test/media-1',
      settled_by: 'answer',
    });
    expect(await placeOf(item)).toMatchObject({ status: 'posted' });
    expect(publisher.publishCalls).toBe(1);
  });

  it('prepares the post with the options that were queued', async () => {
    const options = { shareToFeed: false, userTags: ['a.friend'] };
    const item = await harness.postNow('Snow day.', undefined, options);
    await posted(item);
    expect((await harness.attemptOf(item))?.options).toEqual(options);
    expect([...publisher.containers.values()][0]?.request.options).toEqual(options);
  });

  it.each([
    [5, 'failed', 0],
    [6, 'published', 1],
  ] as const)('counts hashtags before anything reaches Instagram: six with a limit of %d', async (maxHashtags, state, containers) => {
    tools.maxHashtags = maxHashtags;
    const caption = '#one #two #three #four #five #six';
    const item = await fresh.database.unitOfWork(async (uow) => {
      const ready = await aReadyItem(uow);
      const { accountId } = publisher;
      const queued = await enqueue(uow, ready, { caption, immediate: true, accountId, actor: 'test', maxHashtags: 6 });
      if (queued.outcome !== 'queued') throw new Error(queued.outcome);
      return ready;
    });
    await pollUntil(async () => {
      await stages.fireWaitingJobs();
      expect(await attemptOf(item)).toMatchObject({ state });
      return true;
    });
    expect(publisher.publishCalls).toBe(containers);
    if (state === 'failed') expect((await placeOf(item)).failure).toMatchObject({ message: expect.stringContaining('at most 5') });
  });

  it('is published although its address cannot be read', async () => {
    publisher.permalink = () => Promise.reject(new Error('no answer'));
    const item = await postNow();
    await posted(item);
    expect(await attemptOf(item)).toMatchObject({ state: 'published', permalink: null, settled_by: 'answer' });
    expect(publisher.publishCalls).toBe(1);
  });

  it('settles a lost answer by looking when the post is out, without a second call', async () => {
    publisher.script.push('publish-and-lose-the-answer');
    const item = await postNow();
    await posted(item);
    expect(await attemptOf(item)).toMatchObject({ state: 'published', media_id: 'media-1', settled_by: 'reconcile' });
    expect(publisher.publishCalls).toBe(1);
    expect(publisher.media).toHaveLength(1);
  });

  it('publishes the same container again when a lost call did not bring the post out', async () => {
    publisher.script.push('lose-the-call');
    const item = await postNow();
    await posted(item);
    expect(publisher.publishCalls).toBe(2);
    expect(publisher.containers.size).toBe(1);
    expect(publisher.media).toHaveLength(1);
  });

  it('makes a new container where the platform did not get at the file, with or without having waited for the first', async () => {
    for (const first of ['ERROR', 'IN_PROGRESS'] as const) {
      publisher.newContainerIs = first;
      publisher.statusText = 'Error: Media upload has failed with error code 2207077';
      const before = publisher.containers.size;
      const item = await postNow(`Snow day, ${first}.`);
      const failing = await pollUntil(() => [...publisher.containers.values()][before] ?? null);
      if (first === 'IN_PROGRESS') await pollUntil(async () => ((await attemptOf(item)).state === 'container' ? true : null));
      publisher.newContainerIs = 'FINISHED';
      if (failing) failing.status = 'ERROR';
      await posted(item);
      expect(publisher.containers.size).toBe(before + 2);
      expect(await attemptOf(item)).toMatchObject({ state: 'published', container_id: `container-${before + 2}`, containers_made: 2 });
    }
    expect(publisher.publishCalls).toBe(2);
  });

  it('does not ask Instagram to fetch a picture again before its address answers', async () => {
    const problem = failureOf('media_address_refuses', { fields: { host: 'cdn.example.test', status: 502 } });
    let goodChecks = 1;
    harness.tools.reach.problemWith = () => Promise.resolve(goodChecks-- > 0 ? null : problem);
    publisher.refuseContainer(1, failureOf('instagram_fetch_failed'));
    const item = await harness.postNow('Snow day.', [{ mediaType: 'image', contentType: 'image/jpeg', durationSeconds: null }]);
    await pollUntil(async () => {
      await stages.fireWaitingJobs();
      return (await reasonOf(item))?.includes('cdn.example.test') === true ? true : null;
    });
    expect([await stateOf(item), publisher.containers.size]).toEqual(['posting', 0]);
    goodChecks = 1;
    await posted(item);
    expect([publisher.containers.size, publisher.publishCalls]).toEqual([1, 1]);
  });

  it('makes a new container where the first one expired during a pause', async () => {
    publisher.newContainerIs = 'IN_PROGRESS';
    const item = await postNow();
    await pollUntil(async () => (await reasonOf(item))?.includes('preparing') === true);
    await harness.pause(true);
    for (const container of publisher.containers.values()) container.status = 'EXPIRED';
    publisher.newContainerIs = 'FINISHED';
    await pollUntil(async () => {
      if ((await reasonOf(item))?.includes('paused')) return true;
      return void (await stages.fireWaitingJobs());
    });
    expect(publisher.containers.size).toBe(1);
    await harness.pause(false);
    await posted(item);
    expect([publisher.containers.size, publisher.publishCalls]).toEqual([2, 1]);
  });

  it('gives up with words when the second container comes to nothing too', async () => {
    publisher.newContainerIs = 'ERROR';
    publisher.statusText = 'Error: Media upload has failed with error code 2207077';
    const item = await postNow();
    await pollUntil(async () => {
      await stages.fireWaitingJobs();
      expect(await stateOf(item)).toBe('ready');
      return true;
    });
    expect(publisher.containers.size).toBe(2);
    expect(publisher.publishCalls).toBe(0);
  });

  it('reports an unknown result and refuses to publish the item again until it is reconciled', async () => {
    publisher.script.push('publish-and-lose-the-answer');
    tools.linked = {
      countUnidentified: () => Promise.resolve(0),
      findLinked: () => Promise.reject(new Error('no look possible')),
      countPublishedSince: () => Promise.resolve(0),
      countStoriesBetween: () => Promise.resolve(0),
    };
    const item = await postNow();
    await pollUntil(async () => expect(await placeOf(item)).toMatchObject({ status: 'posting', outcome: 'unknown' }) ?? true);
    expect(await stateOf(item)).toBe('posting');
    const second = {
      itemId: item.id,
      queueItemId: item.id,
      accountId: publisher.accountId,
      kind: 'reel',
      caption: 'x',
      captionHash: 'x',
      mediaSha256: 'x',
    };
    expect(await fresh.database.unitOfWork((uow) => uow.attempts.open({ ...second, kind: 'reel' }))).toBeNull();
  });

  it('asks a person where looking does not settle it, and leaves the platform alone until the next look is due', async () => {
    publisher.script.push('publish-and-lose-the-answer');
    tools.reconcile = { looksAtSeconds: [], believeAbsentAfterSeconds: 600 };
    tools.linked = {
      countUnidentified: () => Promise.resolve(0),
      findLinked: (_account, ids) => Promise.resolve(new Set(ids)),
      countPublishedSince: () => Promise.resolve(0),
      countStoriesBetween: () => Promise.resolve(0),
    };
    const item = await postNow();
    await pollUntil(
      async () => expect(await placeOf(item)).toMatchObject({ status: 'posting', failure: { kind: 'unknown_outcome' } }) ?? true,
    );
    const next = await row<{ hours: number }>(
      '(SELECT *, extract(epoch FROM next_look_at - now()) / 3600 AS hours FROM publish_attempts) a',
      item.id,
      'item_id',
    );
    expect(Number(next.hours)).toBeGreaterThan(23);
  });

  it('comes back to the same container after a refusal that says that nothing was published', async () => {
    publisher.script.push('refuse', 'refuse');
    const item = await postNow();
    await posted(item);
    expect(publisher.publishCalls).toBe(3);
    expect(publisher.containers.size).toBe(1);
    expect(publisher.media).toHaveLength(1);
  });

  it('stops calling when a finished container is refused again and again, and is ready once that has expired', async () => {
    publisher.script.push(...Array.from({ length: 9 }, () => 'refuse' as const));
    const item = await postNow();
    const failure = { kind: 'upstream_rejected', message: expect.stringContaining('6 times') as string };
    await asksAPerson(item, failure);
    expect([publisher.publishCalls, publisher.containers.size, publisher.media.length]).toEqual([6, 1, 0]);
    harness.expireContainers();
    await harness.reconcile(item);
    await pollUntil(async () => expect(await stateOf(item)).toBe('ready') ?? true);
    expect([publisher.publishCalls, publisher.containers.size]).toEqual([6, 1]);
  });

  it('stops calling when the call is lost again and again', async () => {
    publisher.script.push(...Array.from({ length: 9 }, () => 'lose-the-call' as const));
    const item = await postNow();
    const failure = { code: 'container_refused', message: expect.stringContaining('6 times') as string };
    await asksAPerson(item, failure);
    await harness.reconcile(item);
    expect([publisher.publishCalls, publisher.containers.size, publisher.media.length]).toEqual([6, 1, 0]);
  });

  it('stops the account when the text of a failed container says that Instagram suspects spam', async () => {
    publisher.newContainerIs = 'ERROR';
    publisher.statusText = 'Error: Media upload has failed with error code 2207051';
    const item = await postNow();
    await pollUntil(async () => expect(await stateOf(item)).toBe('ready') ?? true);
    expect(await harness.switch()).toMatchObject({
      paused: true,
      cause: 'account',
      reason: 'Instagram suspects spam and blocks publishing.',
    });
  });

  it('waits for a container that is not ready, without making another', async () => {
    publisher.newContainerIs = 'IN_PROGRESS';
    const item = await postNow();
    await pollUntil(async () => expect(await attemptOf(item)).toMatchObject({ state: 'container', container_id: 'container-1' }) ?? true);
    expect(publisher.publishCalls).toBe(0);
    for (const container of publisher.containers.values()) container.status = 'FINISHED';
    await posted(item);
    expect(publisher.containers.size).toBe(1);
  });

  it('gives an item back with a reason when the platform cannot use the media', async () => {
    publisher.newContainerIs = 'ERROR';
    publisher.statusText = 'Error: Media upload has failed with error code 2207026';
    const item = await postNow();
    await pollUntil(async () => expect(await stateOf(item)).toBe('ready') ?? true);
    expect(await attemptOf(item)).toMatchObject({ state: 'failed' });
    expect(await placeOf(item)).toMatchObject({
      status: 'failed',
      failure: { kind: 'unsupported_media', message: 'Instagram does not support this video format.' },
    });
    expect((await fresh.database.read.items.find(item.id))?.processingErrors).toHaveLength(1);
  });

  it("stops at the platform's own copyright match", async () => {
    const segments = [{ startSeconds: 5, seconds: 61, kind: 'AUDIO' }];
    const match = { title: 'A protected song', owner: 'Example Records', actions: ['BLOCK'], segments };
    publisher.copyright = { state: 'completed', matchesFound: true, matches: [match] };
    const item = await postNow();
    await pollUntil(
      async () => expect(await placeOf(item)).toMatchObject({ status: 'failed', failure: { kind: 'rights_blocked' } }) ?? true,
    );
    expect((await placeOf(item)).failure?.message).toContain('"A protected song" by Example Records (audio 0:05–1:06, block)');
    expect(publisher.publishCalls).toBe(0);
  });

  it('holds a reel whose copyright check failed, until an administrator publishes it', async () => {
    publisher.copyright = { state: 'error', matchesFound: false, matches: [] };
    const item = await postNow();
    await pollUntil(async () => (await harness.attemptOf(item))?.rightsCheck?.held === true);
    const attempt = await harness.attemptOf(item);
    if (!attempt?.rightsCheck) throw new Error('the post is not held');
    await stages.fireWaitingJobs();
    expect(publisher.publishCalls).toBe(0);
    await fresh.database.read.attempts.keepRightsCheck(attempt.id, { ...attempt.rightsCheck, releasedBy: 'test' });
    await posted(item);
    expect(publisher.publishCalls).toBe(1);
  });

  it('does not post on another account than the one that was meant', async () => {
    const accountId = publisher.accountId;
    Object.assign(publisher, { accountId: '17841400000000002' });
    const item = await fresh.database.unitOfWork(async (uow) => {
      const ready = await aReadyItem(uow);
      await enqueue(uow, ready, { caption: 'Snow day.', immediate: true, accountId, actor: 'test' });
      return ready;
    });
    await pollUntil(async () => expect(await placeOf(item)).toMatchObject({ status: 'failed', failure: { kind: 'conflict' } }) ?? true);
    expect([publisher.containers.size, publisher.publishCalls]).toEqual([0, 0]);
  });

  it('asks instead of posting what is on the account already', async () => {
    publisher.media.push({
      id: 'old',
      caption: ' Snow day.\n\nCredit: u/fox_watcher on Reddit in r/aww\n\n#fox #snow ',
      mediaType: 'VIDEO',
      productType: 'REELS',
      permalink: null,
      timestamp: new Date().toISOString(),
    });
    const item = await postNow();
    await pollUntil(async () => expect(await placeOf(item)).toMatchObject({ status: 'failed', failure: { kind: 'conflict' } }) ?? true);
    expect(publisher.containers.size).toBe(0);
  });

  it('publishes nothing while publishing is paused, and continues afterwards', async () => {
    await fresh.database.read.settings.set(SETTING.publishing, { paused: true, by: 'test', since: null });
    const item = await postNow();
    await pollUntil(async () => {
      const [job] = await fresh.database.sql.query<{ state: string }>(`SELECT state FROM stage_jobs WHERE item_id = $1`, [item.id]);
      return job?.state === 'waiting';
    });
    expect(publisher.containers.size).toBe(0);
    await fresh.database.read.settings.set(SETTING.publishing, { paused: false, by: 'test', since: null });
    await posted(item);
    expect(publisher.publishCalls).toBe(1);
  });

  it('does not publish what was being prepared when publishing was paused', async () => {
    publisher.newContainerIs = 'IN_PROGRESS';
    const item = await postNow();
    await pollUntil(async () => (await reasonOf(item))?.includes('preparing') === true);
    await fresh.database.read.settings.set(SETTING.publishing, { paused: true, by: 'test', since: null });
    for (const container of publisher.containers.values()) container.status = 'FINISHED';
    await pollUntil(async () => {
      if ((await reasonOf(item))?.includes('paused')) return true;
      return void (await stages.fireWaitingJobs());
    });
    expect(publisher.publishCalls).toBe(0);
    await fresh.database.read.settings.set(SETTING.publishing, { paused: false, by: 'test', since: null });
    await posted(item);
    expect(publisher.publishCalls).toBe(1);
    expect(publisher.containers.size).toBe(1);
  });

  it('waits when the quota of the window is used up', async () => {
    publisher.quotaTotal = 0;
    const item = await postNow();
    await pollUntil(async () => {
      const [job] = await fresh.database.sql.query<{ state: string; attempts: number; wait_reason: string }>(
        `SELECT state, attempts, wait_reason FROM stage_jobs WHERE item_id = $1`,
        [item.id],
      );
      expect(job).toMatchObject({ state: 'waiting', attempts: 0 });
      expect(job?.wait_reason).toContain('quota');
      return true;
    });
  });
});
