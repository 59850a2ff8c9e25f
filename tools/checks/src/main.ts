import { budgets } from './budgets';
import { cycles, directions } from './directions';
import { format } from './format-check';
import { lint } from './lint-check';
import type { Check, Offence } from './offence';
import { types } from './type-check';
import { wiring } from './wiring';

/** The quick ones first: whoever waits for the slow ones has read the rest by then. */
const CHECKS: readonly Check[] = [budgets, cycles, directions, wiring, types, format, lint];

/** More than this in one check has one cause; the list would hide it. */
const SHOWN = 40;

/** `npm run checks [-- NAME …]`: exit code 1 where anything breaks a rule. */
async function main(asked: readonly string[]): Promise<number> {
  const unknown = asked.filter((name) => !CHECKS.some((check) => check.name === name));
  if (unknown.length > 0) {
    process.stderr.write(`Unknown check ${unknown.join(' ')}; known are ${CHECKS.map(({ name }) => name).join(' ')}.\n`);
    return 2;
  }
  let total = 0;
  for (const check of CHECKS.filter(({ name }) => asked.length === 0 || asked.includes(name))) {
    const startedAt = Date.now();
    const offences = await check.run(process.cwd());
    total += offences.length;
    const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
    process.stdout.write(`${check.name.padEnd(12)}${offences.length === 0 ? 'ok' : `${offences.length} to mend`}  (${seconds} s)\n`);
    for (const offence of offences.slice(0, SHOWN)) process.stdout.write(`${describe(offence)}\n`);
    if (offences.length > SHOWN) process.stdout.write(`  … and ${offences.length - SHOWN} more\n`);
  }
  process.stdout.write(total === 0 ? 'All checks passed.\n' : `${total} to mend.\n`);
  return total === 0 ? 0 : 1;
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
