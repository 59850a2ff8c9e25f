/**
 * The runner of a spec file, after a change to the worker process that Jest runs it in: a module that was compiled for one spec is not parsed
 * again for the next one. Jest evaluates every module anew for each spec, and V8 finds none of them in its own cache, because each call
 * brings another function for dynamic imports. Parsing takes a tenth of the time of most specs.
 */
const vm = require('node:vm');

const compile = vm.compileFunction;
/** By file and parameters: the source, and the data from which V8 restores its functions. */
const compiled = new Map();

vm.compileFunction = (source, parameters = [], options = {}) => {
  const key = `${options.filename}(${parameters.join()})`;
  const known = compiled.get(key);
  // V8 itself compares the length of the source only
  if (known?.source === source) return compile(source, parameters, { ...options, cachedData: known.data });
  const made = compile(source, parameters, { ...options, produceCachedData: true });
  if (made.cachedDataProduced) compiled.set(key, { source, data: made.cachedData });
  return made;
};

module.exports = require('jest-circus/runner');
