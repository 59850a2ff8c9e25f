import { BULK_LIMITS, Database } from '@autoposter/persistence';
import { tell, type BenchArguments, type BenchResult } from '../bench';
import { aboutMachine } from '../machine/about';
import { startPostgres, type BenchPostgres } from '../machine/postgres';
import { spreadOf, tableOf } from '../spread';
import { fillSkipped } from './fill-skipped';
import type { ListCase, Listed } from './list-case';
import { fillQueue, queueCases } from './queue-cases';
import { skippedCases } from './skipped-cases';

const FEW = 1000;
const MANY = 1_000_000;
const ROUNDS = 9;
const WARM_UP = 2;

/** What a flat case may take at the greater number of rows: so many times as long, or so many milliseconds more. */
const TIMES = 1.3;
const MORE_MS = 5;
/** What any other case may take. */
const AT_MOST_MS = 250;

interface Timed {
  one: ListCase;
  few: number;
  many: number;
  ratio: number;
  pass: boolean;
}

/** Milliseconds of pages of lists at 1,000 and at 1,000,000 rows (`--n`), by turns, and whether they are within the rule. */
export async function lists({ n, rounds }: BenchArguments): Promise<BenchResult> {
  const many = n ?? MANY;
  const postgres = await startPostgres();
  try {
    const databases = [await filled(postgres, FEW), await filled(postgres, many)] as const;
    try {
      const timed: Timed[] = [];
      for (const one of [...skippedCases(), ...queueCases()]) timed.push(await time(one, databases, rounds ?? ROUNDS));
      return resultOf(timed, { rows: [FEW, many], rounds: rounds ?? ROUNDS, postgres: postgres.version });
    } finally {
      await Promise.all(databases.map((database) => database.close()));
    }
  } finally {
    await postgres.stop();
  }
}

async function filled(postgres: BenchPostgres, rows: number): Promise<Database> {
  const database = await Database.connect({
    url: await postgres.freshDatabase('product'),
    poolSize: 2,
    applicationName: 'bench',
    limits: BULK_LIMITS,
  });
  await fillSkipped(database, rows);
  tell(`${rows} skipped posts are there`);
  await fillQueue(database, rows);
  tell(`${rows} places of the queue are there`);
  return database;
}

async function time(one: ListCase, [few, many]: readonly [Database, Database], rounds: number): Promise<Timed> {
  const ask = async (database: Database): Promise<() => Promise<number>> => {
    const { total } = await one.ask(database, 0);
    for (let turn = 0; turn < WARM_UP; turn += 1) await one.ask(database, total);
    return async () => {
      const started = performance.now();
      const listed = await one.ask(database, total);
      const ms = performance.now() - started;
      correct(one, listed, total);
      return ms;
    };
  };
  const [ofFew, ofMany] = [await ask(few), await ask(many)];
  const times: [number[], number[]] = [[], []];
  for (let turn = 0; turn < rounds; turn += 1) {
    times[0].push(await ofFew());
    times[1].push(await ofMany());
  }
  // the quickest: what the others took longer is what the machine had to do besides
  const [atFew, atMany] = [spreadOf(times[0]).min, spreadOf(times[1]).min];
  const pass = one.flat ? atMany <= Math.max(atFew * TIMES, atFew + MORE_MS) : atMany <= AT_MOST_MS;
  return { one, few: atFew, many: atMany, ratio: atMany / atFew, pass };
}

/** Fast and wrong is not fast. */
function correct({ name, position }: ListCase, { rows, total }: Listed, expected: number): void {
  if (total !== expected || (total > 0 && rows === 0)) throw new Error(`${name}, ${position} page: ${rows} rows of ${total}`);
}

function resultOf(timed: readonly Timed[], about: Record<string, unknown>): BenchResult {
  const verdict = ({ pass }: Timed): string => (pass ? 'PASS' : 'FAIL');
  const table = tableOf([
    ['list', 'filter and order', 'page', 'ms at few', 'ms at many', 'ratio', 'rule', ''],
    ...timed.map((each) => [
      each.one.list,
      each.one.name,
      each.one.position,
      each.few.toFixed(1),
      each.many.toFixed(1),
      each.ratio.toFixed(2),
      each.one.flat ? 'flat' : `<= ${AT_MOST_MS} ms`,
      verdict(each),
    ]),
  ]);
  const failed = timed.filter(({ pass }) => !pass);
  const worst = (flat: boolean): number =>
    Math.max(...timed.filter(({ one }) => one.flat === flat).map(({ many, few }) => (flat ? many - few : many)));
  return {
    table,
    facts: {
      ...about,
      cases: timed.length,
      failed: failed.map(({ one }) => `${one.list}: ${one.name}, ${one.position}`),
      worstFlatMoreMs: Number(worst(true).toFixed(1)),
      worstOtherMs: Number(worst(false).toFixed(1)),
      machine: aboutMachine(),
    },
  };
}
