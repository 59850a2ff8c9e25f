import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { readProcessSettings } from '@autoposter/config';
import { startEmbeddedPostgres } from '@autoposter/testkit';
import { SeededRandom } from '../random';
import { tell, type TrialArguments, type TrialResult } from '../trial';
import { boundaries, nameOf, type Boundary } from './boundaries';
import { ItemRun, type AttemptReport } from './item-run';
import { planRuns } from './plan';
import type { Takeover } from './takeover';
import { CrashWorld } from './world';

/** Worlds side by side: most of the time goes into waiting for leases. */
const WORLDS = { short: 2, full: 3 };
const SEEDS_OF_FULL = 3;
/** A boundary that another process reached first is tried again with another item. */
const TRIES = 4;

interface Tally {
  kills: number;
  items: number;
  takeovers: Takeover[];
  /** Items that say nothing because the machine was too busy; their kills were done again. */
  starved: number;
  failures: string[];
}

/** Kills processes at every labelled boundary of an item's way, and demands that each item arrives all the same, once. */
export async function crash({ n, seed, full }: TrialArguments): Promise<TrialResult> {
  const folder = mkdtempSync(path.join(readProcessSettings().temporaryFolder, 'autoposter-trial-crash-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const postgres = await startEmbeddedPostgres();
  tell('the database server is up');
  const tally: Tally = { kills: 0, items: 0, takeovers: [], starved: 0, failures: [] };
  const seeds = Array.from({ length: full ? SEEDS_OF_FULL : 1 }, (_, index) => seed + index);
  try {
    for (const one of seeds) await oneSeed(one, { n, full, folder, tally, start: (name) => CrashWorld.start(name, postgres, folder) });
  } finally {
    await postgres.stop();
  }
  const standing = tally.takeovers.filter(({ ms, readyMs }) => readyMs === ms).map(({ ms }) => ms);
  const anew = tally.takeovers.filter(({ ms, readyMs }) => readyMs !== ms).map(({ readyMs }) => readyMs);
  const facts = {
    seeds: seeds.length,
    items: tally.items,
    starved: tally.starved,
    takeovers: tally.takeovers.length,
    takeoverMs: spread(standing),
    ...(anew.length > 0 ? { afterRestartMs: spread(anew) } : {}),
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
  folder: string;
  tally: Tally;
  start: (name: string) => Promise<CrashWorld>;
}

async function oneSeed(seed: number, { n, full, tally, start }: SeedContext): Promise<void> {
  const random = new SeededRandom(seed);
  const wanted = boundaries(full);
  let todo = n === null ? wanted : random.shuffled(wanted).slice(0, n);
  const names = Array.from({ length: full ? WORLDS.full : WORLDS.short }, (_, index) => `seed${seed}_world${index + 1}`);
  const worlds: CrashWorld[] = [];
  try {
    for (const name of names) worlds.push(await start(name));
    tell(`seed ${seed}: ${todo.length} boundaries in ${worlds.length} worlds`);
    for (let attempt = 1; todo.length > 0 && attempt <= TRIES; attempt += 1) {
      const runs = planRuns(todo, random);
      tell(`${todo.length} kills on the way of ${runs.length} items${attempt > 1 ? ' (those that were missed)' : ''}`);
      const missed: Boundary[] = [];
      await Promise.all(
        worlds.map(async (world) => {
          for (let run = runs.shift(); run !== undefined; run = runs.shift()) {
            tally.items += 1;
            const report = await new ItemRun(world, run, { number: tally.items, random, full }).run();
            note(tally, report);
            missed.push(...report.missed, ...(report.starved.length > 0 ? report.killed : []));
            // what went wrong may lie about in this world: the rest of the items would not be strangers to it
            if (report.wrong.length > 0) return;
          }
        }),
      );
      if (runs.length > 0) {
        tally.failures.push(`seed ${seed}: every world failed, ${runs.length} items were not sent`);
        return;
      }
      todo = missed;
    }
    for (const boundary of todo) tally.failures.push(`seed ${seed}: ${nameOf(boundary)} was never reached`);
  } finally {
    await Promise.all(worlds.map((world) => world.stop()));
  }
}

function note(tally: Tally, report: AttemptReport): void {
  const isStarved = report.starved.length > 0;
  if (isStarved) tally.starved += 1;
  else {
    tally.kills += report.killed.length;
    tally.takeovers.push(...report.takeovers);
  }
  tally.failures.push(...report.wrong);
  const slow = report.takeovers.map(({ stage, ms }) => `${stage} ${ms}`).join(', ');
  const kills = report.killed.map(({ service, place, nth }) => `${service} ${place}#${nth}`).join(', ');
  const missed = report.missed.length > 0 ? `; missed ${report.missed.map(nameOf).join(', ')}` : '';
  tell(
    `${isStarved ? 'BUSY ' : report.wrong.length > 0 ? 'WRONG' : 'ok   '} ${report.seconds.toFixed(0).padStart(3)} s  ${kills}${slow ? `; taken over after ms ${slow}` : ''}${missed}`,
  );
  for (const words of [...report.wrong, ...report.starved]) tell(`      ${words}`);
  if (report.wrong.length > 0) report.complaints.slice(-12).forEach((line) => tell(`      ${line.slice(0, 400)}`));
}
