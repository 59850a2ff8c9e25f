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

describe.each(postgresKinds())('StageRunner with jobs of people and of several sources (%s)', (kind) => {
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

  it('claims a job that a person waits for before earlier automatic jobs', async () => {
    const taken: string[] = [];
    const gates = new Map<string, ReturnType<typeof deferred>>();
    const step = defineStep<{ id: string }, null>({
      name: 'work',
      effect: 'pure',
      run: async ({ id }) => {
        taken.push(id);
        const gate = deferred();
        gates.set(id, gate);
        await gate.promise;
        return done(null);
      },
    });
    for (let i = 0; i < 5; i += 1) await harness.requestDownload();
    await harness.startRunner(testStage({ steps: [step], slots: 1 }));
    await pollUntil(() => taken.length === 1);
    const pasted = await orderForPerson();
    gates.get(taken[0] ?? '')?.resolve();
    await pollUntil(() => taken.length === 2);
    expect(taken[1]).toBe(pasted);
    for (let seen = 0; seen < 6;) {
      for (const gate of gates.values()) gate.resolve();
      await pollUntil(() => taken.length > seen);
      seen = taken.length;
    }
    for (const gate of gates.values()) gate.resolve();
    expect(new Set(taken).size).toBe(6);
  });

  it('takes a request of another source before the later ones of a burst', async () => {
    const ofBurst = await harness.requestDownload({ burstPlace: 0 });
    const laterOfBurst = await harness.requestDownload({ burstPlace: 20 });
    const ofAnother = await harness.requestDownload();
    const claims = { stage: 'download', limit: 1, owner: 'worker', leaseSeconds: 30, peopleOnly: false, except: [] } as const;
    const claimed: (string | undefined)[] = [];
    for (let i = 0; i < 3; i += 1) claimed.push((await fresh.database.read.jobs.claimNext(claims))[0]?.job.id);
    expect(claimed).toEqual([ofBurst.job.id, ofAnother.job.id, laterOfBurst.job.id]);
  });

  it('reserves an extra slot for people while automatic jobs fill all others', async () => {
    const taken: string[] = [];
    const gate = deferred();
    const step = defineStep<{ id: string }, null>({
      name: 'work',
      effect: 'pure',
      run: async ({ id }) => {
        taken.push(id);
        await gate.promise;
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
    gate.resolve();
    await pollUntil(() => taken.length === 5);
  });
});
