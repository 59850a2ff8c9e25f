/**
 * The transformer of sources and specs: @swc/jest, except that the `index.ts` of a library loads each module at the first use of one of its
 * exports. swc defers packages only, and most specs use a fraction of a library: loading the rest takes a third of their time.
 */
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const swc = require('@swc/core');
const swcJest = require('@swc/jest');

const LIBRARY_INDEX = /\/libs\/[^/]+\/src\/index\.ts$/u;

exports.createTransformer = (options) => {
  const inner = swcJest.createTransformer(options);
  const deferred = (text, file) => (LIBRARY_INDEX.test(file) ? deferredExports(text, file) : null);
  return {
    ...inner,
    process(text, file, more) {
      const code = deferred(text, file);
      return code === null ? inner.process(text, file, more) : { code };
    },
    // an `export *` depends on the module that it names
    getCacheKey(text, file, more) {
      const code = deferred(text, file);
      return code === null ? inner.getCacheKey(text, file, more) : createHash('sha256').update(code).digest('hex');
    },
  };
};

/** CommonJS for a file of re-exports; `null` for a file that contains anything else. */
function deferredExports(text, file) {
  const lines = [`'use strict';`, `Object.defineProperty(exports, '__esModule', { value: true });`];
  for (const [index, statement] of statementsOf(text).entries()) {
    const isReExport = statement.type.startsWith('Export') && statement.source != null;
    if (!isReExport) return null;
    const variable = `module${index}`;
    const load = `(${variable} ??= require(${JSON.stringify(statement.source.value)}))`;
    lines.push(`let ${variable};`);
    for (const [exported, name] of reExportsOf(statement, file))
      lines.push(`Object.defineProperty(exports, '${exported}', { enumerable: true, get: () => ${load}.${name} });`);
  }
  return lines.join('\n');
}

const statementsOf = (text) => swc.parseSync(text, { syntax: 'typescript', decorators: true }).body;

/** The values of an `export … from`, each with its name in the module. */
function reExportsOf(statement, file) {
  if (statement.type === 'ExportAllDeclaration') {
    return valuesOf(path.resolve(path.dirname(file), `${statement.source.value}.ts`)).map((name) => [name, name]);
  }
  const values = statement.typeOnly ? [] : statement.specifiers.filter(({ isTypeOnly }) => !isTypeOnly);
  return values.map(({ orig, exported }) => [(exported ?? orig).value, orig.value]);
}

/** The names of the values that a module exports. */
function valuesOf(file) {
  return statementsOf(fs.readFileSync(file, 'utf8')).flatMap((statement) => {
    if (statement.type === 'ExportDeclaration') return declaredBy(statement.declaration, file);
    const isReExport = statement.type === 'ExportAllDeclaration' || statement.type === 'ExportNamedDeclaration';
    return isReExport ? reExportsOf(statement, file).map(([exported]) => exported) : [];
  });
}

function declaredBy(declaration, file) {
  if (declaration.type.startsWith('Ts') && declaration.type !== 'TsEnumDeclaration') return [];
  const names =
    declaration.type === 'VariableDeclaration' ? declaration.declarations.map(({ id }) => id) : [declaration.identifier ?? declaration.id];
  return names.map(({ value }) => {
    if (value === undefined) throw new Error(`${file} exports a pattern of names, which jest-transform.cjs does not read`);
    return value;
  });
}
