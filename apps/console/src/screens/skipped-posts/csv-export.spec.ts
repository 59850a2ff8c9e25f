import { skippedPostSample } from '@autoposter/contracts';
import { skippedCsv } from './csv-export';

const label = () => 'Score too low';
const post = (title: string | null) => ({ ...skippedPostSample, redditData: { ...skippedPostSample.redditData, title } });
const row = (title: string | null) => skippedCsv([post(title)], label).split('\r\n')[1] ?? '';

describe('skipped posts as a table', () => {
  it('have a head, a line each, and say that they are UTF-8', () => {
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
  ])('%s', (title, begin) => expect(row(title).startsWith(begin)).toBe(true));

  it('leaves numbers below zero as they are', () => {
    const text = skippedCsv([{ ...skippedPostSample, redditData: { ...skippedPostSample.redditData, score: -3 } }], label);
    expect(text.trimEnd().endsWith(',-3')).toBe(true);
  });
});
