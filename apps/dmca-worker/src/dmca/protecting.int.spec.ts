import { execFileSync } from 'node:child_process';
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MediaTools } from '@autoposter/media-tools';
import { LocalStore } from '@autoposter/object-store';
import type { ContentItem } from '@autoposter/persistence';
import { advance, bindStage } from '@autoposter/stage-runner';
import { anItem, fileFields, freshDatabase, StageHall, startPostgres, type FreshDatabase, type PostgresServer } from '@autoposter/testkit';
import { dmcaStage } from './dmca.stage';

jest.setTimeout(120_000);

const folder = mkdtempSync(join(tmpdir(), 'protecting-'));
const objects = new LocalStore({ folder: join(folder, 'objects') });
const media = new MediaTools();
const never = new AbortController().signal;

/** A picture with much detail; another `seed` is another picture, another `quality` the same one in other bytes. */
function picture(name: string, seed: number, quality = 2): string {
  const file = join(folder, name);
  const source = `mandelbrot=s=900x1125:start_scale=${0.4 + seed * 0.35}:start_x=${-0.74 + seed * 0.09}:start_y=${0.13 - seed * 0.1}`;
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', source, '-frames:v', '1', '-q:v', String(quality), file]);
  return file;
}

describe('DMCA protection', () => {
  let server: PostgresServer;
  let fresh: FreshDatabase;
  let hall: StageHall;

  beforeAll(async () => {
    server = await startPostgres('embedded');
  }, 120_000);
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    fresh = await freshDatabase(server);
    const tools = { media, objects, register: fresh.database.read.rights, storageType: 'local' as const };
    hall = await StageHall.open(fresh.database, [bindStage(dmcaStage, tools)]);
  });
  afterEach(async () => {
    await hall.close();
    await fresh.drop();
  });

  async function downloaded(file: string, change: Partial<ContentItem> = {}): Promise<ContentItem> {
    const stored = await objects.put('originals', createReadStream(file), 'image/jpeg', 'jpg');
    return fresh.database.unitOfWork(async (uow) => {
      const item = await anItem(uow, { state: 'downloaded', postType: 'image', mediaType: 'image', ...change });
      const facts = {
        mediaType: 'image' as const,
        objectKey: stored.key,
        sha256: stored.sha256,
        bytes: stored.bytes,
        contentType: 'image/jpeg',
      };
      await uow.media.replace(item.id, 'original', [fileFields(facts)]);
      return item;
    });
  }

  async function protect(item: ContentItem, ends: 'done' | 'dead' = 'done'): Promise<ContentItem> {
    await fresh.database.unitOfWork((uow) => advance(uow, item, { by: 'person', wants: 'dmca' }, { actor: 'test' }));
    await hall.jobIn('dmca', item.id, ends, 60_000);
    const ended = await fresh.database.read.items.find(item.id);
    if (ended === null) throw new Error('the item is gone');
    return ended;
  }

  it('brings a picture to the profile and keeps where it came from', async () => {
    const item = await protect(await downloaded(picture('clear.jpg', 1)));
    expect(item.state).toBe('protected');
    const files = await fresh.database.read.media.ofItem(item.id);
    expect(files.map(({ role, contentType }) => [role, contentType])).toEqual([
      ['cover', 'image/jpeg'],
      ['original', 'image/jpeg'],
      ['processed', 'image/jpeg'],
    ]);
    expect(await fresh.database.read.rights.verdictOf(item.id)).toMatchObject({
      verdict: 'clear',
      provenance: { author: 'fox_watcher', sourceId: item.sourceId },
    });
  });

  it('blocks the same picture in other bytes as a duplicate, and says of what', async () => {
    await protect(await downloaded(picture('first.jpg', 2), { title: 'The first one' }));
    const copy = await protect(await downloaded(picture('copy.jpg', 2, 12)));
    expect(copy.state).toBe('blocked');
    expect(copy.processingErrors[0]?.message).toContain('The first one');
    expect(await fresh.database.sql.query('SELECT reason FROM skipped_posts')).toEqual([{ reason: 'duplicate_post' }]);
    expect(await fresh.database.read.media.ofItem(copy.id, 'processed')).toEqual([]);
  });

  it('blocks what somebody claims, and lets it through when the claim is withdrawn', async () => {
    const claimed = picture('claimed.jpg', 3);
    const print = await media.fingerprint(claimed, 'image', never);
    const claim = await fresh.database.unitOfWork((uow) =>
      uow.rights.addClaim(
        { title: 'Deep Zoom', claimant: 'A Painter', contact: null, sourceUrl: null, note: null, createdBy: 'admin@example.test' },
        [print],
      ),
    );
    const item = await protect(await downloaded(picture('used.jpg', 3, 9)));
    expect(item.state).toBe('blocked');
    expect(item.processingErrors[0]?.message).toContain('Deep Zoom');
    expect(await fresh.database.sql.query('SELECT reason FROM skipped_posts')).toEqual([{ reason: 'dmca_failure' }]);
    await fresh.database.unitOfWork((uow) => uow.rights.withdrawClaim(claim.id));
    expect((await protect(item)).state).toBe('protected');
  });

  it('stops for a person when a picture has too little detail to be compared', async () => {
    const flat = join(folder, 'flat.jpg');
    execFileSync('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', 'color=c=gray:s=800x1000', '-frames:v', '1', flat]);
    const item = await protect(await downloaded(flat));
    expect(item).toMatchObject({ state: 'protected', needsReview: true });
    expect((await fresh.database.read.rights.verdictOf(item.id))?.verdict).toBe('flagged');
  });

  it('does not go on with a stored file that is not the one that was downloaded', async () => {
    const item = await downloaded(picture('whole.jpg', 4));
    const [original] = await fresh.database.read.media.ofItem(item.id, 'original');
    writeFileSync(join(folder, 'objects', original?.objectKey ?? ''), 'half');
    const failed = await protect(item, 'dead');
    expect(failed).toMatchObject({ state: 'failed', failedStage: 'dmca' });
    expect(await fresh.database.read.media.ofItem(item.id, 'processed')).toEqual([]);
  });
});
