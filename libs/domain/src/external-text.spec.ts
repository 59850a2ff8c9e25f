import { cutText, objectIn, oneLine, readJson, storableText } from './external-text';

describe('storableText', () => {
  it('drops U+0000, replaces half a surrogate pair, and keeps everything else', () => {
    expect(storableText('a\0b \ud83d c \ude00 d 😀\ud83d')).toBe('ab \ufffd c \ufffd d 😀\ufffd');
  });
});

describe('cutText', () => {
  it('keeps text that fits', () => {
    expect(cutText('Snow day 😀', 11)).toBe('Snow day 😀');
    expect(cutText('', 0)).toBe('');
  });

  it.each([
    ['an emoji', '😀'],
    ['an emoji with a skin tone', '👍🏽'],
    ['a family of four', '👨‍👩‍👧‍👦'],
    ['a flag', '🇩🇪'],
    ['a letter with its accent', 'e\u0301'],
  ])('cuts before %s that the limit would split', (_what, emoji) => {
    const text = `${'x'.repeat(298)}${emoji}tail`;
    for (let limit = 298; limit < 298 + emoji.length; limit += 1) expect(cutText(text, limit)).toBe('x'.repeat(298));
    expect(cutText(text, 298 + emoji.length)).toBe(`${'x'.repeat(298)}${emoji}`);
  });

  it('cuts a cluster without end between code points', () => {
    expect(cutText(`a${'\u0301'.repeat(2_000_000)}`, 300)).toHaveLength(300);
    expect(cutText('😀'.repeat(200), 301)).toBe('😀'.repeat(150));
    expect(cutText('😀', 1)).toBe('');
  });

  it('never returns more than the limit or half a pair', () => {
    const text = 'é😀👍🏽x👨‍👩‍👧‍👦\u0301\u200d😀'.repeat(20);
    for (let limit = 0; limit < text.length; limit += 1) {
      const cut = cutText(text, limit);
      expect(cut.length).toBeLessThanOrEqual(limit);
      expect(storableText(cut)).toBe(cut);
      expect(text.startsWith(cut)).toBe(true);
    }
  });
});

describe('text of other systems', () => {
  it('loses only what PostgreSQL cannot store', () => {
    const text = '{"title":"a\\u0000b \\ud83d c \\ud83d\\ude00 d 😀","deep":[{"body":"\\udc00"}],"n":1}';
    expect(readJson(text)).toEqual({ title: 'ab \ufffd c 😀 d 😀', deep: [{ body: '\ufffd' }], n: 1 });
    expect(readJson(JSON.stringify({ raw: 'a\0b\ud83d' }))).toEqual({ raw: 'ab\ufffd' });
  });

  it.each(['', ' ', '<html>', '{"cut":', '"word"', '404', 'null'])('reads no answer from %j', (text) =>
    expect(readJson(text)).toBeUndefined(),
  );

  it.each([null, undefined, 'x', 1, [1]])('reads an empty object from %j', (value) => expect(objectIn(value)).toEqual({}));
});

test.each([
  ['\u202eevil live\u202c here', 'evil live here'],
  ['a\u2067b\u2069\nc\u0007', 'ab c'],
  ['one\u2028line\u2029only', 'one line only'],
  ['  مرحبا بالعالم 🌊 ', 'مرحبا بالعالم 🌊'],
  ['<b>bold</b> & "quoted"', '<b>bold</b> & "quoted"'],
])('turns %j into %j', (text, title) => expect(oneLine(text)).toBe(title));
