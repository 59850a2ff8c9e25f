import fs from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import type { Violation } from './check';
import { isTest, readSources, type SourceFile } from './source-files';

/** For each file the files of the workspace that it imports. */
type ImportGraph = ReadonlyMap<string, readonly string[]>;

const ENDINGS = ['', '.ts', '.tsx', '.mts', '.mjs', '/index.ts'];

/** `import type … from` and `export type … from`, which do not exist at run time. */
const TYPE_ONLY = /^(im|ex)port type [^;]*? from '[^']+';/gms;

/** Reads imports with TypeScript's scanner, which ignores comments and strings. `alsoTypes` includes type-only imports. */
export function readImportGraph(root: string, files: readonly SourceFile[], { alsoTypes }: { alsoTypes: boolean }): ImportGraph {
  const known = new Set(files.map((file) => file.path));
  const aliases = readAliases(root);
  return new Map(
    files.map((file) => {
      const wanted = ts
        .preProcessFile(alsoTypes ? file.text : file.text.replaceAll(TYPE_ONLY, ''), true, true)
        .importedFiles.map(({ fileName }) => fileName);
      return [file.path, wanted.map((name) => resolve(file.path, name, aliases, known)).filter((found) => found !== null)];
    }),
  );
}

/** Groups of files that import each other (strongly connected components of two or more files, Tarjan's algorithm). */
export function findCycles(graph: ImportGraph): string[][] {
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const found: string[][] = [];
  const visit = (file: string): void => {
    order.set(file, order.size);
    low.set(file, order.size - 1);
    stack.push(file);
    for (const next of graph.get(file) ?? []) {
      if (!order.has(next)) visit(next);
      if (stack.includes(next)) low.set(file, Math.min(low.get(file) ?? 0, low.get(next) ?? 0));
    }
    if (low.get(file) !== order.get(file)) return;
    const group = stack.splice(stack.indexOf(file));
    if (group.length > 1 || (graph.get(file) ?? []).includes(file)) found.push(group);
  };
  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return found;
}

function resolve(from: string, name: string, aliases: Map<string, string>, known: Set<string>): string | null {
  const base = name.startsWith('.') ? path.posix.join(path.posix.dirname(from), name) : aliases.get(name);
  if (base === undefined) return null;
  return ENDINGS.map((ending) => base + ending).find((candidate) => known.has(candidate)) ?? null;
}

function readAliases(root: string): Map<string, string> {
  const { config } = ts.parseConfigFileTextToJson('tsconfig.base.json', fs.readFileSync(path.join(root, 'tsconfig.base.json'), 'utf8'));
  const paths = (config as { compilerOptions: { paths: Record<string, string[]> } }).compilerOptions.paths;
  return new Map(Object.entries(paths).map(([name, [target = '']]) => [name, path.posix.normalize(target)]));
}

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
