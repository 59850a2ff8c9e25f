import { BULK_LIMITS, Database } from '@autoposter/persistence';
import type { FilePrints } from '@autoposter/domain';
import { startPostgres } from '../machine/servers';
import { databaseCpu, type Percentiles, percentiles } from './register-search';
import { generator } from './scenes';

export interface SoundCost {
  sounds: number;
  /** CPU milliseconds of the database and of this process, 50th and 95th percentile. */
  unrelated: Percentiles;
  copy: Percentiles;
  /** Planted copies that were found, in percent. */
  found: number;
  /** Unrelated sounds that were matched. */
  wrong: number;
}

/** 30 s of sound. */
const ITEMS = 240;
/** Of a hundred items, those that many sounds have, and how many such items there are. */
const COMMON = { percent: 2, items: 1000 };
const SEARCHES = 100;
/** A copy is cut by 5 s at the start, and one of 20 bits differs. */
const COPY = { from: 40, bitErrors: 0.05 };
const CLAIMED_EVERY = 1000;
const OTHER = '01890000-0000-7000-8000-00000000abcd';
const AT_ONCE = 5000;

/** Items without structure, some of them common; the same number is the same sound. */
const SEED = `
  INSERT INTO sound_prints (owner_kind, owner_id, file_no, state, items)
  SELECT CASE WHEN n % ${CLAIMED_EVERY} = 0 THEN 'claim' ELSE 'item' END, md5('sound ' || n)::uuid, 0, 'compared', ARRAY(
    SELECT CASE WHEN abs(hashint8extended(n::bigint * 1000 + k, 1) % 100) < ${COMMON.percent}
                THEN hashint4((abs(hashint8extended(n::bigint * 1000 + k, 2)) % ${COMMON.items})::int)
                ELSE hashint8(n::bigint * 1000 + k) END
    FROM generate_series(1, ${ITEMS}) k)
  FROM generate_series($1::int, $2::int) n`;

/** Prints of pictures are what an owner's files are listed by. */
const OWNERS = [
  `INSERT INTO rights_claims (id, title, claimant, created_by)
   SELECT owner_id, 'Sound ' || owner_id, 'A', 'bench' FROM sound_prints WHERE owner_kind = 'claim'`,
  `INSERT INTO fingerprints (id, owner_kind, owner_id, sha256)
   SELECT gen_random_uuid(), owner_kind, owner_id, encode(sha256(owner_id::text::bytea), 'hex') FROM sound_prints WHERE owner_kind = 'claim'`,
];

/** CPU time of searches for a sound among so many. */
export async function measureSounds(sounds: number, report: (text: string) => void): Promise<SoundCost> {
  const postgres = await startPostgres();
  try {
    const url = await postgres.freshDatabase('product');
    await fill(url, sounds, report);
    const database = await Database.connect({ url, poolSize: 1 });
    return await measure(database, sounds).finally(() => database.close());
  } finally {
    await postgres.stop();
  }
}

async function fill(url: string, sounds: number, report: (text: string) => void): Promise<void> {
  const database = await Database.connect({ url, poolSize: 1, limits: BULK_LIMITS });
  const { sql } = database;
  try {
    // one build of the index takes a fraction of the time of so many insertions
    const [index] = await sql.query<{ indexdef: string }>(`SELECT indexdef FROM pg_indexes WHERE indexname = 'sound_prints_by_items'`);
    await sql.query('DROP INDEX sound_prints_by_items');
    for (let from = 0; from < sounds; from += AT_ONCE) {
      await sql.query(SEED, [from, Math.min(sounds, from + AT_ONCE) - 1]);
      report(`${Math.min(sounds, from + AT_ONCE)} of ${sounds} sounds`);
    }
    for (const statement of OWNERS) await sql.query(statement);
    await sql.query(`SET maintenance_work_mem = '256MB'`);
    await sql.query(index?.indexdef ?? '');
    report('the index is built');
    await sql.query('VACUUM ANALYZE sound_prints');
  } finally {
    await database.close();
  }
}

async function measure(database: Database, sounds: number): Promise<SoundCost> {
  const [backend] = await database.sql.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const pid = backend?.pid ?? 0;
  const random = generator(sounds);
  const search = async (items: Int32Array) => {
    const file: FilePrints = { sha256: null, pdq: [], sound: { state: 'compared', items } };
    const before = [databaseCpu(pid), process.cpuUsage()] as const;
    const matches = await database.read.rights.findMatches(OTHER, [file]);
    const own = process.cpuUsage(before[1]);
    return { matches, cpu: databaseCpu(pid) - before[0] + (own.user + own.system) / 1000 };
  };
  const claimed = await database.sql.query<{ id: string; items: number[] }>(
    `SELECT owner_id AS id, items FROM sound_prints WHERE owner_kind = 'claim' ORDER BY owner_id LIMIT ${SEARCHES}`,
  );
  const common = [...new Set(claimed.flatMap(({ items }) => items).filter((item, at, all) => all.indexOf(item) !== at))];
  const unrelated = (): Int32Array =>
    Int32Array.from({ length: ITEMS }, () =>
      random() * 100 < COMMON.percent ? (common[Math.floor(random() * common.length)] ?? 0) : Math.floor(random() * 2 ** 32),
    );
  // warms caches and plans
  for (let index = 0; index < 10; index += 1) await search(unrelated());
  const costs: Record<'unrelated' | 'copy', number[]> = { unrelated: [], copy: [] };
  let [found, wrong] = [0, 0];
  for (const { id, items } of claimed) {
    const copy = await search(Int32Array.from(items.slice(COPY.from), (item) => item ^ errors(random)));
    costs.copy.push(copy.cpu);
    if (copy.matches.some((match) => match.id === id && match.by === 'sound')) found += 1;
    const other = await search(unrelated());
    costs.unrelated.push(other.cpu);
    wrong += other.matches.length;
  }
  return {
    sounds,
    unrelated: percentiles(costs.unrelated),
    copy: percentiles(costs.copy),
    found: (found / claimed.length) * 100,
    wrong,
  };
}

const errors = (random: () => number): number =>
  Array.from({ length: 32 }).reduce<number>((mask, _bit, at) => (random() < COPY.bitErrors ? mask | (1 << at) : mask), 0);
