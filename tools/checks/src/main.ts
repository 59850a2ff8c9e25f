import { budgets } from './budgets';
import { consoleSize } from './console-size';
import { cycles, directions } from './directions';
import { format } from './format-check';
import { lint } from './lint-check';
import { lock } from './lock-check';
import type { Check, Offence } from './offence';
import { types } from './type-check';
import { wiring } from './wiring';

/** Each line of checks runs one after the other, the lines beside each other: linting alone takes as long as the rest. */
const LINES: readonly (readonly Check[])[] = [[lock, budgets, cycles, directions, wiring, types, consoleSize, format], [lint]];
const CHECKS = LINES.flat();

/** More than this in one check has one cause; the list would hide it. */
const SHOWN = 40;

/** `npm run checks [-- NAME …]`: exit code 1 where anything breaks a rule. */
async function main(asked: readonly string[]): Promise<number> {
  const unknown = asked.filter((name) => !CHECKS.some((check) => check.name === name));
  if (unknown.length > 0) {
    process.stderr.write(`Unknown check ${unknown.join(' ')}; known are ${CHECKS.map(({ name }) => name).join(' ')}.\n`);
    return 2;
  }
  const wanted = (check: Check): boolean => asked.length === 0 || asked.includes(check.name);
  const counts = await Promise.all(LINES.map((line) => runLine(line.filter(wanted))));
  const total = counts.reduce((sum, count) => sum + count, 0);
  process.stdout.write(total === 0 ? 'All checks passed.\n' : `${total} to mend.\n`);
  return total === 0 ? 0 : 1;
}

async function runLine(checks: readonly Check[]): Promise<number> {
  let total = 0;
  for (const check of checks) {
    const startedAt = Date.now();
    const offences = await check.run(process.cwd());
    total += offences.length;
    const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
    const lines = [`${check.name.padEnd(12)}${offences.length === 0 ? 'ok' : `${offences.length} to mend`}  (${seconds} s)`];
    lines.push(...offences.slice(0, SHOWN).map(describe));
    if (offences.length > SHOWN) lines.push(`  … and ${offences.length - SHOWN} more`);
    process.stdout.write(`${lines.join('\n')}\n`);
  }
  return total;
}

const describe = ({ file, rule, fix }: Offence): string => `  ${file}\n    ${rule}\n    → ${fix}`;

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.exitCode = 1;
  },
);
