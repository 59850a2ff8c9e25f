import { join } from 'node:path';
import { PipelineError, type SourceMedia } from '@autoposter/domain';
import { readDashManifest, audioCandidates } from '@autoposter/reddit';
import { defineStep, done } from '@autoposter/job-engine';
import type { MediaFetcher } from '../../fetching/media-fetcher';
import type { Resolved } from './resolve-source.step';

export interface FetchedMedia {
  kind: 'video' | 'image';
  file: string;
  /** The sound, where it came as a file of its own. */
  audioFile: string | null;
}

export interface Fetched extends Resolved {
  files: FetchedMedia[];
}

/** Files get running numbers as names: nothing in a name comes from the source. */
export const fetchMedia = defineStep<Resolved, Fetched, { fetcher: MediaFetcher }>({
  name: 'fetch-media',
  effect: 'read',
  async run(input, { fetcher }, { workFolder, signal }) {
    const files: FetchedMedia[] = [];
    for (const [index, media] of input.post.media.entries()) {
      const tracks = await tracksOf(media, fetcher, signal);
      const file = join(workFolder, `media-${index}`);
      await fetchLargest(tracks.main, file, fetcher, signal);
      const audioFile = await fetchSound(tracks, join(workFolder, `sound-${index}`), fetcher, signal);
      if (audioFile === null && tracks.namedBy === 'guess' && media.hasSound === true)
        throw PipelineError.of('media_sound_missing', { side: input.post.platform });
      files.push({ kind: media.kind, file, audioFile });
    }
    return done({ ...input, files });
  },
});

interface Tracks {
  /** The renditions, best first. */
  main: string[];
  /** Addresses to try in order; empty for media without a sound track of its own. */
  audio: string[];
  /** Who names them: the manifest, whose files all exist; the source; or, without a readable manifest, a guess. */
  namedBy: 'manifest' | 'source' | 'guess';
}

async function tracksOf(media: SourceMedia, fetcher: MediaFetcher, signal: AbortSignal): Promise<Tracks> {
  const plain: Tracks = { main: [media.url], audio: media.audioUrl ? [media.audioUrl] : [], namedBy: 'source' };
  if (media.kind === 'image' || media.manifestUrl === null) return plain;
  let manifest: string;
  try {
    manifest = await fetcher.text(media.manifestUrl, signal);
  } catch (error) {
    const gone = error instanceof PipelineError && ['not_found', 'upstream_rejected'].includes(error.failure.kind);
    if (!gone) throw error;
    manifest = '';
  }
  const { video, audio } = readDashManifest(manifest, media.manifestUrl);
  if (video.length === 0) return { ...plain, audio: audioCandidates(media.url), namedBy: 'guess' };
  return { main: video.map(({ url }) => url), audio: audio[0] ? [audio[0].url] : [], namedBy: 'manifest' };
}

/** The best rendition that is not too large. */
async function fetchLargest(renditions: readonly string[], file: string, fetcher: MediaFetcher, signal: AbortSignal): Promise<void> {
  for (const [index, address] of renditions.entries()) {
    try {
      await fetcher.toFile(address, file, signal);
      return;
    } catch (error) {
      const isTooLarge = error instanceof PipelineError && error.failure.kind === 'too_large';
      if (!isTooLarge || index === renditions.length - 1) throw error;
    }
  }
}

async function fetchSound(tracks: Tracks, file: string, fetcher: MediaFetcher, signal: AbortSignal): Promise<string | null> {
  for (const address of tracks.audio) {
    try {
      await fetcher.toFile(address, file, signal);
      return file;
    } catch (error) {
      const absent = error instanceof PipelineError && ['not_found', 'upstream_rejected'].includes(error.failure.kind);
      if (!absent || tracks.namedBy === 'manifest') throw error;
    }
  }
  return null;
}
