import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Violation } from './check';

/** A built file with its static and dynamic imports. */
export interface BuiltFile {
  name: string;
  /** Bytes after gzip. */
  bytes: number;
  /** The source module that is the entry of this file, `null` for a shared chunk. */
  facade: string | null;
  isEntry: boolean;
  imports: readonly string[];
  dynamicImports: readonly string[];
}

/** KiB of JavaScript after gzip. */
const SIZE_BUDGETS = { landing: 160, dashboard: 240, screen: 45, onUse: 25 } as const;

const KIB = 1024;
const ADMIN = 'app/admin.tsx';
const DASHBOARD = 'dashboard.screen.tsx';
const FIX = 'Load it on use (a dynamic import), take a smaller package, or leave it out; the budgets are never raised to fit.';

/** The files and all their static imports. */
function closure(files: ReadonlyMap<string, BuiltFile>, names: readonly string[], found = new Set<string>()): Set<string> {
  for (const name of names) {
    const file = files.get(name);
    if (file === undefined || found.has(name)) continue;
    found.add(name);
    closure(files, file.imports, found);
  }
  return found;
}

/** Compares what each entry into the console loads with its budget. */
export function sizeViolations(built: readonly BuiltFile[]): Violation[] {
  const files = new Map(built.map((file) => [file.name, file]));
  const behind = (ending: string): string[] => built.filter(({ facade }) => facade?.endsWith(ending)).map(({ name }) => name);
  const entry = built.filter(({ isEntry }) => isEntry).map(({ name }) => name);
  const landing = closure(files, entry);
  const facades = [ADMIN, DASHBOARD].map((ending) => ({ ending, found: behind(ending) }));
  const missing = facades.find(({ found }) => found.length === 0);
  if (entry.length === 0 || missing) throw new Error(`The built console has no file for ${missing?.ending ?? 'its entry'}.`);
  const dashboard = closure(files, [...entry, ...facades.flatMap(({ found }) => found)]);
  const violationsOf = (what: string, names: Iterable<string>, budget: number): Violation[] => overBudget(files, what, [...names], budget);

  const later = built.filter(({ name, facade }) => facade !== null && !dashboard.has(name));
  return [
    ...violationsOf('/', landing, SIZE_BUDGETS.landing),
    ...violationsOf('/admin', dashboard, SIZE_BUDGETS.dashboard),
    ...later.flatMap(({ name, facade }) => {
      const added = without(closure(files, [name]), dashboard);
      if (facade?.endsWith('.screen.tsx')) return violationsOf(facade, added, SIZE_BUDGETS.screen);
      // the importing file is loaded before it
      const importers = built
        .filter(({ dynamicImports }) => dynamicImports.includes(name))
        .map((importer) => closure(files, [importer.name]));
      const worst = importers.flatMap((loaded) => violationsOf(facade ?? name, without(new Set(added), loaded), SIZE_BUDGETS.onUse));
      return worst.slice(0, 1);
    }),
  ];
}

const without = (names: ReadonlySet<string>, loaded: ReadonlySet<string>): string[] => [...names].filter((name) => !loaded.has(name));

function overBudget(files: ReadonlyMap<string, BuiltFile>, what: string, names: readonly string[], budget: number): Violation[] {
  const sizes = names.map((name) => ({ name, kib: (files.get(name)?.bytes ?? 0) / KIB })).sort((a, b) => b.kib - a.kib);
  const total = sizes.reduce((sum, { kib }) => sum + kib, 0);
  if (total <= budget) return [];
  const largest = sizes.slice(0, 3).map(({ name, kib }) => `${name} ${kib.toFixed(1)}`);
  const rule = `loads at most ${budget} KiB of JavaScript (gzip), now ${total.toFixed(1)}: ${largest.join(', ')}`;
  return [{ file: `apps/console: ${what}`, rule, fix: FIX }];
}

/** Builds the console in memory and reads the imports of each file. */
async function buildConsoleFiles(root: string): Promise<BuiltFile[]> {
  const { build } = await import('vite');
  const result = await build({
    configFile: path.join(root, 'apps/console/vite.config.ts'),
    logLevel: 'error',
    build: { write: false, reportCompressedSize: false },
  });
  if (!('output' in result)) throw new Error('Vite did not build the console as one bundle.');
  return result.output.flatMap((file) =>
    file.type !== 'chunk'
      ? []
      : [
          {
            name: file.fileName,
            bytes: gzipSync(file.code, { level: 9 }).length,
            facade: file.facadeModuleId === null ? null : path.relative(root, file.facadeModuleId.split('?')[0] ?? ''),
            isEntry: file.isEntry,
            imports: file.imports,
            dynamicImports: file.dynamicImports,
          },
        ],
  );
}

export const consoleSize = {
  name: 'sizes',
  run: async (root: string): Promise<Violation[]> => sizeViolations(await buildConsoleFiles(root)),
};
