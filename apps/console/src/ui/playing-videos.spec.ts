import { MOST_PLAYING, watchVideo } from './playing-videos';

/** A video that plays and pauses as a browser's does; jsdom only draws one. */
function made() {
  const video = document.createElement('video');
  let paused = true;
  Object.defineProperty(video, 'paused', { get: () => paused });
  const turn = (to: boolean) => {
    if (paused === to) return;
    paused = to;
    video.dispatchEvent(new Event(to ? 'pause' : 'play'));
  };
  video.pause = () => turn(true);
  video.play = () => Promise.resolve(turn(false));
  return { video, stop: watchVideo(video) };
}

describe('videos that play', () => {
  it('are never more than three: the one that began first gives way', async () => {
    const all = Array.from({ length: 5 }, made);
    for (const { video } of all) await video.play();
    expect(all.map(({ video }) => video.paused)).toEqual([true, true, false, false, false]);
    expect(all.filter(({ video }) => !video.paused)).toHaveLength(MOST_PLAYING);
    for (const { stop } of all) stop();
  });

  it('are heard one at a time', async () => {
    const [one, two] = [made(), made()];
    await one.video.play();
    await two.video.play();
    expect([one.video.muted, two.video.muted]).toEqual([true, false]);
    one.video.muted = false;
    one.video.dispatchEvent(new Event('volumechange'));
    expect([one.video.muted, two.video.muted]).toEqual([false, true]);
    one.stop();
    two.stop();
  });

  it('stop when they leave the page, and make room', async () => {
    const first = made();
    await first.video.play();
    first.stop();
    expect(first.video.paused).toBe(true);
    const others = Array.from({ length: 3 }, made);
    for (const { video } of others) await video.play();
    expect(others.every(({ video }) => !video.paused)).toBe(true);
    for (const { stop } of others) stop();
  });
});
