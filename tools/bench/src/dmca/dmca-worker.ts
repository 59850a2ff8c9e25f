import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { LocalStore } from '@autoposter/object-store';
import { BULK_LIMITS, Database } from '@autoposter/persistence';
import { OutboxRelay, requestStage } from '@autoposter/job-engine';
import { PostgresBus } from '@autoposter/messaging';
import { ROOT } from '../bench';
import type { Clip } from './clips';
import type { MediaPrograms } from './media-programs';

const WORKER = 'dist/apps/dmca-worker/main.cjs';
const UP_WITHIN_MS = 120_000;
const CLIPS_WITHIN_MS = 1_800_000;

/** The product's own dmca worker with its database, bus and store, as a process of its own. */
export class DmcaWorker {
  private readonly endNow = (): void => void this.child.kill('SIGKILL');

  private constructor(
    private readonly child: ChildProcess,
    private readonly database: Database,
    private readonly dataDir: string,
    private readonly words: () => string,
  ) {
    process.on('exit', this.endNow);
  }

  static async start(databaseUrl: string, dataDir: string, { ffmpeg, ffprobe }: MediaPrograms): Promise<DmcaWorker> {
    const settings = {
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      EVENT_BUS: 'postgres',
      OBJECT_STORE: 'local',
      LOG_LEVEL: 'warn',
      HOST: '127.0.0.1',
      METRICS_PORT: '0',
      FFMPEG_PATH: ffmpeg,
      FFPROBE_PATH: ffprobe,
    };
    // `env` becomes the worker; all else of the environment stays as it is
    const variables = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
    const child = spawn('env', [...variables, process.execPath, path.join(ROOT, WORKER)], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-4000)));
    const database = await Database.connect({ url: databaseUrl, poolSize: 2, limits: BULK_LIMITS });
    const worker = new DmcaWorker(child, database, dataDir, () => said);
    // it looks at its media tools once when it starts; that is not the stage's work
    const report = `SELECT 1 FROM worker_reports WHERE name = 'media-tools'`;
    await worker.until(UP_WITHIN_MS, async () => (await database.sql.query(report)).length > 0);
    return worker;
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** Puts the clips in its store and asks for the stage of each. */
  async ask(clips: readonly Clip[]): Promise<void> {
    const store = new LocalStore({ folder: path.join(this.dataDir, 'objects') });
    for (const [index, clip] of clips.entries()) {
      const { key, bytes, sha256 } = await store.put('originals', fs.createReadStream(clip.file), 'video/mp4', 'mp4');
      await this.database.unitOfWork(async (uow) => {
        const sourceId = `clip${index}`;
        const originalUrl = `https://www.reddit.com/r/bench/comments/${sourceId}/`;
        const item = await uow.items.create({
          platform: 'reddit',
          sourceId,
          originalUrl,
          autoProcessStage: 'aiCaption',
          state: 'protecting',
        });
        if (item === null) throw new Error('this item exists');
        const { width, height, hasAudio } = clip;
        const file = { objectKey: key, bytes, sha256, width, height, hasAudio, mediaType: 'video' as const, contentType: 'video/mp4' };
        const rest = { fileName: path.basename(key), durationSeconds: null, storageType: 'local' as const };
        await uow.media.replace(item.id, 'original', [{ ...file, ...rest }]);
        await requestStage(uow, { stage: 'dmca', subjectId: item.id, itemId: item.id, key: item.id, actor: 'system' });
      });
    }
    const bus = new PostgresBus(this.database.sql);
    const relay = new OutboxRelay({ database: this.database, bus });
    while ((await relay.sendBatch()) > 0);
    await bus.close();
  }

  /** Resolves with the bytes of what was made of each clip, when all are through. Rejects where one did not become safe to use. */
  async through(clips: readonly Clip[]): Promise<number[]> {
    await this.until(CLIPS_WITHIN_MS, async () => {
      const states = await this.database.read.items.countByState();
      return (states.protecting ?? 0) === 0;
    });
    const rows = await this.database.sql.query<{ state: string; bytes: string | null }>(
      `SELECT i.state, m.bytes FROM content_items i LEFT JOIN media_files m ON m.item_id = i.id AND m.role = 'processed' ORDER BY i.source_id`,
    );
    const wrong = rows.filter(({ state, bytes }) => state !== 'protected' || bytes === null);
    if (rows.length !== clips.length || wrong.length > 0)
      throw new Error(`the worker made ${JSON.stringify(rows)} of the clips\n${this.words()}`);
    return rows.map(({ bytes }) => Number(bytes));
  }

  /** Places of the clips in the order in which the worker took them. */
  async order(): Promise<number[]> {
    const rows = await this.database.sql.query<{ source_id: string }>(
      'SELECT i.source_id FROM stage_jobs j JOIN content_items i ON i.id = j.item_id ORDER BY j.started_at',
    );
    return rows.map(({ source_id }) => Number(source_id.replace('clip', '')));
  }

  async stop(): Promise<void> {
    await this.database.close();
    process.off('exit', this.endNow);
    const gone = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await gone;
  }

  private async until(withinMs: number, look: () => Promise<boolean>): Promise<void> {
    for (const end = performance.now() + withinMs; !(await look()); await new Promise((resolve) => setTimeout(resolve, 250))) {
      if (this.child.exitCode !== null || performance.now() > end) throw new Error(`the worker does not get there:\n${this.words()}`);
    }
  }
}
