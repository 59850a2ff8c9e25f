import { openToken, sealToken } from './stored-token';

const SECRET = 'a secret that is long enough for every test';
const CONFIGURED = 'IGconfiguredtoken';
const now = new Date('2026-11-21T12:00:00Z');
const sealed = () => sealToken({ accessToken: 'IGrenewedtoken', expiresAt: '2027-01-20T12:00:00.000Z' }, CONFIGURED, SECRET, now);

it('comes back with the secret and the configured token that it belongs to, and only then', () => {
  const stored = sealed();
  expect(openToken(stored, CONFIGURED, SECRET)).toBe('IGrenewedtoken');
  expect(openToken(stored, 'IGanothertoken', SECRET)).toBeNull();
  expect(openToken(stored, CONFIGURED, 'another secret that is long enough')).toBeNull();
  expect(stored).toMatchObject({ renewedAt: now.toISOString(), expiresAt: '2027-01-20T12:00:00.000Z' });
});

it('shows neither token, and no two times the same', () => {
  const text = JSON.stringify(sealed());
  for (const secret of ['IGrenewed', 'IGconfigured', Buffer.from('IGrenewed').toString('base64url').slice(0, 10)])
    expect(text).not.toContain(secret);
  expect(sealed().sealed).not.toBe(sealed().sealed);
});

it('is not believed when somebody has changed it', () => {
  const stored = sealed();
  const bytes = Buffer.from(stored.sealed, 'base64url');
  for (const at of [0, 13, bytes.length - 1]) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(openToken({ ...stored, sealed: changed.toString('base64url') }, CONFIGURED, SECRET)).toBeNull();
  }
  expect(openToken({ ...stored, sealed: '' }, CONFIGURED, SECRET)).toBeNull();
});
