import { failureOf, SETTING } from '@autoposter/domain';
import type { ContentItem } from '@autoposter/persistence';
import { pollUntil } from '@autoposter/testkit';
import { enqueue, requestReconcile } from '@autoposter/workflow';
import { postCommit } from './post.commit';
import { usePostingTestHarness, type PostingTestHarness } from '../testing/posting-test-harness';
import type { PublishScript } from '../testing/publisher.fake';

describe('publishing once', () => {
  let harness: PostingTestHarness;
  usePostingTestHarness((entered) => {
    harness = entered;
  });

  const becomes = (item: ContentItem, state: string) =>
    pollUntil(async () => {
      await harness.stages.fireWaitingJobs();
      expect(await harness.stateOf(item)).toBe(state);
      return true;
    });

  it.each([
    ['media', ['cd', 'cd']],
    ['other media', ['cd', 'ef']],
  ])('publishes one of two posts with the same caption and %s that were prepared in parallel', async (_what, hashes) => {
    harness.publisher.newContainerIs = 'IN_PROGRESS';
    const items: ContentItem[] = [];
    for (const digits of hashes) items.push(await harness.postNow('The same.', [{ sha256: digits.repeat(32) }]));
    await pollUntil(() => (harness.publisher.containers.size === 2 ? true : null));
    for (const item of items) await pollUntil(async () => ((await harness.attemptOf(item))?.state === 'container' ? true : null));
    for (const container of harness.publisher.containers.values()) container.status = 'FINISHED';
    await pollUntil(async () => {
      await harness.stages.fireWaitingJobs();
      expect((await Promise.all(items.map((item) => harness.stateOf(item)))).sort()).toEqual(['posted', 'ready']);
      return true;
    });
    expect([harness.publisher.publishCalls, harness.publisher.media.length]).toEqual([1, 1]);
    const failures = await harness.fresh.database.sql.query<{ code: string }>(
      `SELECT failure->>'code' AS code FROM queue_items WHERE status = 'failed'`,
    );
    expect(failures).toEqual([{ code: 'same_caption_published' }]);
  });

  it('commits the intent of one of two posts with the same caption and other media at the same moment', async () => {
    harness.publisher.newContainerIs = 'IN_PROGRESS';
    const items: ContentItem[] = [];
    for (const digits of ['cd', 'ef']) items.push(await harness.postNow('The same.', [{ sha256: digits.repeat(32) }]));
    for (const item of items) await pollUntil(async () => ((await harness.attemptOf(item))?.state === 'container' ? true : null));
    const commit = async (item: ContentItem) => {
      const attempt = await harness.attemptOf(item);
      if (attempt === null) throw new Error('there is no attempt');
      const prepared = { containerId: attempt.containerId, quotaUsed: 0, earlier: 0 };
      return harness.fresh.database.unitOfWork(
        async (uow) => (await postCommit.intended?.(uow, { attempt, item } as never, prepared, {} as never)) ?? null,
      );
    };
    const answers = await Promise.all(items.map(commit));
    expect(answers.filter((answer) => answer === null)).toHaveLength(1);
    expect(answers.filter((answer) => answer !== null)).toMatchObject([{ kind: 'skip', reason: 'duplicate_post' }]);
    expect((await Promise.all(items.map((item) => harness.attemptOf(item)))).map((attempt) => attempt?.state).sort()).toEqual([
      'container',
      'intent',
    ]);
  });

  it('publishes the same file of two posts with different captions, which are different posts', async () => {
    for (const caption of ['One.', 'Two.']) await harness.goesOut(await harness.postNow(caption, [{ sha256: 'cd'.repeat(32) }]));
    expect(harness.publisher.publishCalls).toBe(2);
  });

  it('reads the account when the container disappears after a refusal, and fails only then', async () => {
    harness.publisher.script.push('refuse');
    const item = await harness.postNow();
    await pollUntil(async () => ((await harness.attemptOf(item))?.calls === 1 ? true : null));
    harness.publisher.lost.add('container-1');
    await pollUntil(async () => {
      await harness.stages.fireWaitingJobs();
      expect(await harness.attemptOf(item)).toMatchObject({ state: 'unknown' });
      return true;
    });
    expect(await harness.stateOf(item)).toBe('posting');
    expect(harness.publisher.containers.size).toBe(1);
  });

  it('publishes the same container again for a post that an administrator reports as absent', async () => {
    harness.publisher.script.push('lose-the-call');
    // another post of the account makes the counters differ
    harness.tools.linked = {
      countUnidentified: () => Promise.resolve(0),
      findLinked: () => Promise.resolve(new Set()),
      countPublishedSince: () => Promise.resolve(-1),
      countStoriesBetween: () => Promise.resolve(0),
    };
    const item = await harness.postNow();
    await pollUntil(async () => ((await harness.attemptOf(item))?.state === 'unknown' ? true : null));
    await pollUntil(async () => ((await harness.attemptOf(item))?.checks ? true : null));
    const attempt = await harness.attemptOf(item);
    expect(harness.publisher.publishCalls).toBe(1);
    await harness.fresh.database.unitOfWork((uow) => uow.attempts.patch(attempt?.id ?? '', { absentAt: new Date() }));
    await becomes(item, 'posted');
    expect([harness.publisher.publishCalls, harness.publisher.containers.size, harness.publisher.media.length]).toEqual([2, 1, 1]);
  });

  it('settles a post by the answer that a worker got after it had lost the post', async () => {
    harness.publisher.script.push('publish-and-lose-the-answer');
    harness.publisher.recentMedia = () => Promise.resolve([]);
    // otherwise the container alone decides before the answer arrives
    harness.tools.reconcile = { ...harness.tools.reconcile, believeAbsentAfterSeconds: 600 };
    const item = await harness.postNow();
    await pollUntil(async () => ((await harness.attemptOf(item))?.state === 'unknown' ? true : null));
    const attempt = await harness.attemptOf(item);
    await harness.read.attempts.keepAnswer(attempt?.id ?? '', 'media-1');
    await becomes(item, 'posted');
    expect(await harness.attemptOf(item)).toMatchObject({ state: 'published', mediaId: 'media-1', settledBy: 'reconcile' });
    expect(harness.publisher.publishCalls).toBe(1);
  });

  it('does not publish a post with another caption after an answer to an ended attempt of it arrived', async () => {
    harness.publisher.refuseContainer(1, failureOf('instagram_value_refused', { detail: { code: 100, subcode: null } }));
    const item = await harness.postNow('One.');
    await becomes(item, 'ready');
    const ended = await harness.attemptOf(item);
    harness.publisher.newContainerIs = 'IN_PROGRESS';
    await harness.fresh.database.unitOfWork(async (uow) => {
      const { accountId } = harness.publisher;
      await enqueue(uow, await uow.items.lock(item.id), { caption: 'Another one.', immediate: true, accountId, actor: 'test' });
    });
    await pollUntil(async () => ((await harness.attemptOf(item))?.state === 'container' ? true : null));
    // of a worker that was frozen in the call
    await harness.read.attempts.keepAnswer(ended?.id ?? '', 'media-9');
    for (const container of harness.publisher.containers.values()) container.status = 'FINISHED';
    await becomes(item, 'ready');
    expect([harness.publisher.publishCalls, (await harness.placeOf(item))?.failure?.code]).toEqual([0, 'same_caption_published']);
  });

  it('keeps the media id of an answer with the attempt', async () => {
    const item = await harness.postNow();
    await becomes(item, 'posted');
    expect(await harness.attemptOf(item)).toMatchObject({ mediaId: 'media-1', answeredMediaId: 'media-1' });
  });

  it('finds the media of a post that a person confirmed without an id', async () => {
    const item = await harness.postNow();
    await becomes(item, 'posted');
    const attempt = await harness.attemptOf(item);
    await harness.read.attempts.patch(attempt?.id ?? '', { mediaId: null, answeredMediaId: null, permalink: null, settledBy: 'person' });
    const confirmed = await harness.attemptOf(item);
    await harness.fresh.database.unitOfWork(async (uow) => confirmed && requestReconcile(uow, confirmed, { actor: 'test' }));
    await pollUntil(async () => ((await harness.attemptOf(item))?.mediaId === 'media-1' ? true : null));
    expect(await harness.attemptOf(item)).toMatchObject({ state: 'published', permalink: 'https://example.test/media-1' });
  });

  it('stops the account after two equal failures and keeps the place of every other post', async () => {
    const refusal = failureOf('instagram_value_refused', { detail: { code: 100, subcode: null } });
    harness.publisher.refuseContainer(1, refusal);
    const first = await harness.postNow('One.');
    await becomes(first, 'ready');
    expect((await harness.switch())?.paused ?? false).toBe(false);
    harness.publisher.refuseContainer(1, refusal);
    const second = await harness.postNow('Two.');
    await becomes(second, 'ready');
    expect(await harness.switch()).toMatchObject({
      paused: true,
      cause: 'account',
      reason: expect.stringContaining('2 posts in a row') as string,
    });
    const third = await harness.postNow('Three.');
    await pollUntil(async () => ((await harness.jobOf(third))?.waitReason === 'Publishing is paused.' ? true : null));
    expect(await harness.placeOf(third)).toMatchObject({ status: 'posting', failure: null });
    await harness.pause(false);
    await becomes(third, 'posted');
  });

  it('stops the account after as many equal failures as its queue allows', async () => {
    await harness.read.settings.set(SETTING.queue, { equalFailures: 3 });
    for (const caption of ['One.', 'Two.', 'Three.']) {
      expect((await harness.switch())?.paused ?? false).toBe(false);
      harness.publisher.refuseContainer(1, failureOf('instagram_value_refused', { detail: { code: 100, subcode: null } }));
      await becomes(await harness.postNow(caption), 'ready');
    }
    expect(await harness.switch()).toMatchObject({ paused: true, reason: expect.stringContaining('3 posts in a row') as string });
  });

  it('stops the account at the first container that failed with an error that is not documented', async () => {
    harness.publisher.newContainerIs = 'ERROR';
    harness.publisher.statusText = 'Error: Media upload has failed with error code 2209999';
    await becomes(await harness.postNow(), 'ready');
    expect(await harness.switch()).toMatchObject({ paused: true, cause: 'account', reason: expect.stringContaining('2209999') as string });
  });

  it('stops the account after two equal failures although an earlier post was read between them', async () => {
    const refusal = failureOf('instagram_value_refused', { detail: { code: 100, subcode: null } });
    const published = await harness.postNow('Zero.');
    await becomes(published, 'posted');
    harness.publisher.refuseContainer(2, refusal);
    await becomes(await harness.postNow('One.'), 'ready');
    await harness.read.attempts.patch((await harness.attemptOf(published))?.id ?? '', { permalink: 'https://example.test/again' });
    harness.publisher.refuseContainer(2, refusal);
    await becomes(await harness.postNow('Two.'), 'ready');
    expect(await harness.switch()).toMatchObject({ paused: true, cause: 'account' });
  });

  /** Sends a post whose publish call is answered like this; its outcome stays unknown. */
  const answered = async (script: PublishScript, caption: string): Promise<ContentItem> => {
    harness.tools.reconcile = { ...harness.tools.reconcile, believeAbsentAfterSeconds: 600 };
    harness.publisher.script.push(script);
    const item = await harness.postNow(caption);
    await pollUntil(async () => ((await harness.attemptOf(item))?.checks ? true : null));
    expect(await harness.attemptOf(item)).toMatchObject({ state: 'unknown', calls: 1 });
    return item;
  };

  it('stops the account after two equal errors of the publish call, whose outcomes stay unknown', async () => {
    const error = failureOf('instagram_value_refused', { detail: { status: 400, code: 100, subcode: null } });
    await answered(error, 'One.');
    expect(await harness.switch()).toBeNull();
    await answered('lose-the-call', 'Two.');
    await answered(error, 'Three.');
    expect(await harness.switch()).toMatchObject({
      paused: true,
      cause: 'account',
      reason: `Instagram refused 2 posts in a row for the same reason: ${error.message}`,
    });
  });

  it('stops the account at the first error of the publish call that is not documented', async () => {
    await answered(failureOf('instagram_refused', { fields: { said: '"No."' }, detail: { status: 400, code: 77, subcode: null } }), 'One.');
    expect(await harness.switch()).toMatchObject({ paused: true, cause: 'account' });
  });

  it.each<[string, PublishScript]>([
    ['lost answers', 'lose-the-call'],
    ['passing errors', failureOf('instagram_unavailable', { detail: { status: 400, code: 2, subcode: null } })],
    ['errors of its servers', failureOf('instagram_post_exists', { detail: { status: 500, code: 506, subcode: null } })],
  ])('does not stop the account after %s of the publish call', async (_what, script) => {
    await answered(script, 'One.');
    await answered(script, 'Two.');
    await answered(script, 'Three.');
    expect(await harness.switch()).toBeNull();
  });

  it('keeps the error of the publish call as the cause of a post that is not found', async () => {
    const error = failureOf('instagram_value_refused', { detail: { status: 400, code: 100, subcode: null } });
    const item = await answered(error, 'One.');
    harness.tools.reconcile = { looksAtSeconds: [], believeAbsentAfterSeconds: 600 };
    await pollUntil(async () => {
      await harness.stages.fireWaitingJobs();
      return (await harness.placeOf(item))?.failure?.code === 'publication_undecided' ? true : null;
    });
    harness.expireContainers();
    harness.tools.reconcile = { looksAtSeconds: [], believeAbsentAfterSeconds: 0 };
    await harness.reconcile(item);
    await becomes(item, 'ready');
    const failure = { code: error.code, message: `${error.message} The post is not on the account.`, detail: error.detail };
    expect((await harness.placeOf(item))?.failure).toMatchObject(failure);
    expect(await harness.attemptOf(item)).toMatchObject({ state: 'failed', failure });
  });

  it('keeps the time of the call through refusals', async () => {
    harness.publisher.script.push('refuse');
    const item = await harness.postNow();
    await pollUntil(async () => ((await harness.attemptOf(item))?.state === 'container' ? true : null));
    const attempt = await harness.attemptOf(item);
    expect(attempt).toMatchObject({ intentAt: null, calls: 1, calledAt: expect.any(Date) as Date });
    await becomes(item, 'posted');
    expect(await harness.attemptOf(item)).toMatchObject({ calls: 2 });
  });
});
