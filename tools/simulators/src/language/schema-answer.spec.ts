import { proseAnswer, schemaAnswer } from './schema-answer';
import { subjectOf } from './subject';

const subject = subjectOf(['Be brief.', 'Title: Two otters holding hands\nComments: nice'], ['frame']);

interface Filled {
  caption: string;
  confidence: number;
  words: number;
  sentiment: string;
  hashtags: string[];
  groups: { name: string; tags: string[] }[];
}

describe('subjectOf', () => {
  it('reads the title from text or JSON and falls back to the last line', () => {
    expect(subject.title).toBe('Two otters holding hands');
    expect(subjectOf(['{"title":"A cat","score":1}'], []).title).toBe('A cat');
    expect(subjectOf(['First\nLast line'], []).title).toBe('Last line');
  });

  it('depends on the pictures', () => {
    expect(subjectOf(['Title: x'], ['one']).seed).not.toBe(subjectOf(['Title: x'], ['two']).seed);
  });
});

describe('schemaAnswer', () => {
  it('satisfies every kind of schema within its limits', () => {
    const schema = {
      type: 'object',
      properties: {
        caption: { type: 'string', maxLength: 40 },
        confidence: { type: 'number', minimum: 0, maximum: 1 },
        words: { type: 'integer', minimum: 3, maximum: 9 },
        sentiment: { type: 'string', enum: ['positive', 'negative'] },
        hashtags: { type: 'array', items: { type: 'string' }, maxItems: 5 },
        perhaps: { anyOf: [{ type: 'null' }, { $ref: '#/$defs/note' }] },
        done: { type: ['boolean', 'null'] },
        fixed: { const: 7 },
        groups: {
          type: 'array',
          minItems: 4,
          items: { type: 'object', properties: { name: { type: 'string' }, tags: { type: 'array', items: { type: 'string' } } } },
        },
      },
      $defs: { note: { type: 'object', properties: { text: { type: 'string' } } } },
    };
    const answer = schemaAnswer(schema, subject) as Filled;
    const { groups } = answer;
    expect(answer).toMatchObject({ perhaps: { text: expect.any(String) }, done: expect.any(Boolean), fixed: 7 });
    expect(answer.caption.length).toBeLessThanOrEqual(40);
    expect(answer.hashtags).toHaveLength(5);
    expect(['positive', 'negative']).toContain(answer.sentiment);
    expect(answer.confidence).toBeLessThanOrEqual(1);
    expect(Number.isInteger(answer.words)).toBe(true);
    expect(new Set(groups.map(({ name }) => name)).size).toBe(4);
    expect(groups[0]?.tags).not.toEqual(groups[1]?.tags);
  });

  it('accepts upper-case OpenAPI types', () => {
    expect(schemaAnswer({ type: 'OBJECT', properties: { tone: { type: 'STRING' } } }, subject)).toEqual({ tone: expect.any(String) });
  });
});

describe('proseAnswer', () => {
  it('mentions the title and ends with hashtags', () => {
    expect(proseAnswer(subject)).toMatch(/Two otters holding hands\.[^#]+#otters /);
  });
});
