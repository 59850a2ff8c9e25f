import { rm, writeFile } from 'node:fs/promises';
import { DEFAULT_MEDIA_LAYOUT } from '@autoposter/contracts';
import { PipelineError } from '@autoposter/domain';
import type { Credits } from './credits';
import { missingFilters, runFfmpeg, threadsFor, TONE_MAPPING, type FfmpegInput } from './ffmpeg';
import type { MediaInfo, NormaliseOptions, VideoChanges } from './media-info';
import { PLATFORM, REEL, type Toolbox } from './media-limits';
import { readMp4Layout } from './mp4';
import { withProbedFile, type ProbedFile } from './probe';
import { audioFilters, gainFor, LOUDNESS, type ReelAnalysis } from './reel-analysis';
import { needsColourManagement, outputRate, rateValue, shapeFor, videoFilters, type PictureShape } from './reel-filters';
import { readTimeline } from './timeline';
import { isHdr } from './tone-mapping';

/** The last audio frame may end 21 ms after the video, and both must fit into a reel. */
const AUDIO_TAIL_SECONDS = 0.05;
/** An encoder of AAC starts up to 2,112 samples early. */
const PRIMING_SECONDS = 0.05;
/** A shorter rest of sound is cut, a longer one is heard over the last frame. */
const HELD_FROM_SECONDS = 0.5;
/** Shorter ones are single frames: they are held instead of repeated. */
const LOOPED_FROM_SECONDS = 0.2;
/** A clip that lacks no more than this to the shortest reel is not repeated: its last frame is held. */
const HELD_UP_TO_SECONDS = 0.25;
/** The only metadata fields that written files may contain. */
const OWN_TAGS = new Set([
  ...['major_brand', 'minor_version', 'compatible_brands', 'language', 'handler_name', 'vendor_id', 'encoder'],
  ...['artist', 'copyright'],
]);

export interface NormalisedVideo extends MediaInfo {
  /** The written file. */
  probed: ProbedFile;
  /** Length of the source if it was trimmed, otherwise `null`. */
  trimmedFromSeconds: number | null;
  changes: VideoChanges;
}

/** What a run has to write; all lengths in seconds. */
interface ReelPlan {
  source: ProbedFile;
  shape: PictureShape;
  rate: string;
  seconds: number;
  /** How often the source is played. */
  plays: number;
  holdSeconds: number;
  gain: number;
  copiesVideo: boolean;
  copiesAudio: boolean;
}

/** Copies or encodes a video to the Reels profile; see `MediaTools.normaliseVideo`. */
export async function writeReel(
  toolbox: Toolbox,
  { source, bars, loudness }: ReelAnalysis & { source: ProbedFile },
  out: string,
  { layout = DEFAULT_MEDIA_LAYOUT, ratio }: NormaliseOptions,
  signal: AbortSignal,
): Promise<NormalisedVideo> {
  await assertColours(toolbox, source, signal);
  const times = timesOf(source);
  const gain = gainFor(loudness);
  const shape = shapeFor(source, layout, bars, ratio);
  const isCopy = shape.fill === 'none' && bars === null && (await mayBeCopied(toolbox, source, times.seconds, signal));
  const plan: ReelPlan = {
    source,
    shape,
    gain,
    ...times,
    rate: isCopy ? (source.rate as string) : outputRate(source.rate),
    copiesVideo: isCopy,
    copiesAudio: isCopy && fitsAudioProfile(source) && Math.abs(LOUDNESS.target - (loudness ?? LOUDNESS.target)) <= LOUDNESS.tolerance,
  };
  const { written, probed } = await writeAndVerify(toolbox, plan, out, signal);
  const duration = source.info.durationSeconds;
  const changes: VideoChanges = {
    videoCopied: written.copiesVideo,
    audioCopied: written.copiesAudio && source.info.hasAudio,
    toneMapped: isHdr(source.colour),
    deinterlaced: !written.copiesVideo && !source.progressive,
    barsRemoved: bars !== null,
    enlargedFrom: written.copiesVideo ? null : shape.enlargedFrom,
    loopedFromSeconds: times.plays > 1 ? duration : null,
    loudness: loudness === null ? null : { source: loudness, gain: written.copiesAudio ? 0 : gain },
  };
  return { ...probed.info, probed, trimmedFromSeconds: duration !== null && duration > REEL.maxSeconds ? duration : null, changes };
}

/** A copy that turns out different from the profile, such as one that needs an edit list, is encoded instead. */
async function writeAndVerify(
  toolbox: Toolbox,
  plan: ReelPlan,
  out: string,
  signal: AbortSignal,
): Promise<{ written: ReelPlan; probed: ProbedFile }> {
  try {
    await write(toolbox, plan, out, signal);
    return { written: plan, probed: await verify(toolbox, plan, out, signal) };
  } catch (error) {
    await rm(out, { force: true });
    const differs = error instanceof PipelineError && error.failure.code === 'media_profile_missed';
    if (!plan.copiesVideo || !differs) throw error;
    return writeAndVerify(toolbox, { ...plan, rate: outputRate(plan.source.rate), copiesVideo: false, copiesAudio: false }, out, signal);
  }
}

async function assertColours(toolbox: Toolbox, { colour }: ProbedFile, signal: AbortSignal): Promise<void> {
  if (!needsColourManagement(colour)) return;
  const missing = await missingFilters(toolbox, TONE_MAPPING, signal);
  if (missing.length > 0) throw PipelineError.of('media_filter_missing', { fields: { filters: missing.join(' and ') } });
}

function timesOf({ info: { durationSeconds }, audioSeconds, rate }: ProbedFile): Pick<ReelPlan, 'seconds' | 'plays' | 'holdSeconds'> {
  const longest = REEL.maxSeconds - AUDIO_TAIL_SECONDS;
  if (durationSeconds === null) return { seconds: longest, plays: 1, holdSeconds: 0 };
  const { minSeconds } = PLATFORM.video;
  const rest = (audioSeconds ?? 0) - durationSeconds;
  const whole = durationSeconds + (rest >= HELD_FROM_SECONDS ? rest : 0);
  const isHeld = whole < LOOPED_FROM_SECONDS || whole >= minSeconds - HELD_UP_TO_SECONDS;
  // picture and sound of each play end together, after a whole number of frames
  const frames = rateValue(outputRate(rate));
  const play = isHeld ? whole : Math.round(whole * frames) / frames;
  const plays = isHeld ? 1 : Math.ceil(minSeconds / play - 0.001);
  const seconds = Math.min(Math.max(minSeconds, play * plays), longest);
  return { seconds, plays, holdSeconds: Math.max(0, seconds - durationSeconds) };
}

/** Whether the coded sound may be copied; silence is encoded. */
const fitsAudioProfile = ({ sound }: ProbedFile): boolean =>
  sound === null || (sound.profile === 'LC' && sound.rate <= REEL.audioRate && sound.channels <= 2);

/** Whether Instagram takes the coded frames as they are; see the table of `PLATFORM` and the profile. */
async function mayBeCopied(toolbox: Toolbox, source: ProbedFile, seconds: number, signal: AbortSignal): Promise<boolean> {
  const { info, colour } = source;
  const { minSeconds, maxBitRate, maxFps } = PLATFORM.video;
  const length = info.durationSeconds ?? 0;
  const isFit =
    (info.container === 'mp4' || info.container === 'mov') &&
    info.videoCodec === 'h264' &&
    source.pixelFormat === 'yuv420p' &&
    source.progressive &&
    source.squarePixels &&
    info.rotation === 0 &&
    !needsColourManagement(colour) &&
    !colour.fullRange &&
    Math.abs(seconds - length) < 0.001 &&
    length >= minSeconds &&
    info.width <= REEL.width &&
    info.width >= REEL.minResolution &&
    (info.bytes * 8) / length <= maxBitRate &&
    info.bytes <= toolbox.limits.outputVideoBytes &&
    (info.fps ?? 0) >= REEL.fps * 0.985 &&
    (info.fps ?? 0) <= maxFps * 1.001;
  if (!isFit) return false;
  const tracks = await readTimeline(toolbox, source.file, signal);
  const track = tracks.get(source.videoTrack);
  const sound = tracks.get(source.audioTrack ?? -1);
  // a copy has no edit list, so it would show what that of the source hides
  const isWhole = track?.hiddenSeconds === 0 && (sound?.hiddenSeconds ?? 0) <= PRIMING_SECONDS;
  return isWhole && track.closedGroups && track.constantRate !== null && source.rate !== null;
}

async function write(toolbox: Toolbox, plan: ReelPlan, out: string, signal: AbortSignal): Promise<void> {
  const { source, seconds, plays, gain, copiesVideo } = plan;
  const { info } = source;
  const { limits } = toolbox;
  const repeats = plays > 1;
  const copiesAudio = plan.copiesAudio && info.hasAudio;
  const threads = threadsFor(toolbox, source.frame, copiesVideo ? 'decode' : 'encode');
  const timeoutMs = limits.longRunMs + seconds * limits.longRunMsPerSecond;
  const run = (made: Parameters<typeof runFfmpeg>[1]) =>
    runFfmpeg(toolbox, made, { signal, timeoutMs, fileBytes: limits.outputVideoBytes });
  const once = `${out}.once.mov`;
  const list = `${out}.ffconcat`;
  try {
    await run({
      inputs: [{ source: source.file.path, demuxer: source.file.demuxer as string, options: ['-threads', threads] }, ...silence(source)],
      videoFilters: copiesVideo ? [] : videoFilters(source, plan),
      audioFilters: copiesAudio ? [] : audioFilters(repeats ? 0 : gain),
      outputOptions: [
        ...['-map', '0:V:0', '-map', info.hasAudio ? '0:a:0' : '1:a:0', '-t', (seconds / plays).toFixed(6)],
        // without a known length the shorter track ends the file, because the audio padding is endless
        ...(info.durationSeconds === null ? ['-shortest'] : []),
        ...(copiesVideo ? ['-c:v', 'copy'] : encodedPicture(plan.rate, threads)),
        // an encoder and a limiter would leave a gap between two plays
        ...(copiesAudio ? ['-c:a', 'copy'] : repeats ? ['-c:a', 'pcm_f32le'] : ENCODED_SOUND),
        ...fileOptions(source, limits.outputVideoBytes, repeats ? 'mov' : 'mp4'),
      ],
      output: repeats ? once : out,
    });
    if (!repeats) return;
    await writeFile(list, playlist(once, plan));
    await run({
      inputs: [{ source: list, demuxer: 'concat', listed: 'mov' }],
      audioFilters: audioFilters(gain),
      outputOptions: [
        ...['-map', '0:v:0', '-map', '0:a:0', '-t', seconds.toFixed(6), '-c:v', 'copy', ...ENCODED_SOUND],
        ...fileOptions(source, limits.outputVideoBytes, 'mp4'),
      ],
      output: out,
    });
  } finally {
    await Promise.all([once, list].map((file) => rm(file, { force: true })));
  }
}

/**
 * Names one encoded play several times. The source itself cannot be listed: that shows the frames that the edit list of a clip hides, and `-stream_loop`
 * forgets how long the last frame of an animation is shown.
 */
function playlist(once: string, { plays, seconds }: ReelPlan): string {
  const entry = `file 'file:${once.replaceAll("'", "'\\''")}'\nduration ${(seconds / plays).toFixed(6)}\n`;
  return `ffconcat version 1.0\n${entry.repeat(plays)}`;
}

/** Muxes one video and one audio track without encoding them; see `MediaTools.muxVideoAndAudio`. */
export async function joinTracks(
  toolbox: Toolbox,
  video: FfmpegInput,
  audio: FfmpegInput,
  out: string,
  signal: AbortSignal,
): Promise<void> {
  const outputOptions = [
    ...['-map', '0:V:0', '-map', '1:a:0', '-c', 'copy', '-sn', '-dn'],
    ...['-map_metadata', '-1', '-map_chapters', '-1', '-fflags', '+bitexact', '-movflags', '+faststart', '-f', 'mp4'],
  ];
  const { limits } = toolbox;
  await runFfmpeg(
    toolbox,
    { inputs: [video, audio], outputOptions, output: out },
    { signal, timeoutMs: limits.longRunMs, fileBytes: limits.videoBytes },
  );
}

function silence({ info }: ProbedFile): FfmpegInput[] {
  return info.hasAudio ? [] : [{ source: `anullsrc=r=${REEL.audioRate}:cl=stereo`, demuxer: 'lavfi' }];
}

const ENCODED_SOUND = ['-c:a', 'aac', '-b:a', REEL.audioBitrate, '-ar', String(REEL.audioRate), '-ac', '2', '-flags:a', '+bitexact'];

function encodedPicture(rate: string, threads: string): string[] {
  const keyFrames = String(Math.round(rateValue(rate) * REEL.keyFrameSeconds));
  const [peak, buffer] = rateValue(rate) > 31 ? ['12M', '24M'] : ['8M', '16M'];
  return [
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '20', '-profile:v', 'high', '-level:v', '4.2', '-threads', threads],
    ...['-g', keyFrames, '-flags:v', '+cgop+bitexact', '-maxrate', peak, '-bufsize', buffer],
    ...['-color_primaries', 'bt709', '-color_trc', 'bt709', '-colorspace', 'bt709', '-color_range', 'tv'],
  ];
}

function fileOptions({ credits }: ProbedFile, limitBytes: number, format: 'mp4' | 'mov'): string[] {
  return [
    ...['-sn', '-dn', '-map_metadata', '-1', '-map_metadata:s', '-1', '-map_chapters', '-1', '-fflags', '+bitexact'],
    ...creditOptions(credits),
    // otherwise both tracks contain an edit list, for the delay of B frames and the priming of AAC
    ...['-movflags', '+faststart+negative_cts_offsets', '-use_editlist', '0'],
    ...['-fs', String(limitBytes), '-max_muxing_queue_size', '1024', '-f', format],
  ];
}

const creditOptions = (credits: Credits): string[] => Object.entries(credits).flatMap(([name, value]) => ['-metadata', `${name}=${value}`]);

/** Checks the written file: a tool that exits with 0 may still have written half of it. */
async function verify(toolbox: Toolbox, plan: ReelPlan, out: string, signal: AbortSignal): Promise<ProbedFile> {
  const probed = await withProbedFile(toolbox, out, signal, (written) => Promise.resolve(written));
  const { info, pixelFormat, audioSeconds, tags } = probed;
  const layout = await readMp4Layout(out);
  const got = info.durationSeconds ?? 0;
  const seconds = plan.source.info.durationSeconds === null ? null : plan.seconds;
  if (got <= 0) throw PipelineError.of('media_undecodable');
  if (seconds !== null && got < seconds - Math.max(1, seconds * 0.05)) {
    throw PipelineError.of('media_partly_decodable', { fields: { seconds: got.toFixed(1), totalSeconds: seconds.toFixed(1) } });
  }
  const { width, height } = plan.copiesVideo ? plan.source.info : plan.shape.canvas;
  const wrong: string[] = [];
  const expect = (holds: boolean, what: string) => void (holds || wrong.push(what));
  expect(info.container === 'mp4' && info.videoCodec === 'h264' && pixelFormat === 'yuv420p', 'codec');
  expect(info.width === width && info.height === height && info.rotation === 0, 'size');
  expect(info.fps !== null && Math.abs(info.fps - rateValue(plan.rate)) < 0.5, 'frame rate');
  expect(info.audioCodec === 'aac' && Math.abs((audioSeconds ?? 0) - got) < 1, 'sound');
  expect(got <= REEL.maxSeconds, 'length');
  expect(layout !== null && layout.indexFirst && layout.editLists === 0, 'layout');
  expect(
    tags.every((tag) => OWN_TAGS.has(tag)),
    'metadata',
  );
  if (wrong.length > 0) {
    const named = { wrong: wrong.join(', ') };
    throw PipelineError.of('media_profile_missed', { fields: named, detail: named });
  }
  return probed;
}
