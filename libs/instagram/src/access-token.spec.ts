import { isSealedWithCurrent, openToken, sealToken } from './access-token';

const KEY = Buffer.alloc(32, 1);
const CONFIGURED = 'IGconfiguredtoken';
const now = new Date('2026-11-21T12:00:00Z');
const sealed = () => sealToken({ accessToken: 'IGrenewedtoken', expiresAt: '2027-01-20T12:00:00.000Z' }, CONFIGURED, [KEY], now);

it('comes back with the key and the configured token that it belongs to, and only then', () => {
  const stored = sealed();
  expect(openToken(stored, CONFIGURED, [KEY])).toBe('IGrenewedtoken');
  expect(openToken(stored, 'IGanothertoken', [KEY])).toBeNull();
  expect(openToken(stored, CONFIGURED, [Buffer.alloc(32, 2)])).toBeNull();
  expect(stored).toMatchObject({ renewedAt: now.toISOString(), expiresAt: '2027-01-20T12:00:00.000Z' });
});

it('shows neither token, and no two times the same', () => {
  const text = JSON.stringify(sealed());
  for (const secret of ['IGrenewed', 'IGconfigured', Buffer.from('IGrenewed').toString('base64url').slice(0, 10)])
    expect(text).not.toContain(secret);
  expect(sealed().sealed).not.toBe(sealed().sealed);
});

it('is rejected after a change', () => {
  const stored = sealed();
  const bytes = Buffer.from(stored.sealed, 'base64url');
  for (const at of [0, 13, bytes.length - 1]) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(openToken({ ...stored, sealed: changed.toString('base64url') }, CONFIGURED, [KEY])).toBeNull();
  }
  expect(openToken({ ...stored, sealed: '' }, CONFIGURED, [KEY])).toBeNull();
});

it('opens with a previous key during a rotation, and tells that it was not sealed with the current one', () => {
  const keys = [Buffer.alloc(32, 2), KEY];
  expect(openToken(sealed(), CONFIGURED, keys)).toBe('IGrenewedtoken');
  expect(isSealedWithCurrent(sealed(), CONFIGURED, keys)).toBe(false);
  expect(isSealedWithCurrent(sealed(), CONFIGURED, [KEY])).toBe(true);
});
