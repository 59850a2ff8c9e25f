import fs from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import type { SourceFile } from './source-files';

/** For each file the files of the workspace that it imports. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

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
