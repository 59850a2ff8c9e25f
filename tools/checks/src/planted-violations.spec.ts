import path from 'node:path';
import type { Violation } from './check';
import { lintTexts, refreshProjectGraph } from './code-tools';

const ROOT = path.resolve(__dirname, '../../..');

/** Each text is linted as the content of an existing file, so that the tags of its project apply. */
const PLANTED: readonly [what: string, file: string, text: string, rule: string][] = [
  [
    'an import of the database in the console',
    'apps/console/src/app/paths.ts',
    `import { Database } from '@autoposter/persistence';\nexport const planted = Database;\n`,
    '@nx/enforce-module-boundaries',
  ],
  [
    'imports of another adapter, of its package and of Nest, and a read of the environment, in an adapter',
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
  [
    'decisions on sentences and a failure without a code',
    'libs/domain/src/index.ts',
    [
      `const failure = { kind: 'transient', side: 'ours', message: 'It failed.', nextAction: 'Wait.' };`,
      `export const planted = /quota/.test(failure.message) || failure.nextAction.includes('again');`,
    ].join('\n'),
    'no-restricted-syntax no-restricted-syntax no-restricted-syntax',
  ],
  [
    'SQL in an app',
    'apps/gateway/src/health/health.service.ts',
    "export const planted = ['SELECT 1 FROM content_items', `UPDATE content_items SET version = ${1}`];\n",
    'no-restricted-syntax no-restricted-syntax',
  ],
];

describe('planted violations', () => {
  let found: Violation[];
  beforeAll(async () => {
    await refreshProjectGraph(ROOT);
    found = await lintTexts(
      ROOT,
      PLANTED.map(([, file, text]) => ({ file, text })),
    );
  }, 90_000);

  it.each(PLANTED)('eslint refuses %s', (_what, file, _text, rules) => {
    const refused = found.filter((violation) => violation.file.startsWith(`${file}:`));
    expect(refused.map(({ rule }) => rule).sort()).toEqual(rules.split(' ').sort());
  });
});
