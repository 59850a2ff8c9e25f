import { readRange } from './byte-range';
import { MediaLinks } from './media-links';

const KEY = Buffer.from('a key');
const links = new MediaLinks([KEY]);
const id = '01890000-0000-7000-8000-000000000001';
const at = (text: string) => new Date(`2026-05-05T${text}Z`);

function queryOf(address: string) {
  const query = new URL(address, 'http://x').searchParams;
  return { file: Number(query.get('file') ?? 0), expires: Number(query.get('expires')), signature: query.get('signature') ?? '' };
}

describe('signed media addresses', () => {
  it('stay the same for an hour and change with the next', () => {
    expect(links.to('video', id, 0, at('10:00:00'))).toBe(links.to('video', id, 0, at('10:59:59')));
    expect(links.to('video', id, 0, at('10:59:59'))).not.toBe(links.to('video', id, 0, at('11:00:00')));
  });

  it('open what they name, for at least an hour and at most two', () => {
    const query = queryOf(links.to('video', id, 2, at('10:59:59')));
    expect(links.opens('video', id, query, at('11:59:59'))).toBe(true);
    expect(links.opens('video', id, query, at('12:00:00'))).toBe(false);
  });

  it('open nothing else', () => {
    const query = queryOf(links.to('video', id, 0, at('10:00:00')));
    const now = at('10:30:00');
    expect(links.opens('cover', id, query, now)).toBe(false);
    expect(links.opens('video', id.replace('1', '2'), query, now)).toBe(false);
    expect(links.opens('video', id, { ...query, file: 1 }, now)).toBe(false);
    expect(links.opens('video', id, { ...query, expires: query.expires + 3600 }, now)).toBe(false);
    expect(links.opens('video', id, { ...query, signature: `${query.signature}A` }, now)).toBe(false);
    expect(new MediaLinks([Buffer.from('another key')]).opens('video', id, query, now)).toBe(false);
  });
});

describe('MediaLinks during a rotation of keys', () => {
  it('opens addresses of both keys and signs with the current one', () => {
    const current = Buffer.from('another key');
    const rotating = new MediaLinks([current, KEY]);
    const now = at('10:30:00');
    const former = queryOf(links.to('video', id, 0, at('10:00:00')));
    const issued = queryOf(rotating.to('video', id, 0, at('10:00:00')));
    expect(rotating.opens('video', id, former, now)).toBe(true);
    expect(rotating.opens('video', id, issued, now)).toBe(true);
    expect(new MediaLinks([current]).opens('video', id, issued, now)).toBe(true);
    expect(links.opens('video', id, issued, now)).toBe(false);
  });
});

describe('ranges', () => {
  it.each([
    [undefined, 'whole'],
    ['bytes=0-', { start: 0, end: 99 }],
    ['bytes=10-19', { start: 10, end: 19 }],
    ['bytes=90-500', { start: 90, end: 99 }],
    ['bytes=-10', { start: 90, end: 99 }],
    ['bytes=-500', { start: 0, end: 99 }],
    ['bytes=100-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=20-10', 'whole'],
    ['bytes=0-1,5-6', 'whole'],
    ['pages=1-2', 'whole'],
    ['bytes=-', 'whole'],
  ])('%s of 100 bytes', (header, expected) => {
    expect(readRange(header, 100)).toEqual(expected);
  });
});
