import { isAcceptedUrl, parseSourceUrl, URL_MESSAGES } from './url-kind';

describe('parseSourceUrl of Reddit', () => {
  test.each([
    'https://www.reddit.com/r/pics/comments/1abcxyz',
    'https://www.reddit.com/r/pics/comments/1abcxyz/',
    'https://www.reddit.com/r/pics/comments/1abcxyz/some_title/',
    'https://www.reddit.com/r/pics/comments/1abcxyz/some_title/kx9abcd/?context=3',
    'https://www.reddit.com/r/pics/comments/1ABCXYZ/?utm_source=share&share_id=x',
    'https://old.reddit.com/r/pics/comments/1abcxyz/t',
    'https://new.reddit.com/r/pics/comments/1abcxyz',
    'https://np.reddit.com/r/pics/comments/1abcxyz',
    'https://m.reddit.com/r/pics/comments/1abcxyz',
    'https://sh.reddit.com/r/pics/comments/1abcxyz',
    'https://amp.reddit.com/r/pics/comments/1abcxyz',
    'https://i.reddit.com/r/pics/comments/1abcxyz',
    'http://reddit.com/comments/1abcxyz',
    'reddit.com/comments/1abcxyz.json',
    'https://www.reddit.com/gallery/1abcxyz',
    'https://www.reddit.com/1abcxyz',
    'https://redd.it/1abcxyz',
    'https://www.reddit.com/user/spez/comments/1abcxyz/hi',
    'https://www.reddit.com/u/spez/comments/1abcxyz',
    'https://www.reddit.com/r/u_spez/comments/1abcxyz',
  ])('reads post 1abcxyz from %s', (line) => {
    expect(parseSourceUrl(line)).toMatchObject({
      platform: 'reddit',
      kind: 'post',
      sourceId: '1abcxyz',
      canonicalUrl: 'https://www.reddit.com/comments/1abcxyz',
    });
  });

  test.each([
    ['https://www.reddit.com/r/pics/s/AbCdEf1234', 'share', '/r/pics/s/AbCdEf1234'],
    ['https://www.reddit.com/u/spez/s/AbCdEf1234', 'share', '/u/spez/s/AbCdEf1234'],
    ['https://v.redd.it/abc123def456', 'video', '/video/abc123def456'],
    ['https://www.reddit.com/video/abc123def456', 'video', '/video/abc123def456'],
  ])('needs a request for %s: %s', (line, kind, lookupPath) =>
    expect(parseSourceUrl(line)).toMatchObject({ kind, sourceId: null, lookupPath }),
  );

  test.each([
    'https://i.redd.it/abc123def456.jpeg',
    'https://preview.redd.it/abc123def456.jpeg?width=640&crop=smart&s=x',
    'https://preview.redd.it/a-fine-title-v0-abc123def456.jpeg?s=x',
  ])('looks %s up by the address of its original', (line) =>
    expect(parseSourceUrl(line)).toMatchObject({ kind: 'image', sourceId: null, canonicalUrl: 'https://i.redd.it/abc123def456.jpeg' }),
  );

  test.each([
    ['https://www.reddit.com/r/pics', 'community', 'pics'],
    ['https://www.reddit.com/r/pics/top/?t=day', 'community', 'pics'],
    ['https://www.reddit.com/user/spez/', 'community', 'u_spez'],
    ['https://www.reddit.com/', 'unknown', null],
    ['https://www.reddit.com/settings', 'unknown', null],
    ['https://www.reddit.com/r/pics/comments/', 'unknown', null],
    ['https://www.reddit.com/comments/../../etc', 'unknown', null],
  ])('reads no post from %s but %s', (line, kind, subreddit) =>
    expect(parseSourceUrl(line)).toMatchObject({ kind, sourceId: null, subreddit }),
  );
});

describe('parseSourceUrl of Instagram', () => {
  test.each([
    ['https://www.instagram.com/p/CSr71Gzlqo4/', 'CSr71Gzlqo4', null],
    ['https://instagram.com/reel/Cx_-9abcDEF/?igsh=abc&img_index=2', 'Cx_-9abcDEF', null],
    ['https://m.instagram.com/reels/CSr71Gzlqo4', 'CSr71Gzlqo4', null],
    ['https://instagr.am/p/CSr71Gzlqo4', 'CSr71Gzlqo4', null],
    ['https://www.instagram.com/tv/CSr71Gzlqo4/', 'CSr71Gzlqo4', null],
    ['www.instagram.com/Some.One/reel/CSr71Gzlqo4/', 'CSr71Gzlqo4', 'some.one'],
    ['https://www.instagram.com/some_one/p/CSr71Gzlqo4/', 'CSr71Gzlqo4', 'some_one'],
  ])('reads from %s the post %s of %s', (line, sourceId, username) =>
    expect(parseSourceUrl(line)).toMatchObject({ platform: 'instagram', kind: 'post', sourceId, username }),
  );

  test.each([
    ['https://m.instagram.com/reels/CSr71Gzlqo4/?igsh=abc', 'https://www.instagram.com/reel/CSr71Gzlqo4/'],
    ['www.instagram.com/Some.One/reel/CSr71Gzlqo4', 'https://www.instagram.com/some.one/reel/CSr71Gzlqo4/'],
  ])('keeps everything of %s in its canonical address', (line, canonicalUrl) => {
    const address = parseSourceUrl(line);
    expect(address?.canonicalUrl).toBe(canonicalUrl);
    expect(parseSourceUrl(canonicalUrl)).toEqual(address);
  });

  test('upper and lower case of a shortcode are different posts', () => {
    expect(parseSourceUrl('https://instagram.com/p/abcdeF')?.sourceId).not.toBe(parseSourceUrl('https://instagram.com/p/abcdef')?.sourceId);
  });

  test.each([
    ['https://www.instagram.com/share/reel/BAabc123', 'share'],
    ['https://www.instagram.com/some.one/', 'community'],
    ['https://www.instagram.com/', 'unknown'],
    ['https://www.instagram.com/p/', 'unknown'],
  ])('reads %s as %s', (line, kind) => expect(parseSourceUrl(line)).toMatchObject({ kind, sourceId: null }));
});

test.each([
  'https://example.com/r/pics/comments/1abcxyz',
  'https://evil.example/?u=https://reddit.com/r/pics/comments/1abcxyz',
  'https://notreddit.com/r/pics',
  'https://reddit.com.evil.example/r/pics/comments/1abcxyz',
  'https://user:pw@reddit.com/r/pics/comments/1abcxyz',
  'https://reddit.com:8080/r/pics/comments/1abcxyz',
  'javascript:alert(1)//reddit.com/r/x',
  'ftp://reddit.com/r/pics',
  'two words reddit.com/r/x',
  '',
  `https://reddit.com/r/${'a'.repeat(3000)}`,
])('reads nothing from %s', (line) => {
  expect(parseSourceUrl(line)).toBeNull();
  expect(isAcceptedUrl(line)).toBe(false);
});

describe('isAcceptedUrl', () => {
  test.each([
    ['https://www.reddit.com/r/pics/comments/1abcxyz/', true],
    ['https://www.reddit.com/comments/1abcxyz', true],
    ['https://www.reddit.com/r/pics/s/AbCdEf1234', true],
    ['https://www.reddit.com/r/pics', true],
    ['reddit.com/r/pics/comments/1abcxyz', true],
    ['https://redd.it/1abcxyz', true],
    ['https://v.redd.it/abc123def456', true],
    ['https://i.redd.it/abc123def456.jpeg', true],
    ['https://preview.redd.it/a-fine-title-v0-abc123def456.jpg?width=640&s=x', true],
    ['https://i.redd.it/', false],
    ['https://i.redd.it/readme.txt', false],
    ['https://www.reddit.com/gallery/1abcxyz', true],
    ['https://www.reddit.com/video/abc123def456', true],
    ['https://www.reddit.com/settings', false],
    ['https://www.instagram.com/p/CSr71Gzlqo4/', true],
    ['https://www.instagram.com/name/reel/CSr71Gzlqo4/', true],
    ['https://www.instagram.com/reels/CSr71Gzlqo4/', true],
    ['https://www.instagram.com/tv/CSr71Gzlqo4/', true],
    ['https://www.instagram.com/name/', false],
    ['https://instagr.am/p/CSr71Gzlqo4', true],
  ])('answers for %s: %s', (line, accepted) => expect(isAcceptedUrl(line)).toBe(accepted));

  test('the texts are those of the screen', () => {
    expect(URL_MESSAGES.empty).toBe('Please enter at least one Reddit or Instagram URL');
    expect(URL_MESSAGES.invalid(['a', 'b'])).toBe('Invalid URLs (must be Reddit or Instagram): a, b');
  });
});
