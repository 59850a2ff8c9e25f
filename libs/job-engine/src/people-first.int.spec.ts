import {
  pollUntil,
  type FreshDatabase,
  useFreshDatabases,
  postgresKinds,
  deferred,
  testStage,
  StageTestHarness,
} from '@autoposter/testkit';
import { defineStep, done } from './define-step';
import { requestStage } from './request-stage';

jest.setTimeout(30_000);

describe.each(postgresKinds())('StageRunner with jobs that a person waits for (%s)', (kind) => {
  let fresh: FreshDatabase;
  let harness: StageTestHarness;

  useFreshDatabases(kind, async (made) => {
    fresh = made;
    harness = await StageTestHarness.open(fresh.database);
    return () => harness.close();
  });

  const orderForPerson = async (): Promise<string> => {
    const { item, job } = await harness.requestDownload();
    return fresh.database.unitOfWork(async (uow) => {
      await uow.jobs.cancelOpen(job.subjectId);
      const ask = { stage: 'download', subjectId: item.id, itemId: item.id, key: item.id, actor: 'anna@example.org' } as const;
      const asked = await requestStage(uow, { ...ask, forPerson: true });
      if (!asked.accepted) throw new Error('not accepted');
      return item.id;
    });
  };

  it('takes the job of a person before the automatic ones that were requested earlier', async () => {
    const taken: string[] = [];
    const doors = new Map<string, ReturnType<typeof deferred>>();
    const step = defineStep<{ id: string }, null>({
      name: 'work',
      effect: 'pure',
      run: async ({ id }) => {
        taken.push(id);
        const door = deferred();
        doors.set(id, door);
        await door.promise;
        return done(null);
      },
    });
    for (let i = 0; i < 5; i += 1) await harness.requestDownload();
    await harness.startRunner(testStage({ steps: [step], slots: 1 }));
    await pollUntil(() => taken.length === 1);
    const pasted = await orderForPerson();
    const looks = jest.spyOn(fresh.database.read.jobs, 'requestedForPerson');
    await pollUntil(() => looks.mock.calls.length > 1);
    doors.get(taken[0] ?? '')?.resolve();
    await pollUntil(() => taken.length === 2);
    expect(taken[1]).toBe(pasted);
    for (let seen = 0; seen < 6;) {
      for (const door of doors.values()) door.resolve();
      await pollUntil(() => taken.length > seen);
      seen = taken.length;
    }
    expect(new Set(taken).size).toBe(6);
  });

  it('keeps a slot for people while automatic work holds all others', async () => {
    const taken: string[] = [];
    const door = deferred();
    const step = defineStep<{ id: string }, null>({
      name: 'work',
      effect: 'pure',
      run: async ({ id }) => {
        taken.push(id);
        await door.promise;
        return done(null);
      },
    });
    const stage = testStage({ steps: [step], slots: 2 });
    for (let i = 0; i < 4; i += 1) await harness.requestDownload();
    await harness.startRunner({ ...stage, limits: { ...stage.limits, slotsForPeople: 1 } });
    await pollUntil(() => taken.length === 2);
    const pasted = await orderForPerson();
    await pollUntil(() => taken.includes(pasted));
    expect(taken).toHaveLength(3);
    door.resolve();
    await pollUntil(() => taken.length === 5);
  });
});
