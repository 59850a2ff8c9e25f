import path from 'node:path';
import { redactText } from '@autoposter/observability';
import { applying, attacksOn, builtPatterns, patternsOf, slowTextFor } from './regex-time';
import { isTest, readSources } from './source-files';

const ROOT = path.resolve(__dirname, '../../..');
const sources = readSources(ROOT).filter(
  ({ path: file }) => /^(?:libs|apps)\/[^/]+\/src\//u.test(file) && /\.tsx?$/u.test(file) && !isTest(file),
);

/** Patterns that are built at run time, and why no text from outside makes them slow. */
const BUILT: Record<string, string> = {
  'apps/console/src/screens/logs/log-lines.ts':
    'levels: built from constants, digits and spaces alternate at most twice; search: a reader runs their own pattern in their own browser',
  'libs/contracts/src/api/ai.api.ts': 'a constant is the only quantifier, and bounds the text',
  'libs/domain/src/captioning/text-patterns.ts': 'made of constants; its spec measures the whole policy',
  'libs/observability/src/redaction.ts': 'made of constants; the whole redaction is measured below',
  'libs/reddit/src/dash.ts': 'the name is a constant, and a value ends with the next quotation mark',
  'libs/testkit/src/containers.ts': 'reads a file of this repository',
};

describe('the run time of regular expressions', () => {
  it.each(sources.map((file) => [file.path, patternsOf(file)] as const).filter(([, patterns]) => patterns.length > 0))(
    'grows at most linearly with the text in %s',
    (_file, patterns) => {
      const slow = patterns.flatMap(({ place, pattern }) => {
        const { units, prefixes } = attacksOn(pattern);
        const found = slowTextFor(applying(pattern), units, prefixes);
        return found === null ? [] : [{ place, pattern: String(pattern), ...found }];
      });
      expect(slow).toEqual([]);
    },
  );

  it('is explained for every pattern that is built at run time', () => {
    expect([...new Set(sources.flatMap(builtPatterns))].filter((file) => !(file in BUILT))).toEqual([]);
  });

  it('grows at most linearly for the whole redaction', () => {
    const units = [
      'eyJ-',
      'a-',
      'a ',
      'http://',
      '://',
      'a://b:',
      'token',
      'token=',
      '"token":"',
      'password:',
      '\\"',
      'x.',
      '_token ',
      'cookie:',
    ];
    expect(slowTextFor(redactText, [...units, 'Bearer ', '1//0', '@', 'IGA', 'secret_', 'a=', '"', "'", 'http://a', '.hook'])).toBeNull();
  });
});

describe('slowTextFor', () => {
  const slowTextOf = (pattern: RegExp) => {
    const { units, prefixes } = attacksOn(pattern);
    return slowTextFor(applying(pattern), units, prefixes);
  };

  it.each([
    /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]+/g,
    /(\b[a-z][a-z0-9+.-]*:\/\/[^\s:/@"\\]+:)[^\s@/"\\]+@/gi,
    /\s+$/,
    /^(a+)+$/,
    /^(?:[\w-]+\.?)+@$/u,
    /<!--.*?-->/gs,
    /^[^,]*,.*?,.*?;$/,
  ])('finds %s', (pattern) => {
    expect(slowTextOf(pattern)).not.toBeNull();
  });

  it.each([/(?<![\w-])[\w-]{11,}(?:\.[\w-]*){2,4}/g, /^[A-Za-z0-9._-]{8,64}$/, /[?&]code=[^&\s]+/g, /\0|\p{Surrogate}/u])(
    'accepts %s',
    (pattern) => {
      expect(slowTextOf(pattern)).toBeNull();
    },
  );
});
