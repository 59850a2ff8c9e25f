import fs from 'node:fs';
import path from 'node:path';
import js from '@eslint/js';
import nx from '@nx/eslint-plugin';
import prettier from 'eslint-config-prettier';
import reactHooks from 'eslint-plugin-react-hooks';
import globals from 'globals';
import tseslint from 'typescript-eslint';

/** Who may import whom. Read a line as "code of this kind may import code of those kinds". */
const LAYERS = {
  contract: ['contract'],
  domain: ['contract', 'domain'],
  foundation: ['contract', 'domain', 'foundation'],
  adapter: ['contract', 'domain', 'foundation'],
  engine: ['contract', 'domain', 'foundation', 'adapter', 'engine'],
  workflow: ['contract', 'domain', 'foundation', 'adapter', 'engine', 'workflow'],
  app: ['contract', 'domain', 'foundation', 'adapter', 'engine', 'workflow'],
  tool: ['contract', 'domain', 'foundation', 'adapter', 'engine', 'workflow'],
  test: ['contract', 'domain', 'foundation', 'adapter', 'engine', 'workflow'],
};

const RUNTIMES = { any: ['any'], node: ['any', 'node'], browser: ['any', 'browser'] };

/** Outside systems that an app must not reach, not even through a library. */
const OUT_OF_REACH = {
  gateway: ['reddit', 'instagram', 'llm', 'ffmpeg'],
  downloader: ['llm', 'kubernetes'],
  'dmca-worker': ['reddit', 'instagram', 'llm', 'kubernetes'],
  'ai-worker': ['reddit', 'instagram', 'kubernetes'],
  'instagram-poster': ['reddit', 'llm', 'ffmpeg', 'kubernetes'],
};

/** Each outside package with a risk of its own has one library that knows it, so that it can be replaced in one folder. */
const DOORS = {
  kafkajs: 'libs/messaging',
  typeorm: 'libs/persistence',
  pg: 'libs/persistence',
  minio: 'libs/object-store',
  'fluent-ffmpeg': 'libs/media-tools',
  sharp: 'libs/media-tools',
  '@kubernetes/client-node': 'libs/cluster',
  ai: 'libs/llm',
  '@ai-sdk/google': 'libs/llm',
  '@ai-sdk/groq': 'libs/llm',
};

/** Adapters and rules are plain classes: no framework in them. */
const WITHOUT_NEST = ['libs/*'];
const NEST_MAY_BE_IN = ['libs/config'];

const SERVERS = Object.keys(OUT_OF_REACH);
const SPECS = ['**/*.spec.ts', '**/*.spec.tsx', '**/*.contract.ts', '**/testing/**'];

const boundaries = (allowTestkit) => [
  'error',
  {
    allow: [],
    enforceBuildableLibDependency: false,
    // Specs of a library use the test kit, which starts that library's systems: a circle of projects, never one of files.
    ignoredCircularDependencies: [
      ['testkit', 'persistence'],
      ['testkit', 'job-engine'],
      ['testkit', 'workflow'],
      ['persistence', 'job-engine'],
      ['persistence', 'workflow'],
    ],
    depConstraints: [
      ...Object.entries(LAYERS).map(([layer, may]) => ({
        sourceTag: `layer:${layer}`,
        onlyDependOnLibsWithTags: [...may, ...(allowTestkit || layer === 'test' ? ['test'] : [])].map((name) => `layer:${name}`),
      })),
      ...Object.entries(RUNTIMES).map(([runtime, may]) => ({
        sourceTag: `runtime:${runtime}`,
        onlyDependOnLibsWithTags: [...may, ...(allowTestkit ? ['node'] : [])].map((name) => `runtime:${name}`),
      })),
      ...Object.entries(OUT_OF_REACH).map(([app, systems]) => ({
        sourceTag: `app:${app}`,
        notDependOnLibsWithTags: systems.map((system) => `reach:${system}`),
      })),
    ],
  },
];

const doorRule = (place, extra = [], extraPaths = []) => [
  'error',
  {
    paths: [
      ...Object.entries(DOORS)
        .filter(([, door]) => door !== place)
        .map(([name, door]) => ({ name, message: `Only ${door} imports ${name}; use what @autoposter/${path.basename(door)} offers.` })),
      ...extraPaths,
      { name: 'node:process', importNames: ['env', 'default'], message: 'Only libs/config reads the environment.' },
    ],
    patterns: [
      ...Object.entries(DOORS)
        .filter(([, door]) => door !== place)
        .map(([name]) => ({ group: [`${name}/*`], message: `Only ${DOORS[name]} imports ${name}.` })),
      ...extra,
    ],
  },
];

const NO_NEST = { group: ['@nestjs/*', '@nestjs/*/*'], message: 'This library is a plain one without Nest; wire it up in the app.' };

const ENGINE_PERSISTENCE = {
  name: '@autoposter/persistence',
  allowImportNames: [
    'AccountBusyError',
    'Database',
    'JOB_TRANSITIONS',
    'JobEnd',
    'NewJob',
    'OutboxMessage',
    'SchemaError',
    'StageJob',
    'Statement',
    'StorageType',
    'UnitOfWork',
  ],
  message: 'The job engine knows jobs, not posts; put the use case into libs/workflow.',
};
const ENGINE_REPOSITORIES = {
  selector: 'MemberExpression[object.name="uow"]:not([property.name=/^(jobs|outbox|history|now|subjectState)$/])',
  message: 'The job engine touches jobs, outbox and history only; put the rest into libs/workflow.',
};

const SYNTAX = [
  { selector: 'ExportDefaultDeclaration', message: 'Export by name: it keeps one name everywhere and can be searched for.' },
  { selector: 'ExportSpecifier[exported.name="default"]', message: 'Export by name.' },
  {
    selector: 'MethodDefinition[kind="constructor"] > FunctionExpression[params.length>6]',
    message: 'More than 6 constructor parameters: the class does too much; split it or hand over one object.',
  },
  { selector: 'CallExpression[callee.name="forwardRef"]', message: 'forwardRef hides a circle: let one side go down to a library.' },
];
const NO_ENVIRONMENT = {
  selector: 'MemberExpression[object.name="process"][property.name="env"]',
  message: 'Only libs/config reads the environment: take the value as an argument.',
};

const libraries = fs
  .readdirSync(path.join(import.meta.dirname, 'libs'))
  .map((name) => `libs/${name}`)
  .filter((place) => Object.values(DOORS).includes(place));

export default tseslint.config(
  { ignores: ['**/node_modules/', 'dist/', '.nx/', '.autoposter*/', 'coverage/', 'charts/**/templates/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,
  {
    files: ['**/*.{mjs,cjs,js}'],
    languageOptions: { globals: globals.node },
    rules: { 'no-unused-vars': ['error', { argsIgnorePattern: '^_', caughtErrors: 'none' }] },
  },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.recommended],
    plugins: { '@nx': nx },
    rules: {
      '@nx/enforce-module-boundaries': boundaries(false),
      '@typescript-eslint/ban-ts-comment': ['error', { 'ts-expect-error': 'allow-with-description', minimumDescriptionLength: 10 }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrors: 'none' }],
      'no-restricted-imports': doorRule(null),
      'no-restricted-syntax': ['error', ...SYNTAX, NO_ENVIRONMENT],
      eqeqeq: ['error', 'smart'],
    },
  },
  // rules that need types cost half a minute: where a forgotten promise loses work
  {
    files: ['libs/*/src/**/*.ts', ...SERVERS.map((name) => `apps/${name}/src/**/*.ts`), 'tools/local/src/**/*.ts'],
    ignores: ['**/*.d.ts'],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': [
        'error',
        { checksVoidReturn: { attributes: false, arguments: false, inheritedMethods: false } },
      ],
      '@typescript-eslint/await-thenable': 'error',
    },
  },
  { files: WITHOUT_NEST.map((place) => `${place}/**/*.ts`), rules: { 'no-restricted-imports': doorRule(null, [NO_NEST]) } },
  { files: NEST_MAY_BE_IN.map((place) => `${place}/**/*.ts`), rules: { 'no-restricted-imports': doorRule(null) } },
  ...libraries.map((place) => ({ files: [`${place}/**/*.ts`], rules: { 'no-restricted-imports': doorRule(place, [NO_NEST]) } })),
  // the engine knows jobs, not posts: no repository or entity of items, queue, captions or rights
  {
    files: ['libs/job-engine/src/**/*.ts'],
    ignores: SPECS,
    rules: {
      'no-restricted-imports': doorRule(null, [NO_NEST], [ENGINE_PERSISTENCE]),
      'no-restricted-syntax': ['error', ...SYNTAX, NO_ENVIRONMENT, ENGINE_REPOSITORIES],
    },
  },
  // measuring other systems beside ours and starting containers needs their own clients
  { files: ['tools/**/*.ts', 'libs/testkit/**/*.ts', ...SPECS], rules: { 'no-restricted-imports': 'off' } },
  { files: SPECS, rules: { '@nx/enforce-module-boundaries': boundaries(true) } },
  // tests and what starts their containers look at the machine they run on
  { files: ['libs/config/src/**/*.ts', 'libs/testkit/**/*.ts', ...SPECS], rules: { 'no-restricted-syntax': ['error', ...SYNTAX] } },
  {
    files: ['apps/console/**/*.{ts,tsx}'],
    extends: [reactHooks.configs.flat.recommended],
    // the compiler that this rule speaks for is not in use
    rules: { 'react-hooks/incompatible-library': 'off' },
  },
  { files: ['apps/console/**/*.{ts,tsx,js}'], languageOptions: { globals: globals.browser } },
  // a declaration describes somebody else's shape as it is
  { files: ['**/*.d.ts'], rules: { 'no-restricted-syntax': 'off', '@typescript-eslint/no-empty-object-type': 'off' } },
  // tools look for configuration under the default name
  { files: ['**/*.config.{ts,mts,mjs}'], rules: { 'no-restricted-syntax': 'off' } },
  prettier,
);
