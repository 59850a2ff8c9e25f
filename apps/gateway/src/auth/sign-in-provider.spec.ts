import { UnsecuredJWT } from 'jose';
import type { GatewaySettings } from '../bootstrap/settings';
import { SignInProvider } from './sign-in-provider';

const google = {
  clientId: 'client',
  clientSecret: 'secret',
  authorizationUrl: 'https://sign-in.example/o/oauth2/v2/auth',
  tokenUrl: 'https://tokens.example/token',
  userinfoUrl: 'https://tokens.example/v1/userinfo',
  issuerUrl: null,
};
const providerOf = (issuerUrl: string | null) => new SignInProvider({ google: { ...google, issuerUrl } } as GatewaySettings);
const provider = providerOf(null);
const idToken = (iss: string) => new UnsecuredJWT({ iss, aud: 'client', sub: '42' }).setExpirationTime('1h').encode();

describe('the issuer at configured addresses', () => {
  it.each(['https://accounts.google.com', 'accounts.google.com', 'https://sign-in.example', 'tokens.example'])(
    'may call itself %s, in the callback and in the id token',
    async (iss) => {
      await expect(provider.assertIssuer(iss)).resolves.toBeUndefined();
      await expect(provider.subjectOf(idToken(iss))).resolves.toBe('42');
    },
  );

  it.each(['https://accounts.evil.example', 'https://accounts.google.com.evil.example', ''])('may not be %j', async (iss) => {
    await expect(provider.assertIssuer(iss)).rejects.toMatchObject({ reason: 'sign_in_failed' });
    await expect(provider.subjectOf(idToken(iss))).rejects.toMatchObject({ reason: 'sign_in_failed' });
  });
});

describe('a discovered issuer', () => {
  afterEach(() => jest.restoreAllMocks());
  const discovered = (issuer: string) => {
    const addresses = ['authorization_endpoint', 'token_endpoint', 'userinfo_endpoint', 'jwks_uri'].map((name) => [
      name,
      `${issuer}/${name}`,
    ]);
    jest.spyOn(globalThis, 'fetch').mockImplementation(() => Promise.resolve(Response.json({ issuer, ...Object.fromEntries(addresses) })));
    return providerOf(issuer);
  };

  it('may use the older name of Google where it is Google, and no other name elsewhere', async () => {
    const old = 'accounts.google.com';
    await expect(discovered(`https://${old}`).assertIssuer(old)).resolves.toBeUndefined();
    await expect(discovered('https://sign-in.example').assertIssuer(old)).rejects.toMatchObject({ reason: 'sign_in_failed' });
    await expect(discovered('https://sign-in.example').assertIssuer('https://sign-in.example')).resolves.toBeUndefined();
  });
});
