import { parseArgs } from 'node:util';
import type { Bench } from './bench';
import { chain } from './chain/chain.bench';
import { dmca } from './dmca/dmca.bench';
import { lists } from './lists/lists.bench';

const BENCHES: Record<string, Bench> = { chain, dmca, lists };

/** `npm run bench -- NAME [--n N] [--rounds R]`: prints a table and, as last line, one JSON object; exit code 1 when the measurement failed. */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { n: { type: 'string' }, rounds: { type: 'string' }, yes: { type: 'boolean' } },
  });
  const [name = ''] = positionals;
  const bench = BENCHES[name];
  if (bench === undefined) {
    const known = Object.keys(BENCHES).join(', ');
    process.stderr.write(`${name === '' ? 'Missing benchmark name' : `Unknown benchmark "${name}"`}; available: ${known}.\n`);
    return 2;
  }
  const { table, facts } = await bench({ n: wholeNumber('--n', values.n), rounds: wholeNumber('--rounds', values.rounds) });
  process.stdout.write(`${table.join('\n')}\n${JSON.stringify({ bench: name, ...facts })}\n`);
  return 0;
}

function wholeNumber(name: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  if (!/^[1-9]\d{0,6}$/u.test(text)) throw new Error(`${name} must be a whole number from 1`);
  return Number(text);
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`The benchmark failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(1);
  },
);
