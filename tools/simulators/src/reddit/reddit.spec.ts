import { control, reply, runSimulators, type Reply } from '../testing/running';
import type { PostSeed } from './reddit-content';
import { type FeedLimits, limitFeeds } from './reddit.system';

const AGENT = 'linux:autoposter-test:0.1.0 (by /u/autoposter_demo)';

describe('Reddit', () => {
  let running: Awaited<ReturnType<typeof runSimulators>>;
  let bearer: string;

  const token = async (body: string, headers: Record<string, string> = {}): Promise<Reply> => {
    const basic = Buffer.from('sim-reddit-client:sim-reddit-secret').toString('base64');
    const all = { authorization: `Basic ${basic}`, 'user-agent': AGENT, 'content-type': 'application/x-www-form-urlencoded', ...headers };
    return reply(await fetch(`${running.urls.REDDIT_AUTH_URL}/api/v1/access_token`, { method: 'POST', body, headers: all }));
  };
  const get = async (path: string, headers: Record<string, string> = {}): Promise<Reply> =>
    reply(
      await fetch(`${running.urls.REDDIT_API_URL}${path}`, {
        redirect: 'manual',
        headers: { authorization: `bearer ${bearer}`, 'user-agent': AGENT, ...headers },
      }),
    );

  beforeAll(async () => {
    running = await runSimulators();
  });
  beforeEach(async () => {
    await control(running, 'POST', 'reset');
    bearer = (await token('grant_type=client_credentials')).json.access_token;
  });
  afterAll(() => running.close());

  describe('tokens', () => {
    it('issues a token for one day to a valid client', async () => {
      const answer = await token('grant_type=client_credentials');
      expect(answer.json).toMatchObject({ token_type: 'bearer', expires_in: 86_400, scope: '*' });
      expect(answer.headers.get('x-ratelimit-used')).toBeNull();
    });

    it.each([
      ['wrong secret', 'grant_type=client_credentials', { authorization: 'Basic eDp5' }, 401],
      ['default agent', 'grant_type=client_credentials', { 'user-agent': 'node' }, 429],
      ['no grant', '', {}, 400],
      ['unknown grant', 'grant_type=magic', {}, 400],
    ])('rejects %s', async (_name, body, headers, status) => {
      expect((await token(body, headers)).status).toBe(status);
    });

    it('reports some rejections with status 200 and no token', async () => {
      const password = await token('grant_type=password&username=a&password=b');
      expect([password.status, password.json.error, password.json.access_token]).toEqual([200, 'unauthorized_client', undefined]);
      const device = await token('grant_type=https%3A%2F%2Foauth.reddit.com%2Fgrants%2Finstalled_client&device_id=short');
      expect([device.status, device.json.error_description]).toEqual([200, 'bad device_id']);
    });

    it('expires a token after a day', async () => {
      await control(running, 'POST', 'clock', { advanceSeconds: 86_401 });
      const answer = await get('/r/aww/top');
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toContain('invalid_token');
    });
  });

  describe('clients', () => {
    it('throttles default User-Agents and blocks browser User-Agents', async () => {
      expect((await get('/r/aww/top', { 'user-agent': 'axios/1.7' })).status).toBe(429);
      const browser = await get('/r/aww/top', { 'user-agent': 'Mozilla/5.0' });
      expect([browser.status, browser.json]).toEqual([403, undefined]);
    });

    it('reports the rate limit in the format of the real headers', async () => {
      await control(running, 'POST', 'settings', { reddit: { requestLimit: 2 } });
      const first = await get('/r/aww/top');
      expect(first.headers.get('x-ratelimit-used')).toBe('1');
      expect(first.headers.get('x-ratelimit-remaining')).toBe('1.0');
      expect(Number(first.headers.get('x-ratelimit-reset'))).toBeGreaterThan(590);
      await get('/r/aww/top');
      const refused = await get('/r/aww/top');
      expect([refused.json, refused.headers.get('x-ratelimit-reset')]).toEqual([{ message: 'Too Many Requests', error: 429 }, null]);
      await control(running, 'POST', 'clock', { advanceSeconds: 601 });
      expect((await get('/r/aww/top')).status).toBe(200);
    });
  });

  describe('listings', () => {
    it('returns every post exactly once across pages', async () => {
      const titles: string[] = [];
      let after: string | null = '';
      while (after !== null) {
        const answer: Reply = await get(`/r/EVERYKIND/top?t=all&limit=10&raw_json=1&after=${after}`);
        const { data } = answer.json;
        expect(data.dist).toBe(data.children.length);
        titles.push(...data.children.map((child: { data: { title: string } }) => child.data.title));
        after = data.after;
      }
      expect(new Set(titles).size).toBe(titles.length);
      expect(titles.length).toBeGreaterThan(30);
      expect(titles.some((title) => title.startsWith('Video removed'))).toBe(false);
    });

    it('applies t, and lists stickied posts first in hot only', async () => {
      const scores = (answer: Reply): number[] => answer.json.data.children.map((child: { data: { score: number } }) => child.data.score);
      expect(Math.max(...scores(await get('/r/aww/top?t=day&raw_json=1')))).toBe(22_760);
      expect(Math.max(...scores(await get('/r/aww/top?t=week&raw_json=1')))).toBe(31_554);
      expect((await get('/r/aww/hot?raw_json=1')).json.data.children[0].data.stickied).toBe(true);
      expect((await get('/r/aww/new?raw_json=1')).json.data.children[0].data.stickied).toBe(false);
    });

    it('does not count stickied posts against the limit and lists them once', async () => {
      const first = (await get('/r/aww/hot?raw_json=1&limit=3')).json.data;
      expect(first.children.map(({ data }: { data: { stickied: boolean } }) => data.stickied)).toEqual([true, false, false, false]);
      expect([first.dist, first.after]).toEqual([4, first.children[3].data.name]);
      const second = (await get(`/r/aww/hot?raw_json=1&limit=3&after=${first.after}`)).json.data;
      expect(second.dist).toBe(3);
    });

    it('escapes every string without raw_json', async () => {
      const find = (answer: Reply): { title: string; media: { reddit_video: { dash_url: string } } } =>
        answer.json.data.children.find((child: { data: { title: string } }) => child.data.title.startsWith('Our shop cat')).data;
      const escaped = find(await get('/r/aww/top'));
      const raw = find(await get('/r/aww/top?raw_json=1'));
      expect(raw.title).toContain('<3');
      expect(escaped.title).toContain('&lt;3');
      expect(escaped.media.reddit_video.dash_url).toBe(raw.media.reddit_video.dash_url.replaceAll('&', '&amp;'));
    });

    it.each([
      ['privateplace', 403, 'private'],
      ['quarantinedplace', 403, 'quarantined'],
      ['gatedplace', 403, 'gated'],
      ['membersplace', 403, 'gold_only'],
      ['bannedplace', 404, 'banned'],
    ])('rejects listings of %s', async (name, status, reason) => {
      const answer = await get(`/r/${name}/top`);
      expect([answer.status, answer.json.reason]).toEqual([status, reason]);
    });

    it('redirects unknown communities to the search, or answers 404, and returns an empty listing of an empty one', async () => {
      const unknown = await get('/r/nosuchplace/top');
      expect([unknown.status, unknown.headers.get('location')]).toEqual([302, expect.stringContaining('/subreddits/search?q=nosuchplace')]);
      expect((await get('/r/emptyplace/top')).json.data).toMatchObject({ dist: 0, after: null, children: [] });
      await control(running, 'POST', 'settings', { reddit: { unknownSubredditStatus: 404 } });
      expect((await get('/r/nosuchplace/top')).json).toEqual({ message: 'Not Found', error: 404 });
    });
  });

  describe('posts', () => {
    const idOf = async (key: string): Promise<string> =>
      (await control(running, 'GET', 'posts')).json.find((post: { key: string }) => post.key === key).id;

    it('returns a post with comments as two listings', async () => {
      const [post, comments] = (await get(`/comments/${await idOf('many-comments')}?raw_json=1&limit=40&depth=2`)).json;
      expect([post.data.dist, comments.data.dist]).toEqual([1, null]);
      const kinds = new Set(comments.data.children.map(({ kind }: { kind: string }) => kind));
      expect(kinds).toEqual(new Set(['t1', 'more']));
      const replies = comments.data.children
        .filter(({ kind }: { kind: string }) => kind === 't1')
        .map((c: { data: { replies: unknown } }) => c.data.replies);
      expect(replies.every((below: unknown) => below === '' || typeof below === 'object')).toBe(true);
      expect(replies).toContain('');
      const more = comments.data.children.at(-1).data;
      const rest = (
        await get(
          `/api/morechildren?api_type=json&link_id=${post.data.children[0].data.name}&children=${more.children.slice(0, 50).join(',')}`,
        )
      ).json;
      expect(rest.json.data.things.length).toBeGreaterThanOrEqual(Math.min(50, more.children.length));
    });

    it('shows items of a gallery that Reddit has not processed yet', async () => {
      const posts = [{ title: 'fresh', content: { type: 'gallery', items: [{ type: 'unprocessed' }, { type: 'unprocessed' }] } }];
      await control(running, 'POST', 'posts', { subreddit: 'fresh', posts });
      const [{ data }] = (await get('/r/fresh/new?raw_json=1')).json.data.children;
      expect(Object.values(data.media_metadata)).toEqual([{ status: 'unprocessed' }, { status: 'unprocessed' }]);
    });

    it('finds posts by fullname only', async () => {
      const id = await idOf('many-comments');
      expect((await get(`/api/info?id=${id},t3_${id},t1_${id}&raw_json=1`)).json.data.dist).toBe(1);
      expect((await get(`/comments/t3_${id}`)).status).toBe(404);
    });

    it('blocks anonymous requests to www', async () => {
      const [{ shareLink, id }] = (await control(running, 'GET', 'posts')).json;
      const anonymous: Record<string, string>[] = [{ 'user-agent': AGENT }, { 'user-agent': 'curl/8', authorization: `bearer ${bearer}` }];
      for (const path of [new URL(shareLink).pathname, `/comments/${id}`, '/r/aww/top.json']) {
        for (const headers of anonymous) {
          expect((await fetch(running.urls.REDDIT_AUTH_URL + path, { redirect: 'manual', headers })).status).toBe(403);
        }
      }
    });

    it('marks removed posts and returns them by id only', async () => {
      const { json } = await get(`/api/info?id=t3_${await idOf('removed-copyright_takedown')},t3_nothing&raw_json=1`);
      expect(json.data.dist).toBe(1);
      expect(json.data.children[0].data).toMatchObject({ removed_by_category: 'copyright_takedown', is_robot_indexable: false });
    });

    it('returns crossposts without media of their own', async () => {
      const { json } = await get(
        `/by_id/t3_${await idOf('crosspost-video')},t3_${await idOf('crosspost-gone')},t3_${await idOf('crosspost-text')}?raw_json=1`,
      );
      const [video, gone, words] = json.data.children.map(({ data }: { data: unknown }) => data);
      expect(video).toMatchObject({ is_video: false, media: null, post_hint: 'link', domain: 'v.redd.it' });
      expect(video.crosspost_parent_list[0].media.reddit_video.fallback_url).toContain('CMAF_720.mp4');
      expect(gone.crosspost_parent_list).toEqual([]);
      expect([words.domain, words.url]).toEqual(['', expect.stringMatching(/^\/r\/everykind\/comments\//)]);
    });

    it('returns gallery items in order, with a failed and an animated item', async () => {
      const { json } = await get(`/by_id/t3_${await idOf('gallery')}?raw_json=1`);
      const { gallery_data, media_metadata, is_gallery, ...post } = json.data.children[0].data;
      const items = gallery_data.items.map(({ media_id }: { media_id: string }) => media_metadata[media_id]);
      expect(is_gallery).toBe(true);
      expect(items.map(({ status }: { status: string }) => status)).toEqual(['valid', 'failed', 'valid', 'valid']);
      expect([items[0].m, items[2].e]).toEqual(['image/jpg', 'AnimatedImage']);
      expect('post_hint' in post).toBe(false);
    });

    it('removes a post through the control API', async () => {
      const added = await control(running, 'POST', 'posts', {
        subreddit: 'aww',
        posts: [{ title: 'New one', content: { type: 'text' }, score: 99_999, ageHours: 0 }],
      });
      const { id, shareLink } = added.json.posts[0];
      expect((await get('/r/aww/top?raw_json=1')).json.data.children[0].data.id).toBe(id);
      const share = await fetch(`${running.urls.REDDIT_AUTH_URL}${new URL(shareLink).pathname}`, {
        redirect: 'manual',
        headers: { 'user-agent': AGENT, authorization: `bearer ${bearer}` },
      });
      expect([share.status, share.headers.get('location')]).toEqual([301, expect.stringContaining(`/comments/${id}/`)]);
      await control(running, 'POST', `posts/${id}/remove`, { by: 'deleted' });
      expect((await get(`/api/info?id=t3_${id}`)).json.data.children[0].data).toMatchObject({ author: '[deleted]', selftext: '[deleted]' });
    });
  });

  it('applies a preset once', async () => {
    await control(running, 'POST', 'presets/reddit-429-html');
    const limited = await get('/r/aww/top');
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '4']);
    expect((await get('/r/aww/top')).status).toBe(200);
    await control(running, 'POST', 'presets/reddit-cut', { match: { times: 2 } });
    await expect(get('/r/aww/top')).rejects.toThrow();
    await expect(get('/r/aww/top')).rejects.toThrow();
    expect((await control(running, 'GET', 'faults')).json.at(-1)).toMatchObject({ preset: 'reddit-cut', applied: 2 });
  });

  it('closes the connection in the middle of a response', async () => {
    await control(running, 'POST', 'presets/reddit-cut-middle');
    await expect(get('/r/aww/top')).rejects.toThrow();
  });
});

describe('limitFeeds', () => {
  const video = (title: string, seconds: number, more: object = {}): PostSeed => ({
    title,
    content: { type: 'video', scene: 'sea', width: 720, height: 1280, seconds },
    ...more,
  });
  const image: PostSeed = { title: 'image', content: { type: 'image', scene: 'sea', width: 720, height: 1280 } };
  const limited = (posts: PostSeed[], limits: FeedLimits) => limitFeeds({ communities: [], posts: { sea: posts } }, limits).posts.sea;

  it('shortens longer videos only', () => {
    expect(limited([video('long', 8), video('short', 2), image], { longestVideo: 3 })).toEqual([
      video('long', 3),
      video('short', 2),
      image,
    ]);
  });

  it('keeps the first posts of each kind, and every post with a key', () => {
    const unpopular = video('unpopular', 2, { score: 0 });
    const chosen = video('chosen', 2, { key: 'chosen' });
    expect(limited([video('first', 2), video('second', 2), unpopular, image, chosen], { postsOfKind: 1 })).toEqual([
      video('first', 2),
      unpopular,
      image,
      chosen,
    ]);
  });
});
