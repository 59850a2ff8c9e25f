import { ENVIRONMENT_ACCOUNT_ID, type InstagramAccounts } from '@autoposter/contracts';
import { GatewayFixture, describeGateway } from '../testing/gateway-fixture';

const BASE = '/api/instagram-accounts';

describeGateway('Instagram accounts', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => (gateway = await GatewayFixture.start()));
  afterAll(() => gateway?.stop());
  beforeEach(() => gateway.empty());

  const list = async () => (await gateway.call('get', BASE)).body.data as InstagramAccounts;
  /** Starts a login; returns its state and the cookie of the browser. */
  async function begin(): Promise<{ state: string; cookie: string }> {
    const answer = await gateway.call('post', `${BASE}/connect`, { login: 'instagram' }).expect(200);
    const url = new URL(answer.body.data.authorizationUrl as string);
    expect([url.origin, url.pathname]).toEqual(['https://login.example.test', '/oauth/authorize']);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      client_id: 'app-1',
      response_type: 'code',
      redirect_uri: 'http://127.0.0.1:3000/api/instagram-accounts/callback',
      scope: expect.stringContaining('instagram_business_content_publish'),
    });
    const cookie = (answer.headers['set-cookie'] as unknown as string[])[0] ?? '';
    expect(cookie).toContain('HttpOnly');
    return { state: url.searchParams.get('state') ?? '', cookie: cookie.split(';')[0] ?? '' };
  }
  const callback = (query: Record<string, string>, cookie = '') =>
    gateway.visitor.get(`${BASE}/callback`).query(query).set('cookie', cookie);
  const claimed = () => gateway.database.read.connections.claim();

  it('lists the account of the environment first and names what a login needs', async () => {
    const { accounts, logins, connection } = await list();
    expect(accounts).toMatchObject([{ id: ENVIRONMENT_ACCOUNT_ID, source: 'environment', status: 'unchecked' }]);
    expect(logins).toEqual([
      { login: 'instagram', missing: null },
      { login: 'facebook', missing: 'FACEBOOK_APP_ID' },
    ]);
    expect(connection).toBeNull();
    const refused = await gateway.call('post', `${BASE}/connect`, { login: 'facebook' }).expect(409);
    expect(refused.body.error).toContain('FACEBOOK_APP_ID');
  });

  it('shows login and expiry of the token of the environment', async () => {
    const tokenExpiresAt = '2027-01-20T12:00:00.000Z';
    await gateway.database.read.workerReports.save(
      'instagram-account',
      { ok: true, username: 'first', tokenExpiresAt },
      'instagram-poster',
    );
    expect((await list()).accounts[0]).toMatchObject({
      status: 'ready',
      login: expect.stringMatching(/^(?:facebook|instagram)$/),
      tokenExpiresAt,
    });
  });

  it('passes the code of a login to the publishing worker, once', async () => {
    const { state, cookie } = await begin();
    expect((await list()).connection).toMatchObject({ status: 'started' });
    const answer = await callback({ state, code: 'AQB1' }, cookie);
    expect([answer.status, answer.headers.location]).toEqual([302, 'http://127.0.0.1:3000/admin/settings']);
    expect((await list()).connection).toMatchObject({ status: 'pending' });
    await callback({ state, code: 'AQB2' }, cookie);
    expect(await claimed()).toMatchObject({ code: 'AQB1', login: 'instagram', status: 'exchanging' });
    expect(await claimed()).toBeNull();
    const [stored] = await gateway.database.sql.query<{ code: string | null }>('SELECT code FROM account_connections');
    expect(stored?.code).toBeNull();
  });

  it('accepts an answer only in the browser that started the login, with its state', async () => {
    const { state, cookie } = await begin();
    const other = (await begin()).cookie;
    await callback({ state, code: 'forged' }, '');
    await callback({ state, code: 'forged' }, other);
    await callback({ state: 'another', code: 'forged' }, cookie);
    await callback({ code: 'forged' }, cookie);
    expect(await claimed()).toBeNull();
  });

  it('shows a login that the person declined, or a late answer not at all', async () => {
    const declined = await begin();
    await callback({ state: declined.state, error: 'access_denied', error_description: 'The user denied your request' }, declined.cookie);
    expect((await list()).connection).toMatchObject({ status: 'failed', message: expect.stringContaining('The user denied your request') });
    const late = await begin();
    await gateway.database.sql.query(`UPDATE account_connections SET created_at = created_at - interval '11 minutes'`);
    await callback({ state: late.state, code: 'AQB1' }, late.cookie);
    expect([await claimed(), (await list()).connection]).toEqual([null, null]);
  });

  it.each([
    ['a code that is too long', { code: 'A'.repeat(2_001) }, 'its code is unusable'],
    ['a code with characters that no code has', { code: 'AQB\0ü' }, 'its code is unusable'],
    [
      'a long reason with characters that cannot be stored',
      { error: 'x', error_description: `No\0 \u202Eway${'!'.repeat(3_000)}` },
      'No way!!!',
    ],
    ['two codes', { code: ['AQB1', 'AQB2'] }, 'the answer has no code'],
  ])('returns to Settings, which say what is wrong, after an answer with %s', async (_what, query, said) => {
    const { state, cookie } = await begin();
    const answer = await gateway.visitor
      .get(`${BASE}/callback`)
      .query({ state, ...query })
      .set('cookie', cookie);
    expect([answer.status, answer.headers.location]).toEqual([302, 'http://127.0.0.1:3000/admin/settings']);
    expect((await list()).connection).toMatchObject({ status: 'failed', message: expect.stringContaining(said) });
  });

  it('names the permissions that the login of a ready account did not grant', async () => {
    const { accounts } = gateway.database.read;
    const { id } = await accounts.saveConnected({
      userId: '17841400000000044',
      username: 'third',
      login: 'instagram',
      scopes: ['instagram_business_basic', 'instagram_business_content_publish'],
      token: { of: 'x', sealed: 'y', renewedAt: '', expiresAt: null },
      tokenExpiresAt: null,
      connectedBy: 'admin@example.test',
    });
    const report = { accountId: '1', username: 'third', flavour: 'instagram' as const, tokenExpiresAt: null, quotaUsed: 1, quotaTotal: 50 };
    await accounts.saveCheck(id, { report });
    expect((await list()).accounts[1]?.detail).toBe(
      'Connected through Instagram Login. 1 of 50 posts used in the last 24 hours. The login did not grant instagram_business_manage_comments, instagram_business_manage_insights.',
    );
  });

  it('forgets the token of an account that is disconnected, and connects it again under its id', async () => {
    const granted = {
      userId: '17841400000000043',
      username: 'second',
      login: 'instagram' as const,
      scopes: ['instagram_business_basic'],
      token: { of: 'x', sealed: 'y', renewedAt: '', expiresAt: null },
      tokenExpiresAt: null,
      connectedBy: 'admin@example.test',
    };
    const { id } = await gateway.database.read.accounts.saveConnected(granted);
    expect((await list()).accounts[1]).toMatchObject({ id, username: 'second', status: 'unchecked', source: 'connected' });
    await gateway.call('delete', `${BASE}/${id}`).expect(200);
    await gateway.call('delete', `${BASE}/${id}`).expect(404);
    expect((await list()).accounts).toHaveLength(1);
    expect(await gateway.database.sql.query('SELECT token FROM instagram_accounts WHERE id = $1', [id])).toEqual([{ token: null }]);
    expect((await gateway.database.read.accounts.saveConnected(granted)).id).toBe(id);
    await gateway.call('delete', `${BASE}/${ENVIRONMENT_ACCOUNT_ID}`).expect(409);
  });
});
