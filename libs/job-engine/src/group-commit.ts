import { AsyncResource } from 'node:async_hooks';
import type { Stage } from '@autoposter/contracts';
import type { ClaimedJob, ClaimRequest, Database, UnitOfWork } from '@autoposter/persistence';
import { type AttemptWrite, writeAttempts } from './attempt-commits';
import { faultPoint } from './fault-point';
import { type LeaseInstant, LostLease, leaseInstant } from './lease';

/** Most attempts of one transaction: it holds the locks of all of them. */
const MAX_GROUP_SIZE = 50;
/** Most attempts that are committed separately at the same time. */
const MAX_SINGLE_COMMITS = 2;
/** Limits of a shared transaction, so that one slow commit delays the others only briefly; on its own it has the time of every transaction. */
const LIMITS = { lockMs: 1_000, statementMs: 5_000 };

/** A stage of this process that claims jobs. */
export interface Claimant {
  readonly stage: Stage;
  /** An account's jobs exclude each other by a unique index, whose violation would roll back everything else. */
  readonly isExclusive: boolean;
  /** Its last claim took as many jobs as it could. */
  readonly mayHaveMore: boolean;
  /** What it can run now; `null` if nothing. `ending`: those of its attempts that end in the same transaction. */
  request(ending: number): ClaimRequest | null;
  /** The claim is committed; the leases began after `requestedAt`. */
  take(claimed: readonly ClaimedJob[], request: ClaimRequest, requestedAt: LeaseInstant): void;
}

interface Waiting {
  attempt: AttemptWrite;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/**
 * Commits the starts and ends of a process's attempts, and the claims of its next jobs, in shared transactions: writes that arrive during one
 * transaction share the next. If any part fails, the transaction is rolled back and each attempt is committed separately.
 */
export class GroupCommit {
  private waiting: Waiting[] = [];
  private readonly claimants = new Set<Claimant>();
  private readonly asking = new Map<Claimant, { resolve(): void; reject(error: unknown): void }>();
  private isBusy = false;
  private current: Promise<void> = Promise.resolve();
  /** Outside of the span and the attempt that woke it. */
  private readonly flushApart = AsyncResource.bind(() => this.flush());

  constructor(private readonly database: Database) {}

  /** The claimant's next jobs are claimed with the ends of its attempts, and as soon as a stage of this process requests them. */
  join(claimant: Claimant): void {
    this.claimants.add(claimant);
  }

  /** Resolves when no claim of this claimant is in flight. */
  async leave(claimant: Claimant): Promise<void> {
    this.claimants.delete(claimant);
    await this.current;
  }

  /** Rejects with `LostLease` if the job is no longer held. */
  commit<T>(attempt: AttemptWrite<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const write = AsyncResource.bind((uow: UnitOfWork) => attempt.write(uow));
      this.waiting.push({ attempt: { ...attempt, write }, resolve: resolve as Waiting['resolve'], reject });
      this.wake();
    });
  }

  /** Commits an attempt in a transaction of its own. */
  async commitAlone<T>(attempt: AttemptWrite<T>): Promise<T> {
    faultPoint('commit:before');
    const results = await this.database.unitOfWork((uow) => writeAttempts(uow, [attempt]));
    faultPoint('commit:after');
    return resultOf(results, attempt) as T;
  }

  /** Commits each attempt in a transaction of its own, few at a time: lease renewals need connections too. */
  private async commitSingly(group: readonly Waiting[]): Promise<void> {
    const left = [...group];
    const worker = async (): Promise<void> => {
      for (let one = left.shift(); one !== undefined; one = left.shift()) await this.commitAlone(one.attempt).then(one.resolve, one.reject);
    };
    await Promise.all(Array.from({ length: MAX_SINGLE_COMMITS }, worker));
  }

  /** Claims the jobs that the claimant can run. */
  claim(claimant: Claimant): Promise<void> {
    if (claimant.isExclusive) return this.claimAlone(claimant);
    return new Promise((resolve, reject) => {
      this.asking.set(claimant, { resolve, reject });
      this.wake();
    });
  }

  private wake(): void {
    if (!this.isBusy) setImmediate(() => void this.flushApart());
    this.isBusy = true;
  }

  private async flush(): Promise<void> {
    while (this.waiting.length > 0 || this.asking.size > 0) await (this.current = this.next());
    this.isBusy = false;
  }

  private async next(): Promise<void> {
    const group = this.waiting.splice(0, MAX_GROUP_SIZE);
    const asking = new Map(this.asking);
    this.asking.clear();
    const [first] = asking.keys();
    try {
      if (group.length > 0 || asking.size > 1) await this.commitTogether(group, asking);
      else if (first !== undefined) await this.claimAlone(first);
      for (const { resolve } of asking.values()) resolve();
    } catch (error) {
      for (const { reject } of asking.values()) reject(error);
    }
  }

  private async claimAlone(claimant: Claimant): Promise<void> {
    const request = claimant.request(0);
    if (request === null) return;
    const requestedAt = leaseInstant();
    claimant.take(await this.database.read.jobs.claimNext(request), request, requestedAt);
  }

  private async commitTogether(group: readonly Waiting[], asking: ReadonlyMap<Claimant, unknown>): Promise<void> {
    const attempts = group.map(({ attempt }) => attempt);
    const write = (uow: UnitOfWork) => this.writeAndClaim(uow, attempts, asking);
    for (const _one of group) faultPoint('commit:before');
    const committed = await this.database
      .unitOfWork(write, { limits: LIMITS, defersMoves: group.length > 1 })
      .catch((error: unknown) => this.commitApart(group, asking, error));
    if (!committed) return;
    for (const _one of group) faultPoint('commit:after');
    for (const { attempt, resolve, reject } of group)
      void Promise.resolve()
        .then(() => resultOf(committed.results, attempt))
        .then(resolve, reject);
    for (const { claimant, request, claimed, requestedAt } of committed.claims) claimant.take(claimed, request, requestedAt);
  }

  /** Writes the attempts; then claims for the stages that ask, may have more jobs, or had one requested by these attempts. */
  private async writeAndClaim(uow: UnitOfWork, attempts: readonly AttemptWrite[], asking: ReadonlyMap<Claimant, unknown>) {
    const until = attempts.length > 1 ? performance.now() + LIMITS.statementMs : Infinity;
    const results = await writeAttempts(uow, attempts, until);
    const requests = [...this.claimants].flatMap((claimant) => {
      const isDue = asking.has(claimant) || claimant.mayHaveMore || uow.outbox.hasRequested(claimant.stage);
      const ending = attempts.filter(({ job, end }) => end !== null && job.stage === claimant.stage);
      const request = isDue && !claimant.isExclusive ? claimant.request(ending.length) : null;
      // the stage claims none of the jobs that it releases, so another worker has to
      const wakesOthers = ending.some(({ end }) => end?.end.state === 'released');
      return request === null ? [] : [{ claimant, request, wakesOthers }];
    });
    return { results, claims: await claimIn(uow, requests) };
  }

  /** The shared transaction failed: commits each attempt, and claims for each stage that asks, in a transaction of its own. */
  private async commitApart(group: readonly Waiting[], asking: ReadonlyMap<Claimant, unknown>, error: unknown): Promise<void> {
    if (group.length === 0) throw error;
    const [only, other] = group;
    // nothing else was part of the transaction, unless a limit ended it
    if (only !== undefined && other === undefined && !this.database.isOutage(error)) only.reject(error);
    // not awaited: a slow commit does not delay the next group
    else void this.commitSingly(group);
    for (const claimant of asking.keys()) await this.claimAlone(claimant);
  }
}

/** Claims for all stages with one statement. */
async function claimIn(uow: UnitOfWork, claims: readonly { claimant: Claimant; request: ClaimRequest; wakesOthers: boolean }[]) {
  if (claims.length === 0) return [];
  // jobs that other transactions request are announced by the bus
  if (claims.some(({ request }) => uow.outbox.hasRequested(request.stage))) faultPoint('claim:before');
  const requestedAt = leaseInstant();
  const all = await uow.jobs.claimMany(claims.map(({ request }) => request));
  return claims.map(({ claimant, request, wakesOthers }) => {
    const claimed = all.filter(({ job }) => job.stage === request.stage);
    // none is left that another worker would have to be woken for
    if (claimed.length < request.limit && !request.peopleOnly && !wakesOthers) uow.outbox.forgetRequests(request.stage);
    return { claimant, request, claimed, requestedAt };
  });
}

function resultOf(results: ReadonlyMap<AttemptWrite, unknown>, attempt: AttemptWrite): unknown {
  if (!results.has(attempt)) throw new LostLease('the job was taken by another worker');
  return results.get(attempt);
}
