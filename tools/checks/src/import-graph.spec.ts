import path from 'node:path';
import { directionViolations, findCycles, readImportGraph } from './directions';

const ROOT = path.resolve(__dirname, '../../..');
const graphOf = (files: Record<string, string>, alsoTypes = true) =>
  readImportGraph(
    ROOT,
    Object.entries(files).map(([place, text]) => ({ path: place, text })),
    { alsoTypes },
  );

describe('findCycles', () => {
  it('finds a cycle through the index of a library', () => {
    const graph = graphOf({
      'libs/contracts/src/index.ts': `export * from './a';`,
      'libs/contracts/src/a.ts': `import { b } from './b'; export const a = b;`,
      'libs/contracts/src/b.ts': `import { a } from '@autoposter/contracts'; export const b = a;`,
      'libs/contracts/src/c.ts': `import { a } from './a'; export const c = a;`,
    });
    expect(findCycles(graph).map((group) => group.sort())).toEqual([
      ['libs/contracts/src/a.ts', 'libs/contracts/src/b.ts', 'libs/contracts/src/index.ts'],
    ]);
  });

  it('ignores comments, strings and diamonds', () => {
    const graph = graphOf({
      'apps/gateway/src/a.ts': `import './b'; import './c';`,
      'apps/gateway/src/b.ts': `import './d'; // import './a';`,
      'apps/gateway/src/c.ts': `import './d'; const text = "import './a'";`,
      'apps/gateway/src/d.ts': `export const d = 1;`,
    });
    expect(findCycles(graph)).toEqual([]);
  });
});

describe('directionViolations', () => {
  it.each([
    ['apps/console/src/screens/urls/urls.screen.tsx', '../logs/parts/tail', 'apps/console/src/screens/logs/parts/tail.tsx'],
    ['apps/console/src/ui/pill.tsx', '../data/client', 'apps/console/src/data/client.ts'],
    ['apps/console/src/data/client.ts', '../ui/pill', 'apps/console/src/ui/pill.tsx'],
    ['apps/ai-worker/src/ai/steps/a.step.ts', './b.step', 'apps/ai-worker/src/ai/steps/b.step.ts'],
  ])('refuses that %s imports %s', (from, name, to) => {
    const files = { [from]: `import { x } from '${name}'; x();`, [to]: `export const x = () => 1;` };
    expect(directionViolations(graphOf(files, false))).toEqual([expect.objectContaining({ file: from })]);
  });

  it('allows a step to import the output type of the step before it', () => {
    const files = {
      'apps/ai-worker/src/ai/steps/a.step.ts': `import type {\n  B,\n} from './b.step';\nexport const a = (b: B) => b;`,
      'apps/ai-worker/src/ai/steps/b.step.ts': `export type B = number;`,
      'apps/ai-worker/src/ai/ai.stage.ts': `import { a } from './steps/a.step'; a(1);`,
    };
    expect(directionViolations(graphOf(files, false))).toEqual([]);
  });
});
