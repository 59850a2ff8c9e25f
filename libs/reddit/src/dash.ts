/** Files that a Reddit video consists of; `audio` is empty for a silent clip. Best quality first. */
interface DashTracks {
  video: DashTrack[];
  audio: DashTrack[];
}

interface DashTrack {
  url: string;
  bandwidth: number;
  width: number | null;
  height: number | null;
}

/** Reddit's ladder has at most eight steps; of more, no file is requested. */
const MAX_TRACKS = 64;
/** No tag reaches past the next one, so that unclosed tags are not scanned again and again. */
const TAG = /<(\/?)(AdaptationSet|Representation|BaseURL)\b([^<>]*)>/g;

/**
 * Reads a Reddit DASH manifest in one pass: the tracks with absolute addresses, highest bandwidth first (never by position or name, which
 * changed five times since 2017). `mimeType` of the representation decides the kind, else `contentType` of its set. A file name that would
 * leave the manifest's folder is dropped. Malformed input and a manifest without its end give empty lists: what was cut off may be the sound.
 */
export function readDashManifest(xml: string, manifestUrl: string): DashTracks {
  const tracks: DashTracks = { video: [], audio: [] };
  if (!xml.includes('</MPD>')) return tracks;
  let setAttributes: string | null = null;
  let representation: { attributes: string; name: string | null } | null = null;
  for (const { 0: tag, 1: slash, 2: element, 3: attributes = '', index } of xml.matchAll(TAG)) {
    const opens = slash === '';
    if (element === 'AdaptationSet') {
      setAttributes = opens ? attributes : null;
      representation = null;
    } else if (element === 'BaseURL') {
      const start = index + tag.length;
      if (opens && representation !== null) representation.name ??= xml.slice(start, xml.indexOf('<', start)).trim();
    } else if (opens) {
      representation = setAttributes === null ? null : { attributes, name: null };
    } else if (representation !== null && setAttributes !== null) {
      addTrack(tracks, representation, setAttributes, manifestUrl);
      representation = null;
    }
  }
  for (const list of [tracks.video, tracks.audio]) list.sort((a, b) => b.bandwidth - a.bandwidth).splice(MAX_TRACKS);
  return tracks;
}

function addTrack(
  tracks: DashTracks,
  { attributes, name }: { attributes: string; name: string | null },
  setAttributes: string,
  manifestUrl: string,
): void {
  const kind = kindOf(attribute(attributes, 'mimeType') ?? attribute(setAttributes, 'mimeType') ?? attribute(setAttributes, 'contentType'));
  const url = name && besideManifest(unescapeXml(name), manifestUrl);
  if (!kind || !url) return;
  const size = (key: string) => Number(attribute(attributes, key)) || null;
  tracks[kind].push({ url, bandwidth: Number(attribute(attributes, 'bandwidth')) || 0, width: size('width'), height: size('height') });
}

/** The manifest's address beside a video file, for posts that do not name it; `null` for an invalid address. */
export function manifestBeside(fileUrl: string): string | null {
  return beside(fileUrl, 'DASHPlaylist.mpd');
}

/**
 * The most likely name of the sound track beside a video file, by the naming of the file's generation. A guess, for use where the
 * manifest is unavailable. `null` for names of no known generation.
 */
export function guessAudioUrl(videoUrl: string): string | null {
  const name = lastSegment(videoUrl);
  if (/^CMAF_\d+\.mp4$/.test(name)) return beside(videoUrl, 'CMAF_AUDIO_128.mp4');
  // Two generations share these names; since July 2023 the ladder has a 220 or 270 step, which one file alone does not show.
  if (/^DASH_\d+\.mp4$/.test(name)) return beside(videoUrl, 'DASH_AUDIO_128.mp4');
  if (/^DASH_(?:\d+|[\d_]+_[KM])$/.test(name)) return beside(videoUrl, 'audio');
  return null;
}

/** Every name that the sound track may have, likeliest first, for use without a manifest when the first guess answers 403. */
export function audioCandidates(videoUrl: string): string[] {
  const names = ['CMAF_AUDIO_128.mp4', 'CMAF_AUDIO_64.mp4', 'DASH_AUDIO_128.mp4', 'DASH_AUDIO_64.mp4', 'DASH_audio.mp4', 'audio'];
  const urls = [guessAudioUrl(videoUrl), ...names.map((name) => beside(videoUrl, name))];
  return [...new Set(urls.filter((url) => url !== null))];
}

function kindOf(word: string | null): 'video' | 'audio' | null {
  if (word?.startsWith('video')) return 'video';
  return word?.startsWith('audio') ? 'audio' : null;
}

function attribute(attributes: string, name: string): string | null {
  const [, double, single] = new RegExp(`\\b${name}=(?:"([^"]*)"|'([^']*)')`).exec(attributes) ?? [];
  return double ?? single ?? null;
}

const unescapeXml = (text: string): string => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

function besideManifest(name: string, manifestUrl: string): string | null {
  return /^[A-Za-z0-9_.-]+(?:\?[^\s]*)?$/.test(name) && !name.startsWith('..') ? new URL(name, manifestUrl).href : null;
}

function beside(fileUrl: string, name: string): string | null {
  try {
    const url = new URL(fileUrl);
    url.search = '';
    url.hash = '';
    url.pathname = url.pathname.slice(0, url.pathname.lastIndexOf('/') + 1);
    return url.pathname === '/' ? null : `${url.toString()}${name}`;
  } catch {
    return null;
  }
}

function lastSegment(fileUrl: string): string {
  try {
    return new URL(fileUrl).pathname.split('/').at(-1) ?? '';
  } catch {
    return '';
  }
}
