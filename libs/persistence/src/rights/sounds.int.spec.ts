import { type FilePrints, SETTING } from '@autoposter/domain';
import { anItem, freshDatabase, startPostgres, type FreshDatabase, type PostgresServer } from '@autoposter/testkit';
import { ALL_CANDIDATES, ALL_HAVING } from './sounds.repository';

/** Deterministic items without any structure. */
function sound(seed: number, count = 200): Int32Array {
  let state = (seed * 2_654_435_761) >>> 0;
  return Int32Array.from({ length: count }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state | 0;
  });
}
const heard = (items: Int32Array): FilePrints[] => [{ sha256: null, pdq: [], sound: { state: 'compared', items } }];
/** Stored prints have a row of their own beside the sound. */
const stored = (seed: number, items: Int32Array): FilePrints[] => [{ ...heard(items)[0], sha256: String(seed).padStart(64, '0'), pdq: [] }];

describe('sounds in the register', () => {
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
  const OTHER = '01890000-0000-7000-8000-00000000abcd';
  const found = async (items: Int32Array) =>
    (await fresh.database.read.rights.findMatches(OTHER, heard(items))).map(({ id, by }) => [id, by]);

  it('finds the item and the claim that hold a sound, and neither another item nor a claim on the pictures alone', async () => {
    const { database } = fresh;
    const { item, claim } = await database.unitOfWork(async (uow) => {
      const [one, other] = [await anItem(uow), await anItem(uow, { sourceId: 'other' })];
      await uow.rights.saveFingerprints(one.id, stored(1, sound(1)));
      await uow.rights.saveFingerprints(other.id, stored(2, sound(2)));
      const made = { title: 'Song', claimant: 'A', createdBy: 'a' };
      const claimed = await uow.rights.addClaim({ ...made, scope: 'audio' }, stored(3, sound(1)));
      await uow.rights.addClaim({ ...made, scope: 'visual' }, stored(4, sound(1)));
      return { item: one.id, claim: claimed.id };
    });
    expect(await found(sound(1).subarray(50, 150))).toEqual(
      expect.arrayContaining([
        [item, 'sound'],
        [claim, 'sound'],
      ]),
    );
    expect(await found(sound(1).subarray(50, 150))).toHaveLength(2);
    expect(await found(sound(9))).toEqual([]);
    expect((await database.read.rights.printsOf(item))[0]?.sound).toEqual({ state: 'compared', items: sound(1) });
  });

  it('finds what was committed since the first search and only that', async () => {
    const { database } = fresh;
    const after = await database.read.rights.size();
    const item = await database.unitOfWork(async (uow) => {
      const { id } = await anItem(uow, { sourceId: 'later' });
      await uow.rights.saveFingerprints(id, stored(5, sound(1)));
      return id;
    });
    const since = await database.read.rights.findMatches(OTHER, heard(sound(1)), { after });
    expect(since.map(({ id }) => id)).toEqual([item]);
  });

  it('finds the items that have a claimed sound, unless pictures alone are claimed', async () => {
    const { rights } = fresh.database.read;
    const claim = { id: OTHER, title: 'Song' };
    const [first] = await rights.findClaimed({ ...claim, scope: 'audio' }, heard(sound(2)));
    expect(first?.matches).toMatchObject([{ by: 'sound', strength: 'flag', title: 'Song' }]);
    expect(await rights.findClaimed({ ...claim, scope: 'visual' }, heard(sound(2)))).toEqual([]);
    expect(await rights.findClaimed({ ...claim, scope: 'audio' }, heard(sound(2)), await rights.size())).toEqual([]);
  });

  it('does not match pictures with a claim on the sound alone', async () => {
    const { database } = fresh;
    const pictures: FilePrints[] = [{ sha256: null, pdq: [{ hash: 'ab'.repeat(32), quality: 90, atSeconds: null }] }];
    await database.unitOfWork(async (uow) => uow.rights.saveFingerprints((await anItem(uow, { sourceId: 'pictured' })).id, pictures));
    const claim = { id: OTHER, title: 'Song' };
    expect(await database.read.rights.findClaimed(claim, pictures)).toHaveLength(1);
    expect(await database.read.rights.findClaimed({ ...claim, scope: 'audio' }, pictures)).toEqual([]);
  });

  it('searches the index of items instead of reading all sounds', async () => {
    const { sql } = fresh.database;
    await sql.query(
      `INSERT INTO sound_prints (owner_kind, owner_id, file_no, state, items)
       SELECT 'item', gen_random_uuid(), 0, 'compared', ARRAY(SELECT hashint8(n::bigint * 1000 + k) FROM generate_series(1, 40) k)
       FROM generate_series(1, 5000) n`,
    );
    await sql.query('ANALYZE sound_prints');
    const items = `ARRAY[${[...sound(1)].join(', ')}]`;
    for (const mode of ['force_custom_plan', 'force_generic_plan']) {
      for (const [search, parameters, values] of [
        [ALL_CANDIDATES, 'int[], uuid', `${items}, '${OTHER}'`],
        [ALL_HAVING, 'int[]', items],
      ] as const) {
        const plan = await sql.transaction(async (tx) => {
          await tx.query(`SET LOCAL plan_cache_mode = ${mode}`);
          await tx.query(`PREPARE sounds (${parameters}) AS ${search}`);
          const rows = await tx.query<{ 'QUERY PLAN': string }>(`EXPLAIN EXECUTE sounds (${values})`);
          await tx.query('DEALLOCATE sounds');
          return rows.map((row) => row['QUERY PLAN']).join('\n');
        });
        expect(plan).toContain('sound_prints_by_items');
        expect(plan).not.toContain('Seq Scan on sound_prints');
      }
    }
  });

  it('follows the threshold of the length', async () => {
    const { database } = fresh;
    expect(await found(sound(2).subarray(0, 40))).toHaveLength(1);
    await database.unitOfWork((uow) => uow.settings.set(SETTING.rightsThresholds, { soundSeconds: 20 }, 'a'));
    expect(await found(sound(2).subarray(0, 40))).toEqual([]);
  });
});
