import type { FailureKind } from '@autoposter/contracts';
import { PipelineError } from '@autoposter/domain';
import { claimJob, endJob, freshDatabase, type FreshDatabase, type PostgresServer, startPostgres } from '@autoposter/testkit';
import { v7 as uuidv7 } from 'uuid';
import { AiBudget, type ModelCall } from './ai-budget';

const GEMINI = { provider: 'gemini', model: 'flash', apiKey: 'one key', url: 'https://gemini.test' } as const;
const GROQ = { ...GEMINI, provider: 'groq', model: 'oss' } as const;
const NOON = new Date('2026-03-01T20:00:00Z');
const later = (seconds: number): Date => new Date(NOON.getTime() + seconds * 1000);

describe('AiBudget', () => {
  let server: PostgresServer;
  let fresh: FreshDatabase;
  let calls: number;

  beforeAll(async () => void (server = await startPostgres('embedded')));
  afterAll(() => server?.stop());
  beforeEach(async () => {
    fresh = await freshDatabase(server);
    calls = 0;
  });
  afterEach(() => fresh.drop());

  /** One per worker process; all on the same database. */
  const budgetOf = (limit = 50, providers: ConstructorParameters<typeof AiBudget>[2] = [GEMINI, GROQ]) =>
    new AiBudget(fresh.database, limit, providers);
  const at = (now: Date, more: Partial<ModelCall> = {}): ModelCall => ({
    provider: 'gemini',
    jobId: uuidv7(),
    byPerson: false,
    now,
    signal: new AbortController().signal,
    ...more,
  });
  const answers = () => {
    calls += 1;
    return Promise.resolve('a caption');
  };
  const failing = (kind: FailureKind, more: { retryAfterSeconds?: number; detail?: { sent: boolean } } = {}) => {
    return () => {
      calls += 1;
      return Promise.reject(
        new PipelineError({ code: 'gemini_overloaded', kind, message: 'No.', side: 'gemini', nextAction: 'Wait.', ...more }),
      );
    };
  };
  const failureOf = (spent: Promise<unknown>) =>
    spent.then(
      () => null,
      (error: unknown) => (error instanceof PipelineError ? error.failure : Promise.reject(error)),
    );
  const used = (day = '2026-03-01') => fresh.database.read.quota.used('ai.gemini', day);

  it('makes one call for ten posts, in two processes, once the quota of the day is exceeded', async () => {
    const [one, other] = [budgetOf(), budgetOf()];
    const exceeded = failing('quota_exceeded', { retryAfterSeconds: 43_200 });
    const failures = [];
    for (let post = 0; post < 10; post += 1)
      failures.push(await failureOf((post % 2 === 0 ? one : other).spend(at(later(post)), exceeded)));
    expect(calls).toBe(1);
    const retryAt = failures[0]?.retryAt ?? '';
    // the call itself takes some milliseconds, and the seconds count from its answer
    expect(Math.floor((Date.parse(retryAt) - NOON.getTime()) / 60_000)).toBe(720);
    for (const failure of failures) expect(failure).toMatchObject({ kind: 'quota_exceeded', retryAt });
    expect(await used()).toBe(1);
  });

  /** A job that waits because Gemini refused it. */
  const waitingJob = () =>
    fresh.database.unitOfWork(async (uow) => {
      const subjectId = uuidv7();
      const job = await uow.jobs.create({
        stage: 'ai',
        subjectId,
        itemId: null,
        messageKey: subjectId,
        maxAttempts: 3,
        correlationId: uuidv7(),
      });
      const held = job && (await claimJob(fresh.database, job.id, { jobs: uow.jobs }));
      if (!held) throw new Error('not claimed');
      await endJob(uow.jobs, held, { state: 'waiting', inSeconds: 900, reason: 'No.', cause: { kind: 'not_authorised', side: 'gemini' } });
      return held.id;
    });
  const due = () => fresh.database.unitOfWork((uow) => uow.jobs.requestDue(10));

  it('starts closed with another key, and wakes the jobs that waited because of the earlier one', async () => {
    await budgetOf().configure();
    await failureOf(budgetOf().spend(at(NOON), failing('not_authorised')));
    const waiting = await waitingJob();
    await budgetOf().configure();
    expect(await failureOf(budgetOf().spend(at(later(1)), answers))).toMatchObject({ kind: 'not_authorised' });
    const changed = budgetOf(50, [{ ...GEMINI, apiKey: 'another key' }]);
    await changed.configure();
    expect(await changed.spend(at(later(2)), answers)).toBe('a caption');
    expect(await due()).toEqual([expect.objectContaining({ id: waiting })]);
    expect((await fresh.database.read.aiProviders.list()).map(({ provider }) => provider)).toEqual(['gemini']);
  });

  it('wakes the jobs that waited for a provider that is not configured any more', async () => {
    await budgetOf().configure();
    const waiting = await waitingJob();
    await budgetOf().configure();
    expect(await due()).toEqual([]);
    await budgetOf(50, [GROQ]).configure();
    expect(await due()).toEqual([expect.objectContaining({ id: waiting })]);
  });
});
