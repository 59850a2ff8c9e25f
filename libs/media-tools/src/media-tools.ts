import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { PipelineError } from '@autoposter/domain';
import type { Logger } from '@autoposter/observability';
import { missingPart } from './completeness';
import { readCapabilities, type MediaCapabilities } from './ffmpeg';
import { analyseFile, type Fingerprint, type MediaAnalysis } from './fingerprint';
import type { FileOrigin, MediaInfo, NormalisedPicture, NormaliseOptions, PictureChanges } from './media-info';
import { DEFAULT_MEDIA_LIMITS, REEL, type MediaLimits, type Toolbox } from './media-limits';
import { decoderMemory, memoryLimit, pixelsWithin } from './memory-budget';
import {
  decodePicture,
  decodesWhole,
  lockPictureDecoders,
  writeCover,
  writeJpeg,
  writePublishablePicture,
  type RgbPicture,
} from './pictures';
import { assertSize, describeFile, withProbedFile, type ProbedFile } from './probe';
import { joinTracks, type NormalisedVideo, writeReel } from './reel';
import { assertNotStopped } from './run-process';
import { assertPath, type SniffedFile, sniffFile, sniffSound } from './sniff';
import { printSound } from './sound-print';
import { isHdr } from './tone-mapping';
import { grabFrame } from './video-frames';

/** Time to try all installed tools. */
const CAPABILITIES_MS = 60_000;

interface FingerprintedFile {
  mediaType: 'video' | 'image';
  fingerprint: Fingerprint;
}

interface MediaToolsOptions {
  /** Path or name; default `ffmpeg`. */
  ffmpegPath?: string;
  /** Path or name; default `ffprobe`. */
  ffprobePath?: string;
  limits?: Partial<MediaLimits>;
  /** Number of concurrent decoders in this process; they share its memory. */
  concurrency?: number;
  logger?: Logger;
}

/**
 * All operations on media files, within limits. Files are absolute paths in our work folder, never addresses.
 * Failures are `PipelineError`s: `unsupported_media`, `corrupt_media`, `too_large`, `transient` (time, stopping), `not_configured` (no
 * ffmpeg), `internal`. A failure leaves no process and no output file behind. Pictures and sound are scaled, padded and encoded for
 * the platform's profile and otherwise unchanged.
 */
export class MediaTools {
  private readonly toolbox: Toolbox;
  private readonly logger: Logger | undefined;

  constructor(options: MediaToolsOptions = {}) {
    lockPictureDecoders();
    this.logger = options.logger;
    this.toolbox = {
      ffmpegPath: options.ffmpegPath ?? 'ffmpeg',
      ffprobePath: options.ffprobePath ?? 'ffprobe',
      limits: limitsFor(options),
    };
  }

  /** Describes a file by its content. */
  async probe(file: string, signal: AbortSignal): Promise<MediaInfo> {
    assertNotStopped(signal);
    return describeFile(this.toolbox, file, signal);
  }

  /**
   * Throws `integrity` if the file is shorter than its container says or the data of a picture ends early, and `corrupt_media` if a picture cannot be
   * decoded at all. Videos are not decoded here.
   */
  async assertComplete(file: string, signal: AbortSignal): Promise<void> {
    assertNotStopped(signal);
    const sniffed = await sniffFile(file);
    assertSize(sniffed, this.toolbox.limits);
    const missing = await missingPart(sniffed);
    if (missing !== null)
      throw PipelineError.of('media_truncated', {
        fields: { part: missing.part },
        detail: { container: sniffed.container, bytes: missing.atByte },
      });
    // opening a HEIC picture decodes it
    if (sniffed.container === 'heic' && sniffed.kind === 'image') return this.opened(file, signal, () => Promise.resolve());
    if (sniffed.kind === 'image' && !(await decodesWhole(file, this.toolbox.limits))) {
      throw PipelineError.of('media_truncated', {
        fields: { part: 'picture data' },
        detail: { container: sniffed.container, bytes: sniffed.bytes },
      });
    }
  }

  /** Muxes the video of one file and the audio of another into an MP4 file without encoding them. */
  async muxVideoAndAudio(video: string, audio: string, out: string, signal: AbortSignal): Promise<void> {
    assertPath(out);
    const sound = await sniffFile(audio);
    const input = (path: string, demuxer: string | null) => ({ source: path, demuxer: demuxer as string });
    await this.opened(video, signal, async ({ file, info }) => {
      if (info.kind !== 'video' || sound.kind !== 'video') throw PipelineError.of('media_not_two_videos');
      await this.timed('mux', () => joinTracks(this.toolbox, input(file.path, file.demuxer), input(audio, sound.demuxer), out, signal));
    });
  }

  /**
   * Brings a video to the Reels profile: 9:16 from 720 to 1080 columns, H.264 4:2:0 BT.709 with closed groups of 2 s, 30 to 60 frames per
   * second, AAC 48 kHz stereo at -14 LUFS (silence where there is no sound), 3 s (shorter clips are repeated) to 90 s (longer ones are trimmed),
   * index first, no edit list, no metadata but author and copyright. Coded frames that match the profile already are copied. The result
   * is probed and refused when it is anything else; a source of which a part cannot be decoded is `corrupt_media`. An `analysis` of the same file
   * saves decoding it once more.
   */
  async normaliseVideo(
    file: string,
    out: string,
    signal: AbortSignal,
    { analysis, ...options }: NormaliseOptions & { analysis?: MediaAnalysis } = {},
  ): Promise<NormalisedVideo> {
    assertPath(out);
    const write = async (source: ProbedFile): Promise<NormalisedVideo> => {
      if (source.info.kind !== 'video') throw PipelineError.of('media_is_picture');
      await this.assertComplete(file, signal);
      const { bars, loudness } = analysis ?? (await this.analysed(file, source, signal, 'collected'));
      return this.timed('normalise video', () => writeReel(this.toolbox, { source, bars, loudness }, out, options, signal));
    };
    // an unpacked copy exists only while its file is open
    return analysis?.source.file.path === file ? write(analysis.source) : this.opened(file, signal, write);
  }

  /**
   * Converts a picture to what Instagram accepts: upright sRGB JPEG, 4:5 to 1.91:1, 320 to 1440 wide, up to 8 MB, no metadata but author and
   * copyright. Black bars are removed. An `analysis` of the same file saves decoding it once more.
   */
  async normaliseImage(
    file: string,
    out: string,
    signal: AbortSignal,
    { analysis, ...options }: NormaliseOptions & { analysis?: MediaAnalysis } = {},
  ): Promise<NormalisedPicture> {
    assertPath(out);
    const write = async (source: ProbedFile): Promise<PictureChanges> => {
      if (source.info.kind !== 'image') throw PipelineError.of('media_is_video');
      const { bars } = analysis ?? (await this.analysed(file, source, signal, 'collected'));
      const changes = await writePublishablePicture(source, out, { ...options, bars }, this.toolbox.limits);
      return { ...changes, toneMapped: isHdr(source.colour) };
    };
    // an unpacked copy exists only while its file is open
    const changes = await (analysis?.source.file.path === file ? write(analysis.source) : this.opened(file, signal, write));
    return { ...(await this.probe(out, signal)), changes };
  }

  /**
   * Decodes a file once and measures everything that later steps need: its fingerprint, bars, loudness and the best cover.
   * Throws `unsupported_media` if the file is not of the expected `kind`.
   */
  async analyse(file: string, kind: 'video' | 'image', signal: AbortSignal, origin: FileOrigin = 'collected'): Promise<MediaAnalysis> {
    return this.opened(file, signal, async (source) => {
      if (source.info.kind !== kind) throw PipelineError.of('media_kind_changed', { fields: { announced: kind } });
      return this.analysed(file, source, signal, origin);
    });
  }

  /**
   * Fingerprints a whole file of a claimed work, because a post may show any part of it. A sound without pictures has the media type `video`,
   * because browsers play it as one. Throws `unsupported_media` for a sound without features to compare.
   */
  async fingerprintWork(file: string, signal: AbortSignal): Promise<FingerprintedFile> {
    const sound = await sniffSound(file);
    if (sound !== null) return this.fingerprintSound(sound, signal);
    try {
      return await this.opened(file, signal, async (source) => {
        const { fingerprint } = await this.analysed(file, source, signal, 'claimed');
        return { mediaType: source.info.kind, fingerprint };
      });
    } catch (error) {
      const isSound = error instanceof PipelineError && error.failure.code === 'media_without_picture';
      if (isSound) return this.fingerprintSound(await sniffFile(file), signal);
      throw error;
    }
  }

  private async fingerprintSound(sound: SniffedFile, signal: AbortSignal): Promise<FingerprintedFile> {
    assertSize(sound, this.toolbox.limits);
    const print = await printSound(this.toolbox, { file: sound, info: { hasAudio: true } }, 'claimed', signal);
    if (print.state !== 'compared') throw PipelineError.of('sound_not_recognisable');
    return { mediaType: 'video', fingerprint: { pdq: [], coverSeconds: null, sound: print } };
  }

  /** The container of a sound in a format of its own; `null` for any other file. */
  async soundFormat(file: string): Promise<string | null> {
    return (await sniffSound(file))?.container ?? null;
  }

  /** Writes up to `count` evenly spaced frames as JPEG files into `dir`, at most `maxPixels` on the longer side; returns their paths in order. */
  async extractFrames(
    file: string,
    { count, maxPixels }: { count: number; maxPixels: number },
    dir: string,
    signal: AbortSignal,
  ): Promise<string[]> {
    const written: string[] = [];
    try {
      await this.opened(file, signal, async (source) => {
        for (const at of source.info.kind === 'image' ? [0] : spread(count, source.info.durationSeconds ?? 0)) {
          const picture = await this.frameAt(source, at, maxPixels, signal);
          if (!picture) continue;
          const out = join(dir, `${basename(file)}-frame-${written.length + 1}.jpg`);
          assertPath(out);
          written.push(out);
          await writeJpeg(picture, out);
        }
      });
      if (written.length === 0) throw PipelineError.of('media_undecodable');
      return written;
    } catch (error) {
      await Promise.all(written.map((out) => rm(out, { force: true })));
      throw error;
    }
  }

  /** Writes a picture, or the frame at a position of a video, as JPEG with at most `maxSide` pixels on the longer side. */
  async still(
    file: string,
    out: string,
    { atSeconds, maxSide }: { atSeconds: number; maxSide: number },
    signal: AbortSignal,
  ): Promise<void> {
    assertPath(out);
    await this.opened(file, signal, async (source) => {
      const picture = await this.frameAt(source, atSeconds, maxSide, signal);
      if (!picture) throw PipelineError.of('media_undecodable');
      await writeJpeg(picture, out);
    });
  }

  /**
   * Writes a JPEG cover of 420x654, cropped from the centre of a picture or of the frame at a position of a video. A file that is already `probed`
   * is not probed again.
   */
  async poster(file: string, out: string, atSeconds: number, signal: AbortSignal, probed?: ProbedFile): Promise<void> {
    assertPath(out);
    const size = { width: REEL.coverWidth, height: REEL.coverHeight };
    const write = async (source: ProbedFile): Promise<void> => {
      if (source.info.kind === 'image') return writeCover(source.file.path, out, size, this.toolbox.limits);
      const picture = await this.frameAt(source, atSeconds, 1280, signal);
      if (!picture) throw PipelineError.of('media_undecodable');
      return writeCover(picture, out, size, this.toolbox.limits);
    };
    return probed?.file.path === file ? write(probed) : this.opened(file, signal, write);
  }

  /** Capabilities of the installed tools; a missing tool is reported and not thrown. */
  capabilities(): Promise<MediaCapabilities> {
    return readCapabilities(this.toolbox, AbortSignal.timeout(CAPABILITIES_MS));
  }

  private async opened<T>(file: string, signal: AbortSignal, work: (source: ProbedFile) => Promise<T>): Promise<T> {
    assertNotStopped(signal);
    return withProbedFile(this.toolbox, file, signal, work);
  }

  private analysed(file: string, source: ProbedFile, signal: AbortSignal, origin: FileOrigin): Promise<MediaAnalysis> {
    return this.timed('analyse', () => analyseFile(this.toolbox, file, { source, origin }, signal));
  }

  private frameAt(source: ProbedFile, at: number, maxSide: number, signal: AbortSignal): Promise<RgbPicture | null> {
    assertNotStopped(signal);
    if (source.info.kind === 'image') return decodePicture(source.file.path, maxSide, this.toolbox.limits);
    return grabFrame(this.toolbox, source, at, maxSide, signal);
  }

  private async timed<T>(what: string, work: () => Promise<T>): Promise<T> {
    const started = performance.now();
    const result = await work();
    this.logger?.debug({ what, milliseconds: Math.round(performance.now() - started) }, 'media work done');
    return result;
  }
}

/** HEIC pictures and videos are decoded in a child process, other pictures in this one. Both have to fit into the memory limit of the container. */
function limitsFor({ limits = {}, concurrency = 1 }: MediaToolsOptions): MediaLimits {
  const memoryBytes = limits.memoryBytes ?? decoderMemory(memoryLimit(), concurrency);
  const { pixels, videoPixels, ...others } = { ...DEFAULT_MEDIA_LIMITS, ...limits };
  const within = Math.min(pixels, pixelsWithin(memoryBytes));
  return { ...others, memoryBytes, pixels: within, videoPixels: Math.min(videoPixels, within) };
}

/** The middle of each of `count` equal parts. */
function spread(count: number, durationSeconds: number): number[] {
  const parts = Math.max(1, Math.min(16, Math.floor(count)));
  if (durationSeconds <= 0) return [0];
  return Array.from({ length: parts }, (_part, index) => ((index + 0.5) / parts) * durationSeconds);
}
