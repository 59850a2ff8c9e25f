import fs from 'node:fs';
import path from 'node:path';

const TYPESCRIPT = 'node node_modules/ts7/bin/tsc';
const ESLINT = 'node node_modules/eslint/bin/eslint.js';
const LAUNCHER = 'node tools/local';

/** Sources that a task reads: its own project and the projects that it imports. */
const SOURCES = ['default', '^default'];
const packages = (...names) => ({ externalDependencies: names });

/**
 * Infers the targets of every project from what lies in its folder, so that a `project.json` states nothing but name and tags:
 * `typecheck` and `lint` always; `test`, `test-int` and `e2e` where specs of that kind exist; `build` and `serve` where a program exists.
 * One Jest configuration and one TypeScript configuration serve the whole workspace, which the published plugins (`@nx/jest`, `@nx/vite`)
 * do not support.
 */
export const createNodesV2 = [
  '{apps,libs,tools}/*/project.json',
  (files, _options, { workspaceRoot }) =>
    files.map((file) => {
      const root = path.dirname(file);
      return [file, { projects: { [root]: { root, targets: targetsOf(root, path.join(workspaceRoot, root)) } } }];
    }),
];

function targetsOf(root, folder) {
  const has = (name) => fs.existsSync(path.join(folder, name));
  const sources = has('src') ? fs.readdirSync(path.join(folder, 'src'), { recursive: true }).map(String) : [];
  const specs = (kind) => sources.some((name) => SPEC_KINDS[kind].test(name));
  return {
    ...(has('tsconfig.json') && {
      typecheck: { command: `${TYPESCRIPT} -p ${root}/tsconfig.json`, cache: true, inputs: [...SOURCES, packages('ts7')] },
    }),
    lint: { command: `${ESLINT} ${root}`, cache: true, inputs: [...SOURCES, packages('eslint', 'typescript-eslint')] },
    ...(specs('unit') && { test: tests('unit', root) }),
    ...(specs('int') && { 'test-int': { ...tests('int', root), parallelism: false } }),
    ...(specs('e2e') && { e2e: { ...tests('e2e', root), parallelism: false } }),
    ...(root === 'apps/console' ? consoleTargets(root) : has('src/main.ts') && programTargets(root)),
  };
}

const SPEC_KINDS = {
  unit: /(?<!\.(int|e2e))\.spec\.tsx?$/,
  int: /\.int\.spec\.ts$/,
  e2e: /\.e2e\.spec\.ts$/,
};

/** `npm test` on one project. Integration and browser tests use databases, brokers and browsers, so their results depend on the machine too. */
const tests = (part, root) => ({
  command: `${LAUNCHER}/run.mjs test --part ${part} --project ${path.basename(root)} --yes`,
  cache: true,
  inputs: [
    ...SOURCES,
    '{workspaceRoot}/jest.config.mjs',
    '{workspaceRoot}/tools/local/prepare/jest-runner.cjs',
    '{workspaceRoot}/tools/local/prepare/jest-transform.cjs',
    packages('jest', '@swc/jest'),
    ...(part === 'unit' ? [] : [{ env: 'DOCKER_HOST' }]),
  ],
  // kept with the cache, because `npm test` counts the tests of unchanged projects too
  outputs: [`{workspaceRoot}/.autoposter/test/${path.basename(root)}/${part}.json`],
});

const consoleTargets = (root) => ({
  build: {
    command: 'node ../../node_modules/vite/bin/vite.js build',
    options: { cwd: root, env: { NODE_ENV: 'production' } },
    cache: true,
    inputs: [...SOURCES, packages('vite', '@vitejs/plugin-react')],
    outputs: ['{workspaceRoot}/dist/{projectRoot}'],
  },
  serve: { command: 'node ../../node_modules/vite/bin/vite.js', options: { cwd: root }, continuous: true },
});

const programTargets = (root) => ({
  build: {
    command: `${LAUNCHER}/bundle.mjs ${root}`,
    cache: true,
    inputs: [...SOURCES, '{workspaceRoot}/tools/local/bundle.mjs', packages('rolldown')],
    outputs: ['{workspaceRoot}/dist/{projectRoot}/main.cjs*'],
  },
  ...(root.startsWith('apps/') && { serve: { command: `${LAUNCHER}/run.mjs dev ${path.basename(root)}`, continuous: true } }),
});
