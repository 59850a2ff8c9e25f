import { randomUUID } from 'node:crypto';
import { PDQ_MATCH_DISTANCE } from '@autoposter/domain';
import { anItem, freshDatabase, startPostgres, type FreshDatabase, type PostgresServer } from '@autoposter/testkit';

jest.setTimeout(120_000);

const PAIRS = 200;
const OTHERS = 20_000;

/** The same numbers on each run. */
function generator(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
}

const random = generator(7);
const randomHash = (): string => Array.from({ length: 64 }, () => Math.floor(random() * 16).toString(16)).join('');

/** `hash` with so many bits flipped: two in each word of 16 first, the spread that is hardest to find by words. */
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

describe('the register', () => {
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

  it(`finds every picture within the distance and none beyond, ${PAIRS} times, without reading all of them`, async () => {
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

  it('finds posts that show a claimed work from the other side, with what they can be compared by', async () => {
    const { database } = fresh;
    const [work, scene] = [randomHash(), randomHash()];
    const item = await database.unitOfWork((uow) => anItem(uow, { title: 'shows it', mediaType: 'video' }));
    const pdq = [flipped(work, 20), scene, randomHash()].map((hash, at) => ({ hash, quality: at === 2 ? 10 : 90, atSeconds: at }));
    const claim = { title: 'The work', claimant: 'A', contact: null, sourceUrl: null, note: null, createdBy: 'admin@example.test' };
    const found = await database.unitOfWork(async (uow) => {
      await uow.rights.saveFingerprints(item.id, [{ sha256: null, pdq }]);
      return uow.rights.findClaimed(
        await uow.rights.addClaim(claim, [{ sha256: null, pdq: [{ hash: work, quality: 90, atSeconds: null }] }]),
      );
    });
    const match = { kind: 'claim', title: 'The work', by: 'pdq', distance: 20, matched: 1, compared: 2 };
    expect(found).toEqual([{ itemId: item.id, kind: 'video', usable: 2, match: expect.objectContaining(match) }]);
  });

  it('tells what came after a look apart from what was there', async () => {
    const { database } = fresh;
    const items = await database.unitOfWork(async (uow) => [await anItem(uow), await anItem(uow)]);
    const [first, second] = items.map(({ id }) => id);
    const sha256 = 'ab'.repeat(32);
    await database.unitOfWork((uow) => uow.rights.saveFingerprints(first ?? '', [{ sha256, pdq: [] }]));
    const seen = await database.read.rights.size();
    await database.unitOfWork((uow) => uow.rights.saveFingerprints(second ?? '', [{ sha256, pdq: [] }]));
    const ids = async (since: number) =>
      (await database.read.rights.findMatches('01890000-0000-7000-8000-00000000abcd', [sha256], [], since)).map(({ id }) => id).sort();
    expect([await ids(0), await ids(seen)]).toEqual([[first, second], [second]]);
  });

  it('keeps nobody from telling or reading what happens while somebody writes to it', async () => {
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
