import { composeCaption } from '@autoposter/domain';
import { jpegSize, OfflineCaptions, OfflineVision } from './offline-models';

const source = { title: 'A dog learns to skate in the park', subreddit: 'aww', author: 'someone', topComments: ['ignored'] };
const options = { tone: 'engaging', length: 'medium', includeHashtags: true, targetAudience: 'general', callToAction: true };
const signal = new AbortController().signal;
const jpeg = (width: number, height: number) => {
  const frame = [0xff, 0xc0, 0, 17, 8, height >> 8, height & 255, width >> 8, width & 255, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1];
  return new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, ...frame, 0xff, 0xd9]);
};

test('describes only the data of the header and says that the frames were not analysed', async () => {
  const seen = await new OfflineVision().describe([jpeg(1080, 1920), jpeg(1080, 1920)], source, signal);
  expect(seen).toMatchObject({
    visualContent: 'Not analysed: no vision model is configured. 2 frames, portrait.',
    confidence: 0,
    contentTheme: 'r/aww',
  });
  expect(JSON.parse(seen.rawAnalysis)).toMatchObject({ model: 'offline', width: 1080, height: 1920, frames: 2 });
  await expect(new OfflineVision().describe([new Uint8Array([1, 2, 3])], source, signal)).resolves.toMatchObject({ confidence: 0 });
});

test('uses the unchanged title as caption, always the same for the same input', async () => {
  const write = () => new OfflineCaptions().write(source, null, options, signal);
  const caption = await write();
  expect(await write()).toEqual(caption);
  expect(caption).toMatchObject({ caption: source.title, hashtags: ['aww'], variations: [], hasCallToAction: false });
});

test.each([
  ['Ein Hund lernt dieser Tage Skateboard fahren', 'Ein Hund lernt dieser Tage Skateboard fahren'],
  ['犬がスケートボードを覚えました', '犬がスケートボードを覚えました'],
  ['Getting ready for winter', 'Getting ready for winter'],
  ['In loving memory of Rex, 2010-2026', 'In loving memory of Rex, 2010-2026'],
])('nothing is added to %s: no question, no word as a hashtag, no variation', async (title, caption) => {
  const written = await new OfflineCaptions().write({ ...source, title, subreddit: null }, null, { ...options, length: 'long' }, signal);
  expect(written).toMatchObject({ caption, hashtags: [], variations: [], hasCallToAction: false, hashtagCategories: {} });
});

test('adds no hashtags to a sensitive title, or when none are requested', async () => {
  const tagsOf = async (title: string, includeHashtags: boolean) =>
    (await new OfflineCaptions().write({ ...source, title }, null, { ...options, includeHashtags }, signal)).hashtags;
  expect(await tagsOf('In loving memory of Rex', true)).toEqual([]);
  expect(await tagsOf('A dog', false)).toEqual([]);
});

test.each(['', '   ', 'https://evil.example/x'])('writes a caption without a link for the title %j', async (title) => {
  expect((await new OfflineCaptions().write({ ...source, title, subreddit: null }, null, options, signal)).caption).toBe('📷');
  expect((await new OfflineCaptions().write({ ...source, title }, null, options, signal)).caption).toBe('r/aww');
});

test('removes invisible characters from a caption and keeps joined emoji', async () => {
  const title = 'A \u202Eturned\u202C title\u0007 of a 👩\u200d🚀';
  const written = await new OfflineCaptions().write({ ...source, title }, null, options, signal);
  expect(written.caption).toBe('A turned title of a 👩\u200d🚀');
  expect(composeCaption({ caption: written.caption, hashtags: [], credit: null }).violations).toEqual([]);
});

test('does nothing after an abort', async () => {
  const reason = new Error('lease lost');
  await expect(new OfflineCaptions().write(source, null, options, AbortSignal.abort(reason))).rejects.toBe(reason);
});

test.each([
  [jpeg(10, 20), { width: 10, height: 20 }],
  [new Uint8Array(), null],
  [new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0xff, 0xff, 0, 0, 0, 0, 0, 0]), null],
  [new Uint8Array([0xff, 0xd8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]), null],
  [new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 0, 0, 0, 0, 0, 0, 0, 0]), null],
])('size of a JPEG', (bytes, size) => expect(jpegSize(bytes)).toEqual(size));
