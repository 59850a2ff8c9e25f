import path from 'node:path';
import { lintText, refreshProjectGraph } from './lint-check';

const ROOT = path.resolve(__dirname, '../../..');
/** ESLint reads the whole project of the file it is given. */
const PATIENCE_MS = 90_000;

/** Each text is linted as the content of a file that exists, so that it belongs to a project with its tags. */
const PLANTED: readonly [what: string, file: string, text: string, rule: string][] = [
  [
    'the console reaching for the database',
    'apps/console/src/app/paths.ts',
    `import { Database } from '@autoposter/persistence';\nexport const planted = Database;\n`,
    '@nx/enforce-module-boundaries',
  ],
  [
    'one adapter using another, past its door, with the environment in hand',
    'libs/object-store/src/index.ts',
    [
      `import { KafkaBus } from '@autoposter/messaging';`,
      `import { Kafka } from 'kafkajs';`,
      `import { Injectable } from '@nestjs/common';`,
      `export const planted = [KafkaBus, Kafka, Injectable, process.env.HOME];`,
      `export default planted;`,
    ].join('\n'),
    '@nx/enforce-module-boundaries no-restricted-imports no-restricted-imports no-restricted-syntax no-restricted-syntax',
  ],
];

describe('planted offences', () => {
  beforeAll(() => refreshProjectGraph(ROOT), PATIENCE_MS);

  it.each(PLANTED)(
    'lint refuses %s',
    async (_what, file, text, rules) => {
      const found = await lintText(ROOT, file, text);
      expect(found.map(({ rule }) => rule).sort()).toEqual(rules.split(' ').sort());
    },
    PATIENCE_MS,
  );
});
