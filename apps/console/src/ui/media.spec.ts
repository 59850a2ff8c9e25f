import { MAX_PLAYING, registerVideo } from './media';

/** jsdom does not implement playback. */
function createVideo() {
  const video = document.createElement('video');
  let paused = true;
  Object.defineProperty(video, 'paused', { get: () => paused });
  const setPaused = (to: boolean) => {
    if (paused === to) return;
    paused = to;
    video.dispatchEvent(new Event(to ? 'pause' : 'play'));
  };
  video.pause = () => setPaused(true);
  video.play = () => Promise.resolve(setPaused(false));
  return { video, stop: registerVideo(video) };
}

describe('registerVideo', () => {
  it('pauses the video that started first when a fourth one plays', async () => {
    const all = Array.from({ length: 5 }, createVideo);
    for (const { video } of all) await video.play();
    expect(all.map(({ video }) => video.paused)).toEqual([true, true, false, false, false]);
    expect(all.filter(({ video }) => !video.paused)).toHaveLength(MAX_PLAYING);
    for (const { stop } of all) stop();
  });

  it('mutes all playing videos except the last unmuted one', async () => {
    const [one, two] = [createVideo(), createVideo()];
    await one.video.play();
    await two.video.play();
    expect([one.video.muted, two.video.muted]).toEqual([true, false]);
    one.video.muted = false;
    one.video.dispatchEvent(new Event('volumechange'));
    expect([one.video.muted, two.video.muted]).toEqual([false, true]);
    one.stop();
    two.stop();
  });

  it('pauses a removed video and stops counting it', async () => {
    const first = createVideo();
    await first.video.play();
    first.stop();
    expect(first.video.paused).toBe(true);
    const others = Array.from({ length: 3 }, createVideo);
    for (const { video } of others) await video.play();
    expect(others.every(({ video }) => !video.paused)).toBe(true);
    for (const { stop } of others) stop();
  });
});
