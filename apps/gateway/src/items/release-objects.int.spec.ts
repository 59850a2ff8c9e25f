import { Readable } from 'node:stream';
import type { ObjectStore, StoredObject } from '@autoposter/object-store';
import { silentLogger } from '@autoposter/observability';
import { anItem, fileFields } from '@autoposter/testkit';
import { RemoveOrphanedFilesTask } from '../scheduler/tasks/remove-orphaned-files.task';
import { describeGateway } from '../testing/gateway-fixture';
import { GatewayFixture } from '../testing/gateway-fixture';
import { deleteUnreferencedObjects } from '@autoposter/workflow';

const ROUNDS = 100;

describeGateway('stored files', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => (gateway = await GatewayFixture.start()));
  afterAll(() => gateway?.stop());

  const store = (text: string): Promise<StoredObject> =>
    gateway.objects.put('originals', Readable.from([Buffer.from(text)]), 'video/mp4', 'mp4');
  const release = (key: string, objects: ObjectStore = gateway.objects) =>
    deleteUnreferencedObjects(gateway.database, objects, [key], silentLogger);

  /** A run of `download` for a new item: asked for now, ended by `commit`. */
  async function run() {
    const item = await gateway.database.unitOfWork(async (uow) => {
      const made = await anItem(uow, { state: 'downloading' });
      const job = {
        stage: 'download',
        subjectId: made.id,
        itemId: made.id,
        messageKey: made.id,
        maxAttempts: 3,
        correlationId: made.id,
      } as const;
      await uow.jobs.create(job);
      return made;
    });
    const commit = ({ key, sha256, bytes }: StoredObject) =>
      gateway.database.unitOfWork((uow) => uow.media.replace(item.id, 'original', [fileFields({ objectKey: key, sha256, bytes })]));
    const resubmit = () =>
      gateway.database.sql.query('UPDATE stage_jobs SET requested_at = clock_timestamp() WHERE item_id = $1', [item.id]);
    return { item, commit, resubmit };
  }

  it('are kept while an item uses them', async () => {
    const [one, other] = [await run(), await run()];
    const object = await store('shared');
    await one.commit(object);
    await other.commit(object);
    await gateway.database.unitOfWork((uow) => uow.media.deleteOfItem(one.item.id));
    expect([await release(object.key), await gateway.objects.stat(object.key)]).toEqual([0, expect.anything()]);
    await gateway.database.unitOfWork((uow) => uow.media.deleteOfItem(other.item.id));
    expect([await release(object.key), await gateway.objects.stat(object.key)]).toEqual([1, null]);
  });

  it('cannot be referenced by a job that stored them before their deletion', async () => {
    const { commit, resubmit } = await run();
    const object = await store('gone meanwhile');
    expect(await release(object.key)).toBe(1);
    await expect(commit(object)).rejects.toMatchObject({ failure: { kind: 'transient' } });
    await resubmit();
    await commit(await store('gone meanwhile'));
    expect([await release(object.key), await gateway.objects.stat(object.key)]).toEqual([0, expect.anything()]);
  });

  it('cannot be referenced during deletion, which resumes after an interruption', async () => {
    const { commit } = await run();
    const object = await store('half way');
    const broken = Object.create(gateway.objects) as ObjectStore;
    broken.delete = () => Promise.reject(new Error('the store is away'));
    expect(await release(object.key, broken)).toBe(0);
    await expect(commit(object)).rejects.toMatchObject({ failure: { kind: 'transient' } });
    expect(await release(object.key)).toBe(0);
    await gateway.database.sql.query(`UPDATE deleted_objects SET condemned_at = now() - interval '2 hours' WHERE deleted_at = 'infinity'`);
    await gateway.app.get(RemoveOrphanedFilesTask).run();
    expect(await gateway.objects.stat(object.key)).toBeNull();
    const left = await gateway.database.sql.query(`SELECT 1 FROM deleted_objects WHERE deleted_at = 'infinity'`);
    expect(left).toEqual([]);
  });

  it(`exist for every row that references them in ${ROUNDS} rounds of concurrent storing and deleting`, async () => {
    const refused: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const text = `round ${round}`;
      const { commit, resubmit } = await run();
      const before = await store(text);
      // in turn: whoever has stored is about to commit, or is about to store
      let stored: StoredObject | null = round % 2 === 0 ? before : null;
      const work = async (): Promise<void> => {
        for (;;) {
          const done = await commit(stored ?? (await store(text))).then(
            () => true,
            () => false,
          );
          if (done) return;
          refused.push(round);
          stored = null;
          await resubmit();
        }
      };
      await Promise.all([work(), release(before.key), release(before.key)]);
      expect(await gateway.objects.stat(before.key)).not.toBeNull();
    }
    // both orders have to come up, else nothing was tried
    expect(refused.length).toBeGreaterThan(0);
    expect(new Set(refused).size).toBeLessThan(ROUNDS);
  });
});
