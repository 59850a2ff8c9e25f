import { PublicLinks } from './public-links';

const KEY = `originals/00/${'0'.repeat(64)}.mp4`;
const NOW = new Date('2026-01-01T00:00:00Z');
const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);

describe('PublicLinks', () => {
  const [current, previous] = [Buffer.from('current'), Buffer.from('previous')];
  const links = new PublicLinks([current, previous]);
  const partsOf = (path: string) => {
    const [, expires = '', signature = ''] = /^\/media\/(\d+)\/([\w-]+)\//u.exec(path) ?? [];
    return { expires, signature };
  };
  const { expires, signature } = partsOf(links.path(KEY, 60, NOW));

  it('opens its own link until it expires', () => {
    expect(links.opens(KEY, expires, signature, later(59))).toBe(true);
    expect(links.opens(KEY, expires, signature, later(60))).toBe(false);
  });

  it.each([
    ['another object', KEY.replace('originals', 'processed'), expires, signature],
    ['a later expiry', KEY, String(Number(expires) + 1), signature],
    ['an expiry that is not a number', KEY, '1e99', signature],
    ['another signature', KEY, expires, signature.replace(/^./u, (first) => (first === 'A' ? 'B' : 'A'))],
    ['a shorter signature', KEY, expires, signature.slice(1)],
    ['no signature', KEY, expires, ''],
  ])('refuses %s', (_what, key, until, signed) => {
    expect(links.opens(key, until, signed, NOW)).toBe(false);
  });

  it('signs with the first key and accepts all keys', () => {
    const rotated = new PublicLinks([Buffer.from('new'), current]);
    expect(rotated.opens(KEY, expires, signature, NOW)).toBe(true);
    const fresh = partsOf(rotated.path(KEY, 60, NOW));
    expect(links.opens(KEY, fresh.expires, fresh.signature, NOW)).toBe(false);
  });

  it('requires a key', () => {
    expect(() => new PublicLinks([])).toThrow('requires a key');
  });
});
