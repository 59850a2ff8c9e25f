import { v7 as uuidv7 } from 'uuid';
import { anItem, type FreshDatabase, useFreshDatabases, testStage } from '@autoposter/testkit';
import { ClaimBatcher } from './claim';
import type { AnyStage } from './define-stage';
import { requestStage } from './request-stage';

jest.setTimeout(120_000);

describe('ClaimBatcher', () => {
  let fresh: FreshDatabase;

  useFreshDatabases('embedded', (made) => {
    fresh = made;
  });

  const claims = (stage: AnyStage) => new ClaimBatcher({ database: fresh.database, owner: 'worker', leaseSeconds: 30 }, stage);
  const order = (stage: 'download' | 'post' = 'download', key?: string) =>
    fresh.database.unitOfWork(async (uow) => {
      const item = await anItem(uow, { state: 'downloading' });
      const subjectId = stage === 'post' ? uuidv7() : item.id;
      const asked = await requestStage(uow, { stage, subjectId, itemId: item.id, key: key ?? item.id, actor: 'test' });
      if (!asked.accepted) throw new Error('not accepted');
      return asked.job;
    });
  const transactions = async () =>
    (await fresh.database.sql.query<{ count: number }>('SELECT count(DISTINCT xmin::text)::int AS count FROM stage_jobs'))[0]?.count;
  const started = async () =>
    (await fresh.database.sql.query<{ item_id: string }>(`SELECT item_id FROM event_history WHERE type LIKE '%.started' ORDER BY seq`)).map(
      (row) => row.item_id,
    );

  it('claims and starts the jobs of one event-loop turn in one transaction', async () => {
    const jobs = [await order(), await order(), await order()];
    const together = claims(testStage({ steps: [] }));
    const begun = await Promise.all(jobs.map(({ id, turn }) => together.claim(id, turn)));
    expect(begun.map((one) => [one?.job.id, (one?.input as { id: string }).id])).toEqual(jobs.map(({ id, itemId }) => [id, itemId]));
    expect(await transactions()).toBe(1);
    expect((await started()).sort()).toEqual(jobs.map(({ itemId }) => itemId).sort());
    for (const { id } of jobs) {
      expect(await fresh.database.read.jobs.find(id)).toMatchObject({ state: 'running', attempts: 1, fence: 1, leaseOwner: 'worker' });
    }
  });

  it('returns null for a job of another turn, a claimed job and an unknown job', async () => {
    const [free, other, taken] = [await order(), await order(), await order()];
    const together = claims(testStage({ steps: [] }));
    await together.claim(taken.id, null);
    const begun = await Promise.all([
      together.claim(free.id, 1),
      together.claim(other.id, 2),
      together.claim(taken.id, 1),
      together.claim(uuidv7(), 1),
    ]);
    expect(begun.map((one) => one?.job.id ?? null)).toEqual([free.id, null, null, null]);
  });

  it('claims the other jobs when the input of one cannot be loaded, and counts that attempt', async () => {
    const [good, bad] = [await order(), await order()];
    const stage = testStage({ steps: [] });
    const load: AnyStage['load'] = (uow, job) => (job.id === bad.id ? Promise.reject(new Error('unreadable')) : stage.load(uow, job));
    const together = claims({ ...stage, load });
    const begun = await Promise.all([together.claim(good.id, 1), together.claim(bad.id, 1)]);
    expect(begun.map((one) => [one?.job.attempts, one?.job.fence, one?.input === undefined])).toEqual([
      [1, 1, false],
      [1, 1, true],
    ]);
    expect(await started()).toEqual([good.itemId]);
  });

  it('gives a publishing account to one of two jobs', async () => {
    const [one, other] = [await order('post', 'account'), await order('post', 'account')];
    const stage = testStage({ name: 'post', steps: [] });
    const together = claims(stage);
    const begun = await Promise.all([together.claim(one.id, 1), together.claim(other.id, 1)]);
    expect(begun.filter((each) => each !== null)).toHaveLength(1);
  });
});
