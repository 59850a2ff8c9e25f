import { skippedPostSample } from '@autoposter/contracts';
import { skippedCsv } from './csv-export';

const label = () => 'Score too low';
const post = (title: string | null) => ({ ...skippedPostSample, redditData: { ...skippedPostSample.redditData, title } });
const row = (title: string | null) => skippedCsv([post(title)], label).split('\r\n')[1] ?? '';

describe('skippedCsv', () => {
  it('writes a byte order mark, a header and one line per post', () => {
    const text = skippedCsv([skippedPostSample, skippedPostSample], label);
    expect(text.startsWith('\uFEFFSkip reason,Title,URL,')).toBe(true);
    expect(text.split('\r\n')).toHaveLength(4);
  });

  it.each([
    ['plain', 'Score too low,plain,'],
    ['with, comma', 'Score too low,"with, comma",'],
    ['with "quotes"', 'Score too low,"with ""quotes""",'],
    [null, 'Score too low,,'],
    ['=HYPERLINK(1)', "Score too low,'=HYPERLINK(1),"],
    ['@here', "Score too low,'@here,"],
  ])('escapes %s', (title, begin) => expect(row(title).startsWith(begin)).toBe(true));

  it('does not escape negative numbers', () => {
    const text = skippedCsv([{ ...skippedPostSample, redditData: { ...skippedPostSample.redditData, score: -3 } }], label);
    expect(text.trimEnd().endsWith(',-3')).toBe(true);
  });
});
