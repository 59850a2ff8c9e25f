import type { VideoRecipe } from './media-generator';

/** File naming schemes of v.redd.it by the year of their introduction; existing videos keep their scheme. */
export type NamingGeneration = '2017' | '2019' | '2020' | '2023' | '2025';

interface Naming {
  video(label: number): string;
  sound: readonly { name: string; kilobits: number }[];
  /** Possible quality labels, ascending. */
  labels: readonly number[];
}

const BITRATE_NAMES: Readonly<Record<number, string>> = { 240: '600_K', 360: '1_2_M', 480: '2_4_M', 720: '4_8_M', 1080: '9_6_M' };

const naming = (lowest: number, video: Naming['video'], sound: Readonly<Record<string, number>>): Naming => ({
  video,
  sound: Object.entries(sound).map(([name, kilobits]) => ({ name, kilobits })),
  labels: [lowest, 360, 480, 720, 1080],
});

export const NAMINGS: Readonly<Record<NamingGeneration, Naming>> = {
  '2017': naming(240, (label) => `DASH_${BITRATE_NAMES[label] ?? '600_K'}`, { audio: 128 }),
  '2019': naming(240, (label) => `DASH_${label}`, { audio: 128 }),
  '2020': naming(240, (label) => `DASH_${label}.mp4`, { 'DASH_audio.mp4': 128 }),
  '2023': naming(220, (label) => `DASH_${label}.mp4`, { 'DASH_AUDIO_64.mp4': 64, 'DASH_AUDIO_128.mp4': 128 }),
  '2025': naming(220, (label) => `CMAF_${label}.mp4`, { 'CMAF_AUDIO_64.mp4': 64, 'CMAF_AUDIO_128.mp4': 128 }),
};

export const BITRATE_KBPS: Readonly<Record<number, number>> = { 220: 500, 240: 600, 360: 800, 480: 1200, 720: 2400, 1080: 5000 };

interface Rung {
  label: number;
  file: string;
  width: number;
  height: number;
  kilobits: number;
}

/** The renditions of one video, ascending; the last one has the uploaded resolution. */
export function ladderOf(generation: NamingGeneration, width: number, height: number): Rung[] {
  const naming = NAMINGS[generation];
  const shorter = Math.min(width, height);
  const best = [...naming.labels].reverse().find((label) => label <= shorter) ?? naming.labels[0] ?? 240;
  return naming.labels
    .filter((label) => label <= best)
    .map((label) => {
      const share = label === best ? 1 : label / shorter;
      const even = (side: number): number => Math.round((side * share) / 2) * 2;
      return { label, file: naming.video(label), width: even(width), height: even(height), kilobits: BITRATE_KBPS[label] ?? 600 };
    });
}

/** The DASH manifest. Silent videos have no audio adaptation set; manifests of 2017 and 2019 have no `contentType`. */
export function dashManifest(recipe: VideoRecipe, generation: NamingGeneration): string {
  const duration = `PT${recipe.seconds}S`;
  const old = generation === '2017' || generation === '2019';
  const rungs = ladderOf(generation, recipe.width, recipe.height);
  const best = rungs.at(-1);
  const video = rungs.map((rung, index) =>
    representation(
      index,
      'video/mp4',
      rung.kilobits * 1000 - 2136,
      `codecs="avc1.4d401f" frameRate="${recipe.fps * 512}/512" height="${rung.height}" width="${rung.width}"`,
      [
        `<BaseURL>${rung.file}</BaseURL>`,
        '<SegmentBase indexRange="894-1021" timescale="15360"><Initialization range="0-893" /></SegmentBase>',
      ],
    ),
  );
  const sound = NAMINGS[generation].sound.map((track, index) =>
    representation(rungs.length + 2 + index, 'audio/mp4', track.kilobits * 1024 - 582, 'audioSamplingRate="48000" codecs="mp4a.40.2"', [
      '<AudioChannelConfiguration schemeIdUri="urn:mpeg:dash:23003:3:audio_channel_configuration:2011" value="2" />',
      `<BaseURL>${track.name}</BaseURL>`,
      '<SegmentBase indexRange="833-960" timescale="48000"><Initialization range="0-832" /></SegmentBase>',
    ]),
  );
  const contentType = (type: string): string => (old ? '' : ` contentType="${type}"`);
  const sets = [
    `<AdaptationSet${contentType('video')} id="0" maxHeight="${best?.height}" maxWidth="${best?.width}" segmentAlignment="true" startWithSAP="1">`,
    ...video,
    '</AdaptationSet>',
    ...(recipe.sound
      ? [`<AdaptationSet${contentType('audio')} id="1" segmentAlignment="true" startWithSAP="1">`, ...sound, '</AdaptationSet>']
      : []),
  ];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" mediaPresentationDuration="${duration}" minBufferTime="PT4S" profiles="urn:mpeg:dash:profile:isoff-on-demand:2011" type="static">`,
    `<Period duration="${duration}" id="0">`,
    ...sets,
    '</Period>',
    '</MPD>',
    '',
  ].join('\n');
}

function representation(id: number, mimeType: string, bandwidth: number, attributes: string, inner: readonly string[]): string {
  return `<Representation bandwidth="${bandwidth}" ${attributes} id="${id}" mimeType="${mimeType}">${inner.join('')}</Representation>`;
}

/** The HLS master playlist; it references the same files as the DASH manifest. */
export function hlsPlaylist(recipe: VideoRecipe, generation: NamingGeneration): string {
  const lines = ladderOf(generation, recipe.width, recipe.height).flatMap((rung) => [
    `#EXT-X-STREAM-INF:BANDWIDTH=${rung.kilobits * 1000},RESOLUTION=${rung.width}x${rung.height},CODECS="avc1.4d401f"`,
    rung.file,
  ]);
  return ['#EXTM3U', '#EXT-X-VERSION:6', ...lines, ''].join('\n');
}
