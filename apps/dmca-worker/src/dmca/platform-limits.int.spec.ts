import { MediaTools, type NormalisedVideo } from '@autoposter/media-tools';
import { DmcaTestHarness } from '../testing/dmca-test-harness';

/** Says of one file that it was cut, as of a long one: how a long one is cut is seen where that is done. */
class CuttingTools extends MediaTools {
  override async normaliseVideo(...call: Parameters<MediaTools['normaliseVideo']>): Promise<NormalisedVideo> {
    const made = await super.normaliseVideo(...call);
    return { ...made, trimmedFromSeconds: (made.durationSeconds ?? 0) > 3.5 ? 95.2 : null };
  }
}

const dmca = new DmcaTestHarness(new CuttingTools());

describe('what Instagram does not take as it is', () => {
  beforeAll(() => dmca.start());
  afterAll(() => dmca.stop());
  beforeEach(() => dmca.open());
  afterEach(() => dmca.close());

  it('repeats a video of less than 3 s, and the provenance says so', async () => {
    const item = await dmca.protect(await dmca.downloaded(dmca.clip('short.mp4', 1.6)));
    expect(item).toMatchObject({ state: 'protected', needsReview: false });
    const [processed] = await dmca.fresh.database.read.media.ofItem(item.id, 'processed');
    expect(processed?.durationSeconds).toBeCloseTo(3.2, 0);
    const changes = [{ videoCopied: false, loopedFromSeconds: 1.6 }];
    expect((await dmca.fresh.database.read.rights.decisionOf(item.id))?.provenance).toMatchObject({ layout: 'blur', changes });
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
