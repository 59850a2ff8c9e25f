import { createReadStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { claimedWork } from '@autoposter/contracts';
import { requestStage } from '@autoposter/job-engine';
import { DmcaTestHarness } from '../testing/dmca-test-harness';

const dmca = new DmcaTestHarness();

describe('a claim by the file of the work', () => {
  beforeAll(() => dmca.start());
  afterAll(() => dmca.stop());
  beforeEach(() => dmca.open());
  afterEach(() => dmca.close());

  const { objects } = dmca;
  const claimOf = (id: string) => dmca.fresh.database.read.rights.findClaim(id);

  /** A claim whose files are stored, once the worker is done with it. */
  async function claimed(paths: string | readonly string[], ends: 'done' | 'dead' = 'done'): Promise<string> {
    const files = await Promise.all([paths].flat().map((path) => objects.put('originals', createReadStream(path), 'image/jpeg', 'jpg')));
    const work = claimedWork(
      'stored',
      files.map(({ key, bytes, sha256 }) => ({ bytes, sha256, mediaType: 'image', objectKey: key })),
    );
    const id = await dmca.fresh.database.unitOfWork(async (uow) => {
      const claim = await uow.rights.addClaim({ title: 'Deep Zoom', claimant: 'A Painter', createdBy: 'a', work }, []);
      await requestStage(uow, { stage: 'register', subjectId: claim.id, itemId: null, key: claim.id, actor: 'a' });
      return claim.id;
    });
    await dmca.harness.latestJob('register', id, ends, 60_000);
    return id;
  }

  it('blocks a post in other bytes that is here already, and the next one', async () => {
    const before = await dmca.protect(await dmca.downloaded(dmca.picture('before.jpg', 3, 9)));
    const other = await dmca.protect(await dmca.downloaded(dmca.picture('other.jpg', 6)));
    const id = await claimed(dmca.picture('work.jpg', 3));
    expect((await claimOf(id))?.claim.work).toMatchObject({ state: 'fingerprinted', message: null });
    const states = await dmca.fresh.database.read.items.findMany([before.id, other.id]);
    expect(Object.fromEntries(states.map((item) => [item.id, item.state]))).toEqual({ [before.id]: 'blocked', [other.id]: 'protected' });
    const open = (await dmca.fresh.database.read.answers.page({}, 0, 10)).matches;
    expect(open).toMatchObject([{ itemId: before.id, verdict: 'blocked', match: { kind: 'claim', id, strength: 'block' } }]);
    const { frames, provenance } = dmca.fresh.database.read;
    const kept = await frames.ofItem(before.id);
    expect(kept).toMatchObject(
      (['ours', 'theirs'] as const).map((side) => ({
        other: { kind: 'claim', id },
        file: 0,
        side,
        atSeconds: null,
        contentType: 'image/jpeg',
      })),
    );
    const records = (await provenance.ofItem(before.id))
      .filter(({ kind }) => kind === 'claim')
      .map(({ body }) => JSON.parse(body) as unknown);
    expect(records).toMatchObject([
      { claimId: id, verdict: 'blocked', matches: [{ id }], frames: kept.map(({ side, sha256 }) => ({ side, sha256 })) },
    ]);
    expect(await frames.ofItem(other.id)).toEqual([]);
    const next = await dmca.protect(await dmca.downloaded(dmca.picture('next.jpg', 3, 14), { sourceId: 'next' }));
    expect([next.state, next.processingErrors[0]?.message]).toEqual(['blocked', expect.stringContaining('Deep Zoom')]);
    const { entries } = await dmca.fresh.database.read.audit.page({ actor: null, action: null, subject: id }, { page: 1, limit: 10 });
    expect(entries).toMatchObject([{ action: 'rights.fingerprint', detail: { state: 'fingerprinted', blocked: 1, flagged: 0, out: [] } }]);
  });

  it('recognises each picture of a gallery, and shows the one that a post shows', async () => {
    const [first, second] = [dmca.picture('first.jpg', 2), dmca.picture('second.jpg', 8)];
    const id = await claimed([first, second]);
    const post = await dmca.protect(await dmca.downloaded(dmca.picture('copy-of-second.jpg', 8, 9), { sourceId: 'gallery' }));
    expect(post.state).toBe('blocked');
    const work = (await claimOf(id))?.claim.work;
    const [match] = (await dmca.fresh.database.read.answers.page({}, 0, 10)).matches;
    const theirFile = match?.match.nearest?.theirFile ?? -1;
    const [shown] = await dmca.fresh.database.read.answers.compared([{ id, file: theirFile }]);
    expect([theirFile, shown?.objectKey]).toEqual([1, work?.more?.[0]?.objectKey]);
    const keys = [work?.objectKey ?? '', shown?.objectKey ?? ''];
    expect(await dmca.fresh.database.unitOfWork((uow) => uow.media.markForDeletion(keys))).toEqual([]);
  });

  it('fingerprints an animated GIF by its frames', async () => {
    const id = await claimed(dmca.make('work.gif', '-f', 'lavfi', '-i', 'testsrc2=s=320x240:r=10', '-t', '2'));
    expect((await claimOf(id))?.claim.work).toMatchObject({ state: 'fingerprinted', message: null });
    const [prints] = await dmca.fresh.database.read.rights.printsOfClaim(id);
    expect(prints?.pdq.map(({ atSeconds }) => atSeconds)).toEqual(expect.arrayContaining([expect.any(Number)]));
  });

  const broken = (): string => {
    const path = join(dmca.folder, 'broken.jpg');
    writeFileSync(path, Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.from('not a picture')]));
    return path;
  };

  it('recognises a gallery by the files that can be read, and says why the other one does not count', async () => {
    const id = await claimed([broken(), dmca.picture('readable.jpg', 5)]);
    const work = (await claimOf(id))?.claim.work;
    expect(work).toMatchObject({
      state: 'fingerprinted',
      message: null,
      unreadable: [{ sha256: work?.sha256, message: expect.stringMatching(/\S/u) }],
    });
    const post = await dmca.protect(await dmca.downloaded(dmca.picture('copy-of-readable.jpg', 5, 9), { sourceId: 'readable' }));
    expect(post.state).toBe('blocked');
    const kept = await dmca.fresh.database.read.frames.ofItem(post.id);
    expect(kept.map(({ side }) => side)).toEqual(['ours', 'theirs']);
  });

  it('says why a file could not be fingerprinted', async () => {
    const id = await claimed(broken(), 'dead');
    expect((await claimOf(id))?.claim.work).toMatchObject({ state: 'failed', message: expect.stringMatching(/\S/u) });
  });
});
