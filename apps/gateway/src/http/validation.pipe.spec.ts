import { HttpException } from '@nestjs/common';
import {
  createSubredditBodySchema,
  cursorQuerySchema,
  downloadsQuerySchema,
  pageQuery,
  queueQuerySchema,
  updateCaptionBodySchema,
  FAILURE_KINDS,
  type FailureKind,
} from '@autoposter/contracts';
import { z } from 'zod';
import { PipelineError } from '@autoposter/domain';
import { retryAfterSeconds, statusOfFailure } from './error.filter';
import { describeIssue, fieldIssue, idParam, PARSING, parseInput, validPage, withoutEmpty } from './validation.pipe';

const QUERY = { type: 'query' } as const;
const claimsTitle = z.object({ title: z.string() });

function refusal(work: () => unknown): { status: number; body: { message: string; issues: object[] } } {
  try {
    work();
  } catch (error) {
    const thrown = error as HttpException;
    return { status: thrown.getStatus(), body: thrown.getResponse() as { message: string; issues: object[] } };
  }
  throw new Error('nothing was refused');
}

describe('parseInput', () => {
  const parseBody = (given: unknown) => parseInput(createSubredditBodySchema, given);

  it('fills in defaults and reads the numbers of a query', () => {
    expect(parseBody({ name: 'aww' })).toMatchObject({ interval: 60, postsToFetch: 100, filters: { minScore: 1 } });
    expect(parseInput(queueQuerySchema, { page: '2' })).toMatchObject({ page: 2, limit: 20, sortOrder: 'asc' });
  });

  it('shows the text of a query value that is not a number', () => {
    const { body: refused } = refusal(() => parseInput(queueQuerySchema, { page: 'abc' }));
    expect(refused).toMatchObject({ message: 'page: must be a number, not "abc".', issues: [{ field: 'page', value: 'abc' }] });
  });

  it('reads an empty filter of a list as one that is not set', () => {
    const read = (query: object) => parseInput(queueQuerySchema, withoutEmpty(query));
    expect(read({ status: '', page: '', sortBy: '', sortOrder: 'desc' })).toEqual(read({ sortOrder: 'desc' }));
    expect(refusal(() => read({ status: 'all' })).status).toBe(422);
    expect(validPage(downloadsQuerySchema).transform({ status: '', limit: '' }, QUERY)).toEqual({});
  });

  it('refuses a cursor that no response contained', () => {
    const page = validPage(cursorQuerySchema);
    expect(page.transform({ limit: '5' }, QUERY)).toEqual({ limit: 5 });
    expect(refusal(() => page.transform({ cursor: '' }, QUERY)).status).toBe(422);
    const { status, body: refused } = refusal(() => page.transform({ cursor: 'abc' }, QUERY));
    expect([status, refused.issues]).toEqual([422, [expect.objectContaining({ field: 'cursor' })]]);
    expect(refused.message).toBe('cursor: must be the nextCursor of an earlier response; leave it out to start with the first page.');
  });

  it('reports only the type of a value of the wrong type', () => {
    const { body: refused } = refusal(() => parseInput(z.object({ list: z.array(z.string()).max(3) }), { list: 'long text' }));
    expect(refused).toMatchObject({ message: 'list: must be a list, not "long text".', issues: [{ field: 'list', value: 'long text' }] });
    expect(refused.issues).toHaveLength(1);
  });

  it('distinguishes a malformed body from an invalid value', () => {
    expect(refusal(() => parseBody(undefined)).status).toBe(400);
    expect(refusal(() => parseBody({ name: 5 })).status).toBe(400);
    expect(refusal(() => parseBody({ name: 'aww', other: 1 })).status).toBe(400);
    const limit = refusal(() => parseBody({ name: 'aww', interval: 4, filters: { maxAge: 169 } }));
    expect(limit.status).toBe(422);
    expect(limit.body.issues).toEqual([
      expect.objectContaining({ field: 'interval', value: '4' }),
      expect.objectContaining({ field: 'filters.maxAge', value: '169' }),
    ]);
    expect(limit.body.message).toMatch(/^interval: .+\. filters\.maxAge: .+\.$/);
  });

  it.each([{ name: 'a\0b' }, { name: 'a\ud800' }, { 'a\0': 1 }, { filters: [{ deep: '\0' }] }])(
    'refuses characters that PostgreSQL cannot store: %j',
    (given) => {
      expect(refusal(() => parseBody(given))).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining('cannot be stored') },
      });
    },
  );

  it('accepts surrogate pairs', () => {
    expect(parseInput(claimsTitle, { title: 'a 😀 b' })).toEqual({ title: 'a 😀 b' });
  });

  it('accepts ids in any case, and reports an invalid id as unknown', () => {
    const id = '01890000-0000-7000-8000-00000000ABCD';
    expect(idParam.transform(id, { type: 'param' })).toBe(id.toLowerCase());
    expect(refusal(() => idParam.transform('1', { type: 'param' })).status).toBe(404);
  });
});

describe('statusOfFailure', () => {
  const failure = (kind: FailureKind, retryAt?: string, retryAfterSeconds?: number) =>
    new PipelineError({ code: 'gemini_overloaded', kind, message: 'm', side: 'gemini', nextAction: 'n', retryAt, retryAfterSeconds })
      .failure;

  it('is never 401, which would sign the user out', () => {
    expect(FAILURE_KINDS.map((kind) => statusOfFailure(failure(kind)))).not.toContain(401);
  });

  it('returns the time of the next accepted request', () => {
    const now = new Date('2026-05-05T10:00:00Z');
    expect(retryAfterSeconds(failure('quota_exceeded', '2026-05-05T10:01:30.500Z'), now)).toBe(91);
    expect(retryAfterSeconds(failure('rate_limited', undefined, 89.2), now)).toBe(90);
    expect(retryAfterSeconds(failure('rate_limited'), now)).toBe(60);
    expect(retryAfterSeconds(failure('quota_exceeded', '2026-05-05T09:00:00Z'), now)).toBe(1);
    expect(retryAfterSeconds(failure('internal'), now)).toBeNull();
  });
});

const sentences = (schema: z.ZodType, given: unknown): string[] => {
  const result = schema.safeParse(given, PARSING);
  return result.success ? [] : result.error.issues.map(describeIssue);
};

describe('describeIssue', () => {
  it.each([
    [{ name: 'aww', interval: 4 }, 'interval: must be at least 5, not 4.'],
    [{ name: 'aww', interval: 1441 }, 'interval: must be at most 1440, not 1441.'],
    [{ name: 'aww', interval: 5.5 }, 'interval: must be a whole number, not 5.5.'],
    [{ name: 'aww', interval: '60' }, 'interval: must be a number, not "60".'],
    [{ name: 'aww', filters: { allowNSFW: null } }, 'filters.allowNSFW: must be true or false, not null.'],
    [{ name: 'aww', timePeriod: 'eon' }, 'timePeriod: must be one of hour, day, week, month, year, not "eon".'],
    [{ name: 'a!' }, 'name: A subreddit name has 2 to 21 letters, digits or underscores, not "a!".'],
    [{ name: ' ' }, 'name: Please enter the name of a subreddit.'],
    [{}, 'name: is missing and must be text.'],
    [{ name: 'aww', more: 1 }, 'Unknown field more.'],
    [[], 'Must be an object, not a list.'],
  ])('names field, rule and value: %j', (given, sentence) => {
    expect(sentences(createSubredditBodySchema, given)).toEqual([sentence]);
  });

  it('keeps the message of a rule that has one, whatever its first word is', () => {
    const schema = z.object({ tag: z.string().max(3, 'Too long for a tag'), day: z.iso.date('Invalid on purpose') });
    expect(sentences(schema, { tag: 'abcd', day: 'x' })).toEqual([
      'tag: Too long for a tag, not 4 characters.',
      'day: Invalid on purpose, not "x".',
    ]);
  });

  it('does not show an empty text', () => {
    for (const caption of ['', ' \n'])
      expect(sentences(updateCaptionBodySchema, { caption })).toEqual(['caption: The caption must not be empty.']);
  });

  it('gives the length of a value that is too long to show', () => {
    expect(sentences(updateCaptionBodySchema, { caption: 'x'.repeat(2201) })).toEqual([
      'caption: The caption may have at most 2200 characters, not 2201 characters.',
    ]);
    expect(sentences(z.object({ list: z.array(z.int()).max(1) }), { list: [1, 2] })).toEqual([
      'list: must have at most 1 entry, not 2 entries.',
    ]);
  });

  it('shows the value of a query unchanged', () => {
    const query = z.object(pageQuery(20));
    expect(sentences(query, { page: '0' })[0]).toMatch(/^page: must be at least 1, not "?0"?\.$/u);
    expect(sentences(query, { page: 'x' })[0]).toMatch(/^page: must be a number/u);
  });

  it('counts the entries of a list from 1', () => {
    const schema = z.object({ tags: z.array(z.object({ name: z.string(), at: z.array(z.int()) })), hashes: z.array(z.hex()) });
    const given = {
      tags: [
        { name: 'a', at: [] },
        { name: 5, at: [1, 'x'] },
      ],
      hashes: ['q!'],
    };
    expect(sentences(schema, given)).toEqual([
      'tags, entry 2, name: must be text, not 5.',
      'tags, entry 2, at, entry 2: must be a number, not "x".',
      'hashes, entry 1: must be a valid hex, not "q!".',
    ]);
    expect(refusal(() => parseInput(schema, given)).body.issues[0]).toMatchObject({ field: 'tags.1.name' });
  });

  it('returns field, rule and value separately for programs', () => {
    const { error } = createSubredditBodySchema.safeParse({ name: 'aww', interval: 4 }, PARSING);
    expect(error?.issues.map(fieldIssue)).toEqual([{ field: 'interval', rule: 'must be at least 5', value: '4' }]);
  });
});
