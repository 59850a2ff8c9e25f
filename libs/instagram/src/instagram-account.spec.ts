import { createHmac } from 'node:crypto';
import { PipelineError } from '@autoposter/domain';
import { HttpServerFake, respond as json } from '@autoposter/resilience';
import { flavourOf } from '@autoposter/domain';
import { InstagramPublisher, type InstagramPublisherOptions } from './instagram-publisher';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const ACCOUNT = '17841400000000001';
let graph: HttpServerFake;
beforeAll(async () => {
  graph = await new HttpServerFake().start();
});
afterAll(() => graph.stop());
beforeEach(() => {
  graph.reset();
});

const publisher = (more: Partial<InstagramPublisherOptions> = {}) =>
  new InstagramPublisher({
    graphUrl: graph.origin,
    uploadUrl: graph.origin,
    apiVersion: 'v26.0',
    accessToken: 'IGtoken',
    accountId: ACCOUNT,
    now: () => NOW,
    timeoutMs: 2000,
    ...more,
  });
const kindOf = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (error: PipelineError) => error.failure.kind,
  );

test('the flavour is told by the token unless it is named', () => {
  expect([flavourOf('IGabc'), flavourOf('EAabc')]).toEqual(['instagram', 'facebook']);
  expect(publisher({ accessToken: 'EAabc' }).canUpload).toBe(true);
  expect(publisher({ accessToken: 'EAabc', flavour: 'instagram' }).canUpload).toBe(false);
});

test('quota is the live value', async () => {
  graph.handler = (_request, response) =>
    json(response, 200, { data: [{ quota_usage: 2, config: { quota_total: 25, quota_duration: 86400 } }] });
  await expect(publisher().quota()).resolves.toEqual({ used: 2, total: 25, windowSeconds: 86400 });
  expect(graph.seen[0]).toMatchObject({ path: `/v26.0/${ACCOUNT}/content_publishing_limit` });
  graph.handler = (_request, response) => json(response, 200, { data: [] });
  await expect(kindOf(publisher().quota())).resolves.toBe('transient');
});

test('proves the application with each call of a Facebook Login token whose app secret is known', async () => {
  graph.handler = (_request, response) => json(response, 200, { id: '1', permalink: 'https://www.instagram.com/p/1/' });
  const facebook = publisher({ accessToken: 'EAtoken', appSecret: 'secret' });
  await facebook.permalink('1');
  await facebook.createContainer({ kind: 'image', mediaUrl: 'https://cdn.example.test/1.jpg', caption: null });
  const proof = createHmac('sha256', 'secret').update('EAtoken').digest('hex');
  const proofs = () =>
    graph.seen.map(({ query, body }) => query.get('appsecret_proof') ?? new URLSearchParams(body).get('appsecret_proof'));
  expect(proofs()).toEqual([proof, proof]);
  await publisher({ appSecret: 'secret' }).permalink('1');
  await publisher({ accessToken: 'EAtoken' }).permalink('1');
  expect(proofs().slice(2)).toEqual([null, null]);
  await publisher({ accessToken: 'opaque', appSecret: 'secret', flavour: 'facebook' }).permalink('1');
  expect(proofs()[4]).toHaveLength(64);
});

test('recent media: pages by cursor back to the date, never by the address that holds a token', async () => {
  const at = (hours: number) => new Date(NOW - hours * 3_600_000).toISOString().replace('.000Z', '+0000');
  const pages: Record<string, unknown> = {
    '': {
      data: [
        {
          id: '1',
          caption: 'a',
          media_type: 'VIDEO',
          media_product_type: 'REELS',
          permalink: 'https://www.instagram.com/reel/abcdef/',
          timestamp: at(1),
        },
        { id: '2', media_type: 'IMAGE', timestamp: at(50) },
      ],
      paging: { cursors: { after: 'x' }, next: 'https://graph.facebook.com/next?access_token=secret' },
    },
    x: { data: [], paging: { cursors: { after: 'w' }, next: 'https://elsewhere.example/' } },
    w: {
      data: [{ id: '3', media_type: 'IMAGE', timestamp: at(2) }],
      paging: { cursors: { after: 'y' }, next: 'https://elsewhere.example/' },
    },
    y: { data: [{ id: '4', media_type: 'IMAGE', timestamp: at(60) }], paging: { cursors: { after: 'z' }, next: 'n' } },
    z: { data: [{ id: '5', timestamp: at(1) }] },
  };
  graph.handler = (seen, response) => json(response, 200, pages[seen.query.get('after') ?? '']);
  const media = await publisher().recentMedia(new Date(NOW - 24 * 3_600_000));
  expect(media.map((entry) => entry.id)).toEqual(['1', '3']);
  expect(media[0]).toEqual({
    id: '1',
    caption: 'a',
    mediaType: 'VIDEO',
    productType: 'REELS',
    permalink: 'https://www.instagram.com/reel/abcdef/',
    timestamp: '2026-11-21T11:00:00.000Z',
  });
  expect(graph.seen).toHaveLength(4);
});

test.each([
  ['no information yet', {}, { state: 'not_started', matchesFound: false }],
  ['a check that found nothing', { status: { status: 'completed', matches_found: false } }, { state: 'completed', matchesFound: false }],
  ['a match without a state', { copyright_matches: [{ content_title: 'A song' }] }, { matchesFound: true, matches: [{ title: 'A song' }] }],
])('the copyright check of a published post: %s', async (_what, information, expected) => {
  graph.handler = (_seen, response) => json(response, 200, { id: '1', copyright_check_information: information });
  await expect(publisher({ accessToken: 'EAtoken' }).copyrightOf('1')).resolves.toMatchObject(expected);
  await expect(publisher().copyrightOf('1')).resolves.toBeNull();
});

test.each([{}, { data: {} }, { id: '1' }, []])('%j is no answer to a question for posts or comments', async (body) => {
  graph.handler = (_seen, response) => json(response, 200, body);
  const unreadable = { failure: { code: 'instagram_answer_incomplete', kind: 'transient' } };
  await expect(publisher().recentMedia(new Date(NOW))).rejects.toMatchObject(unreadable);
  await expect(publisher().stories()).rejects.toMatchObject(unreadable);
  await expect(publisher().comments('1')).rejects.toMatchObject(unreadable);
});

describe('account report', () => {
  const quota = { data: [{ quota_usage: 1, config: { quota_total: 50, quota_duration: 86400 } }] };

  test('Instagram Login', async () => {
    graph.handler = (seen, response) =>
      json(response, 200, seen.path.endsWith('/me') ? { user_id: ACCOUNT, id: '9', username: 'demo' } : quota);
    await expect(publisher().account()).resolves.toEqual({
      accountId: ACCOUNT,
      username: 'demo',
      flavour: 'instagram',
      tokenExpiresAt: null,
      quotaUsed: 1,
      quotaTotal: 50,
    });
  });

  test('Facebook Login, with the end of the token', async () => {
    graph.handler = (seen, response) => {
      if (seen.path === '/debug_token') return json(response, 200, { data: { expires_at: NOW / 1000 + 60, is_valid: true } });
      return json(response, 200, seen.path.endsWith(ACCOUNT) ? { id: ACCOUNT, username: 'demo' } : quota);
    };
    const report = await publisher({ accessToken: 'EAtoken', appId: 'app', appSecret: 'secret' }).account();
    expect(report).toMatchObject({ flavour: 'facebook', username: 'demo', tokenExpiresAt: '2026-11-21T12:01:00.000Z' });
  });

  test('a token of Facebook Login that may not publish, although the account answers', async () => {
    let scopes = ['instagram_basic', 'pages_show_list'];
    graph.handler = (seen, response) => {
      if (seen.path === '/debug_token') return json(response, 200, { data: { expires_at: 0, is_valid: true, scopes } });
      return json(response, 200, seen.path.endsWith(ACCOUNT) ? { id: ACCOUNT, username: 'demo' } : quota);
    };
    const account = () => publisher({ accessToken: 'EAtoken', appId: 'app', appSecret: 'secret' }).account();
    await expect(account()).rejects.toMatchObject({ failure: { code: 'instagram_permission_missing', side: 'operator' } });
    scopes = [...scopes, 'instagram_content_publish'];
    await expect(account()).resolves.toMatchObject({ username: 'demo', tokenExpiresAt: null });
  });

  test('wrong credentials of the application only hide the end of the token', async () => {
    graph.handler = (seen, response) =>
      seen.path === '/debug_token'
        ? json(response, 400, { error: { message: 'Invalid OAuth', code: 190 } })
        : json(response, 200, { ...quota, username: 'demo' });
    const report = await publisher({ accessToken: 'EAtoken', appId: 'app', appSecret: 'wrong' }).account();
    expect(report).toMatchObject({ username: 'demo', tokenExpiresAt: null, quotaTotal: 50 });
  });

  test('a token of another account, no token, an expired token', async () => {
    graph.handler = (_request, response) => json(response, 200, { user_id: '5', username: 'other' });
    await expect(kindOf(publisher().account())).resolves.toBe('not_configured');
    graph.handler = (_request, response) => json(response, 200, { id: ACCOUNT, user_id: '17841400000000002', username: 'demo' });
    await expect(publisher().account()).rejects.toMatchObject({
      failure: { code: 'instagram_app_scoped_id', message: expect.stringContaining('publishing is 17841400000000002') },
    });
    await expect(kindOf(publisher({ accessToken: '' }).account())).resolves.toBe('not_configured');
    graph.handler = (_request, response) => json(response, 400, { error: { message: 'expired', code: 190, error_subcode: 463 } });
    await expect(kindOf(publisher().account())).resolves.toBe('not_authorised');
  });
});

test('a restricted account is what the report says, a quota that cannot be read is not', async () => {
  const refuse = (code: number, subcode: number) => {
    graph.handler = (seen, response) =>
      seen.path.endsWith('/me')
        ? json(response, 200, { user_id: ACCOUNT, username: 'demo' })
        : json(response, 400, { error: { message: 'x', code, error_subcode: subcode } });
  };
  refuse(25, 2207050);
  await expect(kindOf(publisher().account())).resolves.toBe('policy');
  refuse(2, 0);
  await expect(publisher().account()).resolves.toMatchObject({ username: 'demo', quotaUsed: null });
});

test('the address of a post', async () => {
  graph.handler = (seen, response) =>
    json(response, 200, seen.path.endsWith('/17') ? { id: '17', permalink: 'https://www.instagram.com/reel/abcdef/' } : { id: '18' });
  await expect(publisher().permalink('17')).resolves.toBe('https://www.instagram.com/reel/abcdef/');
  await expect(publisher().permalink('18')).resolves.toBeNull();
  expect(graph.seen[0]?.query.get('fields')).toBe('id,permalink');
});

describe('renewing the token', () => {
  test('Instagram Login: no version; the new token is used once the caller says so', async () => {
    graph.handler = ({ path }, response) =>
      json(response, 200, path.endsWith('/media') ? { data: [] } : { access_token: 'IGnew', token_type: 'bearer', expires_in: 5_184_000 });
    const one = publisher();
    await expect(one.renewToken()).resolves.toEqual({ accessToken: 'IGnew', expiresAt: '2027-01-20T12:00:00.000Z' });
    expect(graph.seen[0]).toMatchObject({ path: '/refresh_access_token' });
    expect(graph.seen[0]?.query.get('grant_type')).toBe('ig_refresh_token');
    await one.recentMedia(new Date(NOW));
    one.useToken('IGnew');
    await one.recentMedia(new Date(NOW));
    expect(graph.seen.slice(1).map((call) => call.headers.authorization)).toEqual(['Bearer IGtoken', 'Bearer IGnew']);
  });

  test('Facebook Login has none', async () => {
    await expect(kindOf(publisher({ accessToken: 'EAtoken', appId: 'a', appSecret: 's' }).renewToken())).resolves.toBe('not_offered');
    expect(graph.seen).toHaveLength(0);
  });
});
