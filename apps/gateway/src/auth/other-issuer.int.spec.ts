import { FakeGoogle } from '../testing/fake-google';
import { GatewayFixture } from '../testing/gateway-fixture';
import { describeGateway } from '../testing/gateway-fixture';

describeGateway('sign-in with another issuer', () => {
  let issuer: FakeGoogle;
  let gateway: GatewayFixture;
  beforeEach(async () => {
    issuer = await FakeGoogle.start();
    const nowhere = 'http://127.0.0.1:9/';
    const named = { authorizationUrl: nowhere, tokenUrl: nowhere, userinfoUrl: nowhere };
    gateway = await GatewayFixture.start({ google: { ...issuer.settings, ...named, issuerUrl: `${issuer.origin}/` } });
  });
  afterEach(async () => {
    await gateway?.stop();
    await issuer?.stop();
  });

  const signIn = async (): Promise<string> => {
    const { headers } = await gateway.visitor.get('/api/auth/google');
    const location = headers['location'] ?? '';
    if (!location.startsWith(issuer.origin)) return location;
    const cookie = (headers['set-cookie'] as unknown as string[]).map((set) => set.split(';')[0]).join('; ');
    const back = await gateway.visitor.get(`/api/auth/google/callback?${issuer.consent(location)}`).set('Cookie', cookie);
    return back.headers['location'] ?? '';
  };
  const reason = (word: string) => `${gateway.settings.publicUrl}/?reason=${word}`;

  it('uses the discovered endpoints and checks the signature of the id token', async () => {
    expect(await signIn()).toContain('/admin?token=');
    issuer.signedBy = 'foreign';
    expect(await signIn()).toBe(reason('sign_in_failed'));
    issuer.signedBy = 'none';
    expect(await signIn()).toBe(reason('sign_in_failed'));
    issuer.signedBy = 'own';
    issuer.idToken = null;
    expect(await signIn()).toBe(reason('sign_in_failed'));
    issuer.idToken = { iss: 'https://accounts.google.com' };
    expect(await signIn()).toBe(reason('sign_in_failed'));
  });

  it('accepts an id token of a clock that is some seconds ahead, and no expired one', async () => {
    const seconds = Math.floor(Date.now() / 1000);
    issuer.idToken = { nbf: seconds + 20 };
    expect(await signIn()).toContain('/admin?token=');
    issuer.idToken = { nbf: seconds + 600 };
    expect(await signIn()).toBe(reason('sign_in_failed'));
    issuer.idToken = { exp: seconds - 1 };
    expect(await signIn()).toBe(reason('sign_in_failed'));
  });

  it('reports keys that cannot be read as an unreachable issuer, and retries', async () => {
    issuer.keysStatus = 503;
    expect(await signIn()).toBe(reason('google_unreachable'));
    issuer.keysStatus = 200;
    expect(await signIn()).toContain('/admin?token=');
  });

  it('accepts the new key of an issuer that rotates its keys soon after they were read', async () => {
    expect(await signIn()).toContain('/admin?token=');
    await issuer.rotateKeys();
    await new Promise((resolve) => setTimeout(resolve, 1100));
    expect(await signIn()).toContain('/admin?token=');
  });

  it('retries discovery after the issuer was unreachable', async () => {
    issuer.discovery = null;
    expect(await signIn()).toBe(reason('google_unreachable'));
    issuer.discovery = {};
    expect(await signIn()).toContain('/admin?token=');
  });

  it.each([
    ['under another name', { issuer: 'https://accounts.google.com' }],
    ['with an address that is none', { token_endpoint: 'file:///etc/passwd' }],
    ['without its keys', { jwks_uri: undefined }],
  ])('refuses a discovery document %s', async (_how, document) => {
    issuer.discovery = document;
    expect(await signIn()).toBe(reason('sign_in_failed'));
  });
});
