import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Offence } from './offence';

/** A built file: what it loads before it runs, and what it loads on use. */
export interface BuiltFile {
  name: string;
  /** Bytes after gzip. */
  bytes: number;
  /** The source module that the file was made for, where it is a door of its own. */
  door: string | null;
  isEntry: boolean;
  imports: readonly string[];
  dynamicImports: readonly string[];
}

/** KiB of JavaScript after gzip. */
export const SIZE_BUDGETS = { landing: 160, dashboard: 240, screen: 45, onUse: 25 } as const;

const KIB = 1024;
const ADMIN = 'app/admin.tsx';
const DASHBOARD = 'dashboard.screen.tsx';
const FIX = 'Load it on use (a dynamic import), take a smaller package, or leave it out; the budgets are never raised to fit.';

/** The file and everything that it loads before it runs. */
function closure(files: ReadonlyMap<string, BuiltFile>, names: readonly string[], found = new Set<string>()): Set<string> {
  for (const name of names) {
    const file = files.get(name);
    if (file === undefined || found.has(name)) continue;
    found.add(name);
    closure(files, file.imports, found);
  }
  return found;
}

/** What each way into the console loads, measured over the built files, against its budget. */
export function sizeOffences(built: readonly BuiltFile[]): Offence[] {
  const files = new Map(built.map((file) => [file.name, file]));
  const behind = (ending: string): string[] => built.filter(({ door }) => door?.endsWith(ending)).map(({ name }) => name);
  const entry = built.filter(({ isEntry }) => isEntry).map(({ name }) => name);
  const landing = closure(files, entry);
  const doors = [ADMIN, DASHBOARD].map((ending) => ({ ending, found: behind(ending) }));
  const missing = doors.find(({ found }) => found.length === 0);
  if (entry.length === 0 || missing) throw new Error(`The built console has no file for ${missing?.ending ?? 'its entry'}.`);
  const dashboard = closure(files, [...entry, ...doors.flatMap(({ found }) => found)]);
  const judged = (what: string, names: Iterable<string>, budget: number): Offence[] => judge(files, what, [...names], budget);

  const later = built.filter(({ name, door }) => door !== null && !dashboard.has(name));
  return [
    ...judged('/', landing, SIZE_BUDGETS.landing),
    ...judged('/admin', dashboard, SIZE_BUDGETS.dashboard),
    ...later.flatMap(({ name, door }) => {
      const added = without(closure(files, [name]), dashboard);
      if (door?.endsWith('.screen.tsx')) return judged(door, added, SIZE_BUDGETS.screen);
      // On use, the part that asks for it is there already.
      const askers = built.filter(({ dynamicImports }) => dynamicImports.includes(name)).map((asker) => closure(files, [asker.name]));
      const worst = askers.flatMap((there) => judged(door ?? name, without(new Set(added), there), SIZE_BUDGETS.onUse));
      return worst.slice(0, 1);
    }),
  ];
}

const without = (names: ReadonlySet<string>, there: ReadonlySet<string>): string[] => [...names].filter((name) => !there.has(name));

function judge(files: ReadonlyMap<string, BuiltFile>, what: string, names: readonly string[], budget: number): Offence[] {
  const sizes = names.map((name) => ({ name, kib: (files.get(name)?.bytes ?? 0) / KIB })).sort((a, b) => b.kib - a.kib);
  const total = sizes.reduce((sum, { kib }) => sum + kib, 0);
  if (total <= budget) return [];
  const largest = sizes.slice(0, 3).map(({ name, kib }) => `${name} ${kib.toFixed(1)}`);
  const rule = `loads at most ${budget} KiB of JavaScript (gzip), now ${total.toFixed(1)}: ${largest.join(', ')}`;
  return [{ file: `apps/console: ${what}`, rule, fix: FIX }];
}

/** Builds the console without writing it and reads what each file loads. */
export async function buildConsoleFiles(root: string): Promise<BuiltFile[]> {
  const { build } = await import('vite');
  const result = await build({
    configFile: path.join(root, 'apps/console/vite.config.ts'),
    logLevel: 'error',
    build: { write: false, reportCompressedSize: false },
  });
  if (!('output' in result)) throw new Error('The console was not built as one bundle.');
  return result.output.flatMap((file) =>
    file.type !== 'chunk'
      ? []
      : [
          {
            name: file.fileName,
            bytes: gzipSync(file.code, { level: 9 }).length,
            door: file.facadeModuleId === null ? null : path.relative(root, file.facadeModuleId.split('?')[0] ?? ''),
            isEntry: file.isEntry,
            imports: file.imports,
            dynamicImports: file.dynamicImports,
          },
        ],
  );
}

export const consoleSize = { name: 'sizes', run: async (root: string): Promise<Offence[]> => sizeOffences(await buildConsoleFiles(root)) };
