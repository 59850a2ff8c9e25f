import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { parseAllDocuments } from 'yaml';
import { agreements } from './agreements.mjs';

/**
 * `npm run chart`: lints, renders, validates and tests the chart, and compares it with the code. Uses helm, helm-unittest, kubeconform and
 * helm-docs from the PATH, and schemas from the folder KUBECONFORM_SCHEMAS (`<version>/<kind>.json`, `crds/<group>/<kind>_<version>.json`).
 * Skips missing tools with a note; with CI=true they are failures.
 */
const HERE = path.dirname(fileURLToPath(import.meta.url));
const CHART = path.join(HERE, 'autoposter');
const VALUES = ['values.quickstart.yaml', ...fs.readdirSync(path.join(CHART, 'ci')).map((name) => `ci/${name}`)];
const SCHEMAS = process.env.KUBECONFORM_SCHEMAS || process.env.SCHEMAS || '';
const STRICT = ['1', 'true'].includes(process.env.CI ?? '');

let failures = 0;
const skipped = [];

function report(name, problems) {
  failures += problems.length > 0 ? 1 : 0;
  process.stdout.write(`${problems.length === 0 ? 'ok    ' : 'FAILED'}  ${name}\n${problems.map((line) => `        ${line}\n`).join('')}`);
}

function run(program, ...args) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  return {
    ok: status === 0,
    missing: error?.code === 'ENOENT',
    stdout: stdout ?? '',
    lines: `${stdout ?? ''}${stderr ?? ''}`.trim().split('\n'),
  };
}

async function main() {
  if (run('helm', 'version', '--short').missing) skipped.push('helm: everything but unit tests and README');
  else await withHelm();
  unitTests();
  await checkReadme();
  for (const what of skipped) process.stdout.write(`skipped ${what}\n`);
  if (STRICT && skipped.length > 0) failures += 1;
}

async function withHelm() {
  const rendered = new Map();
  for (const values of VALUES) {
    const lint = run('helm', 'lint', '--strict', CHART, '--values', path.join(CHART, values));
    report(`lint ${values}`, lint.ok ? [] : lint.lines);
    const { ok, stdout, lines } = run('helm', 'template', 'trial', CHART, '--namespace', 'somewhere', '--values', path.join(CHART, values));
    report(`render ${values}`, ok ? [] : lines);
    if (ok) rendered.set(values, stdout);
  }
  for (const [values, text] of rendered) validate(values, text);
  const documents = new Map(
    [...rendered].map(([values, text]) => [
      values,
      parseAllDocuments(text)
        .map((one) => one.toJS())
        .filter(Boolean),
    ]),
  );
  for await (const [name, problems] of agreements(documents)) report(name, problems);
}

function validate(values, text) {
  if (run('kubeconform', '-v').missing) return void skipOnce('kubeconform: not on the PATH');
  if (!fs.existsSync(SCHEMAS)) return void skipOnce('kubeconform: KUBECONFORM_SCHEMAS is not a folder');
  const file = path.join(fs.mkdtempSync(path.join(fs.realpathSync(process.env.TMPDIR || '/tmp'), 'chart-')), 'rendered.yaml');
  fs.writeFileSync(file, text);
  for (const version of fs.readdirSync(SCHEMAS).filter((name) => /^v\d+\.\d+\.\d+$/.test(name))) {
    const places = [
      '{{.NormalizedKubernetesVersion}}/{{.ResourceKind}}{{.KindSuffix}}.json',
      'crds/{{.Group}}/{{.ResourceKind}}_{{.ResourceAPIVersion}}.json',
    ];
    const locations = places.flatMap((place) => ['-schema-location', path.join(SCHEMAS, place)]);
    const { ok, lines } = run('kubeconform', '-strict', '-summary', ...locations, '-kubernetes-version', version.slice(1), file);
    report(`kubeconform ${version} ${values}`, ok ? [] : lines);
  }
  fs.rmSync(path.dirname(file), { recursive: true });
}

function unitTests() {
  const alone = run('helm-unittest', CHART);
  const { ok, missing, lines } = alone.missing ? run('helm', 'unittest', CHART) : alone;
  if (missing || lines.some((line) => line.includes('unknown command "unittest"'))) return void skipOnce('helm-unittest: not installed');
  report(`unit tests (${lines.find((line) => line.startsWith('Tests:'))?.replace(/\s+/g, ' ') ?? 'no count'})`, ok ? [] : lines);
}

/** helm-docs generates the chart's README from its values. */
async function checkReadme() {
  const { missing, stdout } = run(
    'helm-docs',
    '--chart-search-root',
    CHART,
    '--sort-values-order',
    'file',
    '--dry-run',
    '--log-level',
    'error',
  );
  if (missing) return void skipOnce('helm-docs: not on the PATH');
  const file = path.join(CHART, 'README.md');
  const wanted = await format(stdout, { ...(await resolveConfig(file)), filepath: file });
  // the order of rows that share a line of the values file (merged workers) differs between runs of helm-docs
  const isCurrent = () => linesInOrder(fs.readFileSync(file, 'utf8')) === linesInOrder(wanted);
  if (process.argv.includes('--write') && !isCurrent()) fs.writeFileSync(file, wanted);
  report('README of the chart', isCurrent() ? [] : ['differs from the values: npm run chart -- --write']);
}

const linesInOrder = (text) => text.split('\n').sort().join('\n');
const skipOnce = (what) => skipped.includes(what) || skipped.push(what);

await main();
process.stdout.write(failures === 0 ? 'The chart passes all checks.\n' : `${failures} checks failed.\n`);
process.exitCode = failures === 0 ? 0 : 1;
