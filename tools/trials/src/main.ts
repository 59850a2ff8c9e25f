import { runByName } from '@autoposter/testkit';
import { apiFuzz } from './api-fuzz/api-fuzz.trial';
import { cluster } from './cluster/cluster.trial';
import { crash } from './crash/crash.trial';
import { journey } from './journey/journey.trial';
import { mediaZoo } from './media-zoo/media-zoo.trial';
import { mutants } from './mutants/mutants.trial';
import { publish } from './publish/publish.trial';
import { rebalance } from './rebalance/rebalance.trial';
import { recordings } from './recordings/recordings.trial';
import { simulation } from './simulation/simulation.trial';
import { sockets } from './sockets/sockets.trial';
import type { Trial } from './trial';

const TRIALS: Record<string, Trial> = {
  'api-fuzz': apiFuzz,
  cluster,
  crash,
  journey,
  'media-zoo': mediaZoo,
  mutants,
  publish,
  rebalance,
  recordings,
  simulation,
  sockets,
};

/** `npm run trial -- NAME [--n N] [--seed S] [--only ID] [--full] [--planted] [--real]`: prints one JSON object as last line; exit code 1 on any failure. */
runByName('trial', TRIALS, { numbers: ['n', 'seed'], texts: ['only'], flags: ['full', 'planted', 'real'] }, async (trial, name, args) => {
  const given = {
    ...{ n: args.number('n'), seed: args.number('seed') ?? 1, only: args.text('only') },
    ...{ full: args.flag('full'), planted: args.flag('planted'), real: args.flag('real') },
  };
  const startedAt = performance.now();
  const { n, failures, facts } = await trial(given);
  for (const failure of failures) process.stderr.write(`FAILED  ${failure}\n`);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  const result = { trial: name, n, seed: given.seed, full: given.full, failures: failures.length, seconds, ...facts };
  process.stdout.write(`${JSON.stringify(failures.length > 0 ? { ...result, failed: failures } : result)}\n`);
  return failures.length > 0 ? 1 : 0;
});
