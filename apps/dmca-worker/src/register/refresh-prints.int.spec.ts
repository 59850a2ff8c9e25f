import { createReadStream } from 'node:fs';
import { PipelineError } from '@autoposter/domain';
import { silentLogger } from '@autoposter/observability';
import { requestStage } from '@autoposter/job-engine';
import { DmcaTestHarness } from '../testing/dmca-test-harness';
import { refreshPrints, type RefreshTools } from './refresh-prints';

const dmca = new DmcaTestHarness();

describe('prints of an earlier version', () => {
  beforeAll(() => dmca.start());
  afterAll(() => dmca.stop());
  beforeEach(() => dmca.open());
  afterEach(() => dmca.close());

  const sql = <Row>(text: string, values: unknown[] = []) => dmca.fresh.database.sql.query<Row>(text, values);
  const tools = (): RefreshTools => ({
    ...{ media: dmca.media, objects: dmca.objects, database: dmca.fresh.database },
    ...{ logger: silentLogger, signal: new AbortController().signal },
  });
  const viewsOf = async (id: string) => (await sql('SELECT id FROM fingerprints WHERE owner_id = $1 AND view IS NOT NULL', [id])).length;
  /** As a program stored them that knew only the picture as it is, and recorded no version. */
  const outdate = async (id: string) => {
    await sql('DELETE FROM fingerprints WHERE owner_id = $1 AND view IS NOT NULL', [id]);
    await sql('UPDATE register_entries SET version = 0 WHERE owner_id = $1', [id]);
  };
  const claimed = async (file: string): Promise<string> => {
    const { key, bytes, sha256 } = await dmca.objects.put('originals', createReadStream(file), 'image/jpeg', 'jpg');
    const id = await dmca.fresh.database.unitOfWork(async (uow) => {
      const work = { state: 'stored' as const, bytes, sha256, mediaType: 'image' as const, objectKey: key, message: null };
      const claim = await uow.rights.addClaim({ title: 'Deep Zoom', claimant: 'A Painter', createdBy: 'a', work }, []);
      await requestStage(uow, { stage: 'register', subjectId: claim.id, itemId: null, key: claim.id, actor: 'a' });
      return claim.id;
    });
    await dmca.harness.latestJob('register', id, 'done', 60_000);
    return id;
  };

  it('are made anew for a claim, which then finds the copies that it missed', async () => {
    const id = await claimed(dmca.picture('work.jpg', 3));
    const views = await viewsOf(id);
    await outdate(id);
    const crop = dmca.make('crop.jpg', '-i', dmca.picture('work-again.jpg', 3, 5), '-vf', 'crop=iw*0.8:ih*0.8');
    const copy = await dmca.protect(await dmca.downloaded(crop));
    expect(copy.state).toBe('protected');
    expect(await refreshPrints(tools())).toBe(true);
    await dmca.harness.latestJob('register', id, 'done', 60_000);
    expect([views > 10, await viewsOf(id)]).toEqual([true, views]);
    expect((await dmca.fresh.database.read.items.find(copy.id))?.state).toBe('blocked');
    expect(await refreshPrints(tools())).toBe(false);
  });

  it('are made anew for an item, which is then held back for a claim that it shows', async () => {
    const item = await dmca.protect(await dmca.downloaded(dmca.make('mirror.jpg', '-i', dmca.picture('own.jpg', 5), '-vf', 'hflip')));
    const views = await viewsOf(item.id);
    await outdate(item.id);
    await claimed(dmca.picture('own-work.jpg', 5, 4));
    expect((await dmca.fresh.database.read.items.find(item.id))?.state).toBe('protected');
    expect(await refreshPrints(tools())).toBe(true);
    expect([views > 0, await viewsOf(item.id)]).toEqual([true, views]);
    expect((await dmca.fresh.database.read.items.find(item.id))?.state).toBe('blocked');
    expect(await refreshPrints(tools())).toBe(false);
  });

  it('are made anew of the part of a long video that is published', async () => {
    const item = await dmca.downloaded(dmca.clip('long.mp4', 100));
    await dmca.fresh.database.unitOfWork((uow) => uow.rights.saveFingerprints(item.id, [{ sha256: null, pdq: [] }]));
    await outdate(item.id);
    expect(await refreshPrints(tools())).toBe(true);
    const [found] = await sql<{ last: number }>('SELECT max(at_seconds)::float8 AS last FROM fingerprints WHERE owner_id = $1', [item.id]);
    expect(found?.last).toBeGreaterThan(80);
    expect(found?.last).toBeLessThanOrEqual(90);
  });

  it('are made anew once the store answers again', async () => {
    const item = await dmca.protect(await dmca.downloaded(dmca.picture('away.jpg', 9)));
    const views = await viewsOf(item.id);
    await outdate(item.id);
    const away = PipelineError.of('storage_timed_out', { fields: { operation: 'read', seconds: 1 } });
    const objects = { get: () => Promise.reject(away) } as unknown as RefreshTools['objects'];
    await expect(refreshPrints({ ...tools(), objects })).rejects.toBe(away);
    expect(await refreshPrints(tools())).toBe(true);
    expect([views > 0, await viewsOf(item.id)]).toEqual([true, views]);
  });

  it('stay where the file is gone', async () => {
    const item = await dmca.protect(await dmca.downloaded(dmca.picture('gone.jpg', 7)));
    await outdate(item.id);
    const [before] = await sql<{ count: number }>('SELECT count(*)::int AS count FROM fingerprints WHERE owner_id = $1', [item.id]);
    for (const { objectKey } of await dmca.fresh.database.read.media.ofItem(item.id, 'original')) await dmca.objects.delete(objectKey);
    expect(await refreshPrints(tools())).toBe(true);
    expect(await sql('SELECT count(*)::int AS count FROM fingerprints WHERE owner_id = $1', [item.id])).toEqual([before]);
    expect(await refreshPrints(tools())).toBe(false);
  });
});
