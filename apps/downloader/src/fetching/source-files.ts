import { join } from 'node:path';
import type { Platform } from '@autoposter/contracts';
import { type Failure, failureOf, mapFiles, PipelineError, type SourceMedia, type SourcePost } from '@autoposter/domain';
import type { MediaInfo, MediaTools } from '@autoposter/media-tools';
import { type ObjectStore, readFileStream, type StoredObject } from '@autoposter/object-store';
import { audioCandidates, readDashManifest } from '@autoposter/reddit';
import { removedAtSource } from './unusable-source';
import type { MediaFetcher } from './media-fetcher';

export interface FetchedMedia {
  kind: 'video' | 'image';
  file: string;
  /** The sound, where it came as a file of its own. */
  audioFile: string | null;
}

export interface ProbedMedia extends FetchedMedia {
  info: MediaInfo;
}

/** Fetches the files of a post into a folder. They get running numbers as names: nothing in a name comes from the source. */
export function fetchFiles(post: SourcePost, folder: string, fetcher: MediaFetcher, signal: AbortSignal): Promise<FetchedMedia[]> {
  return mapFiles(post.media, async (media, index) => {
    const tracks = await tracksOf(media, post.platform, fetcher, signal);
    const file = join(folder, `media-${index}`);
    await fetchLargest(tracks.main, file, fetcher, signal);
    const audioFile = await fetchSound(tracks, join(folder, `sound-${index}`), fetcher, signal);
    const hasSound = tracks.namedBy === 'manifest' ? tracks.audio.length > 0 : tracks.namedBy === 'guess' && media.hasSound === true;
    if (audioFile === null && hasSound) throw PipelineError.of('media_sound_missing', { side: post.platform });
    return { kind: media.kind, file, audioFile };
  });
}

/** Checks the bytes instead of trusting the source: refuses a file that is cut short or of another kind than announced. */
export function probeFiles(
  post: SourcePost,
  files: readonly FetchedMedia[],
  media: MediaTools,
  signal: AbortSignal,
): Promise<ProbedMedia[]> {
  return mapFiles(files, async (file, index) => {
    const info = await readWhole(file, media, post, signal);
    if (isRemovedPlaceholder(info)) throw new PipelineError(removedAtSource(post.platform));
    // An animation is announced as a picture and is a video to everybody who plays it.
    if (info.kind !== file.kind && info.container !== 'gif' && info.container !== 'apng') {
      const fields = { announced: article(file.kind), found: article(info.kind) };
      throw PipelineError.of('media_not_as_announced', { side: post.platform, fields });
    }
    const shortened = shorterThanAnnounced(info, post.media[index], post);
    if (shortened !== null) throw new PipelineError(shortened);
    return { ...file, kind: info.kind, info };
  });
}

/** Joins picture and sound that came as two files, without re-encoding either. */
export function joinSounds(files: readonly ProbedMedia[], media: MediaTools, signal: AbortSignal): Promise<ProbedMedia[]> {
  return mapFiles(files, async (entry) => {
    if (entry.audioFile === null || entry.kind === 'image') return entry;
    const file = `${entry.file}-with-sound.mp4`;
    await media.muxVideoAndAudio(entry.file, entry.audioFile, file, signal);
    return { kind: 'video', file, audioFile: null, info: await media.probe(file, signal) };
  });
}

/** Keys are containers as detected from the bytes. */
const FORMAT: Record<string, { contentType: string; extension: string }> = {
  mp4: { contentType: 'video/mp4', extension: 'mp4' },
  mov: { contentType: 'video/quicktime', extension: 'mov' },
  matroska: { contentType: 'video/x-matroska', extension: 'mkv' },
  webm: { contentType: 'video/webm', extension: 'webm' },
  jpeg: { contentType: 'image/jpeg', extension: 'jpg' },
  png: { contentType: 'image/png', extension: 'png' },
  webp: { contentType: 'image/webp', extension: 'webp' },
  avif: { contentType: 'image/avif', extension: 'avif' },
  gif: { contentType: 'image/gif', extension: 'gif' },
  apng: { contentType: 'image/png', extension: 'png' },
  heic: { contentType: 'image/heic', extension: 'heic' },
  m4a: { contentType: 'audio/mp4', extension: 'm4a' },
  mp3: { contentType: 'audio/mpeg', extension: 'mp3' },
  aac: { contentType: 'audio/aac', extension: 'aac' },
  wav: { contentType: 'audio/wav', extension: 'wav' },
  flac: { contentType: 'audio/flac', extension: 'flac' },
  ogg: { contentType: 'audio/ogg', extension: 'ogg' },
};

/** Content-addressed, so that a second run stores the same object under the same name. */
export function storeFile(objects: ObjectStore, file: string, { container }: Pick<MediaInfo, 'container'>): Promise<StoredObject> {
  const format = FORMAT[container];
  if (format === undefined) throw new Error(`media of container ${container} has no place in the store`);
  return objects.put('originals', readFileStream(file), format.contentType, format.extension);
}

interface Tracks {
  /** The renditions, best first. */
  main: string[];
  /** Addresses to try in order; empty for media without a sound track of its own. */
  audio: string[];
  /** Where the addresses come from: the manifest, the source, or (without a readable manifest) a guess. */
  namedBy: 'manifest' | 'source' | 'guess';
}

async function tracksOf(media: SourceMedia, side: Platform, fetcher: MediaFetcher, signal: AbortSignal): Promise<Tracks> {
  const plain: Tracks = { main: [media.url], audio: media.audioUrl ? [media.audioUrl] : [], namedBy: 'source' };
  if (media.kind === 'image' || media.manifestUrl === null) return plain;
  let manifest: string;
  let absence: unknown = null;
  try {
    manifest = await fetcher.text(media.manifestUrl, signal);
  } catch (error) {
    const gone = error instanceof PipelineError && ['not_found', 'upstream_rejected'].includes(error.failure.kind);
    if (!gone) throw error;
    absence = error;
    manifest = '';
  }
  const { video, audio } = readDashManifest(manifest, media.manifestUrl);
  // the source names no other file, and the manifest itself is not the video
  if (video.length === 0 && media.url === media.manifestUrl) throw absence ?? PipelineError.of('manifest_unreadable', { side });
  if (video.length === 0) return { ...plain, audio: audioCandidates(media.url), namedBy: 'guess' };
  return { main: video.map(({ url }) => url), audio: audio.map(({ url }) => url), namedBy: 'manifest' };
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

async function fetchSound({ audio }: Tracks, file: string, fetcher: MediaFetcher, signal: AbortSignal): Promise<string | null> {
  for (const address of audio) {
    try {
      await fetcher.toFile(address, file, signal);
      return file;
    } catch (error) {
      const absent = error instanceof PipelineError && ['not_found', 'upstream_rejected'].includes(error.failure.kind);
      if (!absent) throw error;
    }
  }
  return null;
}

const article = (kind: 'video' | 'image'): string => (kind === 'image' ? 'an image' : 'a video');

/** The transfer or the host caused an incomplete file, so another attempt fetches it again. */
async function readWhole(file: FetchedMedia, media: MediaTools, post: SourcePost, signal: AbortSignal): Promise<MediaInfo> {
  try {
    for (const path of [file.file, file.audioFile]) if (path !== null) await media.assertComplete(path, signal);
  } catch (error) {
    if (!(error instanceof PipelineError) || error.failure.kind !== 'integrity') throw error;
    throw new PipelineError({ ...error.failure, side: post.platform }, { cause: error });
  }
  return media.probe(file.file, signal);
}

/** Notices that the image hosts of Reddit and imgur send, with status 200, instead of a removed picture. */
const REMOVED_PLACEHOLDER = { width: 161, height: 81 } as const;
const isRemovedPlaceholder = ({ kind, width, height }: MediaInfo): boolean =>
  kind === 'image' && width === REMOVED_PLACEHOLDER.width && height === REMOVED_PLACEHOLDER.height;

/** Sources announce whole seconds, rounded down. Fragments that end between two boxes leave no other trace. */
function shorterThanAnnounced(info: MediaInfo, source: SourceMedia | undefined, { platform }: SourcePost): Failure | null {
  const announced = source?.durationSeconds ?? null;
  const got = info.durationSeconds;
  if (announced === null || got === null || info.kind !== 'video' || announced - got <= Math.max(2, announced * 0.1)) return null;
  const fields = { seconds: got.toFixed(1), announcedSeconds: announced };
  return failureOf('media_shorter_than_announced', { side: platform, fields, detail: { seconds: got, announcedSeconds: announced } });
}
