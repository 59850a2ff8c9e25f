import { findCycles, type ImportGraph, readImportGraph } from './import-graph';
import type { Violation } from './check';
import { isTest, readSources } from './source-files';

/** The folder below `start` that contains the file, for example its screen; `null` outside of `start`. */
const partOf = (file: string, start: string): string | null =>
  file.startsWith(start) ? (file.slice(start.length).split('/')[0] ?? null) : null;

const SCREENS = 'apps/console/src/screens/';

interface Direction {
  rule: string;
  fix: string;
  broken(from: string, to: string): boolean;
}

/** Import directions inside an app, which the tags of Nx projects cannot express. */
const DIRECTIONS: readonly Direction[] = [
  {
    rule: 'screens do not import each other',
    fix: 'Move the shared part to ui/ (components) or data/ (queries and state).',
    broken: (from, to) => partOf(from, SCREENS) !== null && partOf(to, SCREENS) !== null && partOf(from, SCREENS) !== partOf(to, SCREENS),
  },
  {
    rule: 'ui/ imports nothing from data/, screens/ or app/',
    fix: 'Pass the value as a property.',
    broken: (from, to) => /^apps\/console\/src\/ui\//.test(from) && /^apps\/console\/src\/(data|screens|app)\//.test(to),
  },
  {
    rule: 'data/ imports no component',
    fix: 'Return data and render it in the screen.',
    broken: (from, to) => /^apps\/console\/src\/data\//.test(from) && /^apps\/console\/src\/(ui|screens|app)\//.test(to),
  },
  {
    rule: 'only a stage imports a step; steps import only types of each other',
    fix: 'Move the shared part to a file beside the stage, or pass it through the output of the earlier step.',
    broken: (from, to) => /\.step\.ts$/.test(to) && !/\.stage\.ts$/.test(from),
  },
];

export const cycles = {
  name: 'cycles',
  async run(root: string): Promise<Violation[]> {
    const graph = readImportGraph(root, readSources(root), { alsoTypes: true });
    return findCycles(graph).map((group) => ({
      file: group[0] ?? '',
      rule: `import cycle: ${[...group].reverse().join(' → ')}`,
      fix: 'Move the shared part to a third file that imports neither.',
    }));
  },
};

export const directions = {
  name: 'directions',
  run: async (root: string): Promise<Violation[]> => directionViolations(readImportGraph(root, readSources(root), { alsoTypes: false })),
};

export function directionViolations(graph: ImportGraph): Violation[] {
  return [...graph].flatMap(([from, targets]) =>
    isTest(from)
      ? []
      : targets.flatMap((to) =>
          DIRECTIONS.filter(({ broken }) => broken(from, to)).map(({ rule, fix }) => ({
            file: from,
            rule: `${rule} (imports ${to})`,
            fix,
          })),
        ),
  );
}
