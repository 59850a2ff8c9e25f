import { createHash, createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { CREDENTIALS } from '../credentials';
import { MediaGenerator, type VideoRecipe } from '../media/media-generator';
import { startSimulators } from '../simulators';
import { control, reply, type Reply, runSimulators } from '../testing/running';

const ACCOUNT = CREDENTIALS.instagramAccountId;
const SCOPED = '25000000000000042';
const APP_TOKEN = `${CREDENTIALS.instagramAppId}|${CREDENTIALS.instagramAppSecret}`;
const NOWHERE = 'business_discovery.username(harbour.lights){media.after(eHl6){id}}';
const LIMIT = `/${ACCOUNT}/content_publishing_limit`;
const clipSeed = (key: string, more: object = {}) => ({
  key,
  title: key,
  content: { type: 'video', scene: 'sea', width: 240, height: 426, seconds: 4, fps: 24, ...more },
});
const imageSeed = (key: string, width: number, height: number, format = 'jpeg') => ({
  key,
  title: key,
  content: { type: 'image', scene: 'hills', width, height, format },
});

describe('Instagram', () => {
  let running: Awaited<ReturnType<typeof runSimulators>>;
  const media: Record<string, string> = {};

  const graph = async (
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    fields: Record<string, string> = {},
    token: string = CREDENTIALS.facebookToken,
  ): Promise<Reply> => {
    const url = new URL(`${running.urls.INSTAGRAM_GRAPH_URL}/v26.0${path}`);
    const body = new URLSearchParams({ ...fields, access_token: token });
    if (method === 'POST') return reply(await fetch(url, { method, body }));
    body.forEach((value, name) => url.searchParams.set(name, value));
    return reply(await fetch(url, { method }));
  };
  const create = (fields: Record<string, string>): Promise<Reply> => graph('POST', `/${ACCOUNT}/media`, fields);
  const reel = (fields: Record<string, string> = {}): Promise<Reply> =>
    create({ media_type: 'REELS', video_url: media.clip ?? '', caption: 'A caption #one', ...fields });
  const publish = (id: string): Promise<Reply> => graph('POST', `/${ACCOUNT}/media_publish`, { creation_id: id });
  const status = async (id: string): Promise<{ status_code: string; status: string }> =>
    (await graph('GET', `/${id}`, { fields: 'status_code,status' })).json;
  const settled = async (id: string): Promise<{ status_code: string; status: string }> => {
    for (;;) {
      const seen = await status(id);
      if (seen.status_code !== 'IN_PROGRESS') return seen;
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
  };
  const ledger = async (): Promise<Reply['json']> => (await control(running, 'GET', 'ledger')).json;
  const codes = ({ status: http, json }: Reply): unknown[] => [http, json.error?.code, json.error?.error_subcode];

  beforeAll(async () => {
    running = await runSimulators();
    const posts = [
      clipSeed('clip'),
      clipSeed('slow-frames', { fps: 12 }),
      clipSeed('garbage', { damage: 'garbage' }),
      imageSeed('tall', 600, 900),
      imageSeed('fine', 800, 1000),
      imageSeed('png', 400, 400, 'png'),
    ];
    const added = await control(running, 'POST', 'posts', { subreddit: 'files', posts });
    const bearer = await reply(
      await fetch(`${running.urls.REDDIT_AUTH_URL}/api/v1/access_token`, {
        method: 'POST',
        body: new URLSearchParams({ grant_type: 'client_credentials' }),
        headers: {
          'user-agent': 'test:spec:1',
          authorization: `Basic ${Buffer.from('sim-reddit-client:sim-reddit-secret').toString('base64')}`,
        },
      }),
    );
    const ids = added.json.posts.map(({ id }: { id: string }) => `t3_${id}`).join(',');
    const list = await fetch(`${running.urls.REDDIT_API_URL}/api/info?raw_json=1&id=${ids}`, {
      headers: { 'user-agent': 'test:spec:1', authorization: `bearer ${bearer.json.access_token}` },
    });
    for (const { data } of (await reply(list)).json.data.children) media[data.title] = data.media?.reddit_video.fallback_url ?? data.url;
    media.raw = media.clip ?? '';
    media.clip = `${running.urls.MEDIA_ORIGIN}/scontent/DPotters001.mp4`;
    await fetch(media.clip).then((file) => file.arrayBuffer());
  });
  beforeEach(async () => {
    await control(running, 'POST', 'reset');
    await control(running, 'POST', 'settings', { instagram: { videoProcessingMs: 100, imageProcessingMs: 50 } });
  });
  afterAll(() => running.close());

  it('publishes a reel from container to ledger exactly once', async () => {
    const { id } = (await reel()).json;
    expect(id).toMatch(/^\d{17}$/);
    expect(codes(await publish(id))).toEqual([400, 9007, 2207027]);
    expect((await settled(id)).status).toBe('Finished: Media has been uploaded and it is ready to be published.');
    const published = await publish(id);
    expect(codes(await publish(id))).toEqual([400, 9007, 2207027]);
    expect((await status(id)).status_code).toBe('PUBLISHED');
    const seen = await graph('GET', `/${published.json.id}`, {
      fields: 'id,permalink,media_type,media_product_type,timestamp,caption,media_url',
    });
    expect(seen.json).toMatchObject({
      media_type: 'VIDEO',
      media_product_type: 'REELS',
      caption: 'A caption #one',
      timestamp: expect.stringMatching(/\+0000$/),
    });
    const file = Buffer.from(await (await fetch(seen.json.media_url)).arrayBuffer());
    const { published: rows, publishCalls, containersMade } = await ledger();
    expect([publishCalls, containersMade, rows.length]).toEqual([3, 1, 1]);
    expect(rows[0]).toMatchObject({
      mediaId: published.json.id,
      containerId: id,
      caption: 'A caption #one',
      sha256: createHash('sha256').update(file).digest('hex'),
      bytes: file.length,
    });
  });

  it('removes a published post for tokens of Facebook Login only', async () => {
    const { id } = (await reel()).json;
    await settled(id);
    const mediaId = (await publish(id)).json.id as string;
    expect(codes(await graph('DELETE', `/${mediaId}`, {}, CREDENTIALS.instagramToken))).toEqual([400, 100, 33]);
    expect((await graph('DELETE', `/${mediaId}`)).json).toEqual({ success: true });
    expect(codes(await graph('GET', `/${mediaId}`))).toEqual([400, 100, 33]);
    expect(codes(await graph('DELETE', `/${mediaId}`))).toEqual([400, 100, 33]);
    expect((await ledger()).published.map((row: { mediaId: string }) => row.mediaId)).not.toContain(mediaId);
  });

  it('publishes when the response is lost', async () => {
    const { id } = (await reel()).json;
    await settled(id);
    await control(running, 'POST', 'presets/instagram-publish-lost');
    await expect(publish(id)).rejects.toThrow();
    expect((await status(id)).status_code).toBe('PUBLISHED');
    expect((await graph('GET', `/${ACCOUNT}/media`, { fields: 'id,caption' })).json.data).toEqual([
      { id: expect.any(String), caption: 'A caption #one' },
    ]);
    expect((await ledger()).published).toHaveLength(1);
  });

  it('publishes nothing when the connection closes before the effect', async () => {
    const { id } = (await reel()).json;
    await settled(id);
    await control(running, 'POST', 'presets/instagram-publish-cut');
    await expect(publish(id)).rejects.toThrow();
    expect([(await status(id)).status_code, (await ledger()).published]).toEqual(['FINISHED', []]);
  });

  it.each<[string, () => string | undefined, string, Record<string, string>?]>([
    ['a wrong frame rate', () => media['slow-frames'], '2207026'],
    ['edit lists', () => media.raw, '2207026'],
    ['no video', () => media.garbage, '2207026'],
    ['a missing file', () => `${running.urls.MEDIA_ORIGIN}/scontent/none.mp4`, '2207077'],
    ['a host outside', () => 'https://example.com/clip.mp4', '2207077'],
    ['a cover behind the end', () => media.clip, '2207057', { thumb_offset: '5100' }],
    ['a cover at no time', () => media.clip, '2207057', { thumb_offset: 'soon' }],
  ])('ends in ERROR with the subcode in the status text: %s', async (_name, address, code, more = {}) => {
    const { id } = (await reel({ video_url: address() ?? '', ...more })).json;
    expect(await settled(id)).toMatchObject({ status_code: 'ERROR', status: `Error: Media upload has failed with error code ${code}` });
  });

  it.each<[string, Record<string, string>, unknown[]]>([
    ['caption of 2,201 characters', { caption: 'é'.repeat(2_201) }, [400, 36004, 2207010]],
    ['6 hashtags', { caption: '#a #b #c #d #e #f' }, [400, 36004, 2207010]],
    ['21 mentions', { caption: '@someone '.repeat(21) }, [400, 100, 2207040]],
    ['plain video', { media_type: 'VIDEO' }, [400, 100, 2207023]],
    ['odd type', { media_type: 'GIF' }, [400, 100, 2207023]],
    ['a type where none belongs', { media_type: 'IMAGE' }, [400, 100, 2207023]],
    ['one child', { media_type: 'CAROUSEL', children: '1' }, [400, 100, 2207028]],
    ['unknown child', { media_type: 'CAROUSEL', children: '1,2' }, [400, 24, 2207008]],
    ['no address', { video_url: '' }, [400, 100, undefined]],
  ])('rejects a container: %s', async (_name, fields, expected) => {
    expect(codes(await reel(fields))).toEqual(expected);
  });

  it('checks images before the response', async () => {
    expect(codes(await create({ image_url: media.tall ?? '' }))).toEqual([400, 36003, 2207009]);
    expect(codes(await create({ image_url: media.png ?? '' }))).toEqual([400, 36001, 2207005]);
    expect(codes(await reel({ cover_url: media.png ?? '' }))).toEqual([400, 36001, 2207005]);
    expect(codes(await reel({ cover_url: `${running.urls.MEDIA_ORIGIN}/none.jpg` }))).toEqual([400, 9004, 2207052]);
    expect(codes(await reel({ cover_url: media.tall ?? '' }))).toEqual([200, undefined, undefined]);
    expect(codes(await create({ image_url: `${running.urls.MEDIA_ORIGIN}/i.redd.it/none.jpeg` }))).toEqual([400, 9004, 2207052]);
    await control(running, 'POST', 'settings', { instagram: { language: 'es' } });
    expect((await create({ image_url: 'http://127.0.0.1:1/x.jpg' })).json.error.error_user_msg).toContain('No se ha podido recuperar');
  });

  it('publishes a carousel of finished items as one post', async () => {
    await control(running, 'POST', 'settings', { instagram: { imageProcessingMs: 600_000 } });
    const child = async (): Promise<string> => (await create({ image_url: media.fine ?? '', is_carousel_item: 'true' })).json.id;
    const children = [await child(), await child()];
    expect(codes(await create({ media_type: 'CAROUSEL', children: JSON.stringify(children) }))).toEqual([400, 9007, 2207027]);
    await control(running, 'POST', 'clock', { advanceSeconds: 600 });
    await Promise.all(children.map(settled));
    await control(running, 'POST', 'settings', { instagram: { imageProcessingMs: 0 } });
    const { id } = (await create({ media_type: 'CAROUSEL', children: children.join(','), caption: 'Both' })).json;
    await settled(id);
    const published = await publish(id);
    const seen = await graph('GET', `/${published.json.id}`, { fields: 'media_type,children{media_type}' });
    expect(seen.json).toMatchObject({
      media_type: 'CAROUSEL_ALBUM',
      children: { data: [{ media_type: 'IMAGE' }, { media_type: 'IMAGE' }] },
    });
    expect((await graph('GET', `/${ACCOUNT}/content_publishing_limit`, { fields: 'quota_usage,config' })).json.data[0]).toEqual({
      quota_usage: 1,
      config: { quota_total: 50, quota_duration: 86_400 },
    });
    await control(running, 'POST', 'presets/instagram-limit-without-total');
    expect((await graph('GET', `/${ACCOUNT}/content_publishing_limit`, { fields: 'quota_usage,config' })).json.data).toEqual([
      { quota_usage: 2 },
    ]);
  });

  it('enforces quotas and expires containers after a day', async () => {
    await control(running, 'POST', 'settings', { instagram: { publishQuota: 1, containersPerDay: 3 } });
    const ids = [(await reel()).json.id, (await reel()).json.id, (await reel()).json.id];
    expect(codes(await reel())).toEqual([403, 9, 2207042]);
    await Promise.all(ids.map(settled));
    expect((await publish(ids[0])).status).toBe(200);
    expect(codes(await publish(ids[1]))).toEqual([403, 9, 2207042]);
    await control(running, 'POST', 'clock', { advanceSeconds: 86_400 });
    expect((await status(ids[1])).status_code).toBe('EXPIRED');
    expect(codes(await publish(ids[1]))).toEqual([400, 24, 2207008]);
    expect(codes(await publish('17000000000000000'))).toEqual([400, 24, 2207008]);
  });

  it('reports usage in percent and rejects requests above 100 %', async () => {
    await control(running, 'POST', 'settings', { instagram: { callsPerDay: 2 } });
    const first = await graph('GET', '/me', {});
    expect(JSON.parse(first.headers.get('x-app-usage') ?? '')).toEqual({ call_count: 50, total_cputime: 0, total_time: 50 });
    await graph('GET', '/me', {});
    expect(codes(await graph('GET', '/me', {}))).toEqual([400, 80002, undefined]);
  });

  it('expires and refreshes tokens by the rules of each login product', async () => {
    expect(codes(await graph('GET', '/me', {}, 'EAAnonsense'))).toEqual([401, 190, undefined]);
    expect((await graph('GET', '/me/accounts', { fields: 'instagram_business_account' })).json.data[0].instagram_business_account.id).toBe(
      ACCOUNT,
    );
    expect((await graph('GET', '/me', { fields: 'user_id,username' }, CREDENTIALS.instagramToken)).json).toMatchObject({
      user_id: ACCOUNT,
      username: 'autoposter.demo',
    });
    const renewed = await graph('GET', '/refresh_access_token', { grant_type: 'ig_refresh_token' }, CREDENTIALS.instagramToken);
    expect(renewed.json.token_type).toBe('bearer');
    expect(renewed.json.expires_in).toBeGreaterThan(59 * 86_400);
    expect(codes(await graph('GET', '/refresh_access_token', { grant_type: 'ig_refresh_token' }, renewed.json.access_token))).toEqual([
      400,
      190,
      undefined,
    ]);
    await control(running, 'POST', 'clock', { advanceSeconds: 61 * 86_400 });
    const expired = await graph('GET', '/me', {});
    expect(codes(expired)).toEqual([401, 190, 463]);
    expect(expired.headers.get('www-authenticate')).toMatch(/^OAuth "Facebook Platform" "invalid_token"/);
    expect(expired.json.error.message).toMatch(/Session has expired on \w+, \d\d-\w{3}-\d\d \d\d:\d\d:\d\d P[SD]T\./);
  });

  it('reports copyright matches to Facebook Login only and omits the media URL', async () => {
    await control(running, 'POST', 'presets/instagram-copyright-match');
    const { id } = (await reel()).json;
    await settled(id);
    const fields = { fields: 'status_code,copyright_check_status' };
    expect((await graph('GET', `/${id}`, fields)).json.copyright_check_status).toEqual({ status: 'completed', matches_found: true });
    expect(codes(await graph('GET', `/${id}`, fields, CREDENTIALS.instagramToken))).toEqual([400, 100, undefined]);
    const published = await publish(id);
    expect((await graph('GET', `/${published.json.id}`, { fields: 'media_url' })).json).toEqual({ id: published.json.id });
  });

  it('accepts an uploaded video, also after an interruption', async () => {
    const bytes = new Uint8Array(await (await fetch(media.clip ?? '')).arrayBuffer());
    const made = (await create({ media_type: 'REELS', upload_type: 'resumable', caption: 'Uploaded' })).json;
    expect(made.uri).toBe(`${running.urls.INSTAGRAM_UPLOAD_URL}/ig-api-upload/v26.0/${made.id}`);
    const send = async (offset: number, authorization = `OAuth ${CREDENTIALS.facebookToken}`): Promise<Reply> =>
      reply(
        await fetch(made.uri, {
          method: 'POST',
          body: bytes.subarray(offset),
          headers: { authorization, offset: String(offset), file_size: String(bytes.length) },
        }),
      );
    expect(JSON.parse((await send(0, 'OAuth x')).json.debug_info.message)).toEqual({
      success: false,
      error: { message: 'unauthorized user request' },
    });
    await control(running, 'POST', 'presets/instagram-upload-half');
    expect((await send(0)).json.debug_info.retriable).toBe(true);
    const { offset } = (await reply(await fetch(made.uri, { headers: { authorization: `OAuth ${CREDENTIALS.facebookToken}` } }))).json;
    expect(offset).toBe(Math.floor(bytes.length / 2));
    expect((await send(offset)).json.success).toBe(true);
    expect((await settled(made.id)).status_code).toBe('FINISHED');
  });

  it('rejects requests without the required permission', async () => {
    const { id } = (await reel()).json;
    await settled(id);
    const withhold = (...withheldScopes: string[]): Promise<Reply> =>
      control(running, 'POST', 'settings', { instagram: { withheldScopes } });
    await withhold('instagram_content_publish');
    expect(codes(await reel())).toEqual([403, 10, undefined]);
    expect(codes(await publish(id))).toEqual([403, 10, undefined]);
    expect(codes(await graph('GET', `/${ACCOUNT}/content_publishing_limit`))).toEqual([403, 10, undefined]);
    expect((await status(id)).status_code).toBe('FINISHED');
    await withhold('instagram_manage_insights');
    const mediaId = (await publish(id)).json.id;
    expect(codes(await graph('GET', `/${mediaId}/insights`, { metric: 'views' }))).toEqual([403, 10, undefined]);
    await withhold('instagram_manage_comments');
    expect(codes(await graph('POST', `/${mediaId}/comments`, { message: 'First' }))).toEqual([403, 10, undefined]);
    await withhold('instagram_manage_contents');
    expect(codes(await graph('DELETE', `/${mediaId}`))).toEqual([403, 10, undefined]);
    await withhold('instagram_basic');
    expect(codes(await graph('GET', '/me'))).toEqual([403, 10, undefined]);
    const inspected = await graph('GET', '/debug_token', { input_token: CREDENTIALS.facebookToken }, APP_TOKEN);
    expect(inspected.json.data.scopes).not.toContain('instagram_basic');
    await withhold('instagram_content_publish');
    expect((await graph('GET', '/me', {}, CREDENTIALS.instagramToken)).status).toBe(200);
  });

  it.each<[string, 'GET' | 'POST', string, Record<string, string>, string, unknown[]]>([
    ['a wrong proof of the secret', 'GET', '/me', { appsecret_proof: 'f'.repeat(64) }, CREDENTIALS.facebookToken, [400, 100, undefined]],
    ['looks into tokens by a user', 'GET', '/debug_token', { input_token: 'x' }, CREDENTIALS.facebookToken, [401, 190, undefined]],
    ['a number older than a day', 'GET', LIMIT, { since: '1700000000' }, CREDENTIALS.facebookToken, [400, 100, undefined]],
    ['a field that is not there', 'GET', LIMIT, { fields: 'quota_left' }, CREDENTIALS.facebookToken, [400, 100, undefined]],
    ['a cursor of nowhere', 'GET', `/${ACCOUNT}/media`, { after: 'xyz' }, CREDENTIALS.facebookToken, [400, 100, undefined]],
    ['a cursor of nowhere', 'GET', `/${ACCOUNT}`, { fields: NOWHERE }, CREDENTIALS.facebookToken, [400, 100, undefined]],
    ['posts to the app-scoped id', 'POST', `/${SCOPED}/media`, {}, CREDENTIALS.instagramToken, [400, 100, 33]],
    ['pages of Instagram Login', 'GET', '/me/accounts', {}, CREDENTIALS.instagramToken, [400, 2500, undefined]],
  ])('rejects %s', async (_name, method, path, fields, token, expected) => {
    expect(codes(await graph(method, path, fields, token))).toEqual(expected);
  });

  it('accepts a valid appsecret_proof', async () => {
    const appsecret_proof = createHmac('sha256', CREDENTIALS.instagramAppSecret).update(CREDENTIALS.facebookToken).digest('hex');
    expect((await graph('GET', '/me', { appsecret_proof })).status).toBe(200);
  });

  it('exchanges a code once and short tokens only within the same login product', async () => {
    const secrets = { client_id: CREDENTIALS.instagramAppId, client_secret: CREDENTIALS.instagramAppSecret };
    const exchange = { ...secrets, grant_type: 'authorization_code', redirect_uri: 'http://127.0.0.1/back', code: 'sim-1' };
    expect(codes(await graph('POST', '/oauth/access_token', { ...exchange, code: 'sim-1#_' }))).toEqual([400, 100, undefined]);
    const short = (await graph('POST', '/oauth/access_token', exchange)).json.access_token;
    expect(codes(await graph('POST', '/oauth/access_token', exchange))).toEqual([400, 100, undefined]);
    const long = (token: string): Promise<Reply> => graph('GET', '/access_token', { ...secrets, grant_type: 'ig_exchange_token' }, token);
    expect((await long(short)).json.expires_in).toBeGreaterThan(59 * 86_400);
    expect(codes(await long(CREDENTIALS.facebookToken))).toEqual([401, 190, undefined]);
  });

  it('connects a second account through its login page, with media and quota of its own', async () => {
    const back = 'http://127.0.0.1/back';
    const query = new URLSearchParams({ client_id: CREDENTIALS.instagramAppId, redirect_uri: back, response_type: 'code', state: 's' });
    const page = `${running.urls.INSTAGRAM_LOGIN_URL}/oauth/authorize?${query.toString()}`;
    expect(await (await fetch(page)).text()).toContain('@autoposter.second');
    const visit = async (choice: string) => (await fetch(`${page}&${choice}`, { redirect: 'manual' })).headers.get('location') ?? '';
    expect(new URL(await visit('deny=1')).searchParams.get('error')).toBe('access_denied');
    const granted = new URL(await visit('choose=17841400000000043'));
    expect([granted.searchParams.get('state'), granted.hash]).toEqual(['s', '#_']);
    const secrets = { client_id: CREDENTIALS.instagramAppId, client_secret: CREDENTIALS.instagramAppSecret };
    const code = granted.searchParams.get('code') ?? '';
    const exchange = { ...secrets, grant_type: 'authorization_code', redirect_uri: back, code };
    const token = (await graph('POST', '/oauth/access_token', exchange)).json.access_token as string;
    const me = await graph('GET', '/me', { fields: 'user_id,username' }, token);
    expect(me.json).toMatchObject({ user_id: '17841400000000043', username: 'autoposter.second' });
    expect((await graph('GET', '/17841400000000043/media', {}, token)).json.data).toEqual([]);
    expect((await graph('GET', '/17841400000000043/content_publishing_limit', {}, token)).json.data).toEqual([{ quota_usage: 0 }]);
    expect((await graph('POST', `/${ACCOUNT}/media`, {}, token)).status).toBe(400);
  });

  it('ignores the caption of carousel items and stories', async () => {
    const texts = { image_url: media.fine ?? '', caption: 'Nobody reads this' };
    const { id } = (await create({ ...texts, media_type: 'STORIES' })).json;
    await settled(id);
    const mediaId = (await publish(id)).json.id;
    expect((await graph('GET', `/${mediaId}`, { fields: 'caption' })).json).toEqual({ id: mediaId });
  });

  it('paginates the media of professional accounts and hides private accounts', async () => {
    const fields = 'business_discovery.username(harbour.lights){username,media.limit(3){id,permalink,media_url,media_type}}';
    const { media: first } = (await graph('GET', `/${ACCOUNT}`, { fields })).json.business_discovery;
    expect(first.data.map((entry: { media_url?: string }) => typeof entry.media_url)).toEqual(['string', 'undefined', 'string']);
    const second = await graph('GET', `/${ACCOUNT}`, {
      fields: fields.replace('limit(3)', `limit(3).after(${first.paging.cursors.after})`),
    });
    expect(second.json.business_discovery.media.data).toHaveLength(1);
    expect(codes(await graph('GET', `/${ACCOUNT}`, { fields: fields.replace('harbour.lights', 'private.person') }))).toEqual([
      400, 110, 2207013,
    ]);
    expect(codes(await graph('GET', `/${ACCOUNT}`, { fields }, CREDENTIALS.instagramToken))).toEqual([400, 100, undefined]);
    const embed = await graph('GET', '/instagram_oembed', { url: 'https://www.instagram.com/reel/DHarbour001/' });
    expect(Object.keys(embed.json).sort()).toEqual(['html', 'provider_name', 'provider_url', 'type', 'version', 'width']);
    expect((await graph('GET', '/instagram_oembed', { url: 'https://www.instagram.com/reel/Dnobody0001/' })).status).toBe(404);
  });

  it('rejects metrics that the media product does not support', async () => {
    const { id } = (await reel()).json;
    await settled(id);
    const mediaId = (await publish(id)).json.id;
    const ask = (metric: string): Promise<Reply> => graph('GET', `/${mediaId}/insights`, { metric });
    expect((await ask('views,reach')).json).toEqual({ data: [] });
    expect((await ask('views,profile_visits,follows')).json.error.message).toContain('does not support the profile_visits, follows metric');
    expect((await ask('plays')).json.error.code).toBe(100);
    await control(running, 'POST', 'clock', { advanceSeconds: 7_200 });
    expect((await ask('views')).json.data[0]).toMatchObject({ name: 'views', period: 'lifetime', values: [{ value: 80 }] });
  });

  it('keeps published media after a restart', async () => {
    const { id } = (await reel()).json;
    await settled(id);
    const mediaId = (await publish(id)).json.id;
    const again = await startSimulators({ dataDir: running.dataDir, ffmpegPath: 'ffmpeg' });
    try {
      expect((await reply(await fetch(`${again.controlUrl}/control/ledger`))).json.published[0].mediaId).toBe(mediaId);
    } finally {
      await again.close();
    }
  });
});

describe('MediaGenerator', () => {
  it('generates identical pictures for the same recipe and different ones for different seeds', async () => {
    const running = await runSimulators();
    const recipe: VideoRecipe = { scene: 'paint', seed: 'one', width: 120, height: 214, fps: 24, seconds: 3, sound: false };
    const generator = new MediaGenerator(`${running.dataDir}/generated`, 'ffmpeg');
    const other = new MediaGenerator(`${running.dataDir}/other`, 'ffmpeg');
    const [first, same, different] = await Promise.all([
      generator.videoTrack(recipe),
      other.videoTrack(recipe),
      generator.videoTrack({ ...recipe, seed: 'two' }),
    ]);
    const bytes = (path: string): Promise<Buffer> => readFile(path);
    expect((await bytes(first)).equals(await bytes(same))).toBe(true);
    expect((await bytes(first)).equals(await bytes(different))).toBe(false);
    await running.close();
  });
});
