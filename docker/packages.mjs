import fs from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';

/**
 * Copies the packages that some bundles need at run time from node_modules: `node docker/packages.mjs TARGET BUNDLE…`. Includes the packages that
 * the bundles require or resolve with all their dependencies, and optional peers that package.json lists (a framework's platform, a database driver). Leaves
 * out types, source maps and docs.
 */
const ROOT = process.cwd();
const EXCLUDED = /(\.d\.[cm]?ts|\.map|\.md|\.markdown|\.tsbuildinfo)$/i;
const IMPORTS = /\b(?:require(?:\.resolve)?|import)\("((?:@[^/"]+\/)?[^/".][^/"]*)[^"]*"\)/g;

const [target, ...bundles] = process.argv.slice(2);
const own = new Set(Object.keys(readJson(path.join(ROOT, 'package.json')).dependencies));
const found = new Set();

for (const bundle of bundles) {
  const text = fs.readFileSync(bundle, 'utf8');
  for (const [, name] of text.matchAll(IMPORTS)) if (!isBuiltin(name)) collect(name, ROOT, false);
}
for (const folder of [...found].sort()) copy(folder);
process.stdout.write(`${found.size} packages in ${target}\n`);

/** `from` is the folder of the requiring package; the nearest node_modules above it wins, as in Node's resolution. */
function collect(name, from, isOptional) {
  const folder = find(name, from);
  if (folder === null) {
    if (isOptional) return;
    throw new Error(`${name}, required by ${path.relative(ROOT, from) || 'a bundle'}, is not installed`);
  }
  if (found.has(folder)) return;
  found.add(folder);
  const {
    dependencies = {},
    optionalDependencies = {},
    peerDependencies = {},
    peerDependenciesMeta = {},
  } = readJson(`${folder}/package.json`);
  for (const next of Object.keys(dependencies)) collect(next, folder, next in optionalDependencies);
  for (const next of Object.keys(optionalDependencies)) collect(next, folder, true);
  for (const next of Object.keys(peerDependencies)) {
    if (!peerDependenciesMeta[next]?.optional || own.has(next)) collect(next, folder, true);
  }
}

function find(name, from) {
  for (let above = from; ; above = path.dirname(above)) {
    const folder = path.join(above, 'node_modules', name);
    if (fs.existsSync(path.join(folder, 'package.json'))) return folder;
    if (above === ROOT) return null;
  }
}

/** Nested packages are copied only if they are required. */
function copy(folder) {
  const inside = path.join(folder, 'node_modules');
  fs.cpSync(folder, path.join(target, path.relative(path.join(ROOT, 'node_modules'), folder)), {
    recursive: true,
    filter: (source) => source !== inside && !EXCLUDED.test(source),
  });
}

function readJson(file) {
  return JSON.parse(fs.readFileSync(file, 'utf8'));
}
