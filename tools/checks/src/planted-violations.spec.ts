import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Violation } from './check';
import { lintTexts, refreshProjectGraph, unused } from './code-tools';

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
      `const isSame = (other?: typeof failure) => other?.message === failure.message || other?.message !== '';`,
      `const isRefused = (error: unknown) => String(error).includes('409');`,
      `export const planted = [isSame, isRefused, /quota/.test(failure.message) || failure.nextAction.includes('again')];`,
    ].join('\n'),
    Array.from({ length: 5 }, () => 'no-restricted-syntax').join(' '),
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
  });

  it.each(PLANTED)('eslint refuses %s', (_what, file, _text, rules) => {
    const refused = found.filter((violation) => violation.file.startsWith(`${file}:`));
    expect(refused.map(({ rule }) => rule).sort()).toEqual(rules.split(' ').sort());
  });

  it('the check on unused code reports a file, an export and a package without a user', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'unused-'));
    const texts = {
      'package.json': JSON.stringify({ name: 'planted', dependencies: { kafkajs: '2.2.4' } }),
      'knip.json': JSON.stringify({ entry: ['main.ts'], project: ['*.ts'] }),
      'main.ts': `import { used } from './numbers';\nprocess.exitCode = used;\n`,
      'numbers.ts': 'export const used = 1;\nexport const spare = 2;\n',
      'orphan.ts': 'export const alone = 3;\n',
    };
    try {
      for (const [file, text] of Object.entries(texts)) fs.writeFileSync(path.join(folder, file), text);
      fs.symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
      const rules = (await unused.run(folder)).map(({ file, rule }) => `${file} ${rule}`);
      expect(rules.sort()).toEqual([
        'numbers.ts:2 no exports without a user: spare',
        'orphan.ts no files without a user: orphan.ts',
        'package.json no dependencies without a user: kafkajs',
      ]);
    } finally {
      fs.rmSync(folder, { recursive: true, force: true });
    }
  });
});
