import { type Stage, STAGE_FACTS, STAGES } from '@autoposter/contracts';
import { cutText } from '@autoposter/domain';
import {
  type AttemptEnd,
  type ClaimedJob,
  type ClaimRequest,
  type JobEnd,
  MESSAGE_LOST_AFTER_SECONDS,
  type NewJob,
  newStageJob,
  type StageJob,
  type UnitOfWork,
} from '@autoposter/persistence';
import type { ServerModel, Transaction } from './database-model';

/** The part of the repository that the engine uses. One contract suite holds for both. */
export type JobPort = Pick<
  UnitOfWork['jobs'],
  | 'create'
  | 'find'
  | 'findMany'
  | 'findOpen'
  | 'claimNext'
  | 'claimMany'
  | 'countUnfinished'
  | 'renew'
  | 'journal'
  | 'journalMany'
  | 'recordIntent'
  | 'endMany'
  | 'requestDue'
  | 'sweepRequested'
  | 'replay'
  | 'cancelOpen'
  | 'cancelIdle'
>;

export type Execute = <T>(statement: (tx: Transaction) => T | Promise<T>) => Promise<T>;

interface JobClaim {
  id: string;
  fence: number;
}

const OPEN: ReadonlySet<string> = new Set(['requested', 'running', 'waiting', 'retrying']);
const FINISHED: ReadonlySet<string> = new Set(['done', 'dead', 'cancelled']);
const isExclusive = (stage: Stage): boolean => STAGE_FACTS.oneJobPerKey.includes(stage);

/** The job statements on the server model. */
export class JobModel implements JobPort {
  constructor(
    private readonly server: ServerModel,
    private readonly execute: Execute,
  ) {}

  create(job: NewJob): Promise<StageJob | null> {
    return this.execute(async (tx) => {
      const conflicts = ({ stage, subjectId, state }: StageJob): boolean =>
        stage === job.stage && subjectId === job.subjectId && OPEN.has(state);
      // the unique index waits for a transaction that may close or open a job of this subject
      for (const [id, before, after] of this.server.jobs.uncommitted(tx))
        if ([before, after].some((one) => one !== null && conflicts(one))) await this.server.jobs.settled(id, tx);
      if (this.server.jobs.entries(tx).some(([, row]) => conflicts(row))) return null;
      const row = newStageJob({ id: this.server.newId(), requestedAt: at(startOf(tx)), ...job });
      this.server.jobs.insert(row.id, row, tx);
      return copyOf(row);
    });
  }

  find(id: string): Promise<StageJob | null> {
    return this.findMany([id]).then(([job]) => job ?? null);
  }

  findMany(ids: readonly string[]): Promise<StageJob[]> {
    return this.execute((tx) => ids.flatMap((id) => this.server.jobs.visible(id, tx) ?? []).map(copyOf));
  }

  findOpen(stage: Stage, subjectId: string): Promise<StageJob | null> {
    return this.execute((tx) => {
      const open = this.server.jobs
        .entries(tx)
        .find(([, row]) => row.stage === stage && row.subjectId === subjectId && OPEN.has(row.state));
      return open === undefined ? null : copyOf(open[1]);
    });
  }

  claimNext(request: ClaimRequest): Promise<ClaimedJob[]> {
    return this.claimMany([request]);
  }

  claimMany(requests: readonly ClaimRequest[]): Promise<ClaimedJob[]> {
    return this.execute(async (tx) => {
      const claimed: ClaimedJob[] = [];
      for (const request of requests) claimed.push(...(await this.claimIn(tx, request)));
      return claimed;
    });
  }

  private async claimIn(tx: Transaction, request: ClaimRequest): Promise<ClaimedJob[]> {
    const { stage, limit, owner, leaseSeconds, peopleOnly, except } = request;
    const { jobs, clock, bug } = this.server;
    const candidates = jobs
      .entries(tx)
      .filter(
        ([id, row]) =>
          row.stage === stage &&
          (row.forPerson || !peopleOnly) &&
          !except.includes(id) &&
          (bug === 'a claim takes locked rows' || !jobs.isLockedByOther(id, tx)) &&
          this.accountIsFree(row, tx),
      )
      .map(([, row]) => row);
    const hasLapsed = ({ state, leaseUntil }: StageJob): boolean =>
      state === 'running' && (bug === 'a live lease is claimed' || time(leaseUntil) < clock);
    const lapsed = candidates
      .filter(hasLapsed)
      .sort((a, b) => time(a.leaseUntil) - time(b.leaseUntil))
      .slice(0, limit);
    const fresh = candidates
      .filter(({ state }) => state === 'requested')
      .sort((a, b) => Number(b.forPerson) - Number(a.forPerson) || time(a.requestedAt) - time(b.requestedAt) || (a.id < b.id ? -1 : 1))
      .slice(0, limit - lapsed.length);
    const chosen = [...lapsed, ...fresh];
    const keys = chosen.filter((row) => isExclusive(row.stage)).map(({ messageKey }) => messageKey);
    // violates the unique index of running jobs per account
    if (new Set(keys).size < keys.length && bug !== 'an account runs two jobs') return [];
    const claimed: ClaimedJob[] = [];
    for (const row of chosen) {
      if (bug === 'a claim takes locked rows') await jobs.lock(row.id, tx);
      const after: StageJob = {
        ...row,
        state: 'running',
        attempts: row.attempts + 1,
        fence: bug === 'a claim keeps the fence' && row.fence > 0 ? row.fence : row.fence + 1,
        leaseOwner: owner,
        leaseUntil: at(clock + leaseSeconds * 1000),
        startedAt: row.startedAt ?? at(startOf(tx)),
        waitReason: null,
      };
      const [job] = this.writeAll(tx, [row], () => after);
      if (job !== undefined) claimed.push({ job, hadLapsed: hasLapsed(row) });
    }
    return claimed;
  }

  countUnfinished(stage: Stage): Promise<number> {
    return this.execute(
      (tx) =>
        this.server.jobs.entries(tx).filter(([, row]) => row.stage === stage && (row.state === 'requested' || row.state === 'running'))
          .length,
    );
  }

  renew(claim: JobClaim, leaseSeconds: number): Promise<boolean> {
    return this.held(claim, (row) => ({ ...row, leaseUntil: at(this.server.clock + leaseSeconds * 1000) }));
  }

  async journal(claim: JobClaim, step: string, output: unknown): Promise<boolean> {
    return (await this.journalMany([claim], step, output)).has(claim.id);
  }

  journalMany(claims: readonly JobClaim[], step: string, output: unknown): Promise<Set<string>> {
    const entry = this.server.bug === 'a journal entry is lost' ? {} : (JSON.parse(JSON.stringify({ [step]: output ?? null })) as object);
    const change = (row: StageJob): StageJob => ({ ...row, journal: { ...row.journal, ...entry }, intentStep: null });
    return this.execute(async (tx) => {
      const held = new Set<string>();
      for (const claim of claims) if (await this.writeHeld(tx, claim, change)) held.add(claim.id);
      return held;
    });
  }

  recordIntent(claim: JobClaim, step: string, leaseSeconds: number): Promise<boolean> {
    if (this.server.bug === 'an intent is not written') return this.held(claim, (row) => row);
    const hasTime = ({ leaseUntil }: StageJob): boolean => time(leaseUntil) > this.server.clock;
    return this.held(claim, (row) => ({ ...row, intentStep: step, leaseUntil: at(this.server.clock + leaseSeconds * 1000) }), hasTime);
  }

  endMany(ends: readonly AttemptEnd[]): Promise<Set<string>> {
    return this.execute(async (tx) => {
      const now = startOf(tx);
      const ended = new Set<string>();
      for (const { end, step, forget, ...claim } of ends) {
        const isReleased = end.state === 'released';
        const seconds = isReleased ? MESSAGE_LOST_AFTER_SECONDS : 'inSeconds' in end ? end.inSeconds : null;
        const state = end.state === 'released' ? 'requested' : end.state;
        const wrote = await this.writeHeld(tx, claim, (row) => ({
          ...row,
          state,
          intentStep: null,
          leaseOwner: null,
          leaseUntil: null,
          dueAt: seconds === null ? null : at(now + seconds * 1000),
          waitReason: 'reason' in end ? cutText(end.reason, 300) : null,
          waitCode: 'cause' in end ? (end.cause?.kind ?? null) : null,
          waitSide: 'cause' in end ? (end.cause?.side ?? null) : null,
          failure: 'failure' in end ? json(end.failure) : row.failure,
          startedAt: isReleased && step === null && isUntouched(row) ? null : row.startedAt,
          attempts: row.attempts - (isReleased || end.state === 'waiting' ? 1 : 0),
          requestNumber: row.requestNumber + (isReleased ? 1 : 0),
          swept: isReleased ? 0 : row.swept,
          journal: without(row.journal, forget),
          finishedAt: FINISHED.has(state) ? at(now) : null,
          history: endingsOf(row, end, step, now),
        }));
        const { bug } = this.server;
        if (wrote || bug === 'an end needs no running job' || (bug === 'a group ends jobs that it lost' && ends.length > 1))
          ended.add(claim.id);
      }
      return ended;
    });
  }

  requestDue(limit: number): Promise<StageJob[]> {
    if (this.server.bug === 'a due job stays waiting') return this.execute(() => []);
    return this.execute((tx) => {
      const now = startOf(tx);
      const isDue = ({ state, dueAt }: StageJob): boolean => (state === 'waiting' || state === 'retrying') && time(dueAt) <= now;
      const due = this.unlocked(tx, isDue, ({ dueAt }) => time(dueAt), limit);
      return this.writeAll(tx, due, (row) => ({
        ...requested(row, now),
        waitReason: null,
        waitCode: null,
        waitSide: null,
      }));
    });
  }

  sweepRequested(seconds: number, limit: number): Promise<StageJob[]> {
    return this.execute((tx) => {
      const now = startOf(tx);
      const announced = new Set(this.server.outbox.entries(tx).map(([, { jobId }]) => jobId));
      const lostAt = ({ requestedAt, dueAt }: StageJob): number => (dueAt === null ? time(requestedAt) + seconds * 1000 : time(dueAt));
      const isUnclaimed = (row: StageJob): boolean => row.state === 'requested' && lostAt(row) < now;
      const since = ({ dueAt, requestedAt }: StageJob): number => time(dueAt ?? requestedAt);
      const unclaimed = STAGES.flatMap((stage) => this.unlocked(tx, (row) => row.stage === stage && isUnclaimed(row), since, limit));
      const isLost = ({ id }: StageJob): boolean => !announced.has(id);
      this.writeAll(
        tx,
        unclaimed.filter((row) => !isLost(row)),
        (row) => ({ ...row, dueAt: at(now + seconds * 1000) }),
      );
      return this.writeAll(tx, unclaimed.filter(isLost), (row) => {
        const dueAt = at(now + Math.min(seconds * 2 ** (row.swept + 1), 3600) * 1000);
        return { ...row, dueAt, swept: row.swept + 1 };
      });
    });
  }

  replay(id: string, removed: readonly string[] = []): Promise<StageJob | null> {
    return this.execute(async (tx) => {
      const isOpenElsewhere = (row: StageJob): boolean =>
        this.server.jobs.entries(tx).some(([, o]) => o.stage === row.stage && o.subjectId === row.subjectId && OPEN.has(o.state));
      const changed = await this.writeWhere(
        tx,
        [id],
        (row) => row.state === 'dead' && !isOpenElsewhere(row),
        (row) => ({
          ...requested(row, startOf(tx)),
          attempts: 0,
          failure: null,
          finishedAt: null,
          journal: without(row.journal, removed),
        }),
      );
      return changed[0] ?? null;
    });
  }

  cancelOpen(subjectId: string): Promise<number> {
    return this.cancel((row) => row.subjectId === subjectId && OPEN.has(row.state), { leaseUntil: null });
  }

  async cancelIdle(stage: Stage, subjectId: string): Promise<boolean> {
    const isIdle = ({ state }: StageJob): boolean => state === 'waiting' || state === 'retrying';
    return (await this.cancel((row) => row.stage === stage && row.subjectId === subjectId && isIdle(row), {})) === 1;
  }

  private cancel(matches: (row: StageJob) => boolean, more: Partial<StageJob>): Promise<number> {
    return this.execute(async (tx) => {
      const ids = this.server.jobs.entries(tx).flatMap(([id, row]) => (matches(row) ? [id] : []));
      const change = (row: StageJob): StageJob => ({
        ...row,
        state: 'cancelled',
        finishedAt: at(startOf(tx)),
        dueAt: null,
        fence: row.fence + 1,
        ...more,
      });
      return (await this.writeWhere(tx, ids, matches, change)).length;
    });
  }

  private held(claim: JobClaim, change: (row: StageJob) => StageJob, also: (row: StageJob) => boolean = () => true): Promise<boolean> {
    return this.execute((tx) => this.writeHeld(tx, claim, change, also));
  }

  private async writeHeld(
    tx: Transaction,
    { id, fence }: JobClaim,
    change: (row: StageJob) => StageJob,
    also: (row: StageJob) => boolean = () => true,
  ): Promise<boolean> {
    const ignoresFence = this.server.bug === 'an old fence writes';
    const isHeld = (row: StageJob): boolean => (row.fence === fence || ignoresFence) && row.state === 'running' && also(row);
    const [written] = await this.writeWhere(tx, [id], isHeld, change);
    if (written !== undefined) tx.writes.push({ jobId: id, fence });
    return written !== undefined;
  }

  /** Waits for the locks of the rows that match, and checks each again once it is locked. */
  private async writeWhere(
    tx: Transaction,
    ids: readonly string[],
    matches: (row: StageJob) => boolean,
    change: (row: StageJob) => StageJob,
  ): Promise<StageJob[]> {
    const { jobs } = this.server;
    const written: StageJob[] = [];
    for (const id of ids) {
      const seen = jobs.visible(id, tx);
      if (seen === null || !matches(seen)) continue;
      await jobs.lock(id, tx);
      const current = jobs.visible(id, tx);
      if (current === null || !matches(current)) continue;
      written.push(...this.writeAll(tx, [current], change));
    }
    return written;
  }

  private writeAll(tx: Transaction, rows: readonly StageJob[], change: (row: StageJob) => StageJob): StageJob[] {
    return rows.map((row) => {
      const after = change(row);
      this.server.jobs.lockNow(row.id, tx);
      this.server.jobs.write(row.id, after, tx);
      return copyOf(after);
    });
  }

  /** The first `limit` matching rows that no other transaction has locked (SKIP LOCKED). */
  private unlocked(tx: Transaction, matches: (row: StageJob) => boolean, order: (row: StageJob) => number, limit: number): StageJob[] {
    return this.server.jobs
      .entries(tx)
      .flatMap(([id, row]) => (matches(row) && !this.server.jobs.isLockedByOther(id, tx) ? [row] : []))
      .sort((a, b) => order(a) - order(b))
      .slice(0, limit);
  }

  private accountIsFree(row: StageJob, tx: Transaction): boolean {
    if (!isExclusive(row.stage) || this.server.bug === 'an account runs two jobs') return true;
    return !this.server.jobs
      .entries(tx)
      .some(([id, o]) => id !== row.id && o.messageKey === row.messageKey && isExclusive(o.stage) && o.state === 'running');
  }
}

const at = (ms: number): Date => new Date(Math.round(ms));
const time = (date: Date | null): number => date?.getTime() ?? Number.NaN;
const startOf = (tx: Transaction): number => tx.startedAtMs ?? Number.NaN;
const json = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
const copyOf = (row: StageJob): StageJob => ({ ...row, journal: { ...row.journal }, history: [...row.history] });
const without = (journal: Record<string, unknown>, steps: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(journal).filter(([name]) => !steps.includes(name)));

const requested = (row: StageJob, now: number): StageJob => ({
  ...row,
  state: 'requested',
  requestNumber: row.requestNumber + 1,
  dueAt: null,
  requestedAt: at(now),
  swept: 0,
});

const isUntouched = ({ attempts, history, journal }: StageJob): boolean =>
  attempts === 1 && history.length === 0 && Object.keys(journal).length === 0;

/** Only the newest twenty are kept. */
function endingsOf({ attempts, history }: StageJob, end: JobEnd, step: string | null, now: number): StageJob['history'] {
  const failure = end.state === 'retrying' || end.state === 'dead' ? { kind: end.failure.kind, message: end.failure.message } : null;
  if (failure === null && (end.state !== 'released' || step === null)) return history;
  const outcome = end.state as 'retrying' | 'dead' | 'released';
  return [...history, { at: new Date(now).toISOString(), attempt: attempts, outcome, step, failure }].slice(-20);
}
