import { readRange } from './send-object';
import { MediaLinks } from './media-links';

const KEY = Buffer.from('a key');
const admins = ['ada@example.com'];
const holder = { sessionId: '01890000-0000-7000-8000-000000000009', email: 'ada@example.com', expiresAt: new Date('2026-05-05T20:00:00Z') };
/** With the time of each call as its last argument. */
function linksOf(changes: Partial<typeof holder> = {}, keys = [KEY]) {
  let time = new Date(0);
  const links = new MediaLinks(
    keys,
    () => ({ ...holder, ...changes }),
    () => time,
  );
  const at = <A extends unknown[], R>(call: (...args: A) => R) => {
    return (...args: [...A, Date]): R => {
      time = args.pop() as Date;
      return call(...(args as unknown as A));
    };
  };
  return { to: at(links.to.bind(links)), isValid: at(links.isValid.bind(links)), reissued: at(links.reissued.bind(links)) };
}
const links = linksOf();
const id = '01890000-0000-7000-8000-000000000001';
const at = (text: string) => new Date(`2026-05-05T${text}Z`);

function queryOf(address: string) {
  const query = new URL(address, 'http://x').searchParams;
  const text = (name: string) => query.get(name) ?? '';
  return { file: Number(query.get('file') ?? 0), expires: Number(text('expires')), session: text('session'), signature: text('signature') };
}

describe('signed media addresses', () => {
  it('stay the same for an hour and change with the next', () => {
    expect(links.to('video', id, 0, at('10:00:00'))).toBe(links.to('video', id, 0, at('10:59:59')));
    expect(links.to('video', id, 0, at('10:59:59'))).not.toBe(links.to('video', id, 0, at('11:00:00')));
  });

  it('open what they name, for at least an hour and at most two', () => {
    const query = queryOf(links.to('video', id, 2, at('10:59:59')));
    expect(links.isValid('video', id, query, admins, at('11:59:59'))).toBe(true);
    expect(links.isValid('video', id, query, admins, at('12:00:00'))).toBe(false);
  });

  it('belong to one session and end with it', () => {
    const other = linksOf({ sessionId: id });
    expect(other.to('video', id, 0, at('10:00:00'))).not.toBe(links.to('video', id, 0, at('10:00:00')));
    const query = queryOf(linksOf({ expiresAt: at('10:30:00') }).to('video', id, 0, at('10:00:00')));
    expect(links.isValid('video', id, query, admins, at('10:29:59'))).toBe(true);
    expect(links.isValid('video', id, query, admins, at('10:30:00'))).toBe(false);
    expect(() =>
      new MediaLinks(
        [KEY],
        () => null,
        () => new Date(0),
      ).to('video', id, 0),
    ).toThrow(/session/u);
  });

  it('are reissued for the current session wherever a response has them', () => {
    const now = at('10:00:00');
    const other = linksOf({ sessionId: id });
    const response = (by: typeof links) => ({
      data: [{ videoUrl: by.to('video', id, 0, now), caption: '/api/media' }, by.to('cover', id, 2, now)],
    });
    expect(other.reissued(response(links), now)).toEqual(response(other));
    expect([links.reissued(undefined, now), links.reissued('text', now)]).toEqual([null, 'text']);
  });

  it('open nothing else', () => {
    const query = queryOf(links.to('video', id, 0, at('10:00:00')));
    const now = at('10:30:00');
    expect(links.isValid('cover', id, query, admins, now)).toBe(false);
    expect(links.isValid('video', id.replace('1', '2'), query, admins, now)).toBe(false);
    expect(links.isValid('video', id, { ...query, file: 1 }, admins, now)).toBe(false);
    expect(links.isValid('video', id, { ...query, expires: query.expires + 3600 }, admins, now)).toBe(false);
    expect(links.isValid('video', id, { ...query, signature: `${query.signature}A` }, admins, now)).toBe(false);
    expect(links.isValid('video', id, { ...query, session: id }, admins, now)).toBe(false);
    expect(links.isValid('video', id, query, ['bob@example.com'], now)).toBe(false);
    expect(linksOf({}, [Buffer.from('another key')]).isValid('video', id, query, admins, now)).toBe(false);
  });
});

describe('MediaLinks during a rotation of keys', () => {
  it('opens addresses of both keys and signs with the current one', () => {
    const current = Buffer.from('another key');
    const rotating = linksOf({}, [current, KEY]);
    const now = at('10:30:00');
    const former = queryOf(links.to('video', id, 0, at('10:00:00')));
    const issued = queryOf(rotating.to('video', id, 0, at('10:00:00')));
    expect(rotating.isValid('video', id, former, admins, now)).toBe(true);
    expect(rotating.isValid('video', id, issued, admins, now)).toBe(true);
    expect(linksOf({}, [current]).isValid('video', id, issued, admins, now)).toBe(true);
    expect(links.isValid('video', id, issued, admins, now)).toBe(false);
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
