import { createHash, randomBytes } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runTool } from '../media/media-generator';
import type { SimulatedClock } from '../server/clock';
import type { GeminiSettings } from './quota';

const typesOf = (kind: string, names: string): string[] => names.split(' ').map((name) => `${kind}/${name}`);

export const MEDIA_TYPES: readonly string[] = [
  ...typesOf('image', 'png jpeg webp heic heif'),
  ...typesOf('video', 'mp4 mpeg mov quicktime avi x-flv mpg webm wmv 3gpp'),
  ...typesOf('audio', 'wav mp3 mpeg aac ogg flac'),
  'application/pdf',
  'text/plain',
];

export interface StoredFile {
  id: string;
  displayName: string | null;
  mimeType: string;
  bytes: number;
  sha256: string;
  createdAt: number;
  /** `null`: not readable as the declared MIME type. */
  seconds: number | null;
  failed: boolean;
}

interface OpenUpload {
  id: string;
  displayName: string | null;
  mimeType: string;
  length: number;
  chunks: Buffer[];
  received: number;
}

const LIFE_MS = 48 * 3_600_000;

/** Uploaded files: PROCESSING, then ACTIVE or FAILED; deleted after 48 hours. */
export class FileStore {
  private readonly files = new Map<string, StoredFile>();
  private readonly uploads = new Map<string, OpenUpload>();

  constructor(
    private readonly clock: SimulatedClock,
    private readonly settings: GeminiSettings,
    private readonly ffprobePath: string,
    private readonly folder: string,
  ) {}

  open(upload: Pick<OpenUpload, 'displayName' | 'mimeType' | 'length'>): OpenUpload {
    const opened = { ...upload, id: randomBytes(16).toString('hex'), chunks: [], received: 0 };
    this.uploads.set(opened.id, opened);
    return opened;
  }

  upload(id: string): OpenUpload | null {
    return this.uploads.get(id) ?? null;
  }

  async finish(upload: OpenUpload, failed: boolean): Promise<StoredFile> {
    this.uploads.delete(upload.id);
    const content = Buffer.concat(upload.chunks);
    const seconds = await this.durationOf(content, upload.mimeType);
    const file: StoredFile = {
      id: randomBytes(8).toString('hex').slice(0, 12),
      displayName: upload.displayName,
      mimeType: upload.mimeType,
      bytes: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
      createdAt: this.clock.now(),
      seconds,
      failed: failed || seconds === null,
    };
    this.files.set(file.id, file);
    return file;
  }

  find(id: string): StoredFile | null {
    const file = this.files.get(id);
    return file && this.clock.now() - file.createdAt < LIFE_MS ? file : null;
  }

  list(): StoredFile[] {
    return [...this.files.values()].filter((file) => this.find(file.id) !== null);
  }

  remove(id: string): boolean {
    return this.files.delete(id);
  }

  stateOf(file: StoredFile): 'PROCESSING' | 'ACTIVE' | 'FAILED' {
    if (file.mimeType.startsWith('video/') && this.clock.now() - file.createdAt < this.settings.fileProcessingMs) return 'PROCESSING';
    return file.failed ? 'FAILED' : 'ACTIVE';
  }

  expiresAt(file: StoredFile): number {
    return file.createdAt + LIFE_MS;
  }

  /** Duration in seconds; 0 for pictures and documents; `null` for unreadable pictures, videos and sound. */
  async durationOf(content: Buffer, mimeType: string): Promise<number | null> {
    if (!/^(video|image|audio)\//.test(mimeType)) return 0;
    await mkdir(this.folder, { recursive: true });
    const path = join(this.folder, `${randomBytes(8).toString('hex')}.probe`);
    await writeFile(path, content);
    try {
      const asked = ['-v', 'error', '-show_entries', 'format=duration:stream=width', '-of', 'json', path];
      const report = JSON.parse(await runTool(this.ffprobePath, asked)) as {
        format?: { duration?: string };
        streams?: { width?: number }[];
      };
      if (mimeType.startsWith('image/')) return report.streams?.some(({ width }) => width) ? 0 : null;
      const seconds = Number(report.format?.duration ?? 0);
      return seconds > 0 ? seconds : null;
    } catch {
      return null;
    } finally {
      await rm(path, { force: true });
    }
  }
}
