import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { readProcessSettings } from '@autoposter/config';
import { startSharedServers } from '@autoposter/testkit';
import { progress, SeededRandom, type TrialArguments, type TrialResult } from '../trial';
import { JOB_ENGINE_MUTANTS } from './job-engine.table';
import { MESSAGING_MUTANTS } from './messaging.table';
import { copySources, type Mutant, plantDefect } from './mutant';
import { PERSISTENCE_MUTANTS } from './persistence.table';

export const MUTANTS: readonly Mutant[] = [...MESSAGING_MUTANTS, ...PERSISTENCE_MUTANTS, ...JOB_ENGINE_MUTANTS];

const UNCHANGED_WITHIN_MS = 900_000;
/** Specs that take longer with a defect have detected it: they wait for something that no longer happens. */
const CHANGED_WITHIN_MS = 180_000;

type Verdict = { kind: 'killed'; by: string } | { kind: 'timeout' | 'survived' } | { kind: 'invalid'; reason: string };

/** The part of Jest's JSON report that decides. */
interface JestReport {
  numFailedTests: number;
  numPassedTests: number;
  success: boolean;
  testResults: { name: string; message: string; assertionResults: { status: string; title: string }[] }[];
}

/**
 * Plants one defect at a time in a copy of the sources and runs the specs that must notice it, with the embedded PostgreSQL and without
 * containers. `--only` runs the mutant of an id or those of a folder, `--n N` a sample of the seed.
 */
export async function mutants({ n, only, seed }: TrialArguments): Promise<TrialResult> {
  const chosen = only === null ? sample(n, seed) : only.split(',').flatMap(mutantsOf);
  const copy = copySources();
  const servers = await startSharedServers({ containers: false });
  try {
    const env = { ...servers.env, TMPDIR: join(copy, 'tmp') };
    progress(`${chosen.length} mutants; running their tests without a defect`);
    for (const tests of [
      testsOf(chosen.filter(({ test }) => test === undefined)),
      testsOf(chosen.filter(({ test }) => test !== undefined)),
    ]) {
      const unchanged = tests.specs.length === 0 ? null : await runSpecs(copy, tests, env, UNCHANGED_WITHIN_MS);
      if (unchanged !== null && unchanged.kind !== 'survived')
        throw new Error(`the tests fail without a defect: ${JSON.stringify(unchanged)}`);
    }
    const verdicts: Verdict[] = [];
    for (const mutant of chosen) verdicts.push(await judge(mutant, copy, env));
    return resultOf(chosen, verdicts);
  } finally {
    await servers.stop();
    rmSync(copy, { recursive: true, force: true });
  }
}

const sample = (n: number | null, seed: number): readonly Mutant[] =>
  n === null ? MUTANTS : new SeededRandom(seed).shuffled(MUTANTS).slice(0, n);

/** @throws Error when no mutant has the id or lies in the folder: a typing error must not look like a passed run. */
function mutantsOf(idOrFolder: string): readonly Mutant[] {
  const found = MUTANTS.filter(({ id, file }) => id === idOrFolder || file.startsWith(idOrFolder));
  if (found.length === 0) throw new Error(`no mutant has the id or the folder ${idOrFolder}`);
  return found;
}

/** The tests of several mutants together. */
const testsOf = (several: readonly Mutant[]): Pick<Mutant, 'specs' | 'test'> => {
  const tests = [...new Set(several.flatMap(({ test }) => test ?? []))];
  return { specs: [...new Set(several.flatMap(({ specs }) => specs))], ...(tests.length === 0 ? {} : { test: tests.join('|') }) };
};

async function judge(mutant: Mutant, copy: string, env: Record<string, string>): Promise<Verdict> {
  const file = join(copy, mutant.file);
  const source = readFileSync(file, 'utf8');
  writeFileSync(file, plantDefect(mutant, source));
  try {
    const verdict = await runSpecs(copy, mutant, env, CHANGED_WITHIN_MS);
    progress(`${verdict.kind.padEnd(8)} ${mutant.id}${verdict.kind === 'killed' ? `: ${verdict.by}` : ''}`);
    return verdict;
  } finally {
    writeFileSync(file, source);
  }
}

async function runSpecs(
  copy: string,
  { specs, test }: Pick<Mutant, 'specs' | 'test'>,
  env: Record<string, string>,
  withinMs: number,
): Promise<Verdict> {
  const outputFile = join(copy, 'report.json');
  rmSync(outputFile, { force: true });
  const projects = [...new Set(specs.map((spec) => (spec.endsWith('.int.spec.ts') ? 'int' : 'node')))];
  const jest = ['node_modules/jest/bin/jest.js', '--selectProjects', ...projects, '--runInBand', '--forceExit'];
  if (test !== undefined) jest.push('--testNamePattern', test);
  const child = spawn(process.execPath, [...jest, '--json', `--outputFile=${outputFile}`, '--runTestsByPath', ...specs], {
    cwd: copy,
    stdio: ['ignore', 'ignore', 'pipe'],
    // an own process group, so that the servers which the specs started end with them
    detached: true,
    env: { PATH: readProcessSettings().path, DOCKER_HOST: 'unix:///dev/null', ...env },
  });
  const errors = text(child.stderr);
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    process.kill(-(child.pid ?? 0), 'SIGKILL');
  }, withinMs);
  await once(child, 'close');
  clearTimeout(timer);
  if (timedOut) return { kind: 'timeout' };
  if (!existsSync(outputFile)) throw new Error(`Jest wrote no report: ${(await errors).slice(0, 500)}`);
  return verdictOf(JSON.parse(readFileSync(outputFile, 'utf8')) as JestReport);
}

/** A spec that cannot be loaded proves nothing: the changed source may not parse. */
export function verdictOf({ numFailedTests, numPassedTests, success, testResults }: JestReport): Verdict {
  if (numFailedTests > 0) {
    const failed = testResults.flatMap(({ assertionResults }) => assertionResults).find(({ status }) => status === 'failed');
    return { kind: 'killed', by: failed?.title ?? '' };
  }
  if (success && numPassedTests > 0) return { kind: 'survived' };
  const broken = testResults.find(({ message }) => message !== '');
  return { kind: 'invalid', reason: broken?.message.slice(0, 500) ?? 'no test ran' };
}

function resultOf(chosen: readonly Mutant[], verdicts: readonly Verdict[]): TrialResult {
  const failures = chosen.flatMap(({ id, defect, survives }, index) => {
    const verdict = verdicts[index];
    if (verdict?.kind === 'invalid') return [`${id} proves nothing: ${verdict.reason}`];
    if (verdict?.kind !== 'survived') return survives === undefined ? [] : [`${id} is explained as a survivor but was killed`];
    return survives === undefined ? [`${id} survived: ${defect}`] : [];
  });
  const count = (kind: Verdict['kind']): number => verdicts.filter((verdict) => verdict.kind === kind).length;
  const survivors = chosen.filter((_mutant, index) => verdicts[index]?.kind === 'survived').map(({ id }) => id);
  return {
    n: chosen.length,
    failures,
    facts: { killed: count('killed'), timedOut: count('timeout'), survived: survivors.length, survivors },
  };
}
