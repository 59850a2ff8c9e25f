import { PipelineError } from '@autoposter/domain';
import { respond as json, type Handler } from '@autoposter/resilience';
import { MemoryBudget } from './memory-budget.fake';
import { RedditClient } from './reddit-client';
import { listingOf, RedditServerFake } from './reddit-server.fake';

let reddit: RedditServerFake;
beforeAll(async () => {
  reddit = await new RedditServerFake().start();
});
afterAll(() => reddit.stop());
beforeEach(() => reddit.reset());

const client = () =>
  new RedditClient({
    budget: new MemoryBudget(),
    tokenBudget: new MemoryBudget(),
    authUrl: reddit.origin,
    apiUrl: reddit.origin,
    clientId: 'id',
    clientSecret: 's',
    userAgent: 'test',
    timeoutMs: 2000,
  });
const failure = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: PipelineError) => error.failure,
  );

const post = (more: Record<string, unknown> = {}) => ({
  id: '1abcxyz',
  title: 'Tom &amp; Jerry',
  author: 'someone',
  subreddit: 'pics',
  permalink: '/r/pics/comments/1abcxyz/tom/',
  url: 'https://i.redd.it/a.jpeg',
  domain: 'i.redd.it',
  post_hint: 'image',
  created_utc: 1776105600.0,
  ...more,
});
const comment = (id: string, score: number, more: Record<string, unknown> = {}) => ({
  kind: 't1',
  data: { id, author: `user_${id}`, body: `Body ${id}`, score, replies: '', stickied: false, distinguished: null, ...more },
});
const comments = (...children: unknown[]) => ({ kind: 'Listing', data: { after: null, dist: null, children } });
const page = (data: unknown, ...children: unknown[]) => ((_s, r) => json(r, 200, [listingOf(data), comments(...children)])) as Handler;
const URL_OF_POST = 'https://www.reddit.com/r/pics/comments/1abcxyz/tom/';

test.each(['RemindMeBot', 'sneakpeekbot', 'wiki_bot', 'bot-sleuth-bot', 'haikusbot', 'GoodBot2', 'AutoModerator', 'pics-ModTeam'])(
  'leaves out the comment of the program u/%s',
  async (author) => {
    reddit.handler = page(post(), comment('one', 5, { author }));
    expect((await client().resolve(URL_OF_POST)).topComments).toEqual([]);
  },
);

test.each(['Talbot', 'talbot99', 'abbot', 'MrRobot', 'Cabot', 'botanist', 'Bottleneck'])(
  'keeps the comment of the person u/%s',
  async (author) => {
    reddit.handler = page(post(), comment('one', 5, { author }));
    expect((await client().resolve(URL_OF_POST)).topComments).toHaveLength(1);
  },
);

test.each([
  ['https://i.redd.it/abc123def456.jpeg', ['/api/info', '/comments/1abcxyz']],
  ['https://v.redd.it/abc123def456', ['/video/abc123def456', '/api/info', '/comments/1abcxyz']],
])('%s leads to the oldest post that links it', async (url, asked) => {
  const answers = page(post());
  const linked = listingOf(
    post({ id: '1cross', crosspost_parent: 't3_1abcxyz', created_utc: 1776100000 }),
    post({ id: '1repost', created_utc: 1776109999 }),
    post(),
  );
  reddit.handler = (seen, response) => {
    if (seen.path.startsWith('/video/')) return void response.writeHead(403).end('<html>blocked</html>');
    return seen.path === '/api/info' ? json(response, 200, linked) : answers(seen, response);
  };
  expect((await client().resolve(url)).post.sourceId).toBe('1abcxyz');
  expect(reddit.calls.map((seen) => seen.path)).toEqual(asked);
  expect(reddit.calls.find((seen) => seen.path === '/api/info')?.query.get('url')).toBe(url);
});

test('reads a post with its comments, best first, without those of bots, stickied and deleted ones', async () => {
  const nested = comments(comment('r1', 1, { replies: comments(comment('r2', 1)) }), {
    kind: 'more',
    data: { count: 5, id: 'm', children: ['x'] },
  });
  reddit.handler = page(
    post(),
    comment('auto', 999, { author: 'AutoModerator', stickied: true }),
    comment('bot', 998, { author: 'RemindMeBot' }),
    comment('mods', 997, { author: 'pics-ModTeam' }),
    comment('mod', 996, { distinguished: 'moderator' }),
    comment('gone', 995, { author: '[deleted]', body: '[removed]' }),
    comment('low', -3),
    comment('high', 50, { body: 'I &lt;3 this', replies: nested }),
    { kind: 'more', data: { count: 10, id: 'more', children: [] } },
  );
  const found = await client().resolve(URL_OF_POST);
  expect(reddit.calls[0]).toMatchObject({ path: '/comments/1abcxyz' });
  expect(found.post).toMatchObject({
    sourceId: '1abcxyz',
    title: 'Tom & Jerry',
    permalink: URL_OF_POST,
    postType: 'image',
    unfetchable: null,
  });
  expect(found.topComments).toEqual([
    {
      id: 'high',
      author: 'user_high',
      score: 50,
      body: 'I <3 this',
      replies: 7,
      replyList: [{ id: 'r1', author: 'user_r1', score: 1, body: 'Body r1' }],
    },
    { id: 'low', author: 'user_low', score: -3, body: 'Body low', replies: 0, replyList: [] },
  ]);
});

test('keeps at most 20 comments', async () => {
  reddit.handler = page(post(), ...Array.from({ length: 40 }, (_, index) => comment(`c${index}`, index)));
  const { topComments } = await client().resolve(URL_OF_POST);
  expect(topComments.map((entry) => entry.score)).toEqual(Array.from({ length: 20 }, (_, index) => 39 - index));
});

test.each([
  [{ removed_by_category: 'moderator' }, 'not_found', /moderator/],
  [{ removed_by_category: 'deleted', author: '[deleted]' }, 'not_found', /author deleted/],
  [{ removed_by_category: 'copyright_takedown' }, 'rights_blocked', /copyright/],
  [{ removed_by_category: 'brand_new_reason' }, 'not_found', /brand_new_reason/],
  [{ removal_reason: 'legal' }, 'rights_blocked', /legal/],
  [{ removed_by_category: null, selftext: '[removed]' }, 'not_found', /removed/],
  [{ removed_by_category: null, selftext: '[deleted]', author: '[deleted]' }, 'not_found', /author deleted/],
  [{ is_video: true, domain: 'v.redd.it', post_hint: 'hosted:video', media: null }, 'transient', /processing/],
])('%j is refused as %s', async (more, kind, words) => {
  reddit.handler = page(post(more));
  const found = await failure(client().resolve(URL_OF_POST));
  expect(found?.kind).toBe(kind);
  expect(found?.message).toMatch(words);
});

test('distinguishes an unfinished video from other failures', async () => {
  reddit.handler = page(post({ is_video: true, domain: 'v.redd.it', post_hint: 'hosted:video', media: null }));
  expect((await failure(client().resolve(URL_OF_POST)))?.detail).toMatchObject({ pending: true });
  reddit.handler = (_s, r) => r.writeHead(503).end();
  expect((await failure(client().resolve(URL_OF_POST)))?.detail).not.toHaveProperty('pending');
});

test('returns a text post with the reason why it has nothing to fetch', async () => {
  reddit.handler = page(post({ is_self: true, domain: 'self.pics', post_hint: 'self' }));
  await expect(client().resolve(URL_OF_POST)).resolves.toMatchObject({
    post: { postType: 'text', media: [], unfetchable: 'A text post has no media.' },
  });
});

test('reports an unknown id as not found', async () => {
  reddit.handler = (_s, r) => json(r, 200, [listingOf(), comments()]);
  expect((await failure(client().resolve(URL_OF_POST)))?.kind).toBe('not_found');
});

describe('share links', () => {
  const SHARE = 'https://www.reddit.com/r/pics/s/AbCdEf1234';
  const redirect = (location: string, status = 301) =>
    ((seen, response) =>
      seen.path.includes('/s/') ? response.writeHead(status, { location }).end() : page(post())(seen, response)) as Handler;

  test.each([
    'https://www.reddit.com/r/pics/comments/1abcxyz/tom/?share_id=x&utm_source=share',
    '/r/pics/comments/1abcxyz/tom/kx9abcd/?context=3',
  ])('Location %s is read, not followed', async (location) => {
    reddit.handler = redirect(location);
    await expect(client().resolve(SHARE)).resolves.toMatchObject({ post: { sourceId: '1abcxyz' } });
    expect(reddit.calls.map((seen) => seen.path)).toEqual(['/r/pics/s/AbCdEf1234', '/comments/1abcxyz']);
    expect(reddit.calls[0]?.headers).toMatchObject({ authorization: 'bearer token1', 'user-agent': 'test' });
  });

  test.each([
    [SHARE, 301, 'not_found'],
    ['https://evil.example/r/pics/comments/1abcxyz', 301, 'not_found'],
    ['/', 404, 'not_found'],
    ['/', 403, 'upstream_rejected'],
    ['/', 503, 'transient'],
    ['/', 429, 'rate_limited'],
  ])('Location %s with %s is %s', async (location, status, kind) => {
    reddit.handler = redirect(location, status);
    expect((await failure(client().resolve(SHARE)))?.kind).toBe(kind);
    expect(reddit.calls).toHaveLength(1);
  });

  test('replaces a rejected token once', async () => {
    const found = redirect('/r/pics/comments/1abcxyz/tom/');
    reddit.handler = (seen, response) =>
      seen.headers.authorization === 'bearer token1' ? json(response, 401, { message: 'Unauthorized', error: 401 }) : found(seen, response);
    await expect(client().resolve(SHARE)).resolves.toMatchObject({ post: { sourceId: '1abcxyz' } });
    expect(reddit.calls.map((seen) => seen.path)).toEqual(['/r/pics/s/AbCdEf1234', '/r/pics/s/AbCdEf1234', '/comments/1abcxyz']);
  });

  test('resolves a video address in the same way', async () => {
    reddit.handler = (seen, response) =>
      seen.path === '/video/abc123def456' ? response.writeHead(302, { location: URL_OF_POST }).end() : page(post())(seen, response);
    await expect(client().resolve('https://v.redd.it/abc123def456')).resolves.toMatchObject({ post: { sourceId: '1abcxyz' } });
  });
});

test.each(['https://www.reddit.com/r/pics', 'https://www.instagram.com/p/CSr71Gzlqo4/', 'hello'])(
  'sends no request for %s',
  async (url) => {
    expect((await failure(client().resolve(url)))?.kind).toBe('invalid_input');
    expect(reddit.seen).toHaveLength(0);
  },
);

test('retries an answer that shows another post than the requested one', async () => {
  reddit.handler = page(post({ id: 'other1' }));
  expect(await failure(client().resolve(URL_OF_POST))).toMatchObject({ code: 'reddit_answer_other_post', kind: 'transient' });
});

test('distinguishes removed and missing posts from live ones', async () => {
  reddit.handler = (_s, r) => json(r, 200, listingOf(post({ id: 'live1' }), post({ id: 'dead1', removed_by_category: 'deleted' })));
  await expect(client().removedAmong(['live1', 'dead1', 'gone1'])).resolves.toEqual(new Set(['dead1', 'gone1']));
  expect(reddit.calls[0]?.query.get('id')).toBe('t3_live1,t3_dead1,t3_gone1');
  await expect(client().removedAmong([])).resolves.toEqual(new Set());
  expect((await failure(client().removedAmong(Array.from({ length: 101 }, (_, index) => `a${index}`))))?.kind).toBe('invalid_input');
});
