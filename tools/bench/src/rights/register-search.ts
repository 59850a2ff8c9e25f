import fs from 'node:fs';
import type { FilePrints } from '@autoposter/domain';
import { Database } from '@autoposter/persistence';
import { startPostgres } from '../machine/servers';
import { percentile } from '../spread';
import { generator } from './scenes';

export interface Percentiles {
  median: number;
  p95: number;
}

interface SearchCost {
  hashes: number;
  /** CPU milliseconds of the database and of this process, 50th and 95th percentile. */
  picture: Percentiles;
  video: Percentiles;
  /** Planted copies that were found, in percent. */
  foundAt31: number;
  foundAt46: number;
}

const PRINTS_PER_OWNER = 20;
const PICTURES = 120;
const VIDEOS = 20;
/**
 * Searched views of a picture or frame: whole, mirrored, and parts (two thirds and thirds of the picture and of the content within bars, six each
 * and four mirrored, and of the content and each of four insets two: the most that is usual). Of a video's 120 frames 24 are searched for in all
 * views, and the others whole and mirrored.
 */
const WHOLE_VIEWS = 2;
const PART_VIEWS = 30;
const VIDEO_FRAMES = 120;
const FRAMES_WITH_PARTS = 24;
const OTHER = '01890000-0000-7000-8000-00000000abcd';

const SEED = `
  INSERT INTO fingerprints (id, owner_kind, owner_id, pdq_hash, pdq_quality)
  SELECT gen_random_uuid(), 'item', md5('owner ' || n / ${PRINTS_PER_OWNER})::uuid, encode(sha256(n::text::bytea), 'hex'), 90
  FROM generate_series($1::int, $2::int) n`;

const OWNERS = `
  INSERT INTO rights_claims (id, title, claimant, created_by)
  SELECT md5('owner ' || n)::uuid, 'Work ' || n, 'A', 'bench' FROM generate_series(0, $1::int) n ON CONFLICT DO NOTHING`;

/** CPU time of searches in registers of these sizes. */
export async function measureSearch(sizes: readonly number[], report: (text: string) => void): Promise<SearchCost[]> {
  const postgres = await startPostgres();
  const database = await Database.connect({ url: await postgres.freshDatabase('product'), poolSize: 1 });
  try {
    // filling takes longer than the limit of the product's statements
    await database.sql.query('SET statement_timeout = 0');
    const costs: SearchCost[] = [];
    let filled = 0;
    for (const hashes of sizes) {
      for (; filled < hashes; filled += 10_000) {
        await database.sql.query(SEED, [filled, Math.min(hashes, filled + 10_000) - 1]);
        report(`${Math.min(hashes, filled + 10_000)} of ${hashes} hashes`);
      }
      filled = hashes;
      await database.sql.query(OWNERS, [hashes / PRINTS_PER_OWNER]);
      await database.sql.query(`UPDATE fingerprints SET owner_kind = 'claim' WHERE seq % 1000 = 0 AND owner_kind = 'item'`);
      await database.sql.query('VACUUM ANALYZE fingerprints');
      costs.push(await measure(database, hashes));
    }
    return costs;
  } finally {
    await database.close();
    await postgres.stop();
  }
}

async function measure(database: Database, hashes: number): Promise<SearchCost> {
  const [backend] = await database.sql.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const pid = backend?.pid ?? 0;
  const random = generator(hashes);
  const timed = async (file: FilePrints): Promise<number> => {
    const before = [databaseCpu(pid), process.cpuUsage()] as const;
    await database.read.rights.findMatches(OTHER, [file]);
    const own = process.cpuUsage(before[1]);
    return databaseCpu(pid) - before[0] + (own.user + own.system) / 1000;
  };
  const claimed = await database.sql.query<{ id: string; hash: string }>(
    `SELECT owner_id AS id, pdq_hash AS hash FROM fingerprints WHERE owner_kind = 'claim' ORDER BY id LIMIT 200`,
  );
  const foundAt = async (bits: number): Promise<number> => {
    let found = 0;
    for (const { id, hash } of claimed) {
      const near = print(flipped(hash, bits, random), null);
      const matches = await database.read.rights.findMatches(OTHER, [{ sha256: null, pdq: [near] }]);
      if (matches.some((match) => match.id === id)) found += 1;
    }
    return (found / claimed.length) * 100;
  };
  // warms caches and plans
  const [foundAt31, foundAt46] = [await foundAt(31), await foundAt(46)];
  const pictures: number[] = [];
  for (let index = 0; index < PICTURES; index += 1) pictures.push(await timed({ sha256: null, pdq: prints(null, random) }));
  const videos: number[] = [];
  for (let index = 0; index < VIDEOS; index += 1) {
    const partsOf = (at: number): number => (at < FRAMES_WITH_PARTS ? PART_VIEWS : 0);
    const frames = Array.from({ length: VIDEO_FRAMES }, (_frame, at) => prints(at, random, partsOf(at)));
    videos.push(await timed({ sha256: null, pdq: frames.flat() }));
  }
  return { hashes, picture: percentiles(pictures), video: percentiles(videos), foundAt31, foundAt46 };
}

const randomHash = (random: () => number): string => Array.from({ length: 64 }, () => Math.floor(random() * 16).toString(16)).join('');
const print = (hash: string, atSeconds: number | null) => ({ hash, quality: 90, atSeconds, spanSeconds: 1 });
const prints = (atSeconds: number | null, random: () => number, parts = PART_VIEWS) =>
  Array.from({ length: WHOLE_VIEWS + parts }, (_view, index) => ({
    ...print(randomHash(random), atSeconds),
    ...(index < WHOLE_VIEWS ? {} : { region: PART, isReference: false }),
  }));
const PART = { left: 0, top: 0.1, right: 1, bottom: 0.9 };

function flipped(hash: string, count: number, random: () => number): string {
  const bits = new Set<number>();
  while (bits.size < count) bits.add(Math.floor(random() * 256));
  const mask = [...bits].reduce((sum, bit) => sum | (1n << BigInt(bit)), 0n);
  return (BigInt(`0x${hash}`) ^ mask).toString(16).padStart(64, '0');
}

/** Nanoseconds on a processor are the first number of schedstat; the ticks of stat are too coarse for one search. */
export const databaseCpu = (pid: number): number => Number(fs.readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;

export function percentiles(values: readonly number[]): Percentiles {
  const [median = 0, p95 = 0] = [0.5, 0.95].map((share) => Number(percentile(values, share).toFixed(1)));
  return { median, p95 };
}
