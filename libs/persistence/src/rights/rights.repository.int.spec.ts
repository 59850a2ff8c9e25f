import { randomUUID } from 'node:crypto';
import { PDQ_MATCH_DISTANCE } from '@autoposter/domain';
import { anItem, freshDatabase, startPostgres, type FreshDatabase, type PostgresServer } from '@autoposter/testkit';
import { NEWER_CLAIMED, NEWER_MATCHES } from './rights.repository';

jest.setTimeout(120_000);

const PAIRS = 200;
const OTHERS = 20_000;

/** Deterministic. */
function generator(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
}

const random = generator(7);
const randomHash = (): string => Array.from({ length: 64 }, () => Math.floor(random() * 16).toString(16)).join('');

/** `hash` with this many bits flipped, two in each word of 16 first: the distribution that is hardest to find by words. */
function flipped(hash: string, count: number): string {
  const bits = BigInt(`0x${hash}`);
  let mask = 0n;
  for (let index = 0; index < count; index += 1) {
    const word = index % 16;
    const before = mask;
    while (mask === before) mask |= 1n << BigInt(word * 16 + Math.floor(random() * 16));
  }
  return (bits ^ mask).toString(16).padStart(64, '0');
}

interface PlanNode {
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: PlanNode[];
}

/** How a plan reads the table of fingerprints: by which index (`null`: the whole table) and how many rows. */
function scansOf(node: PlanNode | undefined): { index: string | null; rows: number }[] {
  if (node === undefined) return [];
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  const rows = (node['Actual Rows'] + removed) * node['Actual Loops'];
  const own = node['Index Name']?.startsWith('fingerprints')
    ? [{ index: node['Index Name'], rows }]
    : node['Relation Name'] === 'fingerprints' && !node.Plans
      ? [{ index: null, rows }]
      : [];
  return [...own, ...(node.Plans ?? []).flatMap(scansOf)];
}

describe('RightsRepository', () => {
  let server: PostgresServer;
  let fresh: FreshDatabase;
  beforeAll(async () => {
    server = await startPostgres('embedded');
    fresh = await freshDatabase(server);
  }, 120_000);
  afterAll(async () => {
    await fresh?.drop();
    await server?.stop();
  });

  const addOthers = async (seed: string, itemId: string): Promise<void> => {
    await fresh.database.sql.query(
      `INSERT INTO fingerprints (id, owner_kind, owner_id, pdq_hash, pdq_quality)
       SELECT gen_random_uuid(), 'item', $2, encode(sha256(($1 || ' ' || n)::bytea), 'hex'), 90 FROM generate_series(1, ${OTHERS}) n`,
      [seed, itemId],
    );
    await fresh.database.sql.query('ANALYZE fingerprints');
  };

  it(`finds every image hash within the distance and none beyond, for ${PAIRS} pairs, without reading the whole table`, async () => {
    const { database } = fresh;
    const print = (hash: string) => ({ sha256: null, pdq: [{ hash, quality: 90, atSeconds: null }] });
    const known = Array.from({ length: PAIRS }, randomHash);
    const item = await database.unitOfWork((uow) => anItem(uow, { title: 'known' }));
    await database.unitOfWork((uow) => uow.rights.saveFingerprints(item.id, known.map(print)));
    await database.sql.query(
      `INSERT INTO fingerprints (id, owner_kind, owner_id, pdq_hash, pdq_quality)
       SELECT gen_random_uuid(), 'item', $1, encode(sha256(n::text::bytea), 'hex'), 90 FROM generate_series(1, ${OTHERS}) n`,
      [item.id],
    );
    await database.sql.query('ANALYZE fingerprints');
    const other = '01890000-0000-7000-8000-00000000abcd';
    for (const hash of known) {
      const near = flipped(hash, PDQ_MATCH_DISTANCE);
      expect(await database.read.rights.findMatches(other, [], [near])).toMatchObject([{ distance: PDQ_MATCH_DISTANCE, matched: 1 }]);
    }
    const beyond = known.map((hash) => flipped(hash, PDQ_MATCH_DISTANCE + 1));
    expect(await database.read.rights.findMatches(other, [], beyond)).toEqual([]);
    const plan = await database.sql.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN SELECT 1 FROM unnest($1::text[]) AS ours (hash)
       JOIN fingerprints f ON pdq_words(f.pdq_bits) && pdq_probes(('x' || hash)::bit(256)) AND f.pdq_quality >= 50 AND f.seq > 0`,
      [known.slice(0, 3)],
    );
    expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toContain('fingerprints_by_words');
  });

  it('finds items that match a claimed work, with the number of comparable frames', async () => {
    const { database } = fresh;
    const [work, scene] = [randomHash(), randomHash()];
    const item = await database.unitOfWork((uow) => anItem(uow, { title: 'shows it', mediaType: 'video' }));
    const pdq = [flipped(work, 20), scene, randomHash()].map((hash, at) => ({ hash, quality: at === 2 ? 10 : 90, atSeconds: at }));
    const claim = { title: 'The work', claimant: 'A', contact: null, sourceUrl: null, note: null, createdBy: 'admin@example.test' };
    const found = await database.unitOfWork(async (uow) => {
      await uow.rights.saveFingerprints(item.id, [{ sha256: null, pdq }]);
      const prints = [{ sha256: null, pdq: [{ hash: work, quality: 90, atSeconds: null }] }];
      return uow.rights.findClaimed(await uow.rights.addClaim(claim, prints), prints);
    });
    const match = { kind: 'claim', title: 'The work', by: 'pdq', distance: 20, matched: 1, compared: 2 };
    expect(found).toEqual([{ itemId: item.id, kind: 'video', usable: 2, match: expect.objectContaining(match) }]);
  });

  it('separates fingerprints from before and after an earlier check', async () => {
    const { database } = fresh;
    const items = await database.unitOfWork(async (uow) => [await anItem(uow), await anItem(uow)]);
    const [first, second] = items.map(({ id }) => id);
    const sha256 = 'ab'.repeat(32);
    await database.unitOfWork((uow) => uow.rights.saveFingerprints(first ?? '', [{ sha256, pdq: [] }]));
    const seen = await database.read.rights.size();
    await database.unitOfWork((uow) => uow.rights.saveFingerprints(second ?? '', [{ sha256, pdq: [] }]));
    const ids = async (since?: number) =>
      (await database.read.rights.findMatches('01890000-0000-7000-8000-00000000abcd', [sha256], [], since)).map(({ id }) => id).sort();
    expect([await ids(), await ids(seen)]).toEqual([[first, second], [second]]);
  });

  it('checks new fingerprints without reading the register, also with a generic plan', async () => {
    const { database } = fresh;
    const item = await database.unitOfWork((uow) => anItem(uow));
    await addOthers('more', item.id);
    const size = await database.read.rights.size();
    const ours = Array.from({ length: 20 }, randomHash);
    await database.unitOfWork((uow) =>
      uow.rights.saveFingerprints(item.id, [{ sha256: null, pdq: [{ hash: ours[0] ?? '', quality: 90, atSeconds: null }] }]),
    );
    const readWith = async (mode: string): Promise<{ index: string | null; rows: number }[]> =>
      database.sql.transaction(async (tx) => {
        await tx.query(`SET LOCAL plan_cache_mode = ${mode}`);
        await tx.query(`PREPARE newer (uuid, text[], text[], int, int, bigint, bigint) AS ${NEWER_MATCHES}`);
        const hashes = ours.map((hash) => `'${hash}'`).join(', ');
        const [row] = await tx.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
          `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) EXECUTE newer
             ('01890000-0000-7000-8000-00000000abcd', '{}', ARRAY[${hashes}], ${PDQ_MATCH_DISTANCE}, 50, ${size}, NULL)`,
        );
        await tx.query('DEALLOCATE newer');
        return scansOf(row?.['QUERY PLAN'][0].Plan);
      });
    for (const mode of ['force_custom_plan', 'force_generic_plan']) {
      const scans = await readWith(mode);
      expect([...new Set(scans.map(({ index }) => index))]).toEqual(['fingerprints_by_seq']);
      expect(Math.max(...scans.map(({ rows }) => rows))).toBeLessThanOrEqual(1);
    }
    const other = '01890000-0000-7000-8000-00000000abcd';
    expect(await database.read.rights.findMatches(other, [], ours, size)).toMatchObject([{ id: item.id, distance: 0 }]);
    expect(await database.read.rights.findMatches(other, [], ours, size, size)).toEqual([]);
  });

  it('finds new items that match a claim without reading the register, with any plan', async () => {
    const { database } = fresh;
    const [work, other] = [randomHash(), randomHash()];
    const prints = (hash: string) => [{ sha256: null, pdq: [{ hash, quality: 90, atSeconds: null }] }];
    const [early, late] = await database.unitOfWork(async (uow) => [await anItem(uow), await anItem(uow)] as const);
    await database.unitOfWork((uow) => uow.rights.saveFingerprints(early.id, prints(work)));
    await addOthers('a claim', early.id);
    const size = await database.read.rights.size();
    await database.unitOfWork((uow) => uow.rights.saveFingerprints(late.id, prints(work)));
    for (const mode of ['force_custom_plan', 'force_generic_plan']) {
      const scans = await database.sql.transaction(async (tx) => {
        await tx.query(`SET LOCAL plan_cache_mode = ${mode}`);
        await tx.query(`PREPARE claimed (text[], text[], int, int, bigint) AS ${NEWER_CLAIMED}`);
        const [row] = await tx.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
          `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON)
           EXECUTE claimed ('{}', ARRAY['${work}', '${other}'], ${PDQ_MATCH_DISTANCE}, 50, ${size})`,
        );
        await tx.query('DEALLOCATE claimed');
        return scansOf(row?.['QUERY PLAN'][0].Plan);
      });
      expect(scans.map(({ index }) => index)).not.toContain('fingerprints_by_words');
      expect(scans.map(({ index }) => index)).not.toContain(null);
      expect(Math.max(...scans.map(({ rows }) => rows))).toBeLessThanOrEqual(1);
    }
    const ids = async (since?: number) =>
      (await database.read.rights.findClaimed({ id: randomUUID(), title: 'A' }, prints(work), since)).map(({ itemId }) => itemId).sort();
    expect([await ids(), await ids(size)]).toEqual([[early.id, late.id].sort(), [late.id]]);
  });

  it('does not block writers and readers of events while it is locked', async () => {
    const { database } = fresh;
    const { last } = await database.read.history.range();
    await database.unitOfWork(async (uow) => {
      await uow.rights.lock();
      await database.unitOfWork(async (other) => void other.history.append({ type: 'item.edited', subjectId: randomUUID() }));
      expect(await database.read.history.after(last, 10)).toMatchObject([{ type: 'item.edited' }]);
      expect((await database.read.history.range()).last).toBeGreaterThan(last);
    });
  });
});
