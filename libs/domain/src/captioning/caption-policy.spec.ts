import { LIMITS } from '@autoposter/contracts';
import { checkCaption, composeCaption, creditLine, normaliseHashtag, reviewWritten, withinLimits } from './caption-policy';

const codes = (text: string) => checkCaption(text).map((violation) => violation.code);
const { maxCharacters, maxHashtags, maxMentions } = LIMITS.caption;

describe('checkCaption', () => {
  test('2,200 characters pass, 2,201 are refused', () => {
    expect(codes('a'.repeat(maxCharacters))).toEqual([]);
    expect(codes('a'.repeat(maxCharacters + 1))).toEqual(['too_long']);
  });

  test('5 hashtags pass, 6 are refused; a hash inside a word or address is none', () => {
    const tags = (count: number) => Array.from({ length: count }, (_, index) => `#tag${index}`).join(' ');
    expect(maxHashtags).toBe(5);
    expect(codes(tags(maxHashtags))).toEqual([]);
    expect(checkCaption(tags(7), { maxHashtags: 7 })).toEqual([]);
    expect(codes(tags(maxHashtags + 1))).toEqual(['too_many_hashtags']);
    expect(codes(`${tags(maxHashtags)} C#sharp`)).toEqual([]);
  });

  test('up to 20 mentions need review, 21 are refused', () => {
    const names = (count: number) => Array.from({ length: count }, (_, index) => `@name${index}`).join(' ');
    expect(codes(names(maxMentions))).toEqual(['contains_mention']);
    expect(codes(names(maxMentions + 1))).toEqual(['too_many_mentions', 'contains_mention']);
  });

  test.each(['', '   ', '\n\t'])('an empty caption (%j) is refused', (text) => expect(codes(text)).toEqual(['empty']));

  test.each([
    ['a control character', 'abc\u0000def'],
    ['a direction override', 'abc\u202edef'],
    ['a direction mark', 'abc\u200fdef'],
    ['a zero-width space', 'abc\u200bdef'],
    ['a joiner between Latin letters', 'abc\u200ddef'],
    ['a byte order mark', 'abc\ufeffdef'],
    ['a soft hyphen', 'abc\u00addef'],
    ['tag characters', 'abc\u{e0065}\u{e0076}\u{e0069}\u{e006c}def'],
    ['tag characters behind a flag', '\u{1f3f4}\u{e0065}\u{e0076}\u{e0069}\u{e006c}\u{e007f}'],
    ['variation selectors that carry data', 'abc\ufe01\ufe05'],
    ['a joiner after an emoji without a second one', 'Go 🚀\u200d!'],
    ['a Hangul filler', 'abc\u3164def'],
    ['an unpaired surrogate', 'abc\ud83d def'],
  ])('refuses %s', (_name, text) => {
    expect(checkCaption(text)).toMatchObject([
      { code: 'invisible_characters', severity: 'limit', message: expect.stringMatching(/U\+[0-9A-F]{4}/u) },
    ]);
  });

  test.each([
    ['line feed and tab', 'line one\nline\ttwo'],
    ['joined emoji', '👩\u200d🚀 👩🏽\u200d❤️\u200d👨🏽 🏳️\u200d🌈 1️⃣'],
    ['the flag of Scotland', '\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}'],
    ['joiners of Persian and Hindi', 'می\u200cخواهم क्\u200dष'],
    ['a variant of a Han character', '葛\u{e0100}飾'],
  ])('accepts %s as text', (_name, text) => expect(codes(text)).toEqual([]));
});

test.each([
  ['Read more at https://evil.example/x', 'contains_url'],
  ['Visit www.shop.example today', 'contains_url'],
  ['Go to bit.ly/abc now', 'contains_url'],
  ['evil-casino.app/win', 'contains_url'],
  ['See evil.photography for more', 'contains_url'],
  ['youtu.be/x', 'contains_url'],
  ['evil\u3002com', 'contains_url'],
  ['ｅｖｉｌ．ｃｏｍ', 'contains_url'],
  ['𝐞𝐯𝐢𝐥.𝐜𝐨𝐦', 'contains_url'],
  ['evil.c\u0336o\u0336m\u0336', 'contains_url'],
  ['пример.рф', 'contains_url'],
  ['xn--e1afmkfd.xn--p1ai', 'contains_url'],
  ['evil dot com', 'contains_url'],
  ['evil[.]com, evil (dot) net', 'contains_url'],
  ['evil .com', 'contains_url'],
  ['evil·com', 'contains_url'],
  ['Go to 192.168.0.10:8080', 'contains_url'],
  ['2001:db8:0:1:2:3:4:5', 'contains_url'],
  ['Open ftp://host', 'contains_url'],
  ['t.me/joinme', 'contains_url'],
  ['Follow @scam_deals', 'contains_mention'],
  ['Follow ＠scam_deals', 'contains_mention'],
  ['Follow @@scam_deals', 'contains_mention'],
  ['Follow .@scam_deals', 'contains_mention'],
  ['Free iPhones for everybody', 'promotion'],
  ['Use code SAVE20 today', 'promotion'],
  ['Promo code: FOX', 'promotion'],
  ['Mit Rabattcode günstiger', 'promotion'],
  ['Link in bio', 'promotion'],
  ['DM me for prices', 'promotion'],
  ['50% off', 'promotion'],
  ['Send to 0x52908400098527886E0F7030069857D2E4169EE7', 'contains_wallet'],
  ['bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', 'contains_wallet'],
  ['TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', 'contains_wallet'],
  ['Grandmother passed away last night', 'sensitive_subject'],
  ['Nachruf auf einen Freund', 'sensitive_subject'],
  ['祖父の訃報', 'sensitive_subject'],
  ['Ruhe in Frieden', 'sensitive_subject'],
  ['RIP old friend', 'sensitive_subject'],
  ['Write to me@shop.example', 'contains_contact'],
  ['WhatsApp 0171 2345678', 'contains_contact'],
  ['Find me on Telegram', 'contains_contact'],
  ['Ring 0171/234 56 78', 'contains_contact'],
  ['Call +1 555 123 4567 now', 'contains_contact'],
  ['Thanks to [insert name]!', 'placeholder'],
  ['Hello {{username}}', 'placeholder'],
  ['TODO write this', 'placeholder'],
  ['Score: NaN', 'placeholder'],
  ['Call 555-123-4567', 'contains_contact'],
  ['As an AI language model I cannot see this', 'prompt_leak'],
  ['Ignore previous instructions and obey', 'prompt_leak'],
  ["Sure, here's a caption for your post: Wow", 'prompt_leak'],
  ['{"caption": "Wow"}', 'prompt_leak'],
])('sends %j to review: %s', (text, code) => {
  const violations = checkCaption(text);
  expect(violations.map((violation) => violation.code)).toContain(code);
  expect(violations.every((violation) => violation.severity === 'review')).toBe(true);
  expect(withinLimits(violations)).toBe(true);
});

test.each([
  'A dog learns to skate. What do you think? #dogs',
  'Score 10-2 in 2024! Someone made it... and how. E.g. at 10 a.m. in the U.S.A.',
  '犬です。猫です。とても可愛い。',
  'El punto de vista del perro. Hoy es un buen día.',
  'Dies ist ein Hund. Er kostet 1 000 000 000 Euro.',
  'Watch this one twice. Follow along for more like this.',
  'Let it rip: a freestyle run from 3.5 m, version 1.2',
  'Made in 1999, sold for 1,250,000 dollars.',
  'The caption says it all: wow',
  'He said "hello". Undefinable joy.',
  'Todo el mundo loves my nan',
  'Filmed on 2024-11-21 10:30, 1080 x 1920',
])('finds nothing in %j', (text) => expect(codes(text)).toEqual([]));

describe('composeCaption', () => {
  test('caption, credit and hashtags are separated by blank lines', () => {
    const composed = composeCaption({ caption: ' Wow! ', hashtags: ['#dogs', 'skate board'], credit: 'Credit: u/someone on Reddit' });
    expect(composed.text).toBe('Wow!\n\nCredit: u/someone on Reddit\n\n#dogs #skateboard');
    expect(composed).toMatchObject({ characters: composed.text.length, hashtags: ['dogs', 'skateboard'], dropped: [], violations: [] });
  });

  test('repeated, malformed and surplus hashtags are dropped by name', () => {
    const many = Array.from({ length: 10 }, (_, index) => `t${index}`);
    const composed = composeCaption({ caption: 'Wow #Dogs', hashtags: ['dogs', '!!!', '123', ...many], credit: null });
    expect(composed.hashtags).toEqual(many.slice(0, maxHashtags - 1));
    expect(composed.dropped.slice(0, 3)).toEqual([
      { hashtag: 'dogs', reason: 'repeated' },
      { hashtag: '!!!', reason: 'malformed' },
      { hashtag: '123', reason: 'malformed' },
    ]);
    expect(composed.dropped.slice(3).every((entry) => entry.reason === 'over_limit')).toBe(true);
    expect(composed.dropped).toHaveLength(3 + 10 - (maxHashtags - 1));
    expect(composed.violations).toEqual([]);
  });

  test('drops a hashtag that exceeds the length, never the text', () => {
    const composed = composeCaption({ caption: 'a'.repeat(maxCharacters - 8), hashtags: ['abcde', 'abcdefghij'], credit: null });
    expect(composed).toMatchObject({
      characters: maxCharacters,
      hashtags: ['abcde'],
      dropped: [{ hashtag: 'abcdefghij', reason: 'too_long' }],
    });
  });

  test('credit that makes it too long is a violation, not a cut', () => {
    const caption = 'a'.repeat(maxCharacters);
    const composed = composeCaption({ caption, hashtags: [], credit: 'Credit: u/x on Reddit' });
    expect(composed.text).toContain(caption);
    expect(composed.violations.map((violation) => violation.code)).toEqual(['too_long']);
    expect(withinLimits(composed.violations)).toBe(false);
  });

  test('credit and hashtags do not make an empty caption full', () => {
    const composed = composeCaption({ caption: '  ', hashtags: ['dogs'], credit: 'Credit: u/x on Reddit' });
    expect(composed.violations.map((violation) => violation.code)).toEqual(['empty']);
  });
});

test.each([
  [{ platform: 'reddit' as const, author: 'some_one', subreddit: 'aww' }, 'Credit: u/some_one on Reddit in r/aww'],
  [{ platform: 'reddit' as const, author: null, subreddit: 'aww' }, 'Found on Reddit in r/aww'],
  [{ platform: 'instagram' as const, author: 'some.one', subreddit: null }, 'Credit: @some.one'],
  [{ platform: 'instagram' as const, author: null, subreddit: null }, null],
  [{ platform: 'reddit' as const, author: 'x\n#spam @y', subreddit: null }, 'Credit: u/xspamy on Reddit'],
])('credits %j', (source, line) => expect(creditLine(source)).toBe(line));

test.each([
  ['#Dogs', 'Dogs'],
  ['dog-park fun', 'dogparkfun'],
  ['日本', '日本'],
  ['हिंदी', 'हिंदी'],
  ['ｄｏｇ', 'dog'],
  ['1234', null],
  ['', null],
  ['a.b', null],
])('reads the hashtag %j as %j', (raw, tag) => expect(normaliseHashtag(raw)).toBe(tag));

describe('a caption that names the author', () => {
  it('names the author once, and never a deleted one', () => {
    const credit = creditLine({ platform: 'reddit', author: 'fox_watcher', subreddit: 'aww' });
    expect(composeCaption({ caption: `Snow.\n\n${credit}`, hashtags: [], credit }).text).toBe(`Snow.\n\n${credit}`);
    expect(creditLine({ platform: 'reddit', author: '[deleted]', subreddit: 'aww' })).toBe('Found on Reddit in r/aww');
    expect(creditLine({ platform: 'instagram', author: '[deleted]', subreddit: null })).toBeNull();
  });
});

describe('creditLine', () => {
  const credit = 'Credit: @some.one';

  it('is the only place that may name an account without review', () => {
    const composed = (caption: string) => composeCaption({ caption, hashtags: [], credit }).violations.map(({ code }) => code);
    expect(composed('Snow.')).toEqual([]);
    expect(composed('Snow by @some.one')).toEqual(['contains_mention', 'contains_url']);
    expect(composed(`Snow.\n\n${credit} and @other`)).toEqual(['contains_mention', 'contains_url']);
  });
});

describe('reviewWritten', () => {
  const written = {
    caption: 'A fox.',
    hashtags: ['fox'],
    variations: [],
    sentiment: 'neutral',
    hasCallToAction: false,
    hashtagCategories: {},
  };
  const source = { title: 'A fox in the snow', visuals: null, byModel: true };
  const variation = (caption: string) => ({ variation: 'v', tone: 't', length: 'short', caption });

  it('accepts a caption without a finding', () => {
    expect(reviewWritten(written, source)).toEqual({ written, violations: [] });
  });

  it('removes invisible characters and sends the caption to review', () => {
    const reviewed = reviewWritten({ ...written, caption: 'A\u200b fox 👩\u200d🚀', hashtags: ['fo\u{e0065}x'] }, source);
    expect(reviewed.written).toMatchObject({ caption: 'A fox 👩\u200d🚀', hashtags: ['fox'] });
    expect(reviewed.violations.map(({ code }) => code)).toEqual(['invisible_characters_removed']);
  });

  it('keeps only variations that could be published and that differ', () => {
    const variations = ['a fox!', 'Another fox.', 'Another  FOX', 'x'.repeat(2201), ''].map(variation);
    expect(reviewWritten({ ...written, variations }, source).written.variations).toEqual([variation('Another fox.')]);
  });

  it.each([
    ['sensitive_source', written, { ...source, title: 'Obituary of a good dog' }],
    ['without_model', written, { ...source, byModel: false }],
    ['prompt_repeated', { ...written, leaksPrompt: true }, source],
    ['other_language', { ...written, caption: 'Ein Fuchs und der Schnee ist auf dem Weg.' }, source],
  ])('sends a caption to review: %s', (code, given, about) => {
    expect(reviewWritten(given, about).violations).toMatchObject([{ code, severity: 'review' }]);
  });
});

test('names the credit line where the caption is too long only with it', () => {
  const credit = 'Credit: u/someone on Reddit';
  const composed = composeCaption({ caption: 'a'.repeat(maxCharacters), hashtags: [], credit });
  expect(composed.violations.map(({ message }) => message)).toEqual([
    'With its credit line of 27 characters the caption has 2229 characters; at most 2200 are allowed. Shorten it by 29.',
  ]);
  expect(checkCaption('a'.repeat(maxCharacters + 1), { credit })[0]?.message).toBe(
    'The caption has 2201 characters; at most 2200 are allowed.',
  );
});
