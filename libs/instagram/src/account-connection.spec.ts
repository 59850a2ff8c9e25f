import { PipelineError } from '@autoposter/domain';
import { HttpServerFake, respond as json } from '@autoposter/resilience';
import { redeemCode, type LoginPlatform } from './account-connection';

const CODE = { code: 'AQB1', redirectUri: 'https://autoposter.example.test/api/instagram-accounts/callback' };
const NOW = Date.parse('2026-11-21T12:00:00Z');
const PUBLISH = 'instagram_business_basic,instagram_business_content_publish';
let graph: HttpServerFake;
beforeAll(async () => {
  graph = await new HttpServerFake().start();
});
afterAll(() => graph.stop());
beforeEach(() => graph.reset());

const platform = (): LoginPlatform => ({
  graphUrl: graph.origin,
  tokenUrl: graph.origin,
  apiVersion: 'v26.0',
  app: { id: 'app', secret: 'secret' },
  now: () => NOW,
  timeoutMs: 2000,
});
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (error: PipelineError) => error.failure.code,
  );

/** Answers by path; a path without an answer is refused with code 100. */
function answers(by: Record<string, object>): void {
  graph.handler = ({ path }, response) => {
    const answer = by[path];
    json(response, answer ? 200 : 400, answer ?? { error: { message: 'Invalid verification code', type: 'OAuthException', code: 100 } });
  };
}

describe('redeemCode of Instagram Login', () => {
  const arrange = (granted: object) =>
    answers({
      '/oauth/access_token': granted,
      '/access_token': { access_token: 'IGlong', token_type: 'bearer', expires_in: 5_184_000 },
      '/v26.0/me': { id: '25000000000000042', user_id: '17841400000000043', username: 'second' },
    });

  it.each([
    ['plain', { access_token: 'IGshort', user_id: 17_841_400_000, permissions: PUBLISH }],
    ['wrapped', { data: [{ access_token: 'IGshort', user_id: '17841400000000043', permissions: PUBLISH.split(',') }] }],
  ])('exchanges the code for a long-lived token and the id for publishing: %s answer', async (_form, granted) => {
    arrange(granted);
    expect(await redeemCode('instagram', platform(), CODE)).toEqual([
      {
        userId: '17841400000000043',
        username: 'second',
        accessToken: 'IGlong',
        expiresAt: '2027-01-20T12:00:00.000Z',
        scopes: PUBLISH.split(','),
      },
    ]);
    const [code, exchange, me] = graph.seen;
    expect(Object.fromEntries(new URLSearchParams(code?.body))).toEqual({
      client_id: 'app',
      client_secret: 'secret',
      grant_type: 'authorization_code',
      redirect_uri: CODE.redirectUri,
      code: CODE.code,
    });
    expect(exchange?.query.get('access_token')).toBe('IGshort');
    expect(me?.headers.authorization).toBe('Bearer IGlong');
  });

  it('refuses a login without the permission to publish before it exchanges its token', async () => {
    arrange({ access_token: 'IGshort', permissions: 'instagram_business_basic' });
    await expect(redeemCode('instagram', platform(), CODE)).rejects.toMatchObject({
      failure: { code: 'login_scopes_missing', message: 'The login did not grant instagram_business_content_publish.' },
    });
    expect(graph.seen).toHaveLength(1);
  });

  it('sends the code without the characters that the redirect appends', async () => {
    arrange({ access_token: 'IGshort', permissions: PUBLISH });
    await redeemCode('instagram', platform(), { ...CODE, code: 'AQB1#_' });
    expect(new URLSearchParams(graph.seen[0]?.body).get('code')).toBe('AQB1');
  });

  it('names a refused code, in either form of an error', async () => {
    answers({});
    expect(await codeOf(redeemCode('instagram', platform(), CODE))).toBe('login_code_refused');
    const refusal = { error_type: 'OAuthException', code: 400, error_message: 'Matching code was not found or was already used' };
    graph.handler = (_seen, response) => json(response, 400, refusal);
    await expect(redeemCode('instagram', platform(), CODE)).rejects.toMatchObject({
      failure: { code: 'login_code_refused', detail: { status: 400, words: refusal.error_message } },
    });
  });
});

describe('redeemCode of Facebook Login', () => {
  const scopes = ['instagram_basic', 'instagram_content_publish', 'pages_show_list'];
  const page = (id: string, more: object) => ({ id, name: id, access_token: `EApage${id}`, ...more });
  const arrange = (pages: object[], granted: string[] = scopes) =>
    answers({
      '/v26.0/oauth/access_token': { access_token: 'EAuser', token_type: 'bearer', expires_in: 5_184_000 },
      '/debug_token': { data: { is_valid: true, scopes: granted } },
      '/v26.0/me/accounts': { data: pages },
    });

  it('connects the Instagram account of each granted Page with the token of the Page', async () => {
    arrange([page('1', { instagram_business_account: { id: '17841400000000044', username: 'third' } }), page('2', {})]);
    expect(await redeemCode('facebook', platform(), CODE)).toEqual([
      { userId: '17841400000000044', username: 'third', accessToken: 'EApage1', expiresAt: null, scopes },
    ]);
    expect(graph.seen.map(({ query }) => query.get('code') ?? query.get('fb_exchange_token'))).toEqual(['AQB1', 'EAuser', null, null]);
    expect(graph.seen[3]?.query.get('appsecret_proof')).toHaveLength(64);
  });

  it('leaves out a Page that the answer gives no token for', async () => {
    const linked = (id: string) => ({ instagram_business_account: { id: `1784${id}`, username: id } });
    arrange([page('1', { ...linked('1'), access_token: undefined }), page('2', linked('2'))]);
    expect((await redeemCode('facebook', platform(), CODE)).map(({ userId }) => userId)).toEqual(['17842']);
  });

  it('reads every page of a long list of Pages', async () => {
    const listed = (id: string, more: object = {}) => ({ data: [page(id, { instagram_business_account: { id: `1784${id}` } })], ...more });
    const first = listed('1', { paging: { cursors: { after: 'two' }, next: 'https://graph.facebook.com/next?access_token=EAuser' } });
    arrange([]);
    const others = graph.handler;
    graph.handler = (seen, response) =>
      seen.path.endsWith('/me/accounts')
        ? json(response, 200, seen.query.get('after') === 'two' ? listed('2', { paging: { cursors: { after: 'end' } } }) : first)
        : others(seen, response);
    expect((await redeemCode('facebook', platform(), CODE)).map(({ userId }) => userId)).toEqual(['17841', '17842']);
  });

  it('refuses a login without a Page that has an Instagram account, or without the permission to publish', async () => {
    arrange([page('2', {})]);
    expect(await codeOf(redeemCode('facebook', platform(), CODE))).toBe('login_without_account');
    arrange([], ['pages_show_list', 'instagram_basic']);
    expect(await codeOf(redeemCode('facebook', platform(), CODE))).toBe('login_scopes_missing');
  });
});
