import { SESSION_SECONDS, SessionTokens, EXCHANGE_SECONDS, type Identity } from './session-tokens';

const identity: Identity = {
  sessionId: '01890000-0000-7000-8000-000000000001',
  subject: '42',
  email: 'admin@example.com',
  name: 'Ada',
  avatar: 'https://lh3.googleusercontent.com/a/x',
};
const KEY = Buffer.from('a key that is as long as it has to be');
const OTHER = Buffer.from('another key that is as long as it is');
const now = new Date('2026-05-05T10:00:00Z');
const tokensWith = (keys: readonly Uint8Array[], time = now) => new SessionTokens(keys, () => time);
const tokens = tokensWith([KEY]);
const after = (seconds: number) => new Date(now.getTime() + seconds * 1000);

describe('tokens', () => {
  it.each([
    ['exchange', EXCHANGE_SECONDS],
    ['session', SESSION_SECONDS],
  ] as const)('carry who signed in until they end: %s', async (use, seconds) => {
    const token = await tokens.issue(identity, use);
    expect(await tokensWith([KEY], after(seconds - 1)).read(token)).toEqual({ ...identity, use, expiresAt: after(seconds) });
    expect(await tokensWith([KEY], after(seconds + 1)).read(token)).toBeNull();
  });

  it('rejects tokens with another secret, without a signature or with a change', async () => {
    const token = await tokens.issue(identity, 'session');
    expect(await tokensWith([OTHER]).read(token)).toBeNull();
    const [header = '', payload = '', signature = ''] = token.split('.');
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    expect(await tokens.read(`${none}.${payload}.`)).toBeNull();
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
    const forged = Buffer.from(JSON.stringify({ ...claims, email: 'else@example.com' })).toString('base64url');
    expect(await tokens.read(`${header}.${forged}.${signature}`)).toBeNull();
  });

  it('accepts tokens of the previous key during a rotation, and signs new ones with the current key', async () => {
    const rotating = tokensWith([OTHER, KEY]);
    expect(await rotating.read(await tokens.issue(identity, 'session'))).toMatchObject({ sessionId: identity.sessionId });
    expect(await rotating.unseal(await tokens.seal({ verifier: 'v' }, 60))).toMatchObject({ verifier: 'v' });
    const issued = await rotating.issue(identity, 'session');
    expect(await tokens.read(issued)).toBeNull();
    expect(await tokensWith([OTHER]).read(issued)).toMatchObject({ sessionId: identity.sessionId });
  });

  it('sealed content is readable here only, and only for its time', async () => {
    const sealed = await tokens.seal({ verifier: 'v' }, 60);
    expect(await tokensWith([KEY], after(59)).unseal(sealed)).toMatchObject({ verifier: 'v' });
    expect(await tokensWith([KEY], after(61)).unseal(sealed)).toBeNull();
    expect(sealed).not.toContain(Buffer.from('verifier').toString('base64url').slice(0, 8));
    expect(await tokens.unseal(sealed)).toMatchObject({ verifier: 'v' });
    expect(await tokensWith([OTHER]).unseal(sealed)).toBeNull();
  });
});
