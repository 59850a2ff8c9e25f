import fs from 'node:fs';
import path from 'node:path';
import js from '@eslint/js';
import nx from '@nx/eslint-plugin';
import prettier from 'eslint-config-prettier';
import reactHooks from 'eslint-plugin-react-hooks';
import globals from 'globals';
import tseslint from 'typescript-eslint';

/** Allowed imports: code of a layer may import code of the listed layers. */
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

/** External systems that an app must not reach, not even through a library. */
const FORBIDDEN_SYSTEMS = {
  gateway: ['reddit', 'instagram', 'llm', 'ffmpeg'],
  downloader: ['llm', 'kubernetes'],
  'dmca-worker': ['reddit', 'instagram', 'llm', 'kubernetes'],
  'ai-worker': ['reddit', 'instagram', 'kubernetes'],
  'instagram-poster': ['reddit', 'llm', 'ffmpeg', 'kubernetes'],
};

/** Each of these packages is imported by one library only, so that it can be replaced in one folder. */
const PACKAGE_OWNERS = {
  kafkajs: 'libs/messaging',
  typeorm: 'libs/persistence',
  pg: 'libs/persistence',
  minio: 'libs/object-store',
  'fluent-ffmpeg': 'libs/media-tools',
  sharp: 'libs/media-tools',
  'libheif-js': 'libs/media-tools',
  '@kubernetes/client-node': 'libs/cluster',
  ai: 'libs/llm',
  '@ai-sdk/google': 'libs/llm',
  '@ai-sdk/groq': 'libs/llm',
};

/** Libraries contain plain classes without a framework. */
const WITHOUT_NEST = ['libs/*'];
const WITH_NEST = ['libs/config'];

const SERVERS = Object.keys(FORBIDDEN_SYSTEMS);
const SPECS = ['**/*.spec.ts', '**/*.spec.tsx', '**/*.contract.ts', '**/testing/**'];

const boundaries = (allowTestkit, allow = []) => [
  'error',
  {
    allow,
    enforceBuildableLibDependency: false,
    // Specs of a library use the testkit, which uses that library: a cycle of projects, not of files.
    ignoredCircularDependencies: [
      ['testkit', 'persistence'],
      ['testkit', 'messaging'],
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
      ...Object.entries(FORBIDDEN_SYSTEMS).map(([app, systems]) => ({
        sourceTag: `app:${app}`,
        notDependOnLibsWithTags: systems.map((system) => `reach:${system}`),
      })),
    ],
  },
];

const packageRule = (place, extra = [], extraPaths = []) => [
  'error',
  {
    paths: [
      ...Object.entries(PACKAGE_OWNERS)
        .filter(([, owner]) => owner !== place)
        .map(([name, owner]) => ({ name, message: `Only ${owner} imports ${name}; use @autoposter/${path.basename(owner)}.` })),
      ...extraPaths,
      { name: 'node:process', importNames: ['env', 'default'], message: 'Only libs/config reads the environment.' },
    ],
    patterns: [
      ...Object.entries(PACKAGE_OWNERS)
        .filter(([, owner]) => owner !== place)
        .map(([name]) => ({ group: [`${name}/*`], message: `Only ${PACKAGE_OWNERS[name]} imports ${name}.` })),
      ...extra,
    ],
  },
];

const NO_NEST = { group: ['@nestjs/*', '@nestjs/*/*'], message: 'Libraries do not use Nest; create the instance in the app.' };

const ENGINE_PERSISTENCE = {
  name: '@autoposter/persistence',
  allowImportNames: [
    'AccountBusyError',
    'Database',
    'AttemptEnd',
    'ClaimedJob',
    'ClaimRequest',
    'JOB_TRANSITIONS',
    'MESSAGE_LOST_AFTER_SECONDS',
    'JobEnd',
    'NewJob',
    'DueMessage',
    'SchemaError',
    'StageJob',
    'SubjectWrite',
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
  { selector: 'ExportDefaultDeclaration', message: 'Export by name: the name stays the same everywhere and is searchable.' },
  { selector: 'ExportSpecifier[exported.name="default"]', message: 'Export by name.' },
  {
    selector: 'MethodDefinition[kind="constructor"] > FunctionExpression[params.length>6]',
    message: 'More than 6 constructor parameters: split the class or pass one object.',
  },
  { selector: 'CallExpression[callee.name="forwardRef"]', message: 'forwardRef hides a cycle: move one side to a library.' },
];
const NO_ENVIRONMENT = {
  selector: 'MemberExpression[object.name="process"][property.name="env"]',
  message: 'Only libs/config reads the environment: take the value as an argument.',
};
const SQL_START = '/^\\s*(SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH) /u';
const NO_SQL = [`Literal[value=${SQL_START}]`, `TemplateElement[value.raw=${SQL_START}]`].map((selector) => ({
  selector,
  message: 'All SQL is in libs/persistence: add a repository method or a query.',
}));

/** Sentences are rendered for people; decisions read codes and fields (law 9). */
const SENTENCE = '/^(?:message|nextAction|reason)$/';
const NO_PROSE = [
  {
    selector: `CallExpression[callee.property.name=/^(?:test|exec)$/] > MemberExpression.arguments[property.name=${SENTENCE}]`,
    message: 'Read a code or a field, never a sentence.',
  },
  {
    selector: `CallExpression[callee.property.name=/^(?:includes|startsWith|endsWith|match|matchAll|search)$/][callee.object.property.name=${SENTENCE}]`,
    message: 'Read a code or a field, never a sentence.',
  },
  ...['left.property', 'left.expression.property'].map((place) => ({
    // whether there is a sentence is a fact; `reason` is a code in many places
    selector: `BinaryExpression[operator=/^[!=]==$/][${place}.name=/^(?:message|nextAction)$/]:not([right.raw=/^(?:null|..)$/]):not([right.name=/^undefined$/])`,
    message: 'Compare codes or fields, never sentences.',
  })),
  {
    selector: 'CallExpression[callee.object.callee.name="String"][callee.object.arguments.0.name=/error/i]',
    message: 'Read a code or a field of the error, never its sentence.',
  },
  {
    selector:
      'ObjectExpression:has(> Property[key.name="kind"][value.type="Literal"]):has(> Property[key.name="side"]):has(> Property[key.name="nextAction"])',
    message: 'Create a failure with failureOf(code): its sentences are rendered.',
  },
];

const libraries = fs
  .readdirSync(path.join(import.meta.dirname, 'libs'))
  .map((name) => `libs/${name}`)
  .filter((place) => Object.values(PACKAGE_OWNERS).includes(place));

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
      'no-restricted-imports': packageRule(null),
      'no-restricted-syntax': ['error', ...SYNTAX, ...NO_PROSE, NO_ENVIRONMENT],
      eqeqeq: ['error', 'smart'],
    },
  },
  // rules that need types cost half a minute, so they apply only where a forgotten promise loses work
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
  { files: WITHOUT_NEST.map((place) => `${place}/**/*.ts`), rules: { 'no-restricted-imports': packageRule(null, [NO_NEST]) } },
  { files: WITH_NEST.map((place) => `${place}/**/*.ts`), rules: { 'no-restricted-imports': packageRule(null) } },
  ...libraries.map((place) => ({ files: [`${place}/**/*.ts`], rules: { 'no-restricted-imports': packageRule(place, [NO_NEST]) } })),
  // the engine knows jobs, not posts: no repository or entity of items, queue, captions or rights
  {
    files: ['libs/job-engine/src/**/*.ts'],
    ignores: SPECS,
    rules: {
      'no-restricted-imports': packageRule(null, [NO_NEST], [ENGINE_PERSISTENCE]),
      'no-restricted-syntax': ['error', ...SYNTAX, ...NO_PROSE, NO_ENVIRONMENT, ENGINE_REPOSITORIES],
    },
  },
  {
    files: SERVERS.map((name) => `apps/${name}/src/**/*.ts`),
    ignores: SPECS,
    rules: { 'no-restricted-syntax': ['error', ...SYNTAX, ...NO_PROSE, NO_ENVIRONMENT, ...NO_SQL] },
  },
  // benchmarks of other systems and test containers need the clients of those systems
  { files: ['tools/**/*.ts', 'libs/testkit/**/*.ts', ...SPECS], rules: { 'no-restricted-imports': 'off' } },
  { files: SPECS, rules: { '@nx/enforce-module-boundaries': boundaries(true) } },
  {
    // the trial runs parts of the apps and the simulated platform in one process, because they share a virtual clock; the benchmark times one task
    files: ['tools/trials/src/publish/**/*.ts', 'tools/bench/src/publish/**/*.ts'],
    rules: { '@nx/enforce-module-boundaries': boundaries(true, ['/(apps/(gateway|instagram-poster)|simulators)/src/']) },
  },
  // a sample is a value of the wire, and contracts do not know the domain
  { files: ['libs/contracts/src/samples/**/*.ts'], rules: { 'no-restricted-syntax': ['error', ...SYNTAX, NO_ENVIRONMENT] } },
  // tests and the testkit read the environment of the machine
  { files: ['libs/config/src/**/*.ts', 'libs/testkit/**/*.ts', ...SPECS], rules: { 'no-restricted-syntax': ['error', ...SYNTAX] } },
  {
    files: ['apps/console/**/*.{ts,tsx}'],
    extends: [reactHooks.configs.flat.recommended],
    // the React compiler is not used
    rules: { 'react-hooks/incompatible-library': 'off' },
  },
  { files: ['apps/console/**/*.{ts,tsx,js}'], languageOptions: { globals: globals.browser } },
  // a declaration describes the types of another package
  { files: ['**/*.d.ts'], rules: { 'no-restricted-syntax': 'off', '@typescript-eslint/no-empty-object-type': 'off' } },
  // tools read the default export of a configuration file
  { files: ['**/*.config.{ts,mts,mjs}'], rules: { 'no-restricted-syntax': 'off' } },
  prettier,
);
