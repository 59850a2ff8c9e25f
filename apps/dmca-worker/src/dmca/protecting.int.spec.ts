import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_MEDIA_LAYOUT } from '@autoposter/contracts';
import { PipelineError } from '@autoposter/domain';
import { fileFields } from '@autoposter/testkit';
import { replayDeadJob } from '@autoposter/workflow';
import { DmcaTestHarness } from '../testing/dmca-test-harness';

const dmca = new DmcaTestHarness();
const never = new AbortController().signal;

describe('DMCA protection', () => {
  beforeAll(() => dmca.start());
  afterAll(() => dmca.stop());
  beforeEach(() => dmca.open());
  afterEach(() => dmca.close());

  it('brings a picture to the profile and keeps where it came from', async () => {
    const item = await dmca.protect(await dmca.downloaded(dmca.picture('clear.jpg', 1)));
    expect(item.state).toBe('protected');
    const files = await dmca.fresh.database.read.media.ofItem(item.id);
    expect(files.map(({ role, contentType }) => [role, contentType])).toEqual([
      ['cover', 'image/jpeg'],
      ['original', 'image/jpeg'],
      ['processed', 'image/jpeg'],
    ]);
    expect(await dmca.fresh.database.read.rights.decisionOf(item.id)).toMatchObject({
      verdict: 'clear',
      provenance: { author: 'fox_watcher', sourceId: item.sourceId },
    });
  });

  it('records what normalisation changed, the hashes of all covers and the permission that counts', async () => {
    const small = dmca.make('small.jpg', '-f', 'lavfi', '-i', 'mandelbrot=s=200x250', '-frames:v', '1', '-q:v', '2');
    const item = await dmca.downloaded(small);
    const proofSha256 = 'ab'.repeat(32);
    const uploaded = fileFields({ mediaType: 'image', objectKey: 'covers/cd', sha256: 'cd'.repeat(32) });
    const id = await dmca.fresh.database.unitOfWork(async (uow) => {
      await uow.media.replace(item.id, 'uploaded_cover', [uploaded]);
      const asked = { kind: 'url', key: `reddit:${item.sourceId}`, grantor: 'fox_watcher', contact: null, request: '?', createdBy: 'test' };
      const permission = await uow.permissions.create(asked as never);
      await uow.permissions.addProof(permission, { objectKey: 'originals/ab', bytes: 1, sha256: proofSha256, contentType: 'text/plain' });
      await uow.permissions.answer(permission, { status: 'granted', answer: 'Yes', credit: null, collaborator: null, expiresAt: null });
      return permission;
    });
    await dmca.protect(item);
    const { read } = dmca.fresh.database;
    const [cover] = await read.media.ofItem(item.id, 'cover');
    expect(JSON.parse((await read.provenance.ofItem(item.id)).at(-1)?.body ?? '{}')).toMatchObject({
      version: 2,
      layout: DEFAULT_MEDIA_LAYOUT,
      changes: [{ barsRemoved: false, enlargedFrom: { width: 200, height: 250 }, toneMapped: false }],
      covers: [cover?.sha256, uploaded.sha256],
      permission: { id, proofSha256 },
    });
  });

  it('records that a file has content credentials, unverified', async () => {
    const plain = readFileSync(dmca.picture('credentials.jpg', 4));
    const store = Buffer.from('0000001c6a756d62', 'hex');
    const body = Buffer.concat([Buffer.from('JP\0\x01\0\0\0\x01', 'latin1'), store, Buffer.from('of a camera of ours')]);
    const segment = Buffer.concat([Buffer.from([0xff, 0xeb, 0, body.length + 2]), body]);
    const file = join(dmca.folder, 'credentials.jpg');
    writeFileSync(file, Buffer.concat([plain.subarray(0, 2), segment, plain.subarray(2)]));
    const item = await dmca.protect(await dmca.downloaded(file));
    const found = { issuer: null, verified: false };
    const { read } = dmca.fresh.database;
    expect((await read.rights.decisionOf(item.id))?.provenance).toMatchObject({ contentCredentials: [found] });
    const records = await read.provenance.ofItem(item.id);
    expect(JSON.parse(records.at(-1)?.body ?? '{}')).toMatchObject({ contentCredentials: [found] });
  });

  it('blocks the same picture in other bytes as a duplicate, and says of what', async () => {
    const first = await dmca.protect(await dmca.downloaded(dmca.picture('first.jpg', 2), { title: 'The first one' }));
    const copy = await dmca.protect(await dmca.downloaded(dmca.picture('copy.jpg', 2, 12)));
    expect(copy.state).toBe('blocked');
    expect(copy.processingErrors[0]?.message).toContain('The first one');
    expect(await dmca.skipped()).toMatchObject([{ reason: 'duplicate_post' }]);
    const { read } = dmca.fresh.database;
    expect(await read.media.ofItem(copy.id, 'processed')).toEqual([]);
    const frames = await read.frames.ofItem(copy.id);
    const other = { kind: 'item', id: first.id };
    expect(frames).toMatchObject(['ours', 'theirs'].map((side) => ({ other, file: 0, side, atSeconds: null, contentType: 'image/jpeg' })));
    for (const { bytes } of frames) expect(Buffer.from(bytes).subarray(0, 3).toString('hex')).toBe('ffd8ff');
    const recorded = JSON.parse((await read.provenance.ofItem(copy.id)).find(({ kind }) => kind === 'rights')?.body ?? '{}');
    expect(recorded.frames).toEqual(frames.map(({ file, side, atSeconds, sha256 }) => ({ other, file, side, atSeconds, sha256 })));
    await dmca.fresh.database.unitOfWork((uow) => uow.items.purgeContent(first.id));
    expect((await read.frames.ofItem(copy.id)).map(({ side }) => side)).toEqual(['ours']);
  });

  it('keeps the nearest frames of two videos', async () => {
    const first = await dmca.protect(await dmca.downloaded(dmca.clip('first.mp4', 4)));
    const again = dmca.make('again.mp4', '-i', dmca.clip('source.mp4', 4), '-crf', '30', '-pix_fmt', 'yuv420p', '-preset', 'ultrafast');
    const copy = await dmca.protect(await dmca.downloaded(again, { sourceId: 'again' }));
    expect([first.state, copy.state]).toEqual(['protected', 'blocked']);
    const frames = await dmca.fresh.database.read.frames.ofItem(copy.id);
    expect(frames.map(({ side, atSeconds }) => [side, typeof atSeconds])).toEqual([
      ['ours', 'number'],
      ['theirs', 'number'],
    ]);
  });

  it('blocks a claimed work and passes it once the claim is withdrawn', async () => {
    const claimed = dmca.picture('claimed.jpg', 3);
    const print = (await dmca.media.analyse(claimed, 'image', never, 'claimed')).fingerprint;
    const claim = await dmca.fresh.database.unitOfWork((uow) =>
      uow.rights.addClaim(
        { title: 'Deep Zoom', claimant: 'A Painter', contact: null, sourceUrl: null, note: null, createdBy: 'admin@example.test' },
        [{ ...print, sha256: null }],
      ),
    );
    const item = await dmca.protect(await dmca.downloaded(dmca.picture('used.jpg', 3, 9)));
    expect(item.state).toBe('blocked');
    expect(item.processingErrors[0]?.message).toContain('Deep Zoom');
    expect(await dmca.skipped()).toMatchObject([{ reason: 'dmca_failure' }]);
    await dmca.fresh.database.unitOfWork((uow) =>
      uow.claims.setStatus(claim.id, { from: 'active', to: 'withdrawn', note: null, expiresAt: null }),
    );
    expect((await dmca.protect(item)).state).toBe('protected');
  });

  it('stops for a person when a picture has too little detail to be compared', async () => {
    const flat = dmca.make('flat.jpg', '-f', 'lavfi', '-i', 'color=c=gray:s=800x1000', '-frames:v', '1');
    const item = await dmca.protect(await dmca.downloaded(flat));
    expect(item).toMatchObject({ state: 'protected', needsReview: true });
    expect((await dmca.fresh.database.read.rights.decisionOf(item.id))?.verdict).toBe('flagged');
  });

  it('records a file that cannot be brought to the profile as a processing failure', async () => {
    const refusal = {
      code: 'media_profile_missed',
      kind: 'policy',
      message: 'The encoder refused it.',
      side: 'ours',
      nextAction: 'Leave it out.',
    } as const;
    const encoder = jest.spyOn(dmca.media, 'normaliseImage').mockRejectedValue(new PipelineError(refusal));
    await dmca.protect(await dmca.downloaded(dmca.picture('refused.jpg', 5)), 'dead');
    encoder.mockRestore();
    expect(await dmca.skipped()).toMatchObject([{ reason: 'processing_failure' }]);
  });

  it('fails for a stored file that is not the one that was downloaded', async () => {
    const item = await dmca.downloaded(dmca.picture('whole.jpg', 4));
    const [original] = await dmca.fresh.database.read.media.ofItem(item.id, 'original');
    writeFileSync(join(dmca.folder, 'objects', original?.objectKey ?? ''), 'half');
    const failed = await dmca.protect(item, 'dead');
    expect(failed).toMatchObject({ state: 'failed', failedStage: 'dmca' });
    expect(await dmca.skipped()).toMatchObject([{ reason: 'dmca_failure' }]);
    expect(await dmca.fresh.database.read.media.ofItem(item.id, 'processed')).toEqual([]);
  });

  it('names the download as the stage to resume from when the stored file is damaged, missing or cut short', async () => {
    const cutFile = join(dmca.folder, 'cut.jpg');
    const whole = readFileSync(dmca.picture('source.jpg', 5));
    writeFileSync(cutFile, whole.subarray(0, Math.floor(whole.length * 0.3)));
    const cut = await dmca.protect(await dmca.downloaded(cutFile), 'dead');
    expect(cut).toMatchObject({
      state: 'failed',
      failedStage: 'dmca',
      processingErrors: [{ kind: 'corrupt_media', resumeFrom: 'download' }],
    });

    const missing = await dmca.downloaded(dmca.picture('missing.jpg', 6));
    const [original] = await dmca.fresh.database.read.media.ofItem(missing.id, 'original');
    rmSync(join(dmca.folder, 'objects', original?.objectKey ?? ''));
    const failed = await dmca.protect(missing, 'dead');
    expect(failed).toMatchObject({ failedStage: 'dmca', processingErrors: [{ resumeFrom: 'download' }] });

    const { database } = dmca.fresh;
    const [dead] = await database.sql.query<{ id: string }>('SELECT id FROM stage_jobs WHERE subject_id = $1', [cut.id]);
    const replayed = await database.unitOfWork((uow) => replayDeadJob(uow, dead?.id ?? '', { actor: 'test' }));
    expect(replayed).toMatchObject({ outcome: 'refused', reason: expect.stringContaining('download') });
  });
});
