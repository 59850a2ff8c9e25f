import { createHash, randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runTool } from '../media/media-generator';
import type { MediaFacts } from './media-rules';

export interface FetchedFile {
  path: string;
  sha256: string;
  bytes: number;
  facts: MediaFacts;
}

type FetchOutcome = { file: FetchedFile } | { unreachable: string };

const FETCH_TIMEOUT_MS = 60_000;
const FETCH_LIMIT_BYTES = 310_000_000;
const FETCHER = 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)';

/**
 * Fetches media as Meta's servers do (no cookies, the User-Agent of a bot) and inspects them with ffprobe. Fetches only from allowed
 * hosts, so that no request leaves the machine.
 */
export class MediaInspector {
  constructor(
    private readonly folder: string,
    private readonly ffprobePath: string,
    private readonly allowedHosts: ReadonlySet<string>,
  ) {}

  async fetch(address: string): Promise<FetchOutcome> {
    if (!/^https?:\/\/[\x21-\x7e]+$/.test(address)) return { unreachable: 'not an address in ASCII' };
    if (!this.allowedHosts.has(new URL(address).hostname)) return { unreachable: 'host not reachable from here' };
    try {
      // Real servers often reject redirected media; the simulator always does.
      const options: RequestInit = { headers: { 'user-agent': FETCHER }, redirect: 'error', signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) };
      const response = await fetch(address, options);
      if (!response.ok || !response.body) return { unreachable: `HTTP ${response.status}` };
      const chunks: Uint8Array[] = [];
      let bytes = 0;
      for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
        bytes += chunk.length;
        if (bytes > FETCH_LIMIT_BYTES) return { unreachable: 'too large' };
        chunks.push(chunk);
      }
      return { file: await this.keep(Buffer.concat(chunks)) };
    } catch (error) {
      return { unreachable: error instanceof Error ? error.message : 'unknown' };
    }
  }

  /** Stores the bytes under their hash and inspects them. */
  async keep(bytes: Buffer): Promise<FetchedFile> {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const path = join(this.folder, sha256);
    await mkdir(this.folder, { recursive: true });
    const draft = `${path}.${randomUUID().slice(0, 8)}.part`;
    await writeFile(draft, bytes);
    const facts = await this.inspect(draft, bytes);
    await rename(draft, path).catch(() => rm(draft, { force: true }));
    return { path, sha256, bytes: bytes.length, facts };
  }

  private async inspect(path: string, content: Buffer): Promise<MediaFacts> {
    const probed = await this.probe(path);
    const video = probed.streams?.find((stream) => stream.codec_type === 'video');
    const audio = probed.streams?.find((stream) => stream.codec_type === 'audio');
    const format = formatOf(content, probed.format?.format_name ?? '');
    const image = ['jpeg', 'png', 'webp', 'gif', 'heic'].includes(format);
    return {
      kind: image ? 'image' : video && Number(probed.format?.duration ?? 0) > 0 ? 'video' : 'unknown',
      format,
      bytes: content.length,
      width: video?.width ?? 0,
      height: video?.height ?? 0,
      videoCodec: video?.codec_name ?? null,
      pixelFormat: video?.pix_fmt ?? null,
      fps: fraction(video?.avg_frame_rate),
      seconds: Number(probed.format?.duration ?? 0),
      bitrate: Number(probed.format?.bit_rate ?? 0),
      audio: audio ? { codec: audio.codec_name ?? '', sampleRate: Number(audio.sample_rate ?? 0), channels: audio.channels ?? 0 } : null,
      ...(image ? { moovFirst: true, editLists: false } : layoutOf(content)),
      progressive: !video?.field_order || ['progressive', 'unknown'].includes(video.field_order),
    };
  }

  private async probe(path: string): Promise<ProbeReport> {
    const options = ['-v', 'error', '-show_streams', '-show_format', '-of', 'json', path];
    return runTool(this.ffprobePath, options).then(
      (printed) => JSON.parse(printed) as ProbeReport,
      () => ({}),
    );
  }
}

interface ProbeReport {
  streams?: {
    codec_type?: string;
    codec_name?: string;
    width?: number;
    height?: number;
    pix_fmt?: string;
    avg_frame_rate?: string;
    field_order?: string;
    sample_rate?: string;
    channels?: number;
  }[];
  format?: { format_name?: string; duration?: string; bit_rate?: string };
}

const SIGNATURES: readonly (readonly [string, RegExp])[] = [
  ['jpeg', /^ffd8ff/],
  ['png', /^89504e47/],
  ['gif', /^47494638/],
  ['webp', /^52494646.{8}57454250/],
  ['heic', /^.{8}66747970(68656963|6d696631)/],
];

/** The image format by the file's signature, otherwise the format reported by ffprobe. */
function formatOf(content: Buffer, probed: string): string {
  const start = content.toString('hex', 0, 16);
  return SIGNATURES.find(([, pattern]) => pattern.test(start))?.[0] ?? probed;
}

function fraction(value: string | undefined): number {
  const [top, bottom] = (value ?? '0/1').split('/').map(Number);
  return (top ?? 0) / (bottom || 1);
}

const HOLDERS = ['trak', 'edts'];

/** What Instagram checks of an MP4: whether `moov` precedes `mdat`, and edit lists. */
function layoutOf(content: Buffer): Pick<MediaFacts, 'moovFirst' | 'editLists'> {
  const found = boxesIn(content);
  const [moov, mdat] = ['moov', 'mdat'].map((wanted) => found.findIndex(({ name }) => name === wanted));
  if (moov === undefined || mdat === undefined || moov < 0) return { moovFirst: false, editLists: false };
  return { moovFirst: mdat < 0 || moov < mdat, editLists: holds(found[moov]?.body ?? Buffer.alloc(0), 'elst') };
}

function boxesIn(content: Buffer): { name: string; body: Buffer }[] {
  const found: { name: string; body: Buffer }[] = [];
  for (let at = 0; at + 8 <= content.length;) {
    const short = content.readUInt32BE(at);
    const length = short === 1 && at + 16 <= content.length ? Number(content.readBigUInt64BE(at + 8)) : short;
    if (length < 8) break;
    found.push({ name: content.toString('latin1', at + 4, at + 8), body: content.subarray(at + 8, at + length) });
    at += length;
  }
  return found;
}

const holds = (content: Buffer, wanted: string): boolean =>
  boxesIn(content).some(({ name, body }) => name === wanted || (HOLDERS.includes(name) && holds(body, wanted)));
