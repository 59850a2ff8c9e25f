import { budgets } from './budgets';
import type { Check, Violation } from './check';
import { commits, format, lint, types, unused } from './code-tools';
import { consoleSize } from './console-size';
import { cycles, directions } from './directions';
import { lock } from './lock';
import { stageNames } from './stage-names';
import { wiring } from './wiring';
import { words } from './words';

/** The groups run in parallel, the checks of a group one after the other: lint takes as long as all others together. */
const GROUPS: readonly (readonly Check[])[] = [
  [lock, commits, budgets, words, cycles, directions, wiring, stageNames, types, unused, consoleSize, format],
  [lint],
];
const CHECKS = GROUPS.flat();

/** More violations than this usually have one cause. */
const MAX_PRINTED = 40;

/** `npm run checks [-- NAME …]`: exit code 1 for any violation. */
async function main(requested: readonly string[]): Promise<number> {
  const unknown = requested.filter((name) => !CHECKS.some((check) => check.name === name));
  if (unknown.length > 0) {
    process.stderr.write(`Unknown check ${unknown.join(' ')}; known are ${CHECKS.map(({ name }) => name).join(' ')}.\n`);
    return 2;
  }
  const wanted = (check: Check): boolean => requested.length === 0 || requested.includes(check.name);
  const counts = await Promise.all(GROUPS.map((group) => runGroup(group.filter(wanted))));
  const total = counts.reduce((sum, count) => sum + count, 0);
  process.stdout.write(total === 0 ? 'All checks passed.\n' : `${total} violations.\n`);
  return total === 0 ? 0 : 1;
}

async function runGroup(checks: readonly Check[]): Promise<number> {
  let total = 0;
  for (const check of checks) {
    const startedAt = Date.now();
    const violations = await check.run(process.cwd());
    total += violations.length;
    const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
    const lines = [`${check.name.padEnd(12)}${violations.length === 0 ? 'ok' : `${violations.length} violations`}  (${seconds} s)`];
    lines.push(...violations.slice(0, MAX_PRINTED).map(describe));
    if (violations.length > MAX_PRINTED) lines.push(`  … and ${violations.length - MAX_PRINTED} more`);
    process.stdout.write(`${lines.join('\n')}\n`);
  }
  return total;
}

const describe = ({ file, rule, fix }: Violation): string => `  ${file}\n    ${rule}\n    → ${fix}`;

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.exitCode = 1;
  },
);
