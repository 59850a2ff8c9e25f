/** Decoding is what costs; the network hardly matters. */
export const MOST_PLAYING = 3;

const playing: HTMLVideoElement[] = [];

const forget = (video: HTMLVideoElement): void => {
  const at = playing.indexOf(video);
  if (at >= 0) playing.splice(at, 1);
};

/** Only one is heard: the others fall silent. */
const silenceOthers = (video: HTMLVideoElement): void => {
  if (video.muted || video.volume === 0 || video.paused) return;
  for (const other of playing) if (other !== video) other.muted = true;
};

/**
 * Watches a video for as long as it is on the page: beyond the most that may play, the one that began first is paused, and of those that
 * play one is heard. Returns the end of watching, which also takes the video's data from memory.
 */
export function watchVideo(video: HTMLVideoElement): () => void {
  const onPlay = () => {
    forget(video);
    playing.push(video);
    while (playing.length > MOST_PLAYING) playing.shift()?.pause();
    silenceOthers(video);
  };
  const onStop = () => forget(video);
  const onVolume = () => silenceOthers(video);
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
    forget(video);
  };
}
