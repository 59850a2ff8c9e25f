import { objectIn, readJson } from './outside-json';

describe('what outside systems send', () => {
  it('loses what no database keeps, and nothing else', () => {
    const text = '{"title":"a\\u0000b \\ud83d c \\ud83d\\ude00 d 😀","deep":[{"body":"\\udc00"}],"n":1}';
    expect(readJson(text)).toEqual({ title: 'ab \ufffd c 😀 d 😀', deep: [{ body: '\ufffd' }], n: 1 });
    expect(readJson(JSON.stringify({ raw: 'a\0b\ud83d' }))).toEqual({ raw: 'ab\ufffd' });
  });

  it.each(['', ' ', '<html>', '{"cut":', '"word"', '404', 'null'])('%j is no answer', (text) => expect(readJson(text)).toBeUndefined());

  it.each([null, undefined, 'x', 1, [1]])('in %j there is nothing to look into', (value) => expect(objectIn(value)).toEqual({}));
});
