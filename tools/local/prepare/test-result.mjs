import path from 'node:path';

/**
 * What one part's Jest run amounts to. A suite that could not run at all counts as one failure, and so does a run that ended badly
 * without naming any.
 */
export function readResult(part, json, code, root) {
  if (json === null) return { part, passed: 0, failed: 1, skippedSuites: [] };
  const brokenSuites = json.numRuntimeErrorTestSuites ?? 0;
  const failed = json.numFailedTests + brokenSuites;
  const skippedSuites = json.testResults
    .filter(({ assertionResults }) => assertionResults.length > 0 && assertionResults.every(({ status }) => status === 'pending'))
    .map(({ name }) => path.relative(root, name));
  return { part, passed: json.numPassedTests, failed: failed === 0 && code !== 0 ? 1 : failed, skippedSuites };
}

/** The last line of `npm test`. In CI everything must have run: a skipped container or browser suite is a failure there. */
export function closingLine(results, { ci }) {
  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  const mayNotSkip = results.filter(({ part }) => ci && part !== 'unit').flatMap(({ skippedSuites }) => skippedSuites);
  const failed = results.reduce((sum, result) => sum + result.failed, 0) + mayNotSkip.length;
  return { line: `${passed} passed, ${failed} failed`, failed };
}
