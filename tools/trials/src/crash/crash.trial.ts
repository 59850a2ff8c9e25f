import { rmSync } from 'node:fs';
import { startEmbeddedPostgres, temporaryFolder } from '@autoposter/testkit';
import { SeededRandom, progress, type TrialArguments, type TrialResult } from '../trial';
import { boundaries, type Boundary, nameOf, planCases } from './boundaries';
import { CrashProduct } from './crash-product';
import { type CaseReport, CrashCase } from './crash-case';
import type { Takeover } from './takeover';

/** Products that run in parallel, because most of the time is spent waiting for leases. */
const PRODUCTS = { short: 2, full: 3 };
const SEEDS_OF_FULL = 3;
/** A boundary that another process reached first is repeated with another item. */
const MAX_ROUNDS = 4;

interface Tally {
  kills: number;
  items: number;
  takeovers: Takeover[];
  /** Inconclusive items on an overloaded machine; their kills are repeated. */
  starved: number;
  failures: string[];
}

/** Kills processes at every labelled boundary; every item must still be posted exactly once. */
export async function crash({ n, seed, full }: TrialArguments): Promise<TrialResult> {
  const folder = temporaryFolder('trial-crash');
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const postgres = await startEmbeddedPostgres();
  progress('the database server is ready');
  const tally: Tally = { kills: 0, items: 0, takeovers: [], starved: 0, failures: [] };
  const seeds = Array.from({ length: full ? SEEDS_OF_FULL : 1 }, (_, index) => seed + index);
  try {
    for (const one of seeds) await oneSeed(one, { n, full, tally, start: (name) => CrashProduct.start(name, postgres, folder) });
  } finally {
    await postgres.stop();
  }
  const standby = tally.takeovers.filter(({ ms, readyMs }) => readyMs === ms).map(({ ms }) => ms);
  const restarted = tally.takeovers.filter(({ ms, readyMs }) => readyMs !== ms).map(({ readyMs }) => readyMs);
  const facts = {
    seeds: seeds.length,
    items: tally.items,
    starved: tally.starved,
    takeovers: tally.takeovers.length,
    takeoverMs: spread(standby),
    ...(restarted.length > 0 ? { afterRestartMs: spread(restarted) } : {}),
    boundAt95Percent: tally.kills > 0 ? `${((3 / tally.kills) * 100).toFixed(2)} %` : null,
  };
  return { n: tally.kills, failures: tally.failures, facts };
}

function spread(values: readonly number[]) {
  const sorted = [...values].sort((a, b) => a - b);
  return { median: sorted[Math.floor(sorted.length / 2)] ?? null, max: sorted.at(-1) ?? null };
}

interface SeedContext {
  n: number | null;
  full: boolean;
  tally: Tally;
  start: (name: string) => Promise<CrashProduct>;
}

async function oneSeed(seed: number, { n, full, tally, start }: SeedContext): Promise<void> {
  const random = new SeededRandom(seed);
  const wanted = boundaries(full);
  let remaining = n === null ? wanted : random.shuffled(wanted).slice(0, n);
  const names = Array.from({ length: full ? PRODUCTS.full : PRODUCTS.short }, (_, index) => `seed${seed}_product${index + 1}`);
  const products: CrashProduct[] = [];
  try {
    for (const name of names) products.push(await start(name));
    progress(`seed ${seed}: ${remaining.length} boundaries in ${products.length} products`);
    for (let round = 1; remaining.length > 0 && round <= MAX_ROUNDS; round += 1) {
      const cases = planCases(remaining, random);
      progress(`${remaining.length} kills in ${cases.length} items${round > 1 ? ' (missed before)' : ''}`);
      const missed: Boundary[] = [];
      await Promise.all(
        products.map(async (product) => {
          for (let next = cases.shift(); next !== undefined; next = cases.shift()) {
            tally.items += 1;
            const report = await new CrashCase(product, next, { number: tally.items, random, full }).run();
            record(tally, report);
            missed.push(...report.missed, ...(report.starved.length > 0 ? report.killed : []));
            // A failure may leave state behind that affects further items of this product.
            if (report.failures.length > 0) return;
          }
        }),
      );
      if (cases.length > 0) {
        tally.failures.push(`seed ${seed}: every product failed, ${cases.length} items were not sent`);
        return;
      }
      remaining = missed;
    }
    for (const boundary of remaining) tally.failures.push(`seed ${seed}: ${nameOf(boundary)} was never reached`);
  } finally {
    await Promise.all(products.map((product) => product.stop()));
  }
}

function record(tally: Tally, report: CaseReport): void {
  const isStarved = report.starved.length > 0;
  if (isStarved) tally.starved += 1;
  else {
    tally.kills += report.killed.length;
    tally.takeovers.push(...report.takeovers);
  }
  tally.failures.push(...report.failures);
  const takeovers = report.takeovers.map(({ stage, ms }) => `${stage} ${ms}`).join(', ');
  const kills = report.killed.map(({ service, place, nth }) => `${service} ${place}#${nth}`).join(', ');
  const missed = report.missed.length > 0 ? `; missed: ${report.missed.map(nameOf).join(', ')}` : '';
  progress(
    `${isStarved ? 'BUSY ' : report.failures.length > 0 ? 'FAIL ' : 'ok   '} ${report.seconds.toFixed(0).padStart(3)} s  ${kills}${takeovers ? `; takeover ms: ${takeovers}` : ''}${missed}`,
  );
  for (const message of [...report.failures, ...report.starved]) progress(`      ${message}`);
  if (report.failures.length > 0) report.warnings.slice(-12).forEach((line) => progress(`      ${line.slice(0, 400)}`));
}
