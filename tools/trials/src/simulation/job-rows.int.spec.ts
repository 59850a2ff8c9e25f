import type { StageJob } from '@autoposter/persistence';
import { endJob, type FreshDatabase, useFreshDatabases } from '@autoposter/testkit';
import { SeededRandom } from '../trial';
import { ServerModel } from './database-model';
import { JobModel, type JobPort } from './job-model';
import { claimOf, endOf, describeJobRows, newJob, uuid } from './job-rows.contract';

describe('on PostgreSQL', () => {
  let fresh: FreshDatabase;

  useFreshDatabases('embedded', (made) => {
    fresh = made;
  });

  describeJobRows('statements', () => ({
    jobs: fresh.database.read.jobs,
    transaction: (work) => fresh.database.unitOfWork((uow) => work(uow.jobs)),
  }));

  it('answers 300 random statements as the model does', async () => {
    let nowMs = Date.now();
    const server = new ServerModel({ after: () => () => undefined, nowMs: () => (nowMs += 10) });
    const model = new JobModel(server, (statement) => server.executeAlone(statement));
    const random = new SeededRandom(7);
    const claims: { sql: StageJob; model: StageJob }[] = [];
    const ids = new Map<string, string>();
    for (let n = 0; n < 300; n += 1) {
      const statement = randomStatement(random, claims, ids);
      // timestamps have milliseconds; equal ones have no order
      await new Promise((resolve) => setTimeout(resolve, 2));
      const answers = { sql: await statement.run(fresh.database.read.jobs, 'sql'), model: await statement.run(model, 'model') };
      expect({ n, ...statement.facts, answer: comparable(answers.sql) }).toEqual({
        n,
        ...statement.facts,
        answer: comparable(answers.model),
      });
      statement.remember(answers.sql, answers.model);
      const found = new Map((await fresh.database.read.jobs.findMany([...ids.values()])).map((job) => [job.id, job]));
      const rows = [...ids.values()].map((id) => found.get(id));
      const modelled = await model.findMany([...ids.keys()]);
      expect({ n, ...statement.facts, rows: comparable(rows) }).toEqual({ n, ...statement.facts, rows: comparable(modelled) });
    }
    expect(claims.length).toBeGreaterThan(30);
  });
});

type Side = 'sql' | 'model';

interface RandomStatement {
  facts: object;
  run(jobs: JobPort, side: Side): Promise<unknown>;
  remember(sql: unknown, model: unknown): void;
}

function randomStatement(random: SeededRandom, claims: { sql: StageJob; model: StageJob }[], ids: Map<string, string>): RandomStatement {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random.next() * values.length)] as T;
  const subject = 1 + Math.floor(random.next() * 6);
  const stage = pick(['download', 'post'] as const);
  const seconds = pick([-5, 60]);
  const claim = claims.length === 0 ? null : pick(claims.slice(-8));
  const name = pick([
    'create',
    'create',
    'claim',
    'claim',
    'claim',
    'renew',
    'journal',
    'intent',
    'end',
    'end',
    'endMany',
    'due',
    'replay',
    'cancel',
    'cancelIdle',
    'count',
    'open',
  ] as const);
  const nothing = (): void => undefined;
  const statement = (facts: object, run: RandomStatement['run'], remember: RandomStatement['remember'] = nothing): RandomStatement => ({
    facts: { name, ...facts },
    run,
    remember,
  });
  const failure = { kind: 'transient', message: 'x' } as never;
  const end = pick([
    { state: 'done' },
    { state: 'cancelled' },
    { state: 'dead', failure },
    { state: 'retrying', inSeconds: seconds, failure },
    { state: 'released' },
    { state: 'waiting', inSeconds: seconds, reason: 'a limit' },
    { state: 'waiting', inSeconds: seconds, reason: 'a quota', cause: { kind: 'quota_exceeded', side: 'reddit' } },
  ] as const);
  if (name === 'create') {
    const job = newJob(subject, { stage, messageKey: `key ${subject % 2}`, forPerson: random.next() < 0.3 });
    return statement(
      { subject, stage },
      (jobs) => jobs.create(job),
      (sql, model) => {
        if (sql !== null) ids.set((model as StageJob).id, (sql as StageJob).id);
      },
    );
  }
  if (name === 'claim') {
    const request = claimOf(stage === 'post' ? 1 : 2, { stage, leaseSeconds: seconds, peopleOnly: random.next() < 0.2 });
    return statement(
      { request },
      async (jobs) => bySubject((await jobs.claimNext(request)).map(({ job, hadLapsed }) => ({ ...job, hadLapsed }))),
      (sql, model) =>
        (sql as StageJob[]).forEach((one, index) => claims.push({ sql: one, model: (model as StageJob[])[index] as StageJob })),
    );
  }
  if (name === 'due') return statement({}, async (jobs) => bySubject(await jobs.requestDue(10)));
  if (name === 'count') return statement({ stage }, (jobs) => jobs.countUnfinished(stage));
  if (name === 'open') return statement({ stage, subject }, (jobs) => jobs.findOpen(stage, uuid(subject)));
  if (name === 'cancel') return statement({ subject }, (jobs) => jobs.cancelOpen(uuid(subject)));
  if (name === 'cancelIdle') return statement({ stage, subject }, (jobs) => jobs.cancelIdle(stage, uuid(subject)));
  if (claim === null) return statement({}, () => Promise.resolve(null));
  const facts = { subject: claim.sql.subjectId, fence: claim.sql.fence, seconds, end };
  switch (name) {
    case 'renew':
      return statement(facts, (jobs, side) => jobs.renew(claim[side], seconds));
    case 'journal':
      return statement(facts, (jobs, side) => jobs.journal(claim[side], 'step', { at: subject }));
    case 'intent':
      return statement(facts, (jobs, side) => jobs.recordIntent(claim[side], 'publish', seconds));
    case 'endMany':
      return statement(facts, async (jobs, side) => (await jobs.endMany([endOf(claim[side], end)])).size);
    case 'replay':
      return statement(facts, (jobs, side) => jobs.replay(claim[side].id, ['step']));
    default:
      return statement(facts, (jobs, side) => endJob(jobs, claim[side], end, 'step'));
  }
}

const bySubject = <T extends StageJob>(jobs: T[]): T[] =>
  jobs.sort((a, b) => (`${a.stage} ${a.subjectId}` < `${b.stage} ${b.subjectId}` ? -1 : 1));

/** Without ids and times, which differ; whether a time is set does not. */
function comparable(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(comparable);
  if (answer === null || typeof answer !== 'object') return answer;
  const { id: _id, history, ...job } = answer as StageJob;
  const dates = Object.entries(job).map(([key, value]) => [key, value instanceof Date ? 'a time' : value]);
  return { ...Object.fromEntries(dates), history: history.map((ending) => ({ ...ending, at: 'a time' })) };
}
