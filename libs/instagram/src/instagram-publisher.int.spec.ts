import { execFile } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { ContainerStatus, PipelineError } from '@autoposter/domain';
import { InstagramPostSource } from './instagram-post-source';
import { InstagramPublisher } from './instagram-publisher';

/** The simulated Instagram of the demo, loaded by path: the library does not depend on the tool that imitates its counterpart. */
interface Simulators {
  urls: { INSTAGRAM_GRAPH_URL: string; INSTAGRAM_UPLOAD_URL: string };
  credentials: Record<string, string>;
  controlUrl: string;
  close(): Promise<void>;
}

let simulators: Simulators;
let dataDir: string;
let reel: string;
beforeAll(async () => {
  const { startSimulators } = (await import(path.resolve(__dirname, '../../../tools/simulators/src/index'))) as {
    startSimulators(options: { dataDir: string; ffmpegPath: string }): Promise<Simulators>;
  };
  dataDir = await mkdtemp(path.join(tmpdir(), 'instagram-client-'));
  simulators = await startSimulators({ dataDir, ffmpegPath: 'ffmpeg' });
  reel = path.join(dataDir, 'reel.mp4');
  const video = '-f lavfi -i testsrc=size=540x960:rate=30:duration=4 -f lavfi -i anullsrc=r=48000:cl=stereo -shortest';
  const coding = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac -movflags +faststart -use_editlist 0';
  await promisify(execFile)('ffmpeg', ['-v', 'error', '-y', ...video.split(' '), ...coding.split(' '), reel]);
});
afterAll(async () => {
  await simulators.close();
  await rm(dataDir, { recursive: true, force: true });
});
beforeEach(async () => {
  await control('/control/reset');
  await control('/control/settings', { instagram: { videoProcessingMs: 0 } });
});

const publisher = () =>
  new InstagramPublisher({
    graphUrl: simulators.urls.INSTAGRAM_GRAPH_URL,
    uploadUrl: simulators.urls.INSTAGRAM_UPLOAD_URL,
    apiVersion: 'v26.0',
    accessToken: simulators.credentials['INSTAGRAM_ACCESS_TOKEN'] ?? '',
    accountId: simulators.credentials['INSTAGRAM_BUSINESS_ACCOUNT_ID'] ?? '',
    appId: simulators.credentials['INSTAGRAM_APP_ID'],
    appSecret: simulators.credentials['INSTAGRAM_APP_SECRET'],
  });
const control = async (where: string, body: unknown = {}) => {
  const response = await fetch(`${simulators.controlUrl}${where}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
};
const upload = async (one: InstagramPublisher, caption: string): Promise<string> => {
  const { size } = await stat(reel);
  const open = () => Promise.resolve(createReadStream(reel) as AsyncIterable<Uint8Array>);
  return (await one.createContainer({ kind: 'reel', mediaUrl: null, caption, upload: { bytes: size, open } })).containerId;
};
const waitFor = async (one: InstagramPublisher, containerId: string, wanted: ContainerStatus) => {
  const deadline = Date.now() + 20_000;
  for (;;) {
    const { status, message } = await one.containerStatus(containerId);
    if (status === wanted) return;
    if (status === 'ERROR' || Date.now() > deadline) throw new Error(`container is ${status}: ${message}`);
    await pause(50);
  }
};

test('upload, publish, and the post is among recent media and can be read by its address', async () => {
  const one = publisher();
  const { quotaUsed, username } = await one.account();
  const containerId = await upload(one, 'Hello #reel');
  await waitFor(one, containerId, 'FINISHED');
  const outcome = await one.publish(containerId);
  expect(outcome).toEqual({ outcome: 'published', mediaId: expect.any(String) as string });
  const [media] = await one.recentMedia(new Date(Date.now() - 3_600_000));
  expect(media).toMatchObject({
    id: (outcome as { mediaId: string }).mediaId,
    caption: 'Hello #reel',
    mediaType: 'VIDEO',
    productType: 'REELS',
  });
  expect(await one.permalink((outcome as { mediaId: string }).mediaId)).toBe(media?.permalink);
  expect((await one.quota()).used).toBe((quotaUsed ?? 0) + 1);
  const { post } = await new InstagramPostSource(one).resolve(media?.permalink ?? '');
  expect(post).toMatchObject({ title: 'Hello #reel', author: username, postType: 'video' });
});

test.each([
  ['continues an interrupted upload at the offset that the platform reports', 'instagram-upload-half'],
  ['accepts an upload whose answer was lost', 'instagram-upload-cut'],
])('%s', async (_title, preset) => {
  await control(`/control/presets/${preset}`);
  const one = publisher();
  const containerId = await upload(one, 'Interrupted');
  // the simulator inspects the file: it is whole
  await waitFor(one, containerId, 'FINISHED');
});

test('a copyright match names the work and its segments', async () => {
  await control('/control/presets/instagram-copyright-match');
  const one = publisher();
  const containerId = await upload(one, 'Matched');
  await waitFor(one, containerId, 'FINISHED');
  expect((await one.containerStatus(containerId)).copyright).toMatchObject({
    state: 'completed',
    matchesFound: true,
    matches: [{ title: 'A protected song', segments: [{ startSeconds: 0, seconds: 4, kind: 'AUDIO' }] }],
  });
});

test('an upload that does not advance fails as transient', async () => {
  await control('/control/presets/instagram-upload-stalls');
  await expect(upload(publisher(), 'Stalled')).rejects.toMatchObject({ failure: { code: 'instagram_upload_failed', kind: 'transient' } });
});

test('an answer that is lost after the fact is unknown; a look tells that the post is out', async () => {
  const one = publisher();
  const containerId = await upload(one, 'Lost answer');
  await waitFor(one, containerId, 'FINISHED');
  await control('/control/faults', { match: { system: 'instagram-graph', path: 'media_publish' }, when: 'after', cut: true });
  await expect(one.publish(containerId)).resolves.toMatchObject({ outcome: 'unknown' });
  await expect(one.containerStatus(containerId)).resolves.toMatchObject({ status: 'PUBLISHED' });
  expect((await one.recentMedia(new Date(Date.now() - 3_600_000))).map((media) => media.caption)).toContain('Lost answer');
});

test('publishing too early is refused with a delay, and works later with the same container', async () => {
  await control('/control/settings', { instagram: { videoProcessingMs: 1500 } });
  const one = publisher();
  const containerId = await upload(one, 'Too early');
  await expect(one.publish(containerId)).resolves.toMatchObject({ outcome: 'refused', code: '9007/2207027', retryAfterSeconds: 20 });
  await waitFor(one, containerId, 'FINISHED');
  await expect(one.publish(containerId)).resolves.toMatchObject({ outcome: 'published' });
});

test('an unknown container is refused, an HTML error is unknown', async () => {
  const one = publisher();
  await expect(one.publish('17800000000000000')).resolves.toMatchObject({ outcome: 'refused', code: '24/2207008' });
  await control('/control/faults', {
    match: { system: 'instagram-graph', path: 'media_publish' },
    status: 500,
    headers: { 'content-type': 'text/html' },
    body: '<html>',
  });
  await expect(one.publish('17800000000000000')).resolves.toMatchObject({ outcome: 'unknown' });
});

test('a token that is no longer in force is the operator’s problem', async () => {
  await control('/control/tokens', { system: 'instagram', inForce: false });
  const kind = await publisher()
    .quota()
    .then(
      () => 'none',
      (error: PipelineError) => error.failure.kind,
    );
  expect(kind).toBe('not_authorised');
});

test('a token without the permission to publish is the operator’s problem, and the container stays as it was', async () => {
  const one = publisher();
  const containerId = await upload(one, 'Not permitted');
  await waitFor(one, containerId, 'FINISHED');
  await control('/control/settings', { instagram: { withheldScopes: ['instagram_content_publish'] } });
  const notPermitted = { failure: { kind: 'not_authorised', detail: { code: 10 } } };
  await expect(upload(one, 'Nor this')).rejects.toMatchObject(notPermitted);
  await expect(one.publish(containerId)).resolves.toMatchObject({ outcome: 'unknown', ...notPermitted });
  await expect(one.containerStatus(containerId)).resolves.toMatchObject({ status: 'FINISHED' });
});

test('a carousel is put together once its pictures are ready, not before', async () => {
  await control('/control/settings', { instagram: { imageProcessingMs: 1500 } });
  const picture = path.join(dataDir, 'picture.jpg');
  const drawing = '-v error -y -f lavfi -i testsrc=size=800x1000:rate=1:duration=1 -frames:v 1 -pix_fmt yuvj420p';
  await promisify(execFile)('ffmpeg', [...drawing.split(' '), picture]);
  const mediaServer = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'image/jpeg' });
    createReadStream(picture).pipe(response);
  });
  await new Promise<void>((resolve) => mediaServer.listen(0, '127.0.0.1', resolve));
  try {
    const mediaUrl = `http://127.0.0.1:${(mediaServer.address() as AddressInfo).port}/picture.jpg`;
    const one = publisher();
    const child = async () => (await one.createContainer({ kind: 'carousel_child_image', mediaUrl, caption: null })).containerId;
    const children = [await child(), await child()];
    const parent = () => one.createContainer({ kind: 'carousel', mediaUrl: null, caption: 'Both', children });
    await expect(parent()).rejects.toMatchObject({ failure: { kind: 'transient', detail: { code: 9007, subcode: 2207027 } } });
    for (const id of children) await waitFor(one, id, 'FINISHED');
    const { containerId } = await parent();
    await waitFor(one, containerId, 'FINISHED');
    await expect(one.publish(containerId)).resolves.toMatchObject({ outcome: 'published' });
    const [media] = await one.recentMedia(new Date(Date.now() - 3_600_000));
    expect(media).toMatchObject({ caption: 'Both', mediaType: 'CAROUSEL_ALBUM' });
  } finally {
    mediaServer.closeAllConnections();
    await new Promise((resolve) => mediaServer.close(resolve));
  }
});

test('a token of Instagram Login is renewed once it is a day old, and the new one works', async () => {
  const file = path.resolve(__dirname, '../../../tools/simulators/src/credentials');
  const { CREDENTIALS } = (await import(file)) as { CREDENTIALS: { instagramToken: string } };
  const one = new InstagramPublisher({
    graphUrl: simulators.urls.INSTAGRAM_GRAPH_URL,
    uploadUrl: '',
    apiVersion: 'v26.0',
    accessToken: CREDENTIALS.instagramToken,
    accountId: simulators.credentials['INSTAGRAM_BUSINESS_ACCOUNT_ID'] ?? '',
  });
  const { accessToken, expiresAt } = await one.renewToken();
  expect(accessToken).not.toBe(CREDENTIALS.instagramToken);
  expect(Date.parse(expiresAt ?? '') - Date.now()).toBeGreaterThan(59 * 86_400_000);
  one.useToken(accessToken);
  expect((await one.account()).username).not.toBeNull();
  const kind = await one.renewToken().then(
    () => 'none',
    (error: PipelineError) => error.failure.kind,
  );
  expect(kind).toBe('not_authorised');
});

test('a story is among the stories of the account, has metrics of its own, and is gone after a day', async () => {
  const one = publisher();
  const open = () => Promise.resolve(createReadStream(reel) as AsyncIterable<Uint8Array>);
  const upload = { bytes: (await stat(reel)).size, open };
  const { containerId } = await one.createContainer({
    kind: 'story_video',
    mediaUrl: null,
    caption: null,
    upload,
    options: { story: true },
  });
  await waitFor(one, containerId, 'FINISHED');
  const { mediaId } = (await one.publish(containerId)) as { mediaId: string };
  expect(await one.stories()).toMatchObject([{ id: mediaId, caption: null, productType: 'STORY' }]);
  expect(await one.recentMedia(new Date(Date.now() - 3_600_000))).not.toContainEqual(expect.objectContaining({ id: mediaId }));
  expect(await one.insights(mediaId, 'story')).toEqual({});
  await control('/control/clock', { advanceSeconds: 2 * 3600 });
  // a request for the metrics of a reel is refused as a whole; those that a story has are read all the same
  const found = await one.insights(mediaId, 'reel');
  expect(found).toMatchObject({ views: expect.any(Number), reach: expect.any(Number) });
  expect(found).not.toHaveProperty('saved');
  await control('/control/clock', { advanceSeconds: 22 * 3600 });
  expect([await one.stories(), await one.readPost(mediaId)]).toEqual([[], null]);
});
