import { closingLine, readArguments, readResult } from './run-tests.mjs';

const suite = (name: string, ...statuses: string[]) => ({
  name: `/root/${name}`,
  assertionResults: statuses.map((status) => ({ status })),
});
const json = (change: object = {}) => ({ numPassedTests: 3, numFailedTests: 0, numRuntimeErrorTestSuites: 0, testResults: [], ...change });

describe('the closing line of the tests', () => {
  it('adds up the parts', () => {
    const results = [readResult('unit', json(), 0, '/root'), readResult('int', json({ numFailedTests: 2 }), 1, '/root')];
    expect(closingLine(results, { ci: false })).toEqual({ line: '6 passed, 2 failed', failed: 2 });
  });

  it('counts a suite that does not load, a run without a result and an exit code without a failed test as one failure each', () => {
    expect(readResult('unit', json({ numRuntimeErrorTestSuites: 1 }), 1, '/root').failed).toBe(1);
    expect(readResult('unit', null, 1, '/root').failed).toBe(1);
    expect(readResult('unit', json(), 134, '/root').failed).toBe(1);
  });

  it('names each failed test and each suite that does not load, with the reason', () => {
    const failing = {
      name: '/root/a.spec.ts',
      status: 'failed',
      assertionResults: [
        { status: 'passed', fullName: 'a works' },
        { status: 'failed', fullName: 'a fails', failureMessages: ['\u001b[31mExpected: 1\u001b[39m\nReceived: 2'] },
      ],
    };
    const unloadable = { name: '/root/b.spec.ts', status: 'failed', message: 'Cannot find module', assertionResults: [] };
    expect(readResult('unit', json({ testResults: [failing, unloadable, suite('c.spec.ts', 'passed')] }), 1, '/root').failures).toEqual([
      { name: 'a.spec.ts: a fails', reason: 'Expected: 1\nReceived: 2' },
      { name: 'b.spec.ts', reason: 'Cannot find module' },
    ]);
  });

  it('lists a skipped container suite, which is a failure in CI', () => {
    const result = readResult(
      'int',
      json({ testResults: [suite('a.int.spec.ts', 'pending', 'pending'), suite('b.int.spec.ts', 'passed', 'pending')] }),
      0,
      '/root',
    );
    expect(result.skippedSuites).toEqual(['a.int.spec.ts']);
    expect(closingLine([result], { ci: false }).line).toBe('3 passed, 0 failed');
    expect(closingLine([result], { ci: true }).line).toBe('3 passed, 1 failed');
  });
});

describe('the arguments of the tests', () => {
  it('are a part, a project, and a pattern for Jest', () => {
    expect(readArguments(['--part', 'int', 'libs/messaging', '--yes'])).toEqual({
      parts: ['int'],
      project: null,
      rest: ['libs/messaging'],
    });
    expect(readArguments(['--project', 'gateway'])).toMatchObject({ project: 'gateway', rest: [] });
    expect(readArguments(['journey']).parts).toEqual(['unit', 'int', 'e2e']);
    expect(() => readArguments(['--part', 'load'])).toThrow('Unknown part load');
    expect(() => readArguments(['--part'])).toThrow('--part needs a value.');
  });
});
