import { PipelineError } from '@autoposter/domain';
import { defineStep, done } from '@autoposter/job-engine';
import { useFreshDatabases, postgresKinds, testStage, StageTestHarness, type FreshDatabase } from '@autoposter/testkit';
import { replayDeadJob } from './replay';

const failure = {
  code: 'reddit_post_missing',
  kind: 'not_found',
  message: 'The post is gone.',
  side: 'reddit',
  nextAction: 'Nothing.',
} as const;

describe.each(postgresKinds())('replayDeadJob on PostgreSQL (%s)', (kind) => {
  let fresh: FreshDatabase;
  let harness: StageTestHarness;

  useFreshDatabases(kind, async (made) => {
    fresh = made;
    harness = await StageTestHarness.open(fresh.database);
    return () => harness.close();
  });

  it('keeps finished steps and restarts a half-finished step when a dead job is replayed', async () => {
    let repaired = false;
    const seen: unknown[] = [];
    const first = defineStep<unknown, string>({
      name: 'look',
      effect: 'idempotent',
      run: () => (seen.push('look'), Promise.resolve(done('seen'))),
    });
    const step = defineStep<unknown, null>({
      name: 'fetch',
      effect: 'read',
      async run(_input, _tools, { checkpoint, saveCheckpoint }) {
        seen.push(checkpoint);
        await saveCheckpoint('half');
        return repaired ? done(null) : Promise.reject(new PipelineError(failure));
      },
    });
    await harness.startRunner(testStage({ steps: [first, step] }));
    const { item, job } = await harness.requestDownload();
    expect((await harness.jobInState(job.id, 'dead')).attempts).toBe(1);
    repaired = true;
    const replayed = await fresh.database.unitOfWork((uow) => replayDeadJob(uow, job.id, { actor: 'admin@example.org' }));
    expect(replayed.outcome).toBe('replayed');
    await harness.jobInState(job.id, 'done');
    expect(seen).toEqual(['look', undefined, undefined]);
    expect((await fresh.database.read.items.find(item.id))?.state).toBe('downloaded');
    expect(await fresh.database.unitOfWork((uow) => replayDeadJob(uow, job.id, { actor: 'admin@example.org' }))).toMatchObject({
      outcome: 'refused',
    });
  });
});
