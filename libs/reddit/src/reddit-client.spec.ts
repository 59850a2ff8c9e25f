import { PipelineError } from '@autoposter/domain';
import { respond as json, type Handler } from '@autoposter/resilience';
import { MemoryBudget } from './memory-budget.fake';
import { RedditClient, type RedditClientOptions } from './reddit-client';
import { listingOf, RedditServerFake } from './reddit-server.fake';

let reddit: RedditServerFake;
let now: number;
beforeAll(async () => {
  reddit = await new RedditServerFake().start();
});
afterAll(() => reddit.stop());
beforeEach(() => {
  reddit.reset();
  now = Date.parse('2026-11-21T12:00:00Z');
});

const client = (more: Partial<RedditClientOptions> = {}) =>
  new RedditClient({
    authUrl: `${reddit.origin}/`,
    apiUrl: reddit.origin,
    clientId: 'id',
    clientSecret: 'secret',
    userAgent: 'linux:autoposter:1.0 (by /u/tester)',
    now: () => now,
    budget: new MemoryBudget(() => now),
    tokenBudget: new MemoryBudget(() => now),
    timeoutMs: 2000,
    ...more,
  });
const failure = async (work: Promise<unknown>) => {
  const thrown = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(thrown).toBeInstanceOf(PipelineError);
  const found = (thrown as PipelineError).failure;
  expect(JSON.stringify(found)).not.toMatch(/token\d|secret/);
  return found;
};
const image = (id: string, more: Record<string, unknown> = {}) => ({
  id,
  title: `Post ${id}`,
  author: 'someone',
  subreddit: 'pics',
  permalink: `/r/pics/comments/${id}/post/`,
  url: `https://i.redd.it/${id}.jpeg`,
  domain: 'i.redd.it',
  post_hint: 'image',
  score: 10,
  upvote_ratio: 0.97,
  created_utc: 1776105600.0,
  ...more,
});
const answer = (...posts: unknown[]) => ((_request, response) => json(response, 200, listingOf(...posts))) as Handler;
const list = () => client().listTop('pics', 'day', 25);

describe('requests', () => {
  test('requests a token, then the listing with raw_json, bearer and User-Agent', async () => {
    reddit.handler = answer(image('1a'), image('1b'));
    const one = client();
    await expect(one.listTop('r/pics', 'week', 25)).resolves.toMatchObject([{ sourceId: '1a' }, { sourceId: '1b' }]);
    await one.listTop('pics', 'week', 25);
    const [token, listing] = reddit.seen;
    expect(reddit.seen).toHaveLength(3);
    expect(token).toMatchObject({ method: 'POST', body: 'grant_type=client_credentials' });
    expect(token?.headers.authorization).toBe(`Basic ${Buffer.from('id:secret').toString('base64')}`);
    expect(listing?.path).toBe('/r/pics/top');
    expect(Object.fromEntries(listing?.query ?? [])).toMatchObject({ raw_json: '1', t: 'week', limit: '25' });
    expect(listing?.headers).toMatchObject({ authorization: 'bearer token1', 'user-agent': 'linux:autoposter:1.0 (by /u/tester)' });
  });

  test('shares one token request between concurrent calls', async () => {
    reddit.handler = answer(image('1a'));
    const one = client();
    await Promise.all([one.listTop('a_sub', 'day', 1), one.listTop('b_sub', 'day', 1), one.listTop('c_sub', 'day', 1)]);
    expect(reddit.seen.filter((seen) => seen.method === 'POST')).toHaveLength(1);
  });

  test('renews a token shortly before it expires', async () => {
    reddit.handler = answer(image('1a'));
    const one = client();
    await one.listTop('pics', 'day', 1);
    now += 86_400_000 - 61_000;
    await one.listTop('pics', 'day', 1);
    now += 2000;
    await one.listTop('pics', 'day', 1);
    expect(reddit.calls.map((seen) => seen.headers.authorization)).toEqual(['bearer token1', 'bearer token1', 'bearer token2']);
  });

  test('replaces a revoked token once', async () => {
    reddit.handler = (seen, response) =>
      seen.headers.authorization === 'bearer token1'
        ? json(response, 401, { message: 'Unauthorized', error: 401 })
        : answer(image('1a'))(seen, response);
    await expect(list()).resolves.toHaveLength(1);
    expect(reddit.calls).toHaveLength(2);
  });

  test('assigns a second 401 to the operator', async () => {
    reddit.handler = (_seen, response) => json(response, 401, { message: 'Unauthorized', error: 401 });
    expect(await failure(list())).toMatchObject({ kind: 'not_authorised', side: 'operator' });
    expect(reddit.calls).toHaveLength(2);
  });

  test.each(['', 'a', '../admin', 'has space', 'x'.repeat(30), 'top?t=all'])(
    'sends no request for the invalid subreddit name %j',
    async (name) => {
      expect((await failure(client().listTop(name, 'day', 1))).kind).toBe('invalid_input');
      expect(reddit.seen).toHaveLength(0);
    },
  );

  test('sends no request without credentials', async () => {
    expect((await failure(client({ clientId: '' }).listTop('pics', 'day', 1))).kind).toBe('not_configured');
    expect(reddit.seen).toHaveLength(0);
  });

  test('skips an unreadable post and returns the rest of the page', async () => {
    reddit.handler = answer({ title: 'no id' }, image('1b', { score: 'odd', over_18: 'odd' }));
    await expect(list()).resolves.toMatchObject([{ sourceId: '1b', score: 0, nsfw: false }]);
  });

  test.each([null, 'text', { data: {} }])('skips %j in the place of a post', async (child) => {
    reddit.handler = (_request, response) => {
      const page = listingOf(image('1b'));
      json(response, 200, { ...page, data: { ...page.data, children: [child, ...page.data.children] } });
    };
    await expect(list()).resolves.toMatchObject([{ sourceId: '1b' }]);
  });
});

describe('the token endpoint', () => {
  test.each<[string, Handler, string]>([
    ['wrong secret', (_s, r) => json(r, 401, { message: 'Unauthorized', error: 401 }), 'not_authorised'],
    ['200 with an error', (_s, r) => json(r, 200, { error: 'unauthorized_client', error_description: 'no' }), 'not_authorised'],
    ['200 with nothing', (_s, r) => json(r, 200, {}), 'transient'],
    ['malformed', (_s, r) => json(r, 400, { error: 400 }), 'not_authorised'],
    ['blocked', (_s, r) => r.writeHead(403, { 'content-type': 'text/html' }).end('<html>whoa there</html>'), 'not_authorised'],
    ['too many', (_s, r) => json(r, 429, { message: 'Too Many Requests', error: 429 }), 'rate_limited'],
    ['down', (_s, r) => r.writeHead(503).end(), 'transient'],
  ])('classifies the failure and sends no request for data: %s', async (_name, handler, kind) => {
    reddit.token = handler;
    expect((await failure(list())).kind).toBe(kind);
    expect(reddit.calls).toHaveLength(0);
  });
});

describe('refusals', () => {
  const body = (status: number, more: Record<string, unknown>) =>
    ((_s, r) => json(r, status, { message: 'x', error: status, ...more })) as Handler;
  const html = (status: number, headers: Record<string, string> = {}) =>
    ((_s, r) => r.writeHead(status, { 'content-type': 'text/html', ...headers }).end('<html>blocked</html>')) as Handler;

  test.each<[string, Handler, string, RegExp]>([
    ['private', body(403, { reason: 'private' }), 'upstream_rejected', /private/],
    ['quarantined', body(403, { reason: 'quarantined' }), 'upstream_rejected', /quarantined/],
    ['gated', body(403, { reason: 'gated' }), 'upstream_rejected', /warning/],
    ['premium', body(403, { reason: 'gold_only' }), 'upstream_rejected', /premium/],
    ['banned', body(404, { reason: 'banned' }), 'not_found', /banned/],
    ['forbidden', body(403, {}), 'upstream_rejected', /allow/],
    ['not there', body(404, {}), 'not_found', /no subreddit of this name/],
    ['unknown name', (_s, r) => r.writeHead(302, { location: '/subreddits/search?q=x' }).end(), 'not_found', /name/],
    ['login page', (_s, r) => r.writeHead(302, { location: '/login/?dest=x' }).end(), 'upstream_rejected', /refused/],
    ['edge block', html(403), 'not_authorised', /blocks/],
    ['block with a time', html(403, { 'retry-after': '4' }), 'rate_limited', /pause/],
    ['bad request', body(400, { reason: 'x', explanation: 'y' }), 'invalid_input', /understand/],
    ['too long', (_s, r) => r.writeHead(414).end('Error: URI Too Long'), 'invalid_input', /long/],
    ['legal', (_s, r) => r.writeHead(451).end(), 'rights_blocked', /legal/],
    ['teapot', html(418), 'upstream_rejected', /refused/],
    ['500', body(500, {}), 'transient', /problem/],
    ['500 empty', (_s, r) => r.writeHead(500).end(), 'transient', /problem/],
    ['502 HTML', html(502), 'transient', /problem/],
    ['520', html(520), 'transient', /problem/],
    ['200 empty', (_s, r) => r.writeHead(200).end(), 'transient', /problem/],
    ['200 HTML', html(200), 'transient', /problem/],
    ['200 with an error inside', (_s, r) => json(r, 200, { message: 'x', error: 404 }), 'not_found', /no subreddit of this name/],
    ['200 with another shape', (_s, r) => json(r, 200, { hello: 1 }), 'transient', /list/],
    ['cut connection', (s, r) => void (s.path && r.socket?.destroy()), 'transient', /reached/],
    ['cut body', (_s, r) => r.writeHead(200, { 'content-length': '99' }).write('{"ki', () => r.socket?.destroy()), 'transient', /reached/],
  ])('classifies and explains the refusal without repeating the request: %s', async (_name, handler, kind, words) => {
    reddit.handler = handler;
    const found = await failure(list());
    expect(found.kind).toBe(kind);
    expect(found.message).toMatch(words);
    expect(reddit.calls).toHaveLength(1);
  });

  test('reports a timeout as transient', async () => {
    reddit.handler = () => undefined;
    expect((await failure(client({ timeoutMs: 50 }).listTop('pics', 'day', 1))).kind).toBe('transient');
  });

  test('rejects an answer above the size limit', async () => {
    reddit.handler = answer(image('1a', { title: 'x'.repeat(5000) }));
    expect((await failure(client({ maxBytes: 1000 }).listTop('pics', 'day', 1))).kind).toBe('too_large');
  });
});

describe('rate limit', () => {
  const withHeaders = (remaining: string, reset: string) =>
    ((_s, r) =>
      json(r, 200, listingOf(image('1a')), {
        'x-ratelimit-used': '3',
        'x-ratelimit-remaining': remaining,
        'x-ratelimit-reset': reset,
      })) as Handler;

  test('uses the remaining requests of a window', async () => {
    reddit.handler = withHeaders('997.0', '15');
    const one = client();
    await one.listTop('pics', 'day', 1);
    await expect(one.listTop('pics', 'day', 1)).resolves.toHaveLength(1);
  });

  test.each(['0.0', '-3.0'])('waits for the end of a window with %s requests left without a request', async (remaining) => {
    reddit.handler = withHeaders(remaining, '120');
    const one = client();
    await one.listTop('pics', 'day', 1);
    expect(await failure(one.listTop('pics', 'day', 1))).toMatchObject({ kind: 'rate_limited', retryAfterSeconds: 120 });
    expect(reddit.calls).toHaveLength(1);
    now += 121_000;
    await expect(one.listTop('pics', 'day', 1)).resolves.toHaveLength(1);
  });

  test.each([
    [{ 'retry-after': '4' }, 4],
    [{ 'x-ratelimit-reset': '30', 'x-ratelimit-remaining': '0' }, 30],
    [{}, 60],
    [{ 'retry-after': '-5' }, 60],
    [{ 'retry-after': 'Tue, 01 Jan 2030 10:10:00 GMT', date: 'Tue, 01 Jan 2030 10:00:00 GMT' }, 600],
    [{ 'retry-after': '999999' }, 3600],
  ])('429 with %j', async (headers, retryAfterSeconds) => {
    reddit.handler = (_s, r) => json(r, 429, { message: 'Too Many Requests', error: 429 }, headers as Record<string, string>);
    const one = client();
    expect(await failure(one.listTop('pics', 'day', 1))).toMatchObject({ kind: 'rate_limited', retryAfterSeconds });
    expect((await failure(one.listTop('pics', 'day', 1))).kind).toBe('rate_limited');
    expect(reddit.calls).toHaveLength(1);
  });

  test('does not slow down other subreddits after a 429 of one', async () => {
    const rateHeaders = { 'x-ratelimit-used': '100', 'x-ratelimit-remaining': '900.0', 'x-ratelimit-reset': '540' };
    reddit.handler = (seen, r) =>
      seen.path === '/r/busy/top'
        ? json(r, 429, { message: 'Too Many Requests', error: 429 }, rateHeaders)
        : json(r, 200, listingOf(image('1a')), rateHeaders);
    const one = client();
    expect(await failure(one.listTop('busy', 'day', 1))).toMatchObject({ kind: 'rate_limited', retryAfterSeconds: 60 });
    await expect(one.listTop('pics', 'day', 1)).resolves.toHaveLength(1);
    expect((await failure(one.listTop('busy', 'day', 1))).kind).toBe('rate_limited');
    expect(reddit.calls.map((seen) => seen.path)).toEqual(['/r/busy/top', '/r/pics/top']);
  });

  test('pauses all of Reddit after 429 of three subreddits in a row', async () => {
    reddit.handler = (_s, r) => json(r, 429, { message: 'Too Many Requests', error: 429 });
    const one = client();
    for (const name of ['one', 'two', 'three']) await failure(one.listTop(name, 'day', 1));
    expect(await failure(one.listTop('four', 'day', 1))).toMatchObject({ kind: 'rate_limited', retryAfterSeconds: 60 });
    expect(reddit.calls).toHaveLength(3);
  });
});
