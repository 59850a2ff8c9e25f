import { BULK_LIMITS, Database } from '@autoposter/persistence';
import { aboutMachine, type BenchArguments, type BenchResult, progress } from '../bench';
import { type BenchPostgres, startPostgres } from '../machine/servers';
import { spreadOf, tableOf } from '../spread';
import { fillQueue, fillSkipped, type ListCase, type Listed, queueCases, skippedCases } from './list-cases';

const FEW = 1000;
const MANY = 1_000_000;
const ROUNDS = 9;
const WARM_UP = 2;

/** Limits of flat cases at the larger number of rows: a factor or additional milliseconds, whichever is larger. */
const TIMES = 1.3;
const MORE_MS = 5;
/** Limit of all other cases. */
const AT_MOST_MS = 250;

interface Timed {
  listCase: ListCase;
  few: number;
  many: number;
  ratio: number;
  pass: boolean;
}

/** Milliseconds per list page at 1,000 and at 1,000,000 rows (`--n`), measured alternately, checked against the rules. */
export async function lists({ n, rounds }: BenchArguments): Promise<BenchResult> {
  const many = n ?? MANY;
  const postgres = await startPostgres();
  try {
    const databases = [await filled(postgres, FEW), await filled(postgres, many)] as const;
    try {
      const timed: Timed[] = [];
      for (const listCase of [...skippedCases(), ...queueCases()]) timed.push(await time(listCase, databases, rounds ?? ROUNDS));
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
  progress(`${rows} skipped posts inserted`);
  await fillQueue(database, rows);
  progress(`${rows} queue items inserted`);
  return database;
}

async function time(listCase: ListCase, [few, many]: readonly [Database, Database], rounds: number): Promise<Timed> {
  const ask = async (database: Database): Promise<() => Promise<number>> => {
    const { total } = await listCase.read(database, 0);
    for (let turn = 0; turn < WARM_UP; turn += 1) await listCase.read(database, total);
    return async () => {
      const started = performance.now();
      const listed = await listCase.read(database, total);
      const ms = performance.now() - started;
      assertComplete(listCase, listed, total);
      return ms;
    };
  };
  const [ofFew, ofMany] = [await ask(few), await ask(many)];
  const times: [number[], number[]] = [[], []];
  for (let turn = 0; turn < rounds; turn += 1) {
    times[0].push(await ofFew());
    times[1].push(await ofMany());
  }
  // The minimum is least affected by other load on the machine.
  const [atFew, atMany] = [spreadOf(times[0]).min, spreadOf(times[1]).min];
  const pass = listCase.flat ? atMany <= Math.max(atFew * TIMES, atFew + MORE_MS) : atMany <= AT_MOST_MS;
  return { listCase, few: atFew, many: atMany, ratio: atMany / atFew, pass };
}

/** A wrong result invalidates the measurement. */
function assertComplete({ name, position }: ListCase, { rows, total }: Listed, expected: number): void {
  if (total !== expected || (total > 0 && rows === 0)) throw new Error(`${name}, ${position} page: ${rows} rows of ${total}`);
}

function resultOf(timed: readonly Timed[], about: Record<string, unknown>): BenchResult {
  const verdict = ({ pass }: Timed): string => (pass ? 'PASS' : 'FAIL');
  const table = tableOf([
    ['list', 'filter and order', 'page', 'ms at few', 'ms at many', 'ratio', 'rule', ''],
    ...timed.map((each) => [
      each.listCase.list,
      each.listCase.name,
      each.listCase.position,
      each.few.toFixed(1),
      each.many.toFixed(1),
      each.ratio.toFixed(2),
      each.listCase.flat ? 'flat' : `<= ${AT_MOST_MS} ms`,
      verdict(each),
    ]),
  ]);
  const failed = timed.filter(({ pass }) => !pass);
  const worst = (flat: boolean): number =>
    Math.max(...timed.filter(({ listCase }) => listCase.flat === flat).map(({ many, few }) => (flat ? many - few : many)));
  return {
    table,
    facts: {
      ...about,
      cases: timed.length,
      failed: failed.map(({ listCase }) => `${listCase.list}: ${listCase.name}, ${listCase.position}`),
      worstFlatMoreMs: Number(worst(true).toFixed(1)),
      worstOtherMs: Number(worst(false).toFixed(1)),
      machine: aboutMachine(),
    },
  };
}
