import { rm } from 'node:fs/promises';
import { PipelineError } from '@autoposter/domain';
import { runFfmpeg, threadsFor, type FfmpegInput, type Toolbox } from './ffmpeg';
import type { MediaInfo, NormalisedVideo } from './media-info';
import { REEL } from './media-limits';
import { readMp4Layout } from './mp4';
import { probeFile, type ProbedFile } from './probe';

/** The last audio frame may end 21 ms after the video, and a reel lasts at most 90 s. */
const MAX_SECONDS = REEL.maxSeconds - 0.05;
/** The only metadata fields that written files may contain. */
const OWN_TAGS = new Set(['major_brand', 'minor_version', 'compatible_brands', 'language', 'handler_name', 'vendor_id', 'encoder']);

/** Encodes a video to the Reels profile; see `MediaTools.normaliseVideo`. */
export async function encodeReel(toolbox: Toolbox, source: ProbedFile, out: string, signal: AbortSignal): Promise<NormalisedVideo> {
  const duration = source.info.durationSeconds;
  const seconds = Math.min(duration ?? MAX_SECONDS, MAX_SECONDS);
  const { limits } = toolbox;
  const threads = threadsFor(toolbox, source.frame, 'encode');
  await runFfmpeg(
    toolbox,
    {
      inputs: [{ source: source.file.path, demuxer: source.file.demuxer as string, options: ['-threads', threads] }, ...silence(source)],
      videoFilters: videoFilters(source),
      audioFilters: [`aresample=${REEL.audioRate}:async=1:first_pts=0`, 'apad'],
      outputOptions: outputOptions(source, seconds, limits.outputVideoBytes, threads),
      output: out,
    },
    { signal, timeoutMs: limits.longRunMs + seconds * limits.longRunMsPerSecond, fileBytes: limits.outputVideoBytes },
  );
  try {
    const info = await verify(toolbox, out, duration === null ? null : seconds, signal);
    return { ...info, trimmedFromSeconds: duration !== null && duration > REEL.maxSeconds ? duration : null };
  } catch (error) {
    await rm(out, { force: true });
    throw error;
  }
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

function videoFilters(source: ProbedFile): string[] {
  const fit = `${REEL.width}:${REEL.height}:force_original_aspect_ratio=decrease:force_divisible_by=2`;
  return [
    `fps=${REEL.fps}`,
    ...(source.squarePixels ? [] : ['scale=trunc(iw*sar/2)*2:ih', 'setsar=1']),
    `scale=${fit}:out_color_matrix=bt709:out_range=tv`,
    'format=yuv420p',
    `pad=${REEL.width}:${REEL.height}:(ow-iw)/2:(oh-ih)/2:color=black`,
    'setsar=1',
  ];
}

function outputOptions({ info }: ProbedFile, seconds: number, limitBytes: number, threads: string): string[] {
  const keyFrames = String(REEL.fps * REEL.keyFrameSeconds);
  return [
    ...['-map', '0:V:0', '-map', info.hasAudio ? '0:a:0' : '1:a:0', '-sn', '-dn', '-t', seconds.toFixed(3)],
    // without a known length the shorter track ends the file, because the audio padding is endless
    ...(info.durationSeconds === null ? ['-shortest'] : []),
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '20', '-profile:v', 'high', '-level:v', '4.2', '-threads', threads],
    ...['-g', keyFrames, '-flags:v', '+cgop+bitexact', '-maxrate', '8M', '-bufsize', '16M'],
    ...['-color_primaries', 'bt709', '-color_trc', 'bt709', '-colorspace', 'bt709', '-color_range', 'tv'],
    ...['-c:a', 'aac', '-b:a', REEL.audioBitrate, '-ar', String(REEL.audioRate), '-ac', '2', '-flags:a', '+bitexact'],
    ...['-map_metadata', '-1', '-map_metadata:s', '-1', '-map_chapters', '-1', '-fflags', '+bitexact'],
    // otherwise both tracks contain an edit list, for the delay of B frames and the priming of AAC
    ...['-movflags', '+faststart+negative_cts_offsets', '-use_editlist', '0'],
    ...['-fs', String(limitBytes), '-max_muxing_queue_size', '1024', '-f', 'mp4'],
  ];
}

/** Checks the written file: a tool that exits with 0 may still have written half of it. */
async function verify(toolbox: Toolbox, out: string, seconds: number | null, signal: AbortSignal): Promise<MediaInfo> {
  const { info, pixelFormat, audioSeconds, tags } = await probeFile(toolbox, out, signal);
  const layout = await readMp4Layout(out);
  const got = info.durationSeconds ?? 0;
  if (got <= 0) throw PipelineError.of('media_undecodable');
  if (seconds !== null && got < seconds - Math.max(1, seconds * 0.05)) {
    throw PipelineError.of('media_partly_decodable', { fields: { seconds: got.toFixed(1), totalSeconds: seconds.toFixed(1) } });
  }
  const wrong: string[] = [];
  const expect = (holds: boolean, what: string) => void (holds || wrong.push(what));
  expect(info.container === 'mp4' && info.videoCodec === 'h264' && pixelFormat === 'yuv420p', 'codec');
  expect(info.width === REEL.width && info.height === REEL.height && info.rotation === 0, 'size');
  expect(info.fps !== null && Math.abs(info.fps - REEL.fps) < 0.5, 'frame rate');
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
  return info;
}
