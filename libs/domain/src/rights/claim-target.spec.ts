import { claimableTargetsOf, claimTarget, draftPermissionRequest, targetsOf, type TargetedPost } from './claim-target';

const POST: TargetedPost = {
  platform: 'reddit',
  sourceId: '1abcde',
  originId: '9zzzzz',
  permalink: 'https://www.reddit.com/r/aww/comments/1abcde/a_title/',
  author: 'Painter',
  subreddit: 'Aww',
  originSubreddit: 'Paintings',
  sharedBy: 'Sharer',
  media: [
    {
      kind: 'image',
      url: 'https://preview.redd.it/a-title-v0-abc123def.jpg?width=640&s=sig',
      audioUrl: null,
      manifestUrl: null,
      width: null,
      height: null,
      durationSeconds: null,
    },
    {
      kind: 'video',
      url: 'https://cdn.example.com/clip.mp4?token=1',
      audioUrl: null,
      manifestUrl: 'https://v.redd.it/xyz987abc/DASHPlaylist.mpd?a=1',
      width: null,
      height: null,
      durationSeconds: null,
    },
  ],
};

const names = (kind: 'url' | 'author' | 'subreddit', written: string): boolean => {
  const target = claimTarget(kind, written);
  return target !== null && targetsOf(POST).some(({ kind: other, key }) => other === target.kind && key === target.key);
};

describe('draftPermissionRequest', () => {
  it.each([
    [{ kind: 'url', key: 'reddit:1abc' } as const, 'https://redd.it/1abc', 'your post https://redd.it/1abc'],
    [{ kind: 'author', key: 'instagram:ada' } as const, '@ada', 'posts of yours (ada)'],
    [{ kind: 'subreddit', key: 'aww' } as const, 'r/aww', 'posts of r/aww'],
  ])('asks for %j', (target, written, says) => {
    const text = draftPermissionRequest('Ada', target, written);
    expect(text).toContain(`Hello Ada,\n\nwe would like to show ${says} on our Instagram account`);
    expect(text).toContain('You can revoke your permission at any time');
  });
});

describe('claimTarget', () => {
  it.each([
    ['the address of the post', 'https://old.reddit.com/r/aww/comments/1abcde/?utm_source=share'],
    ['its short address', 'https://redd.it/1abcde'],
    ['the original of a crosspost', 'https://www.reddit.com/comments/9zzzzz'],
    ['the address of a picture', 'https://i.redd.it/abc123def.jpg'],
    ['another rendition of a picture', 'https://preview.redd.it/abc123def.jpg?width=108&s=other'],
    ['the address of a video', 'https://v.redd.it/xyz987abc'],
    ['a rendition of a video', 'https://v.redd.it/xyz987abc/DASH_720.mp4'],
    ['the address of a file elsewhere without its signature', 'http://www.cdn.example.com/clip.mp4'],
    ['the address of a file elsewhere with another signature', 'https://cdn.example.com/clip.mp4?token=2&w=320'],
  ])('recognises %s', (_what, address) => expect(names('url', address)).toBe(true));

  it.each(['jpg', 'heic', 'heif', 'webm'])('names a file of the type %s without its query', (type) => {
    const signed = claimTarget('url', `https://cdn.example.com/work.${type}?token=2`);
    expect(signed).toEqual(claimTarget('url', `https://cdn.example.com/work.${type}`));
  });

  it.each(['https://redd.it/1other', 'https://cdn.example.com/other.mp4', 'https://example.com/', 'https://www.instagram.com/painter/'])(
    'does not take %s for the post',
    (address) => expect(names('url', address)).toBe(false),
  );

  it.each(['painter', 'u/Painter', '/user/painter', '/u/painter/', 'https://www.reddit.com/user/painter/'])(
    'recognises the author written as %s',
    (name) => expect(names('author', name)).toBe(true),
  );

  it('tells authors of the two platforms apart', () => {
    expect(names('author', '@painter')).toBe(false);
    expect(claimTarget('author', '@Painter')).toEqual({ kind: 'author', key: 'instagram:painter' });
    expect(claimTarget('author', 'https://www.instagram.com/painter/')).toEqual({ kind: 'author', key: 'instagram:painter' });
  });

  it.each(['aww', 'r/aww', '/r/AWW', '/r/aww/', 'r/aww/', 'r/paintings', 'https://www.reddit.com/r/Aww/'])(
    'recognises the subreddit written as %s',
    (name) => expect(names('subreddit', name)).toBe(true),
  );

  it('keeps the part of a query that names the work', () => {
    expect(claimTarget('url', 'https://www.youtube.com/watch?si=abc&v=one')).toEqual({ kind: 'url', key: 'youtube.com/watch?v=one' });
    expect(claimTarget('url', 'https://m.youtube.com/watch?v=two')?.key).toBe('youtube.com/watch?v=two');
  });

  it.each([
    ['url', 'ftp://example.com/x'],
    ['url', 'no address'],
    ['url', 'https://www.reddit.com/r/aww/'],
    ['url', 'https://www.instagram.com/painter/'],
    ['url', 'https://www.reddit.com/'],
    ['url', 'https://www.reddit.com/r/aww/s/AbCdEf123'],
    ['url', 'https://www.instagram.com/share/reel/BAbc'],
    ['author', ''],
    ['author', '/'],
    ['author', 'u/'],
    ['author', '/user/'],
    ['subreddit', '/r/'],
    ['author', 'two words'],
    ['subreddit', 'r/'],
  ] as const)('refuses %s "%s"', (kind, written) => expect(claimTarget(kind, written)).toBeNull());

  it('refuses an address of more than 2,048 characters', () =>
    expect(claimTarget('url', `https://example.com/${'/'.repeat(2_048)}x`)).toBeNull());
});

it('lets a claim, but nothing else, name who shared the post', () => {
  const sharer = claimTarget('author', 'u/sharer');
  expect(claimableTargetsOf(POST)).toEqual([...targetsOf(POST), sharer]);
  expect(targetsOf(POST)).not.toContainEqual(sharer);
});
