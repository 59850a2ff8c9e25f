import { type FilePrints, SETTING } from '@autoposter/domain';
import { anItem, freshDatabase, startPostgres, type FreshDatabase, type PostgresServer } from '@autoposter/testkit';

jest.setTimeout(120_000);

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
  }, 120_000);
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

  it('follows the threshold of the length', async () => {
    const { database } = fresh;
    expect(await found(sound(2).subarray(0, 40))).toHaveLength(1);
    await database.unitOfWork((uow) => uow.settings.set(SETTING.rightsThresholds, { soundSeconds: 20 }, 'a'));
    expect(await found(sound(2).subarray(0, 40))).toEqual([]);
  });
});
