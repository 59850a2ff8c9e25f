import { hasFeatures, PipelineError, type SoundPrint } from '@autoposter/domain';
import { hasMuxer, runFfmpeg, SOUND_MUXER } from './ffmpeg';
import type { FileOrigin } from './media-info';
import type { Toolbox } from './media-limits';
import type { ProbedFile } from './probe';

/**
 * The first part of a sound that is fingerprinted, in seconds. Of a post, more than the part that is published; of a claimed work as much as its
 * pictures are sampled densely, because a post may show any part of it.
 */
const PRINTED_SECONDS: Record<FileOrigin, number> = { collected: 120, claimed: 900 };
/** Output of ffmpeg for the fingerprint of a sound: Chromaprint's items, 32 bits each, least significant byte first. */
const soundOutput = (origin: FileOrigin): string[] => [
  ...['-map', '0:a:0', '-vn', '-sn', '-dn', '-ac', '1', '-t', String(PRINTED_SECONDS[origin])],
  ...['-fp_format', 'raw', '-f', SOUND_MUXER],
];

const NOTHING = new Int32Array();

/** Fingerprints the first minutes of a sound. Sound that cannot be decoded is no failure here: normalisation refuses it. */
export async function printSound(
  toolbox: Toolbox,
  { file, info }: { file: ProbedFile['file']; info: Pick<ProbedFile['info'], 'hasAudio'> },
  origin: FileOrigin,
  signal: AbortSignal,
): Promise<SoundPrint> {
  if (!info.hasAudio) return { state: 'absent', items: NOTHING };
  if (!(await canPrint(toolbox, signal))) return { state: 'unavailable', items: NOTHING };
  const chunks: Buffer[] = [];
  const plan = { inputs: [{ source: file.path, demuxer: file.demuxer as string }], outputOptions: soundOutput(origin), output: 'pipe:1' };
  const timeoutMs = toolbox.limits.longRunMs;
  try {
    await runFfmpeg(toolbox, plan, { signal, timeoutMs, onOutput: (chunk) => chunks.push(chunk) });
  } catch (error) {
    if (error instanceof PipelineError && UNDECODABLE.has(error.failure.kind)) return { state: 'unavailable', items: NOTHING };
    throw error;
  }
  const items = readItems(Buffer.concat(chunks));
  return hasFeatures(items) ? { state: 'compared', items } : { state: 'featureless', items: NOTHING };
}

const UNDECODABLE: ReadonlySet<string> = new Set(['corrupt_media', 'unsupported_media']);

const readItems = (raw: Buffer): Int32Array => Int32Array.from({ length: raw.length >> 2 }, (_item, at) => raw.readInt32LE(at * 4));

/** Asked once for each installed ffmpeg. */
const known = new Map<string, Promise<boolean>>();

function canPrint(toolbox: Toolbox, signal: AbortSignal): Promise<boolean> {
  const asked = known.get(toolbox.ffmpegPath) ?? hasMuxer(toolbox, SOUND_MUXER, signal);
  known.set(toolbox.ffmpegPath, asked);
  asked.catch(() => known.delete(toolbox.ffmpegPath));
  return asked;
}
