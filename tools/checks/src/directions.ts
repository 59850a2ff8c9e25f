import { circles, type ImportGraph, readImportGraph } from './import-graph';
import type { Offence } from './offence';
import { isTest, readSources } from './source-files';

/** Files of one folder under `<start>/`, e.g. the screen a file belongs to; `null` outside. */
const partOf = (file: string, start: string): string | null =>
  file.startsWith(start) ? (file.slice(start.length).split('/')[0] ?? null) : null;

const SCREENS = 'apps/console/src/screens/';

interface Direction {
  rule: string;
  fix: string;
  broken(from: string, to: string): boolean;
}

/** Directions inside an app, which the workspace's tags do not see. */
const DIRECTIONS: readonly Direction[] = [
  {
    rule: 'screens do not import each other',
    fix: 'Move what both need to ui/ (looks) or data/ (facts).',
    broken: (from, to) => partOf(from, SCREENS) !== null && partOf(to, SCREENS) !== null && partOf(from, SCREENS) !== partOf(to, SCREENS),
  },
  {
    rule: 'ui/ knows no data, no screen and no app',
    fix: 'Hand the value over as a property.',
    broken: (from, to) => /^apps\/console\/src\/ui\//.test(from) && /^apps\/console\/src\/(data|screens|app)\//.test(to),
  },
  {
    rule: 'data/ knows nothing that is drawn',
    fix: 'Return data and let the screen draw it.',
    broken: (from, to) => /^apps\/console\/src\/data\//.test(from) && /^apps\/console\/src\/(ui|screens|app)\//.test(to),
  },
  {
    rule: 'only a stage uses a step; steps know no more than the types of each other',
    fix: 'Put what both need into a file beside the stage, or let the stage hand it on.',
    broken: (from, to) => /\.step\.ts$/.test(to) && !/\.stage\.ts$/.test(from),
  },
];

export const cycles = {
  name: 'cycles',
  async run(root: string): Promise<Offence[]> {
    const graph = readImportGraph(root, readSources(root), { alsoTypes: true });
    return circles(graph).map((group) => ({
      file: group[0] ?? '',
      rule: `no import circles: ${[...group].reverse().join(' → ')}`,
      fix: 'Move what both sides need into a third file that imports neither.',
    }));
  },
};

export const directions = {
  name: 'directions',
  run: async (root: string): Promise<Offence[]> => directionOffences(readImportGraph(root, readSources(root), { alsoTypes: false })),
};

export function directionOffences(graph: ImportGraph): Offence[] {
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
