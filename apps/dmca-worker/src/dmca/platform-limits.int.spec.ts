import { MediaTools, type NormalisedVideo } from '@autoposter/media-tools';
import { DmcaTestHarness } from '../testing/dmca-test-harness';

jest.setTimeout(180_000);

/** Says of one file that it was cut, as of a long one: how a long one is cut is seen where that is done. */
class CuttingTools extends MediaTools {
  override async normaliseVideo(file: string, out: string, signal: AbortSignal): Promise<NormalisedVideo> {
    const made = await super.normaliseVideo(file, out, signal);
    return { ...made, trimmedFromSeconds: (made.durationSeconds ?? 0) > 3.5 ? 95.2 : null };
  }
}

const dmca = new DmcaTestHarness(new CuttingTools());

describe('what Instagram does not take as it is', () => {
  beforeAll(() => dmca.start(), 120_000);
  afterAll(() => dmca.stop());
  beforeEach(() => dmca.open());
  afterEach(() => dmca.close());

  it('ends here where it is a video of less than 3 s, and the skipped log says why', async () => {
    const item = await dmca.protect(await dmca.downloaded(dmca.clip('short.mp4', 2.5)), 'dead');
    expect(item).toMatchObject({ state: 'failed', failedStage: 'dmca' });
    expect(item.processingErrors[0]).toMatchObject({
      kind: 'unsupported_media',
      message: 'The video lasts 2.5 s; Instagram takes videos from 3 s on.',
    });
    expect(await dmca.skipped()).toEqual([{ reason: 'unsupported_format', additional_info: item.processingErrors[0]?.message }]);
    expect(await dmca.fresh.database.read.media.ofItem(item.id, 'processed')).toEqual([]);
    expect((await dmca.protect(await dmca.downloaded(dmca.clip('enough.mp4', 3)))).state).toBe('protected');
  });

  it('cuts a video that is longer than a reel and requires a review before the queue', async () => {
    const item = await dmca.protect(await dmca.downloaded(dmca.clip('long.mp4', 4), { autoProcessStage: 'queuePost' }));
    const note = 'The video lasts 95 s at its source; only the first 90 s are posted.';
    expect(item).toMatchObject({
      state: 'captioning',
      needsReview: true,
      reviewReasons: [{ code: 'video_trimmed', fields: { seconds: 95 } }],
    });
    expect((await dmca.fresh.database.read.rights.decisionOf(item.id))?.provenance).toMatchObject({
      trimmedFromSeconds: 95.2,
      notes: [note],
    });
  });

  it('loses the files after the tenth where it is a long gallery, and says so, once', async () => {
    const files = Array.from({ length: 12 }, (_file, index) => dmca.picture(`gallery-${index}.jpg`, 1 + index / 4));
    const item = await dmca.protect(await dmca.downloaded(files, { postType: 'gallery', nsfw: true, reviewReasons: ['Marked.'] }));
    const note = { code: 'gallery_shortened', fields: { files: 12, used: 10 } };
    expect(item).toMatchObject({ state: 'protected', needsReview: true });
    expect(item.reviewReasons).toEqual(['Marked.', note]);
    const { database } = dmca.fresh;
    expect(await database.read.media.ofItem(item.id, 'processed')).toHaveLength(10);
    expect((await database.read.rights.decisionOf(item.id))?.provenance).toMatchObject({ filesLeftOut: 2 });
    await database.sql.query(`UPDATE content_items SET state = 'downloaded' WHERE id = $1`, [item.id]);
    const again = await database.read.items.find(item.id);
    if (again === null) throw new Error('gone');
    expect((await dmca.protect(again)).reviewReasons).toEqual(['Marked.', note]);
  });
});
