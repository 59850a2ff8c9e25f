/** Limited because of the cost of decoding. */
export const MAX_PLAYING = 3;

const playing: HTMLVideoElement[] = [];

const remove = (video: HTMLVideoElement): void => {
  const at = playing.indexOf(video);
  if (at >= 0) playing.splice(at, 1);
};

const muteOthers = (video: HTMLVideoElement): void => {
  if (video.muted || video.volume === 0 || video.paused) return;
  for (const other of playing) if (other !== video) other.muted = true;
};

/**
 * Limits concurrent playback: a further video pauses the one that started first, and only one plays with sound. Returns a function that
 * pauses and unregisters the video.
 */
export function registerVideo(video: HTMLVideoElement): () => void {
  const onPlay = () => {
    remove(video);
    playing.push(video);
    while (playing.length > MAX_PLAYING) playing.shift()?.pause();
    muteOthers(video);
  };
  const onStop = () => remove(video);
  const onVolume = () => muteOthers(video);
  video.addEventListener('play', onPlay);
  video.addEventListener('pause', onStop);
  video.addEventListener('ended', onStop);
  video.addEventListener('volumechange', onVolume);
  return () => {
    video.removeEventListener('play', onPlay);
    video.removeEventListener('pause', onStop);
    video.removeEventListener('ended', onStop);
    video.removeEventListener('volumechange', onVolume);
    video.pause();
    remove(video);
  };
}
