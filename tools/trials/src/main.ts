import { parseArgs } from 'node:util';
import { apiFuzz } from './api-fuzz/api-fuzz.trial';
import { cluster } from './cluster/cluster.trial';
import { crash } from './crash/crash.trial';
import { journey } from './journey/journey.trial';
import { rebalance } from './rebalance/rebalance.trial';
import { recordings } from './recordings/recordings.trial';
import { sockets } from './sockets/sockets.trial';
import type { Trial } from './trial';

const TRIALS: Record<string, Trial> = { 'api-fuzz': apiFuzz, cluster, crash, journey, rebalance, recordings, sockets };

/** `npm run trial -- NAME [--n N] [--seed S] [--full]`: prints one JSON object as last line; exit code 1 on any failure. */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { n: { type: 'string' }, seed: { type: 'string' }, full: { type: 'boolean', default: false }, yes: { type: 'boolean' } },
  });
  const [name = ''] = positionals;
  const trial = TRIALS[name];
  if (trial === undefined) {
    process.stderr.write(
      `${name === '' ? 'Missing trial name' : `Unknown trial "${name}"`}; available: ${Object.keys(TRIALS).join(', ')}.\n`,
    );
    return 2;
  }
  const args = { n: wholeNumber('--n', values.n), seed: wholeNumber('--seed', values.seed) ?? 1, full: values.full };
  const startedAt = performance.now();
  const { n, failures, facts } = await trial(args);
  for (const failure of failures) process.stderr.write(`FAILED  ${failure}\n`);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  const result = { trial: name, n, seed: args.seed, full: args.full, failures: failures.length, seconds, ...facts };
  process.stdout.write(`${JSON.stringify(failures.length > 0 ? { ...result, failed: failures } : result)}\n`);
  return failures.length > 0 ? 1 : 0;
}

function wholeNumber(name: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  if (!/^[1-9]\d{0,8}$/u.test(text)) throw new Error(`${name} must be a whole number from 1`);
  return Number(text);
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`The trial failed to run: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(1);
  },
);
