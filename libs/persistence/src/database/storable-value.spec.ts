import { storableValue } from './storable-value';

describe('storableValue', () => {
  it('cleans texts, lists and objects, and keeps other values', () => {
    const [date, bytes] = [new Date(0), Buffer.from([0, 1])];
    expect(storableValue('a\0b\ud83d')).toBe('ab\ufffd');
    expect(storableValue(['a\0', null, 1])).toEqual(['a', null, 1]);
    expect(storableValue({ title: 'a\0\ud83d😀' })).toBe('{"title":"a\ufffd😀"}'.replace('\ufffd', '\\ufffd'));
    for (const value of [null, undefined, 1, true, date, bytes]) expect(storableValue(value)).toBe(value);
  });

  it('removes only the characters that jsonb refuses, from keys and values', () => {
    const value = { 'k\0': 'a\0b \ud83d c', path: 'C:\\u0000\\ud83d', deep: [{ body: '\udc00"\\' }], line: 'a\nb\u001f' };
    expect(JSON.parse(storableValue(JSON.stringify(value)) as string)).toEqual({
      k: 'ab \ufffd c',
      path: 'C:\\u0000\\ud83d',
      deep: [{ body: '\ufffd"\\' }],
      line: 'a\nb\u001f',
    });
    expect(JSON.parse(storableValue('{"a":"\\ud83d\\ude00\\uD83D\\u0041"}') as string)).toEqual({ a: '😀\ufffdA' });
  });

  it.each(['[tag] \\u0000 is an escape', '{not json \\ud83d}', 'plain \\u0000'])('keeps %j, which is not JSON', (text) =>
    expect(storableValue(text)).toBe(text),
  );
});
