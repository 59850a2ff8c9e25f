import { createHash, createPublicKey, verify } from 'node:crypto';
import { CREDENTIALS } from '../credentials';
import { control, reply, runSimulators, type Reply } from '../testing/running';

const CALLBACK = 'http://127.0.0.1:3999/api/auth/google/callback';
const VERIFIER = 'v'.repeat(43);
const STATE = 'a+b/c=&ü';

describe('Google sign-in', () => {
  let running: Awaited<ReturnType<typeof runSimulators>>;

  const authorize = async (changes: Record<string, string | undefined> = {}): Promise<Reply & { location: URL | null }> => {
    const url = new URL(running.urls.GOOGLE_AUTHORIZATION_URL);
    const query = {
      client_id: CREDENTIALS.googleClientId,
      response_type: 'code',
      redirect_uri: CALLBACK,
      scope: 'openid email profile',
      state: STATE,
      ...changes,
    };
    for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
    const answer = await reply(await fetch(url, { redirect: 'manual' }));
    const location = answer.headers.get('location');
    return { ...answer, location: location === null ? null : new URL(location) };
  };
  const exchange = async (code: string, changes: Record<string, string> = {}): Promise<Reply> => {
    const form = {
      grant_type: 'authorization_code',
      client_id: CREDENTIALS.googleClientId,
      client_secret: CREDENTIALS.googleClientSecret,
      redirect_uri: CALLBACK,
      code,
      ...changes,
    };
    return reply(await fetch(running.urls.GOOGLE_TOKEN_URL, { method: 'POST', body: new URLSearchParams(form) }));
  };
  const codeFor = async (choose: string, changes: Record<string, string> = {}): Promise<string> =>
    (await authorize({ choose, ...changes })).location?.searchParams.get('code') ?? '';

  beforeAll(async () => {
    running = await runSimulators();
  });
  beforeEach(() => control(running, 'POST', 'reset'));
  afterAll(() => running.close());

  it('shows an account chooser with a cancel link', async () => {
    const { status, text } = await authorize();
    expect(status).toBe(200);
    for (const email of ['admin@autoposter.local', 'stranger@example.com', 'unverified@autoposter.local']) expect(text).toContain(email);
    expect((await authorize({ deny: '1' })).location?.searchParams.get('error')).toBe('access_denied');
  });

  it('returns the state unchanged and a code with a slash', async () => {
    const { location } = await authorize({ choose: 'admin@autoposter.local' });
    expect(location?.searchParams.get('state')).toBe(STATE);
    expect(location?.searchParams.get('code')).toMatch(/^4\/0A/);
    expect(location?.searchParams.get('scope')).toContain('https://www.googleapis.com/auth/userinfo.email');
  });

  it.each([
    ['client', { client_id: 'x' }],
    ['address elsewhere', { redirect_uri: 'http://evil.example/api/auth/google/callback' }],
    ['scope', { scope: 'everything' }],
    ['challenge', { code_challenge: 'short', code_challenge_method: 'S256' }],
  ])('shows an error page without a redirect for an invalid %s', async (_name, changes) => {
    const { status, location } = await authorize({ choose: 'admin@autoposter.local', ...changes });
    expect([status, location]).toEqual([400, null]);
  });

  it('accepts only registered redirect URIs when any are registered', async () => {
    await control(running, 'POST', 'settings', { google: { redirectUris: [`${CALLBACK}/`] } });
    expect((await authorize({ choose: 'admin@autoposter.local' })).status).toBe(400);
  });

  it('signs in without the account chooser when autoApprove is set', async () => {
    expect((await authorize({ prompt: 'none' })).location?.searchParams.get('error')).toBe('interaction_required');
    expect((await authorize({ prompt: 'none', login_hint: 'stranger@example.com' })).location?.searchParams.has('code')).toBe(true);
    await control(running, 'POST', 'settings', { google: { autoApprove: 'admin@autoposter.local' } });
    expect((await authorize()).location?.searchParams.has('code')).toBe(true);
  });

  it('exchanges a code once, within ten minutes, for signed identity tokens', async () => {
    const code = await codeFor('admin@autoposter.local', { nonce: 'n-1' });
    const { json } = await exchange(code);
    expect(json).toMatchObject({ token_type: 'Bearer', expires_in: 3599 });
    expect((await exchange(code)).json).toEqual({ error: 'invalid_grant', error_description: 'Bad Request' });
    const [head, claims, signature] = json.id_token.split('.');
    const { keys } = (await reply(await fetch(`${running.issuerUrl}/oauth2/v3/certs`))).json;
    const key = createPublicKey({ key: keys[0], format: 'jwk' });
    expect(verify('RSA-SHA256', Buffer.from(`${head}.${claims}`), key, Buffer.from(signature, 'base64url'))).toBe(true);
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
      iss: running.issuerUrl,
      aud: CREDENTIALS.googleClientId,
      nonce: 'n-1',
      email: 'admin@autoposter.local',
      at_hash: createHash('sha256').update(json.access_token).digest().subarray(0, 16).toString('base64url'),
    });
    const byQuery = await reply(await fetch(`${running.urls.GOOGLE_USERINFO_URL}?access_token=${json.access_token}`));
    const byHeader = await reply(
      await fetch(running.urls.GOOGLE_USERINFO_URL, { headers: { authorization: `Bearer ${json.access_token}` } }),
    );
    expect(byQuery.json).toEqual(byHeader.json);
    expect(byQuery.json).toMatchObject({ email: 'admin@autoposter.local', email_verified: true });
    const late = await codeFor('admin@autoposter.local');
    await control(running, 'POST', 'clock', { advanceSeconds: 601 });
    expect((await exchange(late)).json.error).toBe('invalid_grant');
  });

  it('omits name and picture of an account without them', async () => {
    const { json } = await exchange(await codeFor('nameless@example.com'));
    const info = await reply(await fetch(`${running.urls.GOOGLE_USERINFO_URL}?access_token=${json.access_token}`));
    expect(Object.keys(info.json).sort()).toEqual(['email', 'email_verified', 'sub']);
  });

  it.each([
    ['secret', { client_secret: 'x' }, 401, 'invalid_client', 'Unauthorized'],
    ['client', { client_id: 'x' }, 401, 'invalid_client', 'The OAuth client was not found.'],
    ['address', { redirect_uri: `${CALLBACK}/` }, 400, 'redirect_uri_mismatch', 'Bad Request'],
    ['grant', { grant_type: 'password' }, 400, 'unsupported_grant_type', 'Invalid grant_type: password'],
    ['code', { code: 'nonsense' }, 400, 'invalid_grant', 'Malformed auth code.'],
  ])('rejects an invalid %s', async (_name, changes, status, error, error_description) => {
    const answer = await exchange(await codeFor('admin@autoposter.local'), changes);
    expect([answer.status, answer.json]).toEqual([status, { error, error_description }]);
  });

  it('enforces PKCE with S256 and plain challenges', async () => {
    const challenge = createHash('sha256').update(VERIFIER).digest('base64url');
    const s256 = { code_challenge: challenge, code_challenge_method: 'S256' };
    const admin = 'admin@autoposter.local';
    expect((await exchange(await codeFor(admin, s256))).json.error_description).toBe('Missing code verifier.');
    expect((await exchange(await codeFor(admin, s256), { code_verifier: 'w'.repeat(43) })).json.error_description).toBe(
      'Invalid code verifier.',
    );
    expect((await exchange(await codeFor(admin, s256), { code_verifier: VERIFIER })).status).toBe(200);
    expect((await exchange(await codeFor(admin, { code_challenge: VERIFIER }), { code_verifier: VERIFIER })).status).toBe(200);
  });

  it('rejects an unknown access token with a challenge', async () => {
    const answer = await reply(await fetch(running.urls.GOOGLE_USERINFO_URL, { headers: { authorization: 'Bearer x' } }));
    expect([answer.status, answer.json]).toEqual([401, { error: 'invalid_request', error_description: 'Invalid Credentials' }]);
    expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
  });

  it('invalidates a code when the response was lost', async () => {
    const code = await codeFor('admin@autoposter.local');
    await control(running, 'POST', 'presets/google-token-cut');
    await expect(exchange(code)).rejects.toThrow();
    expect((await exchange(code)).json.error).toBe('invalid_grant');
  });

  it('serves a discovery document', async () => {
    const { json } = await reply(await fetch(`${running.issuerUrl}/.well-known/openid-configuration`));
    expect(json).toMatchObject({
      issuer: running.issuerUrl,
      token_endpoint: running.urls.GOOGLE_TOKEN_URL,
      userinfo_endpoint: running.urls.GOOGLE_USERINFO_URL,
    });
  });
});
