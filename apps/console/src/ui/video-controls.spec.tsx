import { act, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { LazyVideo } from './media';

function setUp(controls: 'all' | 'seek') {
  render(<LazyVideo src="/clip.mp4" label="A clip" controls={controls} muted={false} />);
  const video = screen.getByLabelText('A clip', { selector: 'video' }) as HTMLVideoElement;
  let paused = true;
  const setPaused = (to: boolean) => {
    paused = to;
    video.dispatchEvent(new Event(to ? 'pause' : 'play'));
  };
  Object.defineProperties(video, { paused: { get: () => paused }, duration: { value: 90, configurable: true } });
  video.play = () => Promise.resolve(setPaused(false));
  video.pause = () => setPaused(true);
  act(() => void video.dispatchEvent(new Event('durationchange')));
  return { video, user: userEvent.setup() };
}

describe('VideoControls', () => {
  it('replaces native controls', () => {
    const { video } = setUp('all');
    expect(video.controls).toBe(false);
    expect(screen.getByText('0:00 / 1:30')).toBeVisible();
  });

  it('plays and pauses', async () => {
    const { video, user } = setUp('all');
    await user.click(screen.getByRole('button', { name: 'Play' }));
    expect(video.paused).toBe(false);
    await user.click(screen.getByRole('button', { name: 'Pause' }));
    expect(video.paused).toBe(true);
  });

  it('seeks to the chosen position', () => {
    const { video } = setUp('all');
    fireEvent.change(screen.getByRole('slider', { name: 'Position in the video' }), { target: { value: 42 } });
    expect(video.currentTime).toBe(42);
  });

  it('mutes and unmutes', async () => {
    const { video, user } = setUp('all');
    const sound = screen.getByRole('button', { name: 'Sound' });
    expect(sound).toHaveAttribute('aria-pressed', 'true');
    await user.click(sound);
    act(() => void video.dispatchEvent(new Event('volumechange')));
    expect([video.muted, sound.getAttribute('aria-pressed')]).toEqual([true, 'false']);
  });

  it('disables seeking while the duration is unknown', () => {
    const { video } = setUp('seek');
    Object.defineProperty(video, 'duration', { value: Number.POSITIVE_INFINITY });
    act(() => void video.dispatchEvent(new Event('durationchange')));
    expect(screen.getByRole('slider')).toBeDisabled();
  });

  it('shows only the position slider for kind "seek"', () => {
    setUp('seek');
    expect(screen.getByRole('slider', { name: 'Position in the video' })).toBeEnabled();
    expect(screen.queryByRole('button')).toBeNull();
  });
});
