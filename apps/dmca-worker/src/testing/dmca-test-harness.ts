import { execFileSync } from 'node:child_process';
import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MediaTools } from '@autoposter/media-tools';
import { LocalStore, type StoredObject } from '@autoposter/object-store';
import type { ContentItem } from '@autoposter/persistence';
import { bindStage } from '@autoposter/job-engine';
import { advance } from '@autoposter/workflow';
import {
  anItem,
  fileFields,
  freshDatabase,
  StageTestHarness,
  startPostgres,
  type FreshDatabase,
  type PostgresServer,
} from '@autoposter/testkit';
import { dmcaStage } from '../dmca/dmca.stage';
import { registerIn } from '../dmca/rights-register';
import { registerStage } from '../register/register.stage';

/** The real stage over a real database and a folder, with pictures and clips to send through it. */
export class DmcaTestHarness {
  readonly folder = mkdtempSync(join(tmpdir(), 'protecting-'));
  readonly objects = new LocalStore({ folder: join(this.folder, 'objects') });
  fresh!: FreshDatabase;
  harness!: StageTestHarness;
  private server!: PostgresServer;

  constructor(readonly media = new MediaTools()) {}

  async start(): Promise<void> {
    this.server = await startPostgres('embedded');
  }

  async stop(): Promise<void> {
    await this.server?.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** An empty database, and a worker that runs so many at a time. */
  async open(slots = 1): Promise<void> {
    this.fresh = await freshDatabase(this.server);
    const { media, objects } = this;
    const tools = {
      media,
      objects,
      register: registerIn(this.fresh.database),
      claims: this.fresh.database.read.claims,
      storageType: 'local' as const,
    };
    const stage = { ...dmcaStage, limits: { ...dmcaStage.limits, slots } };
    this.harness = await StageTestHarness.open(this.fresh.database, [bindStage(stage, tools), bindStage(registerStage, tools)]);
  }

  async close(): Promise<void> {
    await this.harness.close();
    await this.fresh.drop();
  }

  /** A picture with much detail; another `seed` is another picture, another `quality` the same one in other bytes. */
  picture(name: string, seed: number, quality = 2): string {
    const source = `mandelbrot=s=480x600:start_scale=${0.4 + seed * 0.35}:start_x=${-0.74 + seed * 0.09}:start_y=${0.13 - seed * 0.1}`;
    return this.make(name, '-f', 'lavfi', '-i', source, '-frames:v', '1', '-q:v', String(quality));
  }

  clip(name: string, seconds: number): string {
    const source = `mandelbrot=s=120x160:r=10:end_scale=0.01:end_pts=${Math.ceil(seconds) * 10}`;
    return this.make(name, '-f', 'lavfi', '-i', source, '-t', String(seconds), '-pix_fmt', 'yuv420p', '-preset', 'ultrafast');
  }

  make(name: string, ...args: string[]): string {
    const file = join(this.folder, name);
    execFileSync('ffmpeg', ['-v', 'error', '-y', ...args, file]);
    return file;
  }

  /** An item whose files were stored as the download stores them. */
  async downloaded(files: string | string[], change: Partial<ContentItem> = {}): Promise<ContentItem> {
    const list = [files].flat();
    const isVideo = list[0]?.endsWith('.mp4') ?? false;
    const [kind, type, extension] = isVideo ? (['video', 'video/mp4', 'mp4'] as const) : (['image', 'image/jpeg', 'jpg'] as const);
    const stored: StoredObject[] = [];
    for (const file of list) stored.push(await this.objects.put('originals', createReadStream(file), type, extension));
    return this.fresh.database.unitOfWork(async (uow) => {
      const item = await anItem(uow, { state: 'downloaded', postType: kind, mediaType: kind, ...change });
      const rows = stored.map(({ key, sha256, bytes }) =>
        fileFields({ mediaType: kind, objectKey: key, sha256, bytes, contentType: type }),
      );
      await uow.media.replace(
        item.id,
        'original',
        rows.map((row, position) => ({ ...row, position })),
      );
      return item;
    });
  }

  /** Asks for the stage. */
  async ask(item: ContentItem): Promise<void> {
    await this.fresh.database.unitOfWork((uow) => advance(uow, item, { by: 'person', wants: 'dmca' }, { actor: 'test' }));
  }

  /** The item once the stage is done with it. */
  async ended(item: ContentItem, ends: 'done' | 'dead' = 'done'): Promise<ContentItem> {
    await this.harness.latestJob('dmca', item.id, ends, 60_000);
    const now = await this.fresh.database.read.items.find(item.id);
    if (now === null) throw new Error('the item is gone');
    return now;
  }

  async protect(item: ContentItem, ends: 'done' | 'dead' = 'done'): Promise<ContentItem> {
    await this.ask(item);
    return this.ended(item, ends);
  }

  skipped(): Promise<{ reason: string; additional_info: string }[]> {
    return this.fresh.database.sql.query('SELECT reason, additional_info FROM skipped_posts ORDER BY skipped_at, id');
  }
}
