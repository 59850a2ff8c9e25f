import type { ContentItem } from '@autoposter/persistence';
import { pollUntil } from '@autoposter/testkit';
import { usePostingTestHarness } from '../testing/posting-test-harness';
import type { PostingTestHarness } from '../testing/posting-test-harness';

const picture = (name: string) => ({ mediaType: 'image' as const, objectKey: `processed/${name}.jpg`, position: Number(name) });

describe('posting a gallery', () => {
  let harness: PostingTestHarness;
  usePostingTestHarness((entered) => {
    harness = entered;
  });

  const kinds = () => [...harness.publisher.containers.values()].map(({ request }) => request.kind);
  const reasonOf = async (item: ContentItem) => (await harness.jobOf(item))?.waitReason;

  it('waits until each of its files is ready before it is put together, and makes each container once', async () => {
    harness.publisher.newContainerIs = 'IN_PROGRESS';
    const item = await harness.postNow('Three.', ['1', '2', '3'].map(picture));
    await pollUntil(async () => (await reasonOf(item))?.includes('files of the gallery') === true);
    expect(kinds()).toEqual(['carousel_child_image', 'carousel_child_image', 'carousel_child_image']);
    const [first, ...others] = [...harness.publisher.containers.values()];
    for (const other of others) other.status = 'FINISHED';
    await harness.stages.fireWaitingJobs();
    await pollUntil(async () => (await harness.jobOf(item))?.state === 'waiting' || null);
    expect(kinds()).toHaveLength(3);
    harness.publisher.newContainerIs = 'FINISHED';
    if (first) first.status = 'FINISHED';
    await harness.goesOut(item);
    expect(kinds()).toEqual([...Array.from({ length: 3 }, () => 'carousel_child_image'), 'carousel']);
    const parent = [...harness.publisher.containers.values()][3];
    expect(parent?.request.children).toEqual(['container-1', 'container-2', 'container-3']);
    expect(await harness.attemptOf(item)).toMatchObject({ state: 'published', mediaType: 'CAROUSEL', containerId: 'container-4' });
    expect(harness.publisher.publishCalls).toBe(1);
  });

  it('continues with the containers that exist after the platform failed or asked for a pause', async () => {
    const passing = {
      code: 'instagram_pause',
      message: 'Not now.',
      side: 'instagram',
      nextAction: 'It is retried automatically.',
    } as const;
    harness.publisher.refuseContainer(2, { ...passing, kind: 'transient' });
    harness.publisher.refuseContainer(4, { ...passing, kind: 'rate_limited' });
    const item = await harness.postNow('Four.', ['1', '2', '3', '4'].map(picture));
    await harness.goesOut(item);
    expect(kinds()).toEqual([...Array.from({ length: 4 }, () => 'carousel_child_image'), 'carousel']);
    const made = [...harness.publisher.containers.values()];
    expect(made.slice(0, 4).map(({ request }) => request.mediaUrl)).toEqual(
      ['1', '2', '3', '4'].map((name) => `https://cdn.example.test/processed/${name}.jpg`),
    );
    expect(made[4]?.request.children).toEqual(['container-1', 'container-2', 'container-3', 'container-4']);
  });

  it('makes all containers anew, once, where the platform did not get at a file', async () => {
    harness.publisher.newContainerIs = 'ERROR';
    harness.publisher.statusText = 'Error: Media upload has failed with error code 2207077';
    const item = await harness.postNow('Two.', ['1', '2'].map(picture));
    await pollUntil(async () => ((await harness.attemptOf(item))?.containersMade === 1 ? true : null));
    harness.publisher.newContainerIs = 'FINISHED';
    await harness.goesOut(item);
    expect(kinds().filter((kind) => kind === 'carousel_child_image')).toHaveLength(4);
    expect(kinds().filter((kind) => kind === 'carousel')).toHaveLength(1);
  });

  it('makes all containers anew, once, where the platform lost one of them', async () => {
    harness.publisher.lost.add('container-2').add('container-4');
    const item = await harness.postNow('Two.', ['1', '2'].map(picture));
    await pollUntil(async () => {
      await harness.stages.fireWaitingJobs();
      expect(await harness.stateOf(item)).toBe('ready');
      return true;
    });
    expect((await harness.placeOf(item))?.failure).toMatchObject({ message: 'File 2 of 2: Instagram lost the prepared media twice.' });
    expect(kinds()).toEqual(Array.from({ length: 4 }, () => 'carousel_child_image'));
    harness.publisher.lost.add('container-5');
    const again = await harness.postNow('Two again.', ['1', '2'].map(picture));
    await harness.goesOut(again);
    expect(kinds().filter((kind) => kind === 'carousel')).toHaveLength(1);
    expect(harness.publisher.containers.size).toBe(9);
  });

  it('is held while the copyright check of a video among its files has no result, until an administrator publishes it', async () => {
    harness.publisher.copyright = { state: 'error', matchesFound: false, matches: [] };
    const item = await harness.postNow('Two.', [picture('1'), { mediaType: 'video', objectKey: 'processed/2.mp4', position: 2 }]);
    await pollUntil(async () => (await reasonOf(item))?.includes("Instagram's copyright check failed.") === true);
    expect(kinds()).toEqual(['carousel_child_image', 'carousel_child_video']);
    const attempt = await harness.attemptOf(item);
    if (!attempt?.rightsCheck) throw new Error('the post is not held');
    await harness.read.attempts.keepRightsCheck(attempt.id, { ...attempt.rightsCheck, releasedBy: 'test' });
    await harness.goesOut(item);
    expect(harness.publisher.publishCalls).toBe(1);
  });

  it('is given up with the platform’s reason in words when that fails again', async () => {
    harness.publisher.newContainerIs = 'ERROR';
    harness.publisher.statusText = 'Error: Media upload has failed with error code 2207077';
    const item = await harness.postNow('Two.', ['1', '2'].map(picture));
    await pollUntil(async () => {
      await harness.stages.fireWaitingJobs();
      expect(await harness.stateOf(item)).toBe('ready');
      return true;
    });
    expect((await harness.placeOf(item))?.failure).toMatchObject({
      kind: 'upstream_rejected',
      message: 'File 1 of 2: Instagram could not download the video.',
      nextAction: expect.stringContaining('tried twice'),
    });
    expect(kinds()).toHaveLength(4);
  });

  it('waits before anything is made where pictures have no public address, and goes out once there is one', async () => {
    harness.tools.access = { images: false, videos: true };
    const item = await harness.postNow('Two.', ['1', '2'].map(picture));
    await pollUntil(async () => (await reasonOf(item))?.includes('CDN_BASE_URL') === true);
    expect(harness.publisher.containers.size).toBe(0);
    const reel = await harness.postNow('A reel.');
    await harness.goesOut(reel);
    expect(await harness.attemptOf(reel)).toMatchObject({ mediaType: 'REELS' });
    harness.tools.access = { images: true, videos: true };
    await harness.goesOut(item);
    expect(await harness.jobOf(item)).toBeNull();
  });

  it('is refused as a whole where it has more files than one post takes: none is left out unseen', async () => {
    const names = Array.from({ length: 11 }, (_one, index) => String(index + 1));
    const item = await harness.postNow('Eleven.', names.map(picture));
    await pollUntil(async () => expect(await harness.stateOf(item)).toBe('ready') ?? true);
    const message = 'The gallery has 11 files; Instagram accepts up to 10 in one post.';
    expect((await harness.placeOf(item))?.failure).toMatchObject({ kind: 'unsupported_media', message });
    expect(harness.publisher.containers.size).toBe(0);
  });
});
