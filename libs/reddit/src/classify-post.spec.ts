import { classifyPost } from './classify-post';

const base = {
  id: '1abc',
  title: 'T',
  author: 'someone',
  subreddit: 'pics',
  permalink: '/r/pics/comments/1abc/t/',
  created_utc: 1776105600,
};
const hosted = {
  fallback_url: 'https://v.redd.it/vid/CMAF_1080.mp4?source=fallback',
  dash_url: 'https://v.redd.it/vid/DASHPlaylist.mpd?a=1%2Cx&amp;v=1&amp;f=sd',
  width: 1080,
  height: 1920,
  duration: 34,
  has_audio: true,
  is_gif: false,
  transcoding_status: 'completed',
};
const video = (more: Record<string, unknown> = {}) => ({
  ...base,
  is_video: true,
  domain: 'v.redd.it',
  post_hint: 'hosted:video',
  url: 'https://v.redd.it/vid',
  secure_media: { reddit_video: { ...hosted, ...more } },
});
const read = (data: unknown) => classifyPost(data)?.post;
const file = (data: unknown) => read(data)?.media[0];

describe('odd numbers', () => {
  test('count as absent, and the post stays', () => {
    const odd = { ...base, score: 1e12, upvote_ratio: 7, created_utc: 1e18 };
    expect(read(odd)).toMatchObject({ score: 0, upvoteRatio: null, createdAt: '1970-01-01T00:00:00.000Z' });
    expect(read({ ...base, score: -5, upvote_ratio: 0 })).toMatchObject({ score: -5, upvoteRatio: 0 });
  });
});

describe('empty fields', () => {
  test('mean the same as absent ones', () => {
    const empty = { removed_by_category: '', removal_reason: '', crosspost_parent: '', crosspost_parent_list: [], subreddit: '' };
    expect(classifyPost({ ...video({ transcoding_status: '', dash_url: '' }), ...empty })).toMatchObject({
      removedBy: null,
      pending: false,
      post: { removed: false, originId: '1abc', subreddit: null, unfetchable: null, media: [{ kind: 'video' }] },
    });
    const picture = { ...base, domain: 'i.redd.it', url: 'https://i.redd.it/a.jpeg', url_overridden_by_dest: '' };
    expect(file(picture)?.url).toBe('https://i.redd.it/a.jpeg');
  });
});

test('reads a title as plain text without control and direction characters', () => {
  expect(read({ ...base, title: '\u202eevil &amp; live\u0007 ' })?.title).toBe('evil & live');
});

describe('hosted video', () => {
  test('reads file, likely sound, manifest and size, and unescapes addresses', () => {
    expect(read(video())).toMatchObject({ postType: 'video', unfetchable: null });
    expect(file(video())).toEqual({
      kind: 'video',
      url: 'https://v.redd.it/vid/CMAF_1080.mp4?source=fallback',
      audioUrl: 'https://v.redd.it/vid/CMAF_AUDIO_128.mp4',
      manifestUrl: 'https://v.redd.it/vid/DASHPlaylist.mpd?a=1%2Cx&v=1&f=sd',
      width: 1080,
      height: 1920,
      durationSeconds: 34,
      hasSound: true,
    });
  });

  test.each([
    [{ has_audio: false }, null],
    [{ is_gif: true }, null],
    [{ has_audio: undefined, fallback_url: 'https://v.redd.it/vid/DASH_720' }, 'https://v.redd.it/vid/audio'],
    [{ fallback_url: 'https://v.redd.it/vid/DASH_9_6_M' }, 'https://v.redd.it/vid/audio'],
    [{ fallback_url: 'https://v.redd.it/vid/DASH_720.mp4' }, 'https://v.redd.it/vid/DASH_AUDIO_128.mp4'],
  ])('sound of %j is %j', (more, audioUrl) => expect(file(video(more))?.audioUrl).toBe(audioUrl));

  test('uses the manifest beside the file if none is named, and treats a length of 0 as unknown', () => {
    expect(file(video({ dash_url: null, duration: 0 }))).toMatchObject({
      manifestUrl: 'https://v.redd.it/vid/DASHPlaylist.mpd',
      durationSeconds: null,
    });
  });

  test.each([
    [{ transcoding_status: 'processing' }],
    [{ transcoding_status: 'processing', fallback_url: null }],
    [{ transcoding_status: undefined, fallback_url: null, dash_url: null }],
  ])('treats a video with %j as unfinished', (more) => {
    expect(classifyPost(video(more))).toMatchObject({ pending: true, post: { postType: 'video', media: [] } });
  });

  test('treats a post of v.redd.it that has neither media nor a hint yet as unfinished', () => {
    const unfinished = { pending: true, post: { postType: 'video', media: [] } };
    const fresh = { ...base, domain: 'v.redd.it', url: 'https://v.redd.it/vid', media: null, secure_media: null };
    expect(classifyPost({ ...fresh, is_video: true })).toMatchObject(unfinished);
    expect(classifyPost({ ...fresh, is_video: false })).toMatchObject(unfinished);
  });

  test.each([
    ['the named manifest', {}, 'https://v.redd.it/vid/DASHPlaylist.mpd?a=1%2Cx&v=1&f=sd'],
    ['the manifest beside the post, if none is named', { dash_url: null }, 'https://v.redd.it/vid/DASHPlaylist.mpd'],
  ])('reads the files of a completed video without a fallback file from %s', (_what, more, manifestUrl) => {
    const completed = video({ fallback_url: null, ...more });
    expect(classifyPost(completed)).toMatchObject({ pending: false, post: { unfetchable: null } });
    expect(file(completed)).toMatchObject({ kind: 'video', url: manifestUrl, audioUrl: null, manifestUrl, hasSound: true });
  });

  test('reads the files of a transcode without a fallback file from its manifest', () => {
    const { fallback_url: _none, ...named } = hosted;
    const transcoded = { ...base, domain: 'gfycat.com', preview: { reddit_video_preview: { ...named, is_gif: true } } };
    expect(file(transcoded)).toMatchObject({ kind: 'video', url: 'https://v.redd.it/vid/DASHPlaylist.mpd?a=1%2Cx&v=1&f=sd' });
  });
});

describe('by own fields, not by the address', () => {
  test.each([
    ['a link to a hosted video', { ...base, domain: 'v.redd.it', post_hint: 'link', url: 'https://v.redd.it/vid' }, 'video', false],
    [
      'a text post whose address looks like a picture',
      { ...base, is_self: true, domain: 'self.pics', url: 'https://i.redd.it/a.jpg' },
      'text',
      false,
    ],
    [
      'a page with a picture’s name',
      { ...base, domain: 'example.com', post_hint: 'link', url: 'https://example.com/a.jpg' },
      'link',
      false,
    ],
    [
      'an embedded player',
      { ...base, domain: 'youtube.com', post_hint: 'rich:video', media: { type: 'youtube.com', oembed: { provider_name: 'YouTube' } } },
      'link',
      false,
    ],
    ['a poll', { ...base, is_self: true, domain: 'self.pics', poll_data: { options: [] } }, 'other', false],
    ['a post without fields', base, 'other', false],
    ['a picture on a simulator', { ...base, domain: 'i.redd.it', post_hint: 'image', url: 'http://127.0.0.1:4000/a.jpeg' }, 'image', true],
    ['a picture without a hint yet', { ...base, domain: 'i.redd.it', url: 'https://i.redd.it/a.jpeg' }, 'image', true],
  ])('finds the type of %s, and whether its file can be fetched', (_name, data, kind, fetchable) => {
    expect(read(data)?.postType).toBe(kind);
    expect(read(data)?.unfetchable === null).toBe(fetchable);
  });

  test('uses Reddit’s signed copy of a picture on another host', () => {
    const preview = { images: [{ source: { url: 'https://external-preview.redd.it/a.jpg?s=1&amp;x=2', width: 5, height: 6 } }] };
    const data = { ...base, domain: 'i.imgur.com', post_hint: 'image', url: 'https://i.imgur.com/a.jpg', preview };
    expect(file(data)).toMatchObject({ kind: 'image', url: 'https://external-preview.redd.it/a.jpg?s=1&x=2', width: 5, height: 6 });
  });

  test('uses the signed address of an old upload as it is', () => {
    const url = 'https://i.reddituploads.com/0a1b?fit=max&h=1536&w=1536&s=2c3d';
    const preview = { images: [{ source: { url: 'https://i.redditmedia.com/x.jpg?s=1', width: 5, height: 6 } }] };
    expect(file({ ...base, domain: 'i.reddituploads.com', post_hint: 'link', url, preview })).toMatchObject({ kind: 'image', url });
  });

  test('classifies an animated picture as a video if Reddit has a video of it', () => {
    const preview = {
      images: [
        {
          source: { url: 'x' },
          variants: { mp4: { source: { url: 'https://preview.redd.it/a.gif?format=mp4&amp;s=1', width: 1, height: 2 } } },
        },
      ],
    };
    const data = { ...base, domain: 'i.redd.it', post_hint: 'image', url: 'https://i.redd.it/a.gif', preview };
    expect(read(data)?.postType).toBe('video');
    expect(file(data)).toMatchObject({ kind: 'video', url: 'https://preview.redd.it/a.gif?format=mp4&s=1', audioUrl: null });
  });

  test('classifies a clip on another host as a video if Reddit transcoded it, and one on imgur by its name', () => {
    const data = { ...base, domain: 'i.imgur.com', post_hint: 'link', url: 'https://i.imgur.com/abc.gifv' };
    expect(file(data)).toMatchObject({ kind: 'video', url: 'https://i.imgur.com/abc.mp4' });
    const transcoded = {
      ...data,
      preview: { reddit_video_preview: { ...hosted, fallback_url: 'https://v.redd.it/p/DASH_480.mp4', is_gif: true } },
    };
    expect(file(transcoded)).toMatchObject({ kind: 'video', url: 'https://v.redd.it/p/DASH_480.mp4', audioUrl: null });
  });
});

describe('galleries', () => {
  const gallery = {
    ...base,
    is_gallery: true,
    domain: 'reddit.com',
    gallery_data: {
      items: [
        { media_id: 'c' },
        { media_id: 'a' },
        { media_id: 'bad' },
        { media_id: 'x', is_deleted: true },
        { media_id: 'g' },
        { media_id: 'v' },
      ],
    },
    media_metadata: {
      a: { status: 'valid', e: 'Image', m: 'image/png', s: { x: 1, y: 2, u: 'https://preview.redd.it/a.png?s=1' } },
      c: { status: 'valid', e: 'Image', m: 'image/jpg', s: { x: 1, y: 2, u: 'http://127.0.0.1:4000/c.jpg?s=1&amp;w=2' } },
      bad: { status: 'failed' },
      x: { status: 'valid', e: 'Image', m: 'image/jpg', s: { x: 1, y: 2, u: 'https://preview.redd.it/x.jpg' } },
      g: {
        status: 'valid',
        e: 'AnimatedImage',
        m: 'image/gif',
        s: { x: 1, y: 2, gif: 'https://i.redd.it/g.gif', mp4: 'https://preview.redd.it/g.gif?format=mp4' },
      },
      v: { status: 'valid', e: 'RedditVideo', x: 3, y: 4, dashUrl: 'https://v.redd.it/link/1/asset/v/DASHPlaylist.mpd' },
    },
  };

  test('keeps the order of the gallery and omits failed and deleted items', () => {
    expect(read(gallery)?.media.map((item) => [item.kind, item.url])).toEqual([
      ['image', 'http://127.0.0.1:4000/c.jpg?s=1&w=2'],
      ['image', 'https://i.redd.it/a.png'],
      ['video', 'https://preview.redd.it/g.gif?format=mp4'],
      ['video', 'https://v.redd.it/link/1/asset/v/DASHPlaylist.mpd'],
    ]);
  });

  test.each([null, { media_id: 7 }, { caption: 'without a file' }])('omits %j in the place of an item', (odd) => {
    const items = [{ media_id: 'c' }, odd, { media_id: 'a' }];
    expect(read({ ...gallery, gallery_data: { items } })?.media).toHaveLength(2);
  });

  test('waits for a gallery whose pictures Reddit has not processed yet, unless some are ready', () => {
    const metadata = { a: { status: 'unprocessed' }, c: { status: 'failed' } };
    const unprocessed = { ...gallery, gallery_data: { items: [{ media_id: 'a' }, { media_id: 'c' }] }, media_metadata: metadata };
    expect(read(unprocessed)).toMatchObject({
      postType: 'gallery',
      media: [],
      pending: true,
      unfetchable: expect.stringMatching(/still processing/) as string,
    });
    expect(read({ ...unprocessed, media_metadata: { ...metadata, c: gallery.media_metadata.c } })).toMatchObject({
      media: [{ kind: 'image' }],
      pending: false,
    });
  });

  test.each([[{ gallery_data: null }], [{ media_metadata: null }], [{ gallery_data: { items: [] } }]])(
    '%j is a gallery that is gone',
    (more) => {
      expect(read({ ...gallery, ...more })).toMatchObject({
        postType: 'gallery',
        media: [],
        unfetchable: expect.stringMatching(/gone/) as string,
      });
    },
  );
});

describe('crossposts', () => {
  const cross = (origin: unknown[] | null, more: Record<string, unknown> = {}) => ({
    ...base,
    id: '2xyz',
    author: 'reposter',
    domain: 'v.redd.it',
    post_hint: 'link',
    url: 'https://v.redd.it/vid',
    crosspost_parent: 't3_1abc',
    ...(origin ? { crosspost_parent_list: origin } : {}),
    ...more,
  });

  test('uses media, author and warnings of the origin', () => {
    expect(read(cross([{ ...video(), over_18: true, spoiler: true }]))).toMatchObject({
      sourceId: '2xyz',
      author: 'someone',
      nsfw: true,
      spoiler: true,
      postType: 'video',
    });
  });

  test('names the subreddit of the origin beside its own', () => {
    const post = read(cross([{ ...video(), subreddit: 'Origins' }], { subreddit: 'crossposts' }));
    expect(post).toMatchObject({ subreddit: 'crossposts', originSubreddit: 'Origins' });
    expect(read(video())).not.toHaveProperty('originSubreddit');
  });

  test('names who made it beside the author of the origin', () => {
    expect(read(cross([video()]))).toMatchObject({ author: 'someone', sharedBy: 'reposter' });
    expect(read(cross([video()], { author: '[deleted]' }))).not.toHaveProperty('sharedBy');
    expect(read(video())).not.toHaveProperty('sharedBy');
  });

  test('takes the origin beside an odd entry', () => {
    expect(read(cross([null, video()]))).toMatchObject({ author: 'someone', postType: 'video', unfetchable: null });
    expect(read(cross([video(), { title: 'no id' }]))?.author).toBe('someone');
  });

  test.each([[[]], [null]])('has nothing to fetch without an origin (%j)', (origin) => {
    expect(read(cross(origin))).toMatchObject({ media: [], unfetchable: expect.stringMatching(/gone/) as string });
    expect(read(cross(origin, { domain: 'i.redd.it', post_hint: 'image', url: 'https://i.redd.it/a.jpg' }))?.media).toEqual([]);
  });

  test('treats the crosspost of a removed origin as removed', () => {
    expect(classifyPost(cross([{ ...video(), removed_by_category: 'copyright_takedown' }]))).toMatchObject({
      removedBy: 'copyright_takedown',
      post: { removed: true, media: [] },
    });
  });
});

test('ignores a foreign address in the permalink', () => {
  expect(read({ ...base, permalink: '//evil.example/x' })?.permalink).toBe('https://www.reddit.com/comments/1abc/');
  expect(read({ ...base, permalink: 'https://evil.example/x' })?.permalink).toBe('https://www.reddit.com/comments/1abc/');
});

test('returns no author for a deleted account', () => expect(read({ ...base, author: '[deleted]' })?.author).toBeNull());
test('returns null for an invalid post', () => expect(classifyPost({ id: '../x' })).toBeNull());
