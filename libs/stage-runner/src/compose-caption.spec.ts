import { captionProblems, composeCaption } from './compose-caption';

const item = { author: 'fox_watcher', subreddit: 'aww', platform: 'reddit' } as const;

describe('composeCaption', () => {
  it('adds credit and hashtags', () => {
    expect(composeCaption(item, { caption: ' Snow day. ', hashtags: ['#fox', 'snow', '##winter', '#'] })).toBe(
      'Snow day.\n\nCredit: u/fox_watcher on r/aww\n\n#fox #snow #winter',
    );
  });

  it('does not say twice what the caption says already', () => {
    expect(composeCaption(item, { caption: 'Snow #FOX\nCredit: u/fox_watcher on r/aww', hashtags: ['#fox'] })).toBe(
      'Snow #FOX\nCredit: u/fox_watcher on r/aww',
    );
  });

  it.each([
    [{ ...item, author: null }, 'A'],
    [{ ...item, author: '[deleted]' }, 'A'],
    [{ ...item, subreddit: null }, 'A\n\nCredit: u/fox_watcher on Reddit'],
    [{ ...item, platform: 'instagram' as const }, 'A\n\nCredit: @fox_watcher'],
  ])('credits whom it can: %j', (from, expected) => {
    expect(composeCaption(from, { caption: 'A', hashtags: [] })).toBe(expected);
  });

  it('takes no more hashtags than Instagram does', () => {
    const text = composeCaption(item, { caption: 'A', hashtags: Array.from({ length: 40 }, (_, index) => `tag${index}`) });
    expect(text.match(/#/g)).toHaveLength(30);
    expect(captionProblems(text)).toEqual([]);
  });
});

describe('captionProblems', () => {
  it.each([
    ['  ', 'empty'],
    ['x'.repeat(2201), '2201 characters'],
    ['🦊'.repeat(2201), '2201 characters'],
    [Array.from({ length: 31 }, (_, index) => `#t${index}`).join(' '), '30 hashtags'],
    [Array.from({ length: 21 }, (_, index) => `@a${index}`).join(' '), '20 mentions'],
  ])('names what would be refused', (text, words) => {
    expect(captionProblems(text)).toEqual([expect.stringContaining(words)]);
  });

  it('finds nothing wrong at the limits', () => {
    expect(captionProblems('🦊'.repeat(2200))).toEqual([]);
    expect(captionProblems('mail me@example.org &#39; a#b')).toEqual([]);
  });
});
