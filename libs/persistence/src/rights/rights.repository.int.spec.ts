import { randomUUID } from 'node:crypto';
import { PDQ_MATCH_DISTANCE, PDQ_SIMILAR_DISTANCE } from '@autoposter/domain';
import { anItem, claimJob, freshDatabase, type FreshDatabase, pollUntil, type PostgresServer, startPostgres } from '@autoposter/testkit';
import { LOCKS } from '../database/transaction';
import { ALL_CANDIDATES, NEWER_CANDIDATES, NEWER_SHOWING } from './prints.repository';

const PAIRS = 200;
const OTHERS = 20_000;
const HASHES_PER_CALL = 10;

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

/** `hash` with this many bits flipped anywhere: the distribution of copies. */
function scattered(hash: string, count: number): string {
  let mask = 0n;
  for (let flips = 0; flips < count;) {
    const bit = 1n << BigInt(Math.floor(random() * 256));
    if ((mask & bit) === 0n) flips += 1;
    mask |= bit;
  }
  return (BigInt(`0x${hash}`) ^ mask).toString(16).padStart(64, '0');
}

interface PlanNode {
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  'Heap Fetches'?: number;
  Plans?: PlanNode[];
}

interface Scan {
  /** `null`: the whole table. */
  index: string | null;
  rows: number;
  /** `null` unless the rows are read from the index alone where vacuum has seen them. */
  heapFetches: number | null;
}

/** How a plan reads the table of fingerprints. */
function scansOf(node: PlanNode | undefined): Scan[] {
  if (node === undefined) return [];
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  const rows = (node['Actual Rows'] + removed) * node['Actual Loops'];
  const heapFetches = node['Heap Fetches'] ?? null;
  const own = node['Index Name']?.startsWith('fingerprints')
    ? [{ index: node['Index Name'], rows, heapFetches }]
    : node['Relation Name'] === 'fingerprints' && !node.Plans
      ? [{ index: null, rows, heapFetches }]
      : [];
  return [...own, ...(node.Plans ?? []).flatMap(scansOf)];
}

describe('RightsRepository', () => {
  let server: PostgresServer;
  let fresh: FreshDatabase;
  beforeAll(async () => {
    server = await startPostgres('embedded');
    fresh = await freshDatabase(server);
  });
  afterAll(async () => {
    await fresh?.drop();
    await server?.stop();
  });

  /** Makes the register large, once for all tests. */
  const fillRegister = async (): Promise<void> => {
    await fresh.database.sql.query(
      `INSERT INTO fingerprints (id, owner_kind, owner_id, pdq_hash, pdq_quality)
       SELECT gen_random_uuid(), 'item', md5((n % 200)::text)::uuid, encode(sha256(n::text::bytea), 'hex'), 90 FROM generate_series(1, ${OTHERS}) n
       WHERE (SELECT count(*) FROM fingerprints) < ${OTHERS}`,
    );
    await fresh.database.sql.query('ANALYZE fingerprints');
  };

  const print = (hash: string) => ({ sha256: null, pdq: [{ hash, quality: 90, atSeconds: null }] });
  const OTHER = '01890000-0000-7000-8000-00000000abcd';

  it(`finds every image hash within ${PDQ_MATCH_DISTANCE} bits, nearly every one within ${PDQ_SIMILAR_DISTANCE} and none beyond, for ${PAIRS} pairs`, async () => {
    const { database } = fresh;
    const known = Array.from({ length: PAIRS }, randomHash);
    const items = await database.unitOfWork(async (uow) => {
      const made: string[] = [];
      for (const hash of known) {
        const { id } = await anItem(uow);
        await uow.rights.saveFingerprints(id, [print(hash)]);
        made.push(id);
      }
      return made;
    });
    await fillRegister();
    const found = async (hashes: readonly string[]) =>
      (await database.read.rights.findMatches(OTHER, hashes.map(print))).map(({ id }) => id).sort();
    let similar = 0;
    // a call costs more than the search for one more hash
    for (let start = 0; start < PAIRS; start += HASHES_PER_CALL) {
      const hashes = known.slice(start, start + HASHES_PER_CALL);
      const copies = hashes.map((hash) => flipped(hash, PDQ_MATCH_DISTANCE));
      expect(await found(copies)).toEqual(items.slice(start, start + HASHES_PER_CALL).sort());
      expect(await found(hashes.map((hash) => flipped(hash, PDQ_SIMILAR_DISTANCE + 1)))).toEqual([]);
      similar += (await found(hashes.map((hash) => scattered(hash, PDQ_SIMILAR_DISTANCE)))).length;
    }
    expect(similar).toBeGreaterThanOrEqual(PAIRS * 0.97);
  });

  it('compares hashes in the indexes of words without fetching their rows', async () => {
    const { database } = fresh;
    await fillRegister();
    await database.sql.query('VACUUM fingerprints');
    const hash = randomHash();
    for (const mode of ['force_custom_plan', 'force_generic_plan']) {
      const scans = await database.sql.transaction(async (tx) => {
        await tx.query(`SET LOCAL plan_cache_mode = ${mode}`);
        await tx.query(`PREPARE candidates (uuid, text[], text[], boolean[]) AS ${ALL_CANDIDATES}`);
        const [row] = await tx.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
          `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) EXECUTE candidates ('${OTHER}', '{}', ARRAY['${hash}', '${randomHash()}'], ARRAY[true, false])`,
        );
        await tx.query('DEALLOCATE candidates');
        return scansOf(row?.['QUERY PLAN'][0].Plan);
      });
      const names = Array.from({ length: 16 }, (_word, place) => `fingerprints_by_word_${place}`);
      expect(scans.map(({ index }) => index)).toEqual(expect.arrayContaining(names));
      expect(scans.map(({ index }) => index)).not.toContain(null);
      const compared = scans.filter(({ rows }) => rows > 0);
      expect(compared.length).toBeGreaterThan(0);
      expect(compared.filter(({ heapFetches }) => heapFetches !== 0)).toEqual([]);
    }
  });

  it('finds items that show a claimed work, with their matches', async () => {
    const { database } = fresh;
    const [work, scene] = [randomHash(), randomHash()];
    const item = await database.unitOfWork((uow) => anItem(uow, { title: 'shows it', mediaType: 'video' }));
    const pdq = [flipped(work, 20), scene, randomHash()].map((hash, at) => ({ hash, quality: at === 2 ? 10 : 90, atSeconds: at }));
    const claim = { title: 'The work', claimant: 'A', contact: null, sourceUrl: null, note: null, createdBy: 'admin@example.test' };
    const found = await database.unitOfWork(async (uow) => {
      await uow.rights.saveFingerprints(item.id, [{ sha256: null, pdq }]);
      return uow.rights.findClaimed(await uow.rights.addClaim(claim, [print(work)]), [print(work)]);
    });
    const match = { kind: 'claim', title: 'The work', by: 'pdq', distance: 20, matched: 1, compared: 2 };
    const files = [{ kind: 'video', usable: 2, total: 3 }];
    expect(found).toEqual([{ itemId: item.id, files, matches: [expect.objectContaining(match)] }]);
  });

  it('ignores originals that were refused, discarded, deleted or not checked to the end, unless they were published', async () => {
    const { database } = fresh;
    const hash = randomHash();
    const states = ['ready', 'blocked', 'discarded', 'deleted'] as const;
    const ids = await database.unitOfWork(async (uow) => {
      const made: string[] = [];
      for (const state of [...states, 'deleted' as const]) {
        const { id } = await anItem(uow, { state });
        await uow.rights.saveFingerprints(id, [print(hash)]);
        made.push(id);
      }
      return made;
    });
    await database.sql.query(
      `INSERT INTO publish_attempts (id, item_id, queue_item_id, account_id, caption, caption_hash, media_sha256, state)
       VALUES (gen_random_uuid(), $1, gen_random_uuid(), '1', 'c', 'c', 'm', 'published')`,
      [ids[4]],
    );
    const [unchecked, captionless] = await database.unitOfWork(async (uow) => [
      await anItem(uow, { state: 'failed', failedStage: 'dmca' }),
      await anItem(uow, { state: 'failed', failedStage: 'ai' }),
    ]);
    await database.unitOfWork(async (uow) => {
      for (const item of [unchecked, captionless]) await uow.rights.saveFingerprints(item?.id ?? '', [print(hash)]);
    });
    const found = await database.read.rights.findMatches(OTHER, [print(hash)]);
    expect(found.map(({ id, published }) => [id, published])).toEqual(
      [ids[0], ids[4], captionless?.id].sort().map((id) => [id, id === ids[4]]),
    );
  });

  it('keeps views, regions, spans and previews of a picture, and of a video only what is searched for', async () => {
    const { database } = fresh;
    const region = { left: 0, top: 0.25, right: 1, bottom: 0.75 };
    const query = { hash: randomHash(), quality: 90, mirrored: true, view: 'content, mirrored', region, isQuery: true, isReference: false };
    const reference = { hash: randomHash(), quality: 90, mirrored: false, view: 'crop 5 %', region, isQuery: false, isReference: true };
    const preview = { side: 2, luma: Uint8Array.from([1, 2, 3, 4]) };
    const at = (atSeconds: number | null) => [query, reference].map((one) => ({ ...one, atSeconds, spanSeconds: atSeconds }));
    const files = [
      { sha256: 'a1'.repeat(32), pdq: at(null), preview },
      { sha256: 'b2'.repeat(32), pdq: at(2), preview: null },
    ];
    const item = await database.unitOfWork((uow) => anItem(uow));
    await database.unitOfWork((uow) => uow.rights.saveFingerprints(item.id, files));
    const stored = await database.read.rights.printsOf(item.id);
    expect(stored.map(({ sha256, pdq }) => ({ sha256, pdq }))).toEqual([
      { sha256: files[0]?.sha256, pdq: at(null) },
      { sha256: files[1]?.sha256, pdq: at(2).slice(0, 1) },
    ]);
    expect(stored.map((file) => file.preview && [...file.preview.luma])).toEqual([[1, 2, 3, 4], null]);
    await database.unitOfWork((uow) => uow.items.purgeContent(item.id));
    expect((await database.read.rights.printsOf(item.id))[0]?.preview).toBeNull();
  });

  it('adds what a later claim matches to a decision, replaces earlier matches of the same work and keeps a block', async () => {
    const { database } = fresh;
    const item = await database.unitOfWork((uow) => anItem(uow));
    const match = (id: string, distance: number) => ({ kind: 'claim', id, distance }) as never;
    const add = (verdict: 'flagged' | 'blocked', id: string, distance: number) =>
      database.unitOfWork((uow) => uow.rights.addMatches(item.id, { verdict, reasons: [`${distance}`], matches: [match(id, distance)] }));
    const other = '01890000-0000-7000-8000-00000000dcba';
    await add('flagged', OTHER, 9);
    await add('blocked', other, 4);
    await add('flagged', OTHER, 7);
    const decision = await database.read.rights.decisionOf(item.id);
    expect(decision).toMatchObject({ verdict: 'blocked', reasons: ['9', '4', '7'] });
    expect(decision?.matches.map(({ id, distance }) => [id, distance])).toEqual([
      [OTHER, 7],
      [other, 4],
    ]);
  });

  it('separates fingerprints from before and after an earlier check', async () => {
    const { database } = fresh;
    const items = await database.unitOfWork(async (uow) => [await anItem(uow), await anItem(uow)]);
    const [first, second] = items.map(({ id }) => id);
    const sha256 = 'ab'.repeat(32);
    await database.unitOfWork((uow) => uow.rights.saveFingerprints(first ?? '', [{ sha256, pdq: [] }]));
    const seen = await database.read.rights.size();
    await database.unitOfWork((uow) => uow.rights.saveFingerprints(second ?? '', [{ sha256, pdq: [] }]));
    const ids = async (after?: number) =>
      (await database.read.rights.findMatches(OTHER, [{ sha256, pdq: [] }], after === undefined ? undefined : { after }))
        .map(({ id }) => id)
        .sort();
    expect([await ids(), await ids(seen)]).toEqual([[first, second], [second]]);
  });

  it('numbers an item for the worker that holds the job, and for no other', async () => {
    const { database } = fresh;
    const item = await database.unitOfWork((uow) => anItem(uow));
    const job = await database.unitOfWork((uow) =>
      uow.jobs.create({ stage: 'dmca', subjectId: item.id, itemId: item.id, messageKey: item.id, maxAttempts: 3, correlationId: item.id }),
    );
    const held = await claimJob(database, job?.id ?? '', { owner: 'worker', leaseSeconds: 60 });
    const enter = (fence: number) =>
      database.unitOfWork((uow) =>
        uow.rights.saveFingerprints(item.id, [{ sha256: 'cd'.repeat(32), pdq: [] }], { id: held?.id ?? '', fence }),
      );
    const no = await enter(held?.fence ?? 0);
    await expect(enter((held?.fence ?? 0) - 1)).rejects.toThrow('held by another worker');
    expect(await database.read.rights.size()).toBe(no);
  });

  it('checks new fingerprints without reading the register, also with a generic plan', async () => {
    const { database } = fresh;
    const item = await database.unitOfWork((uow) => anItem(uow));
    await fillRegister();
    const size = await database.read.rights.size();
    const ours = Array.from({ length: 20 }, randomHash);
    await database.unitOfWork((uow) =>
      uow.rights.saveFingerprints(item.id, [{ sha256: null, pdq: [{ hash: ours[0] ?? '', quality: 90, atSeconds: null }] }]),
    );
    const readWith = async (mode: string): Promise<Scan[]> =>
      database.sql.transaction(async (tx) => {
        await tx.query(`SET LOCAL plan_cache_mode = ${mode}`);
        await tx.query(`PREPARE newer (uuid, text[], text[], boolean[], bigint, bigint) AS ${NEWER_CANDIDATES}`);
        const hashes = ours.map((hash) => `'${hash}'`).join(', ');
        const [row] = await tx.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
          `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) EXECUTE newer
             ('${OTHER}', '{}', ARRAY[${hashes}], ARRAY[${ours.map(() => 'true').join(', ')}], ${size}, NULL)`,
        );
        await tx.query('DEALLOCATE newer');
        return scansOf(row?.['QUERY PLAN'][0].Plan);
      });
    for (const mode of ['force_custom_plan', 'force_generic_plan']) {
      const scans = await readWith(mode);
      expect([...new Set(scans.map(({ index }) => index))]).toEqual(['fingerprints_by_owner']);
      expect(Math.max(...scans.map(({ rows }) => rows))).toBeLessThanOrEqual(1);
    }
    const files = ours.map(print);
    expect(await database.read.rights.findMatches(OTHER, files, { after: size })).toMatchObject([{ id: item.id, distance: 0 }]);
    expect(await database.read.rights.findMatches(OTHER, files, { after: size, itemsBefore: size + 1 })).toEqual([]);
  });

  it('finds new items that match a claim without reading the register, with any plan', async () => {
    const { database } = fresh;
    const [work, other] = [randomHash(), randomHash()];
    const prints = (hash: string) => [print(hash)];
    const [early, late] = await database.unitOfWork(async (uow) => [await anItem(uow), await anItem(uow)] as const);
    await database.unitOfWork((uow) => uow.rights.saveFingerprints(early.id, prints(work)));
    await fillRegister();
    const size = await database.read.rights.size();
    await database.unitOfWork((uow) => uow.rights.saveFingerprints(late.id, prints(work)));
    for (const mode of ['force_custom_plan', 'force_generic_plan']) {
      const scans = await database.sql.transaction(async (tx) => {
        await tx.query(`SET LOCAL plan_cache_mode = ${mode}`);
        await tx.query(`PREPARE claimed (text[], text[], boolean[], bigint) AS ${NEWER_SHOWING}`);
        const [row] = await tx.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
          `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON)
           EXECUTE claimed ('{}', ARRAY['${work}', '${other}'], ARRAY[true, true], ${size})`,
        );
        await tx.query('DEALLOCATE claimed');
        return scansOf(row?.['QUERY PLAN'][0].Plan);
      });
      expect(scans.map(({ index }) => index)).not.toContainEqual(expect.stringContaining('fingerprints_by_word_'));
      expect(scans.map(({ index }) => index)).not.toContain(null);
      expect(Math.max(...scans.map(({ rows }) => rows))).toBeLessThanOrEqual(1);
    }
    const ids = async (since?: number) =>
      (await database.read.rights.findClaimed({ id: randomUUID(), title: 'A' }, prints(work), since)).map(({ itemId }) => itemId).sort();
    expect([await ids(), await ids(size)]).toEqual([[early.id, late.id].sort(), [late.id]]);
  });

  it('does not block writers and readers of events while a claim is written', async () => {
    const { database } = fresh;
    const { last } = await database.read.history.range();
    await database.unitOfWork(async (uow) => {
      await uow.rights.addClaim({ title: 'A work', claimant: 'A', createdBy: 'a' }, []);
      await database.unitOfWork(async (other) => void other.history.append({ type: 'item.edited', subjectId: randomUUID() }));
      expect(await database.read.history.after(last, 10)).toMatchObject([{ type: 'item.edited' }]);
      expect((await database.read.history.range()).last).toBeGreaterThan(last);
    });
  });

  describe('writers at the same time', () => {
    const CLAIM = { title: 'A work', claimant: 'A', createdBy: 'a' };
    const waiting = () =>
      pollUntil(async () => {
        const [row] = await fresh.database.sql.query<{ n: number }>(
          `SELECT count(*)::int AS n FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`,
        );
        return row?.n === 1 ? true : null;
      });
    const save = (id: string, hash: string) => fresh.database.unitOfWork((uow) => uow.rights.saveFingerprints(id, [print(hash)]));
    const items = () => fresh.database.unitOfWork(async (uow) => [(await anItem(uow)).id, (await anItem(uow)).id] as const);
    const found = async (id: string, hash: string, itemsBefore: number) =>
      (await fresh.database.read.rights.findMatches(id, [print(hash)], { after: 0, itemsBefore })).map((match) => match.id);

    it('number two items in the order of their commits, so that only the later finds the earlier', async () => {
      const hash = randomHash();
      const [first, second] = await items();
      let later: Promise<number> | undefined;
      const no = await fresh.database.unitOfWork(async (uow) => {
        const number = await uow.rights.saveFingerprints(first, [print(hash)]);
        later = save(second, hash);
        await waiting();
        return number;
      });
      const next = (await later) ?? 0;
      expect(next).toBeGreaterThan(no);
      expect([await found(first, hash, no), await found(second, hash, next)]).toEqual([[], [first]]);
    });

    it('let an item wait for a claim whose search may have missed it, and find the claim afterwards', async () => {
      const hash = randomHash();
      const [id] = await items();
      let saved: Promise<number> | undefined;
      const claim = await fresh.database.unitOfWork(async (uow) => {
        const { id: claimId } = await uow.rights.addClaim(CLAIM, [print(hash)]);
        saved = save(id, hash);
        await waiting();
        return claimId;
      });
      expect(await found(id, hash, (await saved) ?? 0)).toEqual([claim]);
    });

    it('let a claim wait for an item that is being written, and find it afterwards', async () => {
      const hash = randomHash();
      const [id] = await items();
      const size = await fresh.database.read.rights.size();
      let showing: Promise<string[]> | undefined;
      await fresh.database.unitOfWork(async (uow) => {
        await uow.rights.saveFingerprints(id, [print(hash)]);
        showing = fresh.database.unitOfWork(async (other) => {
          const claim = await other.rights.addClaim(CLAIM, [print(hash)]);
          return (await other.rights.findClaimed(claim, [print(hash)], size)).map(({ itemId }) => itemId);
        });
        await waiting();
      });
      expect(await showing).toEqual([id]);
    });

    it('insert the fingerprints of two items side by side', async () => {
      const [id] = await items();
      await fresh.database.sql.transaction(async (tx) => {
        // what another item holds while its fingerprints are inserted
        await tx.query('SELECT pg_advisory_xact_lock_shared($1)', [LOCKS.register]);
        expect(await save(id, randomHash())).toBeGreaterThan(0);
      });
    });
  });
});
