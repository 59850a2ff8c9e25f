import { PRESETS } from '../control/presets/presets';
import { CREDENTIALS } from '../credentials';
import { SimulatedClock } from '../server/clock';
import { reply, type Reply } from '../testing/running';
import { graphInMemory } from './memory-graph';

const ACCOUNT = CREDENTIALS.instagramAccountId;
const HOUR_MS = 3_600_000;

describe('the simulated publishing', () => {
  const clock = new SimulatedClock();
  const graph = graphInMemory(clock, (ms) => Promise.resolve(clock.advance(ms)));
  const { settings, state } = graph.parts;
  const initial = { ...settings };

  const call = async (
    method: 'GET' | 'POST',
    path: string,
    fields: Record<string, string> = {},
    token: string = CREDENTIALS.facebookToken,
  ) => {
    const params = new URLSearchParams(fields).toString();
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/x-www-form-urlencoded' };
    const url = `${graph.origin}/v26.0${path}`;
    const sent = await (method === 'GET'
      ? graph.fetch(`${url}?${params}`, { headers })
      : graph.fetch(url, { method, headers, body: params }));
    const text = String((sent.body as unknown as Buffer[])[0]);
    return reply({ status: sent.status, headers: sent.headers, text: () => Promise.resolve(text) } as Response);
  };
  const preset = (name: string) => graph.faults.add(PRESETS[name]?.fault ?? { match: { path: '(' } }, name);
  const container = async (fields: Record<string, string> = {}): Promise<string> => {
    const made = await call('POST', `/${ACCOUNT}/media`, {
      media_type: 'REELS',
      video_url: 'http://cdn.test/a.mp4',
      caption: 'Snow \u2764',
      ...fields,
    });
    clock.advance(2_000);
    return made.json.id as string;
  };
  const publish = (id: string): Promise<Reply> => call('POST', `/${ACCOUNT}/media_publish`, { creation_id: id });
  const statusOf = async (id: string): Promise<string> => (await call('GET', `/${id}`, { fields: 'status_code' })).json.status_code;
  const captions = async (): Promise<string[]> =>
    (await call('GET', `/${ACCOUNT}/media`, { fields: 'caption' })).json.data.map(({ caption }: { caption: string }) => caption);
  const quotaUsed = async (): Promise<number> => (await call('GET', `/${ACCOUNT}/content_publishing_limit`)).json.data[0].quota_usage;
  const codes = ({ status, json }: Reply): unknown[] => [status, json?.error?.code, json?.error?.error_subcode];

  beforeEach(() => {
    state.clear();
    clock.reset();
    graph.faults.reset();
    graph.setTokens(true);
    Object.assign(settings, initial);
  });

  it.each<[string, Record<string, string>]>([
    ['an alternative text of a reel', { alt_text: 'Snow on a roof.' }],
    ['a cover of a carousel file', { media_type: 'VIDEO', is_carousel_item: 'true', cover_url: 'http://cdn.test/a.jpg' }],
    ['collaborators of a carousel file', { media_type: 'VIDEO', is_carousel_item: 'true', collaborators: '["ada"]' }],
    ['the location of a story', { media_type: 'STORIES', location_id: '123456' }],
    ['tagged accounts of a carousel', { media_type: 'CAROUSEL', user_tags: '[{"username":"ada"}]' }],
    ['the feed for a carousel', { media_type: 'CAROUSEL', share_to_feed: 'true' }],
    ['a trial of a story', { media_type: 'STORIES', trial_params: '{"graduation_strategy":"MANUAL"}' }],
  ])('refuses %s, which the kind does not have', async (_what, fields) => {
    const answer = await call('POST', `/${ACCOUNT}/media`, { media_type: 'REELS', video_url: 'http://cdn.test/a.mp4', ...fields });
    expect(codes(answer)).toEqual([400, 100, undefined]);
    expect(answer.json.error.message).toContain('is not supported for');
  });

  it.each<[string, Record<string, string>]>([
    ['of a picture without a place', { image_url: 'http://cdn.test/a.jpg', user_tags: '[{"username":"ada"}]' }],
    ['outside of a picture', { image_url: 'http://cdn.test/a.jpg', user_tags: '[{"username":"ada","x":1.5,"y":0.5}]' }],
    ['without an account', { media_type: 'REELS', video_url: 'http://cdn.test/a.mp4', user_tags: '[{"x":0.5,"y":0.5}]' }],
    ['as a comma list', { media_type: 'REELS', video_url: 'http://cdn.test/a.mp4', user_tags: 'ada,bob' }],
  ])('refuses a tag %s', async (_what, fields) => {
    const answer = await call('POST', `/${ACCOUNT}/media`, fields);
    expect(codes(answer)).toEqual([400, 100, undefined]);
    expect(answer.json.error.message).toContain('user_tags');
  });

  it.each([
    ['instagram-publish-lost-spam', [403, 4, 2207051]],
    ['instagram-publish-lost-limit', [403, 4, 2207090]],
  ])('publishes and answers with an error: %s', async (name, expected) => {
    const id = await container();
    preset(name);
    expect(codes(await publish(id))).toEqual(expected);
    expect(await statusOf(id)).toBe('PUBLISHED');
    expect(await captions()).toHaveLength(1);
  });

  it('publishes and answers without an id', async () => {
    const id = await container();
    preset('instagram-publish-lost-id');
    expect(await publish(id)).toMatchObject({ status: 200, json: {} });
    expect(await captions()).toHaveLength(1);
  });

  it('publishes ten minutes after a lost answer, dated when it happened', async () => {
    const id = await container();
    preset('instagram-publish-late');
    await expect(publish(id)).rejects.toThrow('fetch failed');
    clock.advance(599_000);
    expect([await statusOf(id), await quotaUsed()]).toEqual(['FINISHED', 0]);
    clock.advance(HOUR_MS);
    expect([await statusOf(id), await quotaUsed()]).toEqual(['PUBLISHED', 1]);
    expect(clock.now() - Date.parse(graph.ledger().published[0]?.publishedAt ?? '')).toBeGreaterThan(HOUR_MS - 2_000);
  });

  it('publishes a container once although a late call for it is open', async () => {
    const id = await container();
    preset('instagram-publish-late');
    await expect(publish(id)).rejects.toThrow('fetch failed');
    expect((await publish(id)).status).toBe(200);
    clock.advance(HOUR_MS);
    expect(await captions()).toHaveLength(1);
  });

  it('lists a published post late', async () => {
    settings.listLagMs = 60_000;
    const mediaId = (await publish(await container())).json.id as string;
    expect(await captions()).toEqual([]);
    expect((await call('GET', `/${mediaId}`, { fields: 'id' })).json).toEqual({ id: mediaId });
    clock.advance(60_000);
    expect(await captions()).toHaveLength(1);
  });

  it('forgets a container, published or not', async () => {
    preset('instagram-container-forgotten');
    const lost = await container();
    expect(codes(await call('GET', `/${lost}`, { fields: 'status_code' }))).toEqual([400, 100, 33]);
    expect(codes(await publish(lost))).toEqual([400, 24, 2207008]);
    const published = await container();
    preset('instagram-publish-forgotten');
    await expect(publish(published)).rejects.toThrow('fetch failed');
    expect(codes(await call('GET', `/${published}`, { fields: 'status_code' }))).toEqual([400, 100, 33]);
    expect(codes(await publish(published))).toEqual([400, 24, 2207008]);
    expect(await captions()).toHaveLength(1);
  });

  it.each([
    ['spaces', 'Snow \u2764 \n'],
    ['emoji', 'Snow \u2764\uFE0F'],
  ])('stores a caption with other %s', async (change, expected) => {
    settings.captionChange = change;
    await publish(await container());
    expect(await captions()).toEqual([expected]);
  });

  it('revokes the token between container and publishing, or with the published post', async () => {
    const id = await container();
    preset('instagram-create-token-dies');
    await container();
    expect(codes(await publish(id))).toEqual([401, 190, undefined]);
    graph.setTokens(true);
    preset('instagram-publish-token-dies');
    await expect(publish(id)).rejects.toThrow('fetch failed');
    expect(codes(await call('GET', `/${id}`, { fields: 'status_code' }))).toEqual([401, 190, undefined]);
    graph.setTokens(true);
    expect(await statusOf(id)).toBe('PUBLISHED');
  });

  it('requires appsecret_proof with Facebook Login if the app does', async () => {
    settings.requireProof = true;
    const refused = await call('GET', '/me');
    expect(codes(refused)).toEqual([400, 100, undefined]);
    expect(refused.json.error.message).toContain('require an appsecret_proof argument');
    expect((await call('GET', '/me', {}, CREDENTIALS.instagramToken)).status).toBe(200);
  });

  it('counts the posts of the last 24 hours at every moment', async () => {
    settings.publishQuota = 2;
    await publish(await container());
    clock.advance(12 * HOUR_MS);
    await publish(await container());
    expect(codes(await publish(await container()))).toEqual([403, 9, 2207042]);
    clock.advance(12 * HOUR_MS);
    expect(await quotaUsed()).toBe(1);
    expect((await publish(await container())).status).toBe(200);
    expect(codes(await publish(await container()))).toEqual([403, 9, 2207042]);
  });

  it('counts the containers of a day for each account', async () => {
    Object.assign(settings, { containersPerDay: 1 });
    const [, other] = graph.parts.accounts;
    const token = graph.parts.tokens.add('instagram', other?.id ?? '', null, HOUR_MS).value;
    const picture = { image_url: 'http://cdn.test/a.jpg' };
    expect((await call('POST', `/${ACCOUNT}/media`, picture)).status).toBe(200);
    expect((await call('POST', `/${other?.id}/media`, picture, token)).status).toBe(200);
    expect(codes(await call('POST', `/${ACCOUNT}/media`, picture))).toEqual([403, 9, 2207042]);
  });

  it('continues an upload at the offset that it reports', async () => {
    const content = Buffer.from('a.mp4'.padEnd(64, '\0'));
    const { id } = (await call('POST', `/${ACCOUNT}/media`, { media_type: 'REELS', upload_type: 'resumable' })).json;
    const url = `${graph.origin}/ig-api-upload/v26.0/${id}`;
    const authorization = `OAuth ${CREDENTIALS.facebookToken}`;
    const send = (offset: number): Promise<Response> =>
      graph.fetch(url, {
        method: 'POST',
        headers: { authorization, offset: String(offset), file_size: '64' },
        body: content.subarray(offset),
      });
    preset('instagram-upload-half');
    expect((await send(0)).status).toBe(400);
    const [told] = (await graph.fetch(url, { headers: { authorization } })).body as unknown as Buffer[];
    expect(JSON.parse(String(told))).toEqual({ offset: 32 });
    expect((await send(32)).status).toBe(200);
    clock.advance(2_000);
    expect((await publish(id)).status).toBe(200);
    expect(state.published[0]?.files).toMatchObject([{ path: 'a.mp4' }]);
  });

  it.each([
    ['instagram-publish-lost-html', 200],
    ['instagram-publish-lost-429', 429],
  ])('publishes and answers with a page: %s', async (name, status) => {
    const id = await container();
    preset(name);
    expect(await publish(id)).toMatchObject({ status, json: undefined });
    expect(await statusOf(id)).toBe('PUBLISHED');
  });

  it('expires a container 24 hours after it was created', async () => {
    const id = await container();
    clock.advance(24 * HOUR_MS - 3_000);
    expect(await statusOf(id)).toBe('FINISHED');
    clock.advance(3_000);
    expect(await statusOf(id)).toBe('EXPIRED');
    expect(codes(await publish(id))).toEqual([400, 24, 2207008]);
  });

  it('answers with an HTML page and status 200', async () => {
    preset('instagram-html');
    expect(await call('GET', '/me')).toMatchObject({ status: 200, json: undefined });
  });

  it.each(['audio_configuration', 'product_tags', 'upload_type'])('offers %s with Facebook Login only', async (name) => {
    const fields = { media_type: 'REELS', video_url: 'http://cdn.test/a.mp4', [name]: name === 'upload_type' ? 'resumable' : '{}' };
    expect((await call('POST', `/${ACCOUNT}/media`, fields)).status).toBe(200);
    expect(codes(await call('POST', `/${ACCOUNT}/media`, fields, CREDENTIALS.instagramToken))).toEqual([400, 100, undefined]);
  });

  it.each([
    ['REELS', { trial_params: '{"graduation_strategy":"MANUAL"}', audio_name: 'Dawn' }, 200],
    ['REELS', { trial_params: '{"graduation_strategy":"LATER"}' }, 400],
    ['REELS', { trial_params: 'MANUAL' }, 400],
    ['REELS', { branded_content_sponsor_ids: '["11111","22222","33333"]' }, 400],
    ['STORIES', { trial_params: '{"graduation_strategy":"MANUAL"}' }, 400],
    ['STORIES', { is_ai_generated: 'true' }, 200],
  ])('answers a container of kind %s with %j', async (media_type, options, status) => {
    const fields = { media_type, video_url: 'http://cdn.test/a.mp4', ...options };
    expect((await call('POST', `/${ACCOUNT}/media`, fields)).status).toBe(status);
  });

  it('keeps options and comments of a post', async () => {
    const mediaId = (await publish(await container({ collaborators: '["a","b"]', share_to_feed: 'false' }))).json.id as string;
    const { id } = (await call('POST', `/${mediaId}/comments`, { message: 'First' })).json;
    expect((await call('GET', `/${mediaId}/comments`)).json.data).toEqual([{ id, text: 'First', timestamp: expect.any(String) }]);
    expect(graph.ledger().published[0]).toMatchObject({
      options: { collaborators: '["a","b"]', share_to_feed: 'false' },
      comments: ['First'],
    });
  });
});
