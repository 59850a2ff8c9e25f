import fs from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';

/**
 * Copies what some bundles need at run time out of node_modules: `node docker/packages.mjs TARGET BUNDLE…`. Found are the packages that
 * the bundles ask for, with all their dependencies, and optional peers where the product names them itself (a framework's platform, a
 * database driver). Types, source maps and handbooks stay behind.
 */
const ROOT = process.cwd();
const LEFT_BEHIND = /(\.d\.[cm]?ts|\.map|\.md|\.markdown|\.tsbuildinfo)$/i;
const ASKED = /\b(?:require|import)\("((?:@[^/"]+\/)?[^/".][^/"]*)[^"]*"\)/g;

const [target, ...bundles] = process.argv.slice(2);
const own = new Set(Object.keys(readJson(path.join(ROOT, 'package.json')).dependencies));
const found = new Set();

for (const bundle of bundles) {
  const text = fs.readFileSync(bundle, 'utf8');
  for (const [, name] of text.matchAll(ASKED)) if (!isBuiltin(name)) take(name, ROOT, false);
}
for (const folder of [...found].sort()) copy(folder);
process.stdout.write(`${found.size} packages in ${target}\n`);

/** `from` is the folder of the package that asks; the nearest node_modules above it wins, as when it is loaded. */
function take(name, from, mayLack) {
  const folder = find(name, from);
  if (folder === null) {
    if (mayLack) return;
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
  for (const next of Object.keys(dependencies)) take(next, folder, next in optionalDependencies);
  for (const next of Object.keys(optionalDependencies)) take(next, folder, true);
  for (const next of Object.keys(peerDependencies)) {
    if (!peerDependenciesMeta[next]?.optional || own.has(next)) take(next, folder, true);
  }
}

function find(name, from) {
  for (let above = from; ; above = path.dirname(above)) {
    const folder = path.join(above, 'node_modules', name);
    if (fs.existsSync(path.join(folder, 'package.json'))) return folder;
    if (above === ROOT) return null;
  }
}

/** Packages inside this one are copied only when they were found themselves. */
function copy(folder) {
  const inside = path.join(folder, 'node_modules');
  fs.cpSync(folder, path.join(target, path.relative(path.join(ROOT, 'node_modules'), folder)), {
    recursive: true,
    filter: (source) => source !== inside && !LEFT_BEHIND.test(source),
  });
}

function readJson(file) {
  return JSON.parse(fs.readFileSync(file, 'utf8'));
}
