import type { VideoRecipe } from './recipe';
import { NAMINGS, ladderOf, type NamingGeneration } from './video-naming';

/** The DASH manifest of one video. A silent clip has no sound set; manifests of the first years name no content type. */
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

/** The HLS master playlist, which points at the same files. */
export function hlsPlaylist(recipe: VideoRecipe, generation: NamingGeneration): string {
  const lines = ladderOf(generation, recipe.width, recipe.height).flatMap((rung) => [
    `#EXT-X-STREAM-INF:BANDWIDTH=${rung.kilobits * 1000},RESOLUTION=${rung.width}x${rung.height},CODECS="avc1.4d401f"`,
    rung.file,
  ]);
  return ['#EXTM3U', '#EXT-X-VERSION:6', ...lines, ''].join('\n');
}
