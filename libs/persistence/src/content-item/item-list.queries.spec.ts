import { readCursor } from './item-list.queries';

describe('readCursor', () => {
  const write = (text: string) => Buffer.from(text).toString('base64url');

  it('reads the time and the id of the last row', () => {
    expect(readCursor(write('2026-05-05 10:00:00.123456+00|01890000-0000-7000-8000-000000000001'))).toEqual({
      at: '2026-05-05 10:00:00.123456+00',
      id: '01890000-0000-7000-8000-000000000001',
    });
  });

  it.each([
    '',
    'x',
    "2026-05-05'; DROP|x",
    '2026-05-05 10:00:00+00|x',
    `2026-05-05 10:00:00+00|${'-'.repeat(36)}`,
    '2026-02-31 10:00:00+00|01890000-0000-7000-8000-000000000001',
    '2026-05-05 25:00:00+00|01890000-0000-7000-8000-000000000001',
    '2026-05-05 10:00:00+99|01890000-0000-7000-8000-000000000001',
  ])('refuses the malformed cursor "%s"', (text) => {
    expect(readCursor(write(text))).toBeNull();
  });
});
