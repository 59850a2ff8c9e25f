import type { ContentItem } from '@autoposter/persistence';
import { pollUntil } from '@autoposter/testkit';
import { usePostingTestHarness, type PostingTestHarness } from '../testing/posting-test-harness';

const picture = [{ mediaType: 'image' as const, objectKey: 'processed/1.jpg' }];

describe('posting a story', () => {
  let harness: PostingTestHarness;
  usePostingTestHarness((entered) => {
    harness = entered;
  });

  const story = (files?: Parameters<PostingTestHarness['postNow']>[1]) => harness.postNow('Snow day.', files, { story: true });
  /** A story that a person published in the app. */
  const publishByHand = () =>
    harness.publisher.media.unshift({
      id: 'by-hand',
      caption: null,
      mediaType: 'VIDEO',
      productType: 'STORY',
      permalink: null,
      timestamp: new Date().toISOString(),
    });
  const reconciled = (item: ContentItem, state: string) =>
    pollUntil(async () => {
      await harness.stages.fireWaitingJobs();
      expect((await harness.attemptOf(item))?.state).toBe(state);
      return true;
    });

  it.each([
    ['video', undefined, 'story_video'],
    ['picture', picture, 'story_image'],
  ])('publishes a %s without its caption, and follows it until it ends', async (_what, files, kind) => {
    const item = await story(files);
    await harness.goesOut(item);
    expect(harness.publisher.containers.get('container-1')?.request).toMatchObject({ kind, caption: null });
    expect(await harness.attemptOf(item)).toMatchObject({ kind: 'story', mediaType: 'STORIES', mediaId: 'media-1' });
    const checks = await harness.read.postChecks.ofItem(item.id);
    expect(checks.map((check) => check.kind)).toEqual(['read_back', 'insights_1h', 'insights_24h']);
  });

  it('holds a video without a result of the copyright check, and publishes a picture, which has none', async () => {
    harness.publisher.copyright = { state: 'error', matchesFound: false, matches: [] };
    const item = await story();
    await pollUntil(async () => (await harness.attemptOf(item))?.rightsCheck?.held === true);
    expect(harness.publisher.publishCalls).toBe(0);
    await harness.goesOut(await story(picture));
    expect(harness.publisher.publishCalls).toBe(1);
  });

  it('finds the story of a lost answer among the stories of the account', async () => {
    harness.publisher.script.push('publish-and-lose-the-answer');
    const item = await story();
    await harness.goesOut(item);
    expect(await harness.attemptOf(item)).toMatchObject({ state: 'published', mediaId: 'media-1', settledBy: 'reconcile' });
    expect(harness.publisher.publishCalls).toBe(1);
  });

  it('names no media where two stories could be the published one', async () => {
    publishByHand();
    harness.publisher.script.push('publish-and-lose-the-answer');
    const item = await story();
    await harness.goesOut(item);
    expect(await harness.attemptOf(item)).toMatchObject({ state: 'published', mediaId: null, settledBy: 'reconcile' });
    expect(harness.publisher.publishCalls).toBe(1);
  });

  it('publishes the same container again after a call that brought nothing out', async () => {
    harness.publisher.script.push('lose-the-call');
    const item = await story();
    await harness.goesOut(item);
    expect([harness.publisher.containers.size, harness.publisher.publishCalls]).toEqual([1, 2]);
  });

  it('asks a person where a lost call could have published the story that the account shows', async () => {
    publishByHand();
    harness.publisher.script.push('lose-the-call');
    const item = await story();
    await reconciled(item, 'unknown');
    await pollUntil(async () => {
      expect((await harness.placeOf(item))?.failure).toMatchObject({ code: 'publication_undecided' });
      return true;
    });
    expect(harness.publisher.publishCalls).toBe(1);
  });

  it('refuses a carousel and options that a story does not have', async () => {
    const gallery = await harness.postNow('Two.', [...picture, { ...picture[0], position: 1 }], { story: true });
    const commented = await harness.postNow('Hello.', undefined, { story: true, firstComment: 'First.' });
    for (const item of [gallery, commented]) await reconciled(item, 'failed');
    expect((await harness.attemptOf(gallery))?.failure?.message).toBe('Story: a carousel cannot have it.');
    expect((await harness.attemptOf(commented))?.failure?.message).toBe('First comment: a story cannot have it.');
    expect(harness.publisher.containers.size).toBe(0);
  });
});
