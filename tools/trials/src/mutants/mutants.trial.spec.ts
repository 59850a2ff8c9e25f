import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { plantDefect } from './mutant';
import { MUTANTS, verdictOf } from './mutants.trial';

const ROOT = join(__dirname, '../../../..');

describe('the list of mutants', () => {
  it('has at least sixty, each with its own id', () => {
    const ids = MUTANTS.map(({ id }) => id);
    expect(ids.length).toBeGreaterThanOrEqual(60);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each(MUTANTS.map((mutant) => [mutant.id, mutant] as const))('fits the sources: %s', (_id, mutant) => {
    const source = readFileSync(join(ROOT, mutant.file), 'utf8');
    expect(plantDefect(mutant, source)).not.toBe(source);
    expect(mutant.specs.filter((spec) => !existsSync(join(ROOT, spec)))).toEqual([]);
    expect(mutant.specs.length).toBeGreaterThan(0);
  });

  it('refuses a mutant whose text is missing or ambiguous', () => {
    const mutant = { id: 'm', file: 'f.ts', find: 'a', replace: 'b', defect: 'It breaks.', specs: [] };
    expect(plantDefect(mutant, 'x a y')).toBe('x b y');
    for (const source of ['x y', 'a a']) expect(() => plantDefect(mutant, source)).toThrow(/instead of once/);
  });
});

describe('verdictOf', () => {
  const report = { numFailedTests: 0, numPassedTests: 3, success: true, testResults: [] };
  const suite = { name: 's', message: 'Unexpected token', assertionResults: [{ status: 'failed', title: 'counts' }] };

  it('counts a failed test as killed and passed tests as survived', () => {
    expect(verdictOf({ ...report, numFailedTests: 1, success: false, testResults: [suite] })).toEqual({ kind: 'killed', by: 'counts' });
    expect(verdictOf(report)).toEqual({ kind: 'survived' });
  });

  it('accepts neither a spec that cannot be loaded nor one without tests', () => {
    const broken = { ...suite, assertionResults: [] };
    expect(verdictOf({ ...report, success: false, testResults: [broken] })).toEqual({ kind: 'invalid', reason: 'Unexpected token' });
    expect(verdictOf({ ...report, numPassedTests: 0 }).kind).toBe('invalid');
  });
});
