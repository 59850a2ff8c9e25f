import { currentUserResponseSchema } from '@autoposter/contracts';
import { withWrongClock } from '@autoposter/testkit';
import { FakeGoogle } from '../testing/fake-google';
import { ADMIN, GatewayFixture } from '../testing/gateway-fixture';
import { describeGateway } from '../testing/gateway-fixture';

const pairsOf = (cookies: readonly string[]): string => cookies.map((set) => set.split(';')[0]).join('; ');

describeGateway('sign-in', () => {
  let google: FakeGoogle;
  let gateway: GatewayFixture;
  beforeAll(async () => {
    google = await FakeGoogle.start();
    gateway = await GatewayFixture.start({ google: google.settings });
  });
  beforeEach(() => {
    google.account = { sub: '42', email: 'Admin@Example.com ', email_verified: true, name: 'Ada' };
    google.tokenFails = null;
    google.userinfoFails = null;
    google.idToken = {};
  });
  afterAll(async () => {
    await gateway?.stop();
    await google?.stop();
  });

  const begin = async (query = '') => {
    const response = await gateway.visitor.get(`/api/auth/google${query}`);
    const cookies = (response.headers['set-cookie'] as unknown as string[] | undefined) ?? [];
    return { response, location: response.headers['location'] ?? '', cookies, cookie: pairsOf(cookies) };
  };
  const comeBack = (query: string, cookie: string) => gateway.visitor.get(`/api/auth/google/callback?${query}`).set('Cookie', cookie);
  let cookie = '';
  const signIn = async (query = '') => {
    const begun = await begin(query);
    cookie = begun.cookie;
    return comeBack(google.consent(begun.location), cookie);
  };
  /** Asks in the browser that signed in last. */
  const me = (token: string, from = cookie) =>
    gateway.visitor.get('/api/auth/me').set('Authorization', `Bearer ${token}`).set('Cookie', from);
  const tokenIn = (location: string | undefined) => new URL(location ?? '').searchParams.get('token') ?? '';

  it('bounds the name and the picture of an account, which are part of a redirect', async () => {
    google.account = { ...google.account, name: 'x'.repeat(10_000), picture: `https://example.com/${'y'.repeat(10_000)}` };
    const token = tokenIn((await signIn()).headers['location']);
    const { user } = (await me(token)).body as { user: { name: string; avatar: string | null } };
    expect([user.name, user.avatar]).toEqual(['x'.repeat(200), null]);
    google.account = { ...google.account, picture: 'javascript:alert(1)' };
    expect((await me(tokenIn((await signIn()).headers['location']))).body.user.avatar).toBeNull();
  });

  it('redirects to Google with PKCE and a state bound to the browser', async () => {
    const { response, location, cookies } = await begin();
    expect(response.status).toBe(302);
    const asked = new URL(location).searchParams;
    expect([asked.get('code_challenge_method'), asked.get('response_type'), asked.get('scope')]).toEqual([
      'S256',
      'code',
      'openid email profile',
    ]);
    expect(asked.get('redirect_uri')).toBe(`${gateway.settings.publicUrl}/api/auth/google/callback`);
    expect(cookies).toHaveLength(2);
    for (const set of cookies) {
      expect(set).toMatch(/; HttpOnly/);
      expect(set).toMatch(/; SameSite=Lax/);
      expect(set).not.toContain(asked.get('state'));
    }
  });

  it('redirects to the console with an exchange token that becomes a session', async () => {
    const { status, headers } = await signIn('?returnTo=/admin/instagram-queue?status=failed');
    const target = new URL(headers['location'] ?? '');
    expect([status, target.origin, target.pathname, target.searchParams.get('status')]).toEqual([
      302,
      gateway.settings.publicUrl,
      '/admin/instagram-queue',
      'failed',
    ]);
    const answer = await me(tokenIn(headers['location']));
    expect(answer.headers['cache-control']).toContain('no-store');
    const { user, token } = currentUserResponseSchema.parse(answer.body);
    expect(user).toEqual({ name: 'Ada', email: ADMIN, avatar: null });
    const session = await me(token ?? '');
    expect([session.status, session.body.token]).toEqual([200, undefined]);
    expect(google.tokenQueries).toEqual(expect.arrayContaining(['']));
  });

  it('exchanges a token once, even concurrently at two gateways', async () => {
    const short = tokenIn((await signIn()).headers['location']);
    const second = await gateway.beside();
    const ask = (on: GatewayFixture) => on.visitor.get('/api/auth/me').set('Authorization', `Bearer ${short}`).set('Cookie', cookie);
    const answers = await Promise.all([gateway, second, gateway, second].map((on) => ask(on)));
    await second.stop();
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
    expect((await me(short)).status).toBe(401);
  });

  it('exchanges tokens and serves media although the clock of the process is wrong', async () => {
    const { id } = await gateway.item('ready');
    for (const ms of [24 * 3_600_000, -24 * 3_600_000]) {
      const short = tokenIn((await signIn()).headers['location']);
      const statuses = await withWrongClock(ms, async () => {
        const { status, body } = await me(short);
        const { body: list } = await gateway.visitor.get('/api/ai/completed').set('Authorization', `Bearer ${body.token}`);
        const { videoUrl } = (list.data as { id: string; videoUrl: string }[]).find((item) => item.id === id) ?? { videoUrl: '/none' };
        return [status, (await gateway.visitor.get(videoUrl)).status];
      });
      expect([ms, ...statuses]).toEqual([ms, 200, 200]);
    }
  });

  it('exchanges a token only in the browser that started the sign-in', async () => {
    const short = tokenIn((await signIn()).headers['location']);
    const other = await begin();
    for (const from of ['', other.cookie, 'sign_in_browser=x']) expect((await me(short, from)).status).toBe(401);
    const [entry] = await gateway.database.read.audit.list(1);
    expect(entry).toMatchObject({ actor: ADMIN, action: 'auth.refused', detail: { reason: 'other_browser' } });
    expect((await me(short)).status).toBe(200);
  });

  it('accepts an exchange token at /api/auth/me only', async () => {
    const short = tokenIn((await signIn()).headers['location']);
    const ask = (method: 'get' | 'post', path: string) =>
      gateway.visitor[method](path).set('Authorization', `Bearer ${short}`).set('Cookie', cookie);
    const answers = [await ask('get', '/api/downloads'), await ask('get', '/api/events'), await ask('post', '/api/auth/logout')];
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
    expect((await me(short)).status).toBe(200);
  });

  it('forgets the oldest sign-ins that were never finished, so that the cookies of a browser fit into a request', async () => {
    // a browser lists its older cookies first
    const jar = new Map<string, string>();
    const kept = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    let location = '';
    for (let tab = 0; tab < 100; tab += 1) {
      const response = await gateway.visitor.get('/api/auth/google').set('Cookie', kept());
      for (const set of response.headers['set-cookie'] as unknown as string[]) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/u.exec(set) ?? [];
        if (value === '') jar.delete(name);
        else jar.set(name, value);
      }
      location = response.headers['location'] ?? '';
    }
    expect(kept().length).toBeLessThan(4096);
    const back = await comeBack(google.consent(location), kept());
    expect((await me(tokenIn(back.headers['location']), kept())).status).toBe(200);
  });

  it('supports concurrent sign-ins in two tabs', async () => {
    const first = await begin();
    const response = await gateway.visitor.get('/api/auth/google').set('Cookie', first.cookie);
    const both = pairsOf([...first.cookies, ...(response.headers['set-cookie'] as unknown as string[])]);
    for (const location of [first.location, response.headers['location'] ?? '']) {
      const back = await comeBack(google.consent(location), both);
      expect((await me(tokenIn(back.headers['location']), both)).status).toBe(200);
    }
  });

  it('keeps media URLs stable until the logout revokes them', async () => {
    const { id } = await gateway.item('ready');
    const { token } = (await me(tokenIn((await signIn()).headers['location']))).body;
    const other = (await me(tokenIn((await signIn()).headers['location']))).body.token as string;
    const linkFor = async (bearer: string) => {
      const { body } = await gateway.visitor.get('/api/ai/completed').set('Authorization', `Bearer ${bearer}`).expect(200);
      return (body.data as { id: string; videoUrl: string }[]).find((item) => item.id === id)?.videoUrl ?? '';
    };
    const link = await linkFor(token);
    expect(await linkFor(token)).toBe(link);
    expect((await gateway.visitor.get(link)).status).toBe(200);
    await gateway.visitor.post('/api/auth/logout').set('Authorization', `Bearer ${token}`).expect(200);
    expect((await gateway.visitor.get(link)).status).toBe(401);
    expect((await gateway.visitor.get(await linkFor(other))).status).toBe(200);
  });

  it.each([
    ['not_admin', { email: 'other@example.com' }, 'other@example.com'],
    ['email_unverified', { email_verified: false }, ADMIN],
    ['email_missing', { email: undefined }, 'unknown'],
  ])('audits a refused sign-in: %s', async (reason, change, actor) => {
    google.account = { ...google.account, ...change };
    await signIn();
    const [entry] = await gateway.database.read.audit.list(1);
    expect(entry).toMatchObject({ actor, action: 'auth.refused', detail: { reason } });
  });

  it('refuses another Google account with a known address until ADMIN_ACCOUNTS accepts it', async () => {
    expect((await signIn()).headers['location']).toContain('/admin?token=');
    google.account = { ...google.account, sub: '43' };
    for (const _again of [1, 2]) {
      const { headers } = await signIn();
      expect(headers['location']).toBe(`${gateway.settings.publicUrl}/access-denied?reason=account_changed&email=ad***n%40example.com`);
    }
    const [refused] = await gateway.database.read.audit.list(1);
    expect(refused).toMatchObject({ actor: ADMIN, action: 'auth.refused', detail: { reason: 'account_changed', account: '43' } });
    const accounts = gateway.settings.adminAccounts as Map<string, string>;
    accounts.set(ADMIN, '43');
    expect((await signIn()).headers['location']).toContain('/admin?token=');
    const [accepted] = await gateway.database.read.audit.list(1);
    expect(accepted).toMatchObject({ actor: ADMIN, action: 'auth.login', detail: { newAccount: true } });
    accounts.set(ADMIN, '42');
    google.account = { ...google.account, sub: '42' };
    expect((await signIn()).headers['location']).toContain('/admin?token=');
    accounts.clear();
  });

  it('revokes both tokens on logout', async () => {
    const short = tokenIn((await signIn()).headers['location']);
    const { token } = (await me(short)).body;
    await gateway.visitor.post('/api/auth/logout').set('Authorization', `Bearer ${token}`).expect(200);
    expect([(await me(token)).status, (await me(short)).status]).toEqual([401, 401]);
  });

  it.each([
    ['not on the list', { email: 'other@example.com' }, '/access-denied?reason=not_admin&email=ot***r%40example.com'],
    ['unverified', { email_verified: false }, '/access-denied?reason=email_unverified&email=ad***n%40example.com'],
    ['without an address', { email: undefined }, '/access-denied?reason=email_missing'],
  ])('refuses a user %s', async (_who, change, path) => {
    google.account = { ...google.account, ...change };
    expect((await signIn()).headers['location']).toBe(`${gateway.settings.publicUrl}${path}`);
  });

  it.each([
    ['token', 500, '<html>', 'google_unreachable'],
    ['token', 401, '{"error":"invalid_client"}', 'sign_in_failed'],
    ['token', 400, '{"error":"invalid_grant"}', 'sign_in_expired'],
    ['userinfo', 503, '<html>', 'google_unreachable'],
    ['userinfo', 401, '{"error":"invalid_request"}', 'sign_in_failed'],
  ] as const)('says plainly that Google failed: %s %d', async (place, status, body, reason) => {
    if (place === 'token') google.tokenFails = { status, body };
    else google.userinfoFails = { status, body };
    expect((await signIn()).headers['location']).toBe(`${gateway.settings.publicUrl}/?reason=${reason}`);
  });

  it('accepts a callback once, from the browser that started it', async () => {
    const back = (reason: string) => `${gateway.settings.publicUrl}/?reason=${reason}`;
    const { location, cookie } = await begin();
    const query = google.consent(location);
    expect((await comeBack(query, '')).headers['location']).toBe(back('sign_in_expired'));
    const other = await begin();
    expect((await comeBack(query, other.cookie)).headers['location']).toBe(back('sign_in_expired'));
    expect((await comeBack(query, cookie)).headers['location']).toContain('/admin?token=');
    expect((await comeBack(query, cookie)).headers['location']).toBe(back('sign_in_expired'));
    expect((await comeBack('error=access_denied&state=x', cookie)).headers['location']).toBe(back('sign_in_cancelled'));
    expect((await comeBack('error=server_error', cookie)).headers['location']).toBe(back('sign_in_failed'));
    expect((await comeBack('', cookie)).headers['location']).toBe(back('sign_in_failed'));
  });

  it.each([
    ['another issuer', { iss: 'https://accounts.evil.example' }],
    ['another client', { aud: 'another-client' }],
    ['several clients, given to another', { aud: ['client', 'another'], azp: 'another' }],
    ['yesterday', { exp: Math.floor(Date.now() / 1000) - 1 }],
    ['another account', { sub: '43' }],
  ])('refuses an id token of %s', async (_what, claims) => {
    google.idToken = claims;
    expect((await signIn()).headers['location']).toBe(`${gateway.settings.publicUrl}/?reason=sign_in_failed`);
  });

  it('needs no id token with configured endpoints', async () => {
    google.idToken = null;
    expect((await signIn()).headers['location']).toContain('/admin?token=');
  });

  it('refuses a callback of another issuer', async () => {
    const { location, cookie } = await begin();
    const query = new URLSearchParams(google.consent(location));
    query.set('iss', 'https://accounts.evil.example');
    expect((await comeBack(query.toString(), cookie)).headers['location']).toBe(`${gateway.settings.publicUrl}/?reason=sign_in_failed`);
  });

  it('checks the admin list on every request', async () => {
    const { token } = (await me(tokenIn((await signIn()).headers['location']))).body;
    expect((await me(token)).status).toBe(200);
    const list = gateway.settings.adminEmails as string[];
    list.splice(0, list.length, 'someone.else@example.com');
    expect((await me(token)).status).toBe(401);
    list.splice(0, list.length, ADMIN);
    expect((await me(token)).status).toBe(200);
  });

  it('never redirects to another site', async () => {
    for (const returnTo of ['//evil.example', 'https://evil.example/admin', '/admin\\@evil.example', '/other']) {
      const { headers } = await signIn(`?returnTo=${encodeURIComponent(returnTo)}`);
      if (headers['location'] !== undefined) expect(new URL(headers['location']).origin).toBe(gateway.settings.publicUrl);
    }
  });

  it('redirects to paths of the console only', async () => {
    for (const returnTo of ['/admin/../api/docs-json', '/admin/%2e%2e/x', '/admin/./../../x?y=1']) {
      const { headers } = await signIn(`?returnTo=${encodeURIComponent(returnTo)}`);
      expect(new URL(headers['location'] ?? '').pathname).toMatch(/^\/admin(\/|$)/);
    }
  });

  it('reports a missing configuration', async () => {
    const bare = await GatewayFixture.start({ google: null });
    const { headers } = await bare.visitor.get('/api/auth/google');
    await bare.stop();
    expect(headers['location']).toBe(`${gateway.settings.publicUrl}/?reason=not_configured`);
  });
});
