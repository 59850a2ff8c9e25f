import { z } from 'zod';
import { createSubredditBodySchema, pageQuery, updateCaptionBodySchema } from '@autoposter/contracts';
import { fieldIssue, issueSentence } from './issue-sentence';

const sentences = (schema: z.ZodType, given: unknown): string[] => {
  const result = schema.safeParse(given, { reportInput: true });
  return result.success ? [] : result.error.issues.map(issueSentence);
};

describe('the sentence about a field', () => {
  it.each([
    [{ name: 'aww', interval: 4 }, 'interval: must be at least 5, not 4.'],
    [{ name: 'aww', interval: 1441 }, 'interval: must be at most 1440, not 1441.'],
    [{ name: 'aww', interval: 5.5 }, 'interval: must be a whole number, not 5.5.'],
    [{ name: 'aww', interval: '60' }, 'interval: must be a number, not "60".'],
    [{ name: 'aww', filters: { allowNSFW: null } }, 'filters.allowNSFW: must be true or false, not null.'],
    [{ name: 'aww', timePeriod: 'eon' }, 'timePeriod: must be one of hour, day, week, month, year, not "eon".'],
    [{ name: 'a!' }, 'name: A subreddit name has 3 to 21 letters, digits or underscores, not "a!".'],
    [{}, 'name: is missing and must be text.'],
    [{ name: 'aww', more: 1 }, 'There is no field more here.'],
    [[], 'Must be an object, not a list.'],
  ])('names field, rule and value: %j', (given, sentence) => {
    expect(sentences(createSubredditBodySchema, given)).toEqual([sentence]);
  });

  it('counts what is too long to be read', () => {
    expect(sentences(updateCaptionBodySchema, { caption: 'x'.repeat(2201) })).toEqual([
      'caption: The caption may have at most 2200 characters, not 2201 characters.',
    ]);
    expect(sentences(z.object({ list: z.array(z.int()).max(1) }), { list: [1, 2] })).toEqual([
      'list: must have at most 1 entry, not 2 entries.',
    ]);
  });

  it('shows the value of a query as it came', () => {
    const query = z.object(pageQuery(20));
    expect(sentences(query, { page: '0' })[0]).toMatch(/^page: must be at least 1, not "?0"?\.$/u);
    expect(sentences(query, { page: 'x' })[0]).toMatch(/^page: must be a number/u);
  });

  it('keeps field, rule and value apart for programs', () => {
    const { error } = createSubredditBodySchema.safeParse({ name: 'aww', interval: 4 }, { reportInput: true });
    expect(error?.issues.map(fieldIssue)).toEqual([{ field: 'interval', rule: 'must be at least 5', value: '4' }]);
  });
});
