import type { JobEnd, NewJob, StageJob } from '@autoposter/persistence';
import { endJob } from '@autoposter/testkit';
import type { JobPort } from './job-model';

export interface JobRows {
  jobs: JobPort;
  /** Rolls back if `work` rejects. */
  transaction<T>(work: (jobs: JobPort) => Promise<T>): Promise<T>;
}

export const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

export const newJob = (n: number, values: Partial<NewJob> = {}): NewJob => ({
  stage: 'download',
  subjectId: uuid(n),
  itemId: uuid(n),
  messageKey: uuid(n),
  maxAttempts: 3,
  correlationId: uuid(n),
  ...values,
});

export const claimOf = (limit: number, values: Partial<Parameters<JobPort['claimNext']>[0]> = {}) =>
  ({ stage: 'download', limit, owner: 'worker', leaseSeconds: 60, peopleOnly: false, except: [], ...values }) as const;

export const endOf = ({ id, fence }: StageJob, end: JobEnd = { state: 'done' }) => ({ id, fence, end, step: 'step', forget: ['step'] });

/** A promise and whether it has settled after some time. */
async function isPending(promise: Promise<unknown>): Promise<boolean> {
  const pending = Symbol('pending');
  const pause = new Promise((resolve) => setTimeout(() => resolve(pending), 100));
  return (await Promise.race([promise, pause])) === pending;
}

/** What the engine relies on. The model of the simulation and the statements of PostgreSQL have to agree. */
export function describeJobRows(name: string, open: () => JobRows): void {
  describe(`job rows: ${name}`, () => {
    let rows: JobRows;

    beforeEach(() => {
      rows = open();
    });

    const created = async (n: number, values: Partial<NewJob> = {}): Promise<StageJob> => {
      const job = await rows.jobs.create(newJob(n, values));
      if (job === null) throw new Error('the job was not created');
      return job;
    };
    const claimed = async (leaseSeconds = 60): Promise<StageJob> => {
      const [claim] = await rows.jobs.claimNext(claimOf(1, { leaseSeconds }));
      if (claim === undefined) throw new Error('nothing was claimed');
      return claim.job;
    };

    it('keeps the place of a job that is released, with the next request number and without counting the attempt', async () => {
      await created(1);
      const first = await claimed();
      await created(2);
      expect(await endJob(rows.jobs, first, { state: 'released' })).toBe(true);
      const [one, two] = await rows.jobs.claimNext(claimOf(2));
      expect([one?.job.id, two?.job.subjectId]).toEqual([first.id, uuid(2)]);
      expect(one?.job).toMatchObject({ attempts: 1, requestNumber: first.requestNumber + 1, requestedAt: first.requestedAt });
    });

    it('forgets the start of a job that is released before its first attempt has begun, and of no other', async () => {
      await created(1);
      const startAfter = async (step: string | null) => {
        const { id, fence } = await claimed();
        expect(await rows.jobs.endMany([{ id, fence, end: { state: 'released' }, step, forget: [] }])).toEqual(new Set([id]));
        return (await rows.jobs.find(id))?.startedAt ?? null;
      };
      expect([await startAfter(null), await startAfter(null)]).toEqual([null, null]);
      const start = await startAfter('step');
      expect(start).not.toBeNull();
      expect(await startAfter(null)).toEqual(start);
    });

    it('keeps the place of a job whose message is sent again', async () => {
      const first = await created(1);
      await created(2);
      expect(await rows.jobs.sweepRequested(-1, 1)).toMatchObject([{ id: first.id, swept: 1, requestedAt: first.requestedAt }]);
      expect(await rows.jobs.claimNext(claimOf(1))).toMatchObject([{ job: { id: first.id } }]);
    });

    it('grants a lease once, and again only when it has lapsed, with a new fence', async () => {
      await created(1);
      const first = await claimed();
      expect(first).toMatchObject({ state: 'running', attempts: 1, fence: 1, leaseOwner: 'worker' });
      expect(await rows.jobs.claimNext(claimOf(5))).toEqual([]);
      expect(await rows.jobs.renew(first, -1)).toBe(true);
      expect(await rows.jobs.claimNext(claimOf(5))).toMatchObject([{ hadLapsed: true, job: { attempts: 2, fence: 2 } }]);
    });

    it('refuses every write of an older fence', async () => {
      await created(1);
      const old = await claimed(-1);
      const current = await claimed();
      expect(await rows.jobs.renew(old, 60)).toBe(false);
      expect(await rows.jobs.journal(old, 'step', 1)).toBe(false);
      expect(await rows.jobs.recordIntent(old, 'step', 60)).toBe(false);
      expect(await endJob(rows.jobs, old, { state: 'done' })).toBe(false);
      expect(await rows.jobs.endMany([endOf(old)])).toEqual(new Set());
      expect(await rows.jobs.endMany([endOf(old), endOf(current)])).toEqual(new Set([current.id]));
      expect(await endJob(rows.jobs, current, { state: 'done' })).toBe(false);
    });

    it('records no intent after the lease has lapsed, even if no other worker took the job', async () => {
      await created(1);
      const job = await claimed(-1);
      expect(await rows.jobs.recordIntent(job, 'publish', 60)).toBe(false);
      expect(await rows.jobs.renew(job, 60)).toBe(true);
      const leaseUntil = async () => (await rows.jobs.find(job.id))?.leaseUntil?.getTime() ?? 0;
      const before = await leaseUntil();
      expect(await rows.jobs.recordIntent(job, 'publish', 120)).toBe(true);
      // the call starts with a full lease
      expect((await leaseUntil()) - before).toBeGreaterThan(30_000);
      expect(await rows.jobs.journal(job, 'publish', { mediaId: '1' })).toBe(true);
      expect(await rows.jobs.find(job.id)).toMatchObject({ intentStep: null, journal: { publish: { mediaId: '1' } } });
    });

    it('writes nothing of a transaction that is rolled back', async () => {
      await created(1);
      const job = await claimed();
      const failing = rows.transaction(async (jobs) => {
        expect(await endJob(jobs, job, { state: 'done' })).toBe(true);
        expect(await jobs.create(newJob(1, { stage: 'dmca' }))).not.toBeNull();
        throw new Error('the stage cannot commit');
      });
      await expect(failing).rejects.toThrow('the stage cannot commit');
      expect(await rows.jobs.find(job.id)).toMatchObject({ state: 'running', fence: 1 });
      expect(await rows.jobs.findOpen('dmca', uuid(1))).toBeNull();
    });

    it('makes a second end wait for the first, and finds nothing to end when that commits', async () => {
      await created(1);
      const job = await claimed();
      let second: Promise<boolean> = Promise.resolve(true);
      await rows.transaction(async (jobs) => {
        expect(await endJob(jobs, job, { state: 'done' })).toBe(true);
        second = endJob(rows.jobs, job, { state: 'dead', failure: { kind: 'internal', message: 'x' } as never });
        expect(await isPending(second)).toBe(true);
      });
      expect(await second).toBe(false);
      expect(await rows.jobs.find(job.id)).toMatchObject({ state: 'done', failure: null });
    });

    it('skips rows that a transaction holds, and shows others only what is committed', async () => {
      await created(1);
      const lapsed = await claimed(-1);
      await created(2);
      await rows.transaction(async (jobs) => {
        expect(await jobs.renew(lapsed, -1)).toBe(true);
        const others = await rows.jobs.claimNext(claimOf(5));
        expect(others.map(({ job }) => job.subjectId)).toEqual([uuid(2)]);
        expect(await jobs.journal(lapsed, 'step', 1)).toBe(true);
        expect((await rows.jobs.find(lapsed.id))?.journal).toEqual({});
      });
      expect((await rows.jobs.find(lapsed.id))?.journal).toEqual({ step: 1 });
      await created(3);
      await created(4);
      await rows.transaction(async (jobs) => {
        const subjects = async (port: JobPort, limit: number) =>
          (await port.claimNext(claimOf(limit, { except: [lapsed.id] }))).map(({ job }) => job.subjectId);
        expect(await subjects(jobs, 1)).toEqual([uuid(3)]);
        expect(await subjects(rows.jobs, 5)).toEqual([uuid(4)]);
      });
    });

    it('creates one open job per stage and subject, also when two transactions create it', async () => {
      let second: Promise<StageJob | null> = Promise.resolve(null);
      await rows.transaction(async (jobs) => {
        expect(await jobs.create(newJob(1))).not.toBeNull();
        second = rows.jobs.create(newJob(1));
        expect(await isPending(second)).toBe(true);
      });
      expect(await second).toBeNull();
      const [claim] = await rows.jobs.claimNext(claimOf(1));
      await endJob(rows.jobs, claim?.job as StageJob, { state: 'done' });
      expect(await rows.jobs.create(newJob(1))).not.toBeNull();
    });

    it('replays a dead job with all its attempts, but not beside an open one', async () => {
      await created(1);
      const dead = await claimed();
      expect(await rows.jobs.replay(dead.id)).toBeNull();
      await endJob(rows.jobs, dead, { state: 'dead', failure: { kind: 'internal', message: 'x' } as never });
      await created(1);
      expect(await rows.jobs.replay(dead.id)).toBeNull();
      await endJob(rows.jobs, await claimed(), { state: 'done' });
      expect(await rows.jobs.replay(dead.id)).toMatchObject({ id: dead.id, state: 'requested', attempts: 0, requestNumber: 2 });
    });

    it('runs one job of an account at a time', async () => {
      await created(1, { stage: 'post', messageKey: 'account' });
      await created(2, { stage: 'post', messageKey: 'account' });
      await created(3, { stage: 'post', messageKey: 'other' });
      const [first] = await rows.jobs.claimNext(claimOf(1, { stage: 'post' }));
      expect(first?.job.subjectId).toBe(uuid(1));
      expect((await rows.jobs.claimNext(claimOf(5, { stage: 'post' }))).map(({ job }) => job.subjectId)).toEqual([uuid(3)]);
      await endJob(rows.jobs, first?.job as StageJob, { state: 'done' });
      expect((await rows.jobs.claimNext(claimOf(5, { stage: 'post' }))).map(({ job }) => job.subjectId)).toEqual([uuid(2)]);
    });
  });
}
