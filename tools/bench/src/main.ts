import { runByName } from '@autoposter/testkit';
import type { Bench } from './bench';
import { chain } from './chain/chain.bench';
import { dmca } from './dmca/dmca.bench';
import { lists } from './lists/lists.bench';
import { publish } from './publish/publish.bench';
import { retention } from './retention/retention.bench';
import { rights } from './rights/rights.bench';
import { scale } from './scale/scale.bench';

const BENCHES: Record<string, Bench> = { chain, dmca, lists, publish, retention, rights, scale };

/** `npm run bench -- NAME [--n N] [--rounds R] [--part P]`: prints a table and, as last line, one JSON object; exit code 1 when the measurement failed. */
runByName('benchmark', BENCHES, { numbers: ['n', 'rounds'], texts: ['part'] }, async (bench, name, args) => {
  const { table, facts, failures = [] } = await bench({ n: args.number('n'), rounds: args.number('rounds'), part: args.text('part') });
  for (const failure of failures) process.stderr.write(`FAILED  ${failure}\n`);
  process.stdout.write(`${table.join('\n')}\n${JSON.stringify({ bench: name, ...facts, failures })}\n`);
  return failures.length > 0 ? 1 : 0;
});
