import { STAGE_FACTS } from '@autoposter/contracts';
import { JOB_TRANSITIONS, type StageJob } from '@autoposter/persistence';
import type { CommittedResult, ServerModel, Transaction } from './database-model';

/** The ends of the requests of a job. */
const TERMINAL: ReadonlySet<CommittedResult['kind']> = new Set(['done', 'skipped', 'failed', 'unknown']);
const UNFINISHED: ReadonlySet<string> = new Set(['requested', 'running']);

/** Checks what must hold at every moment of a schedule, from the outside: it shares no condition with the statements of the model. */
export class Ledger {
  readonly violations: string[] = [];
  /** Claims of jobs whose lease had lapsed. */
  takeovers = 0;
  private readonly calls = new Map<string, number>();
  private readonly intended = new Set<string>();
  private readonly ends = new Map<string, number>();
  private readonly lost = new Set<string>();
  private server: ServerModel | null = null;

  /** Messages of requested jobs that the bus has not settled; `null` if jobs are announced without messages. */
  constructor(private readonly announced: (() => readonly { jobId: string; requestNumber: number }[]) | null) {}

  get callCount(): number {
    return this.calls.size;
  }

  watch(server: ServerModel): void {
    this.server = server;
  }

  violated(what: string): void {
    if (!this.violations.includes(what)) this.violations.push(what);
  }

  /** An irreversible call reached the platform. */
  called(jobId: string): void {
    const calls = (this.calls.get(jobId) ?? 0) + 1;
    this.calls.set(jobId, calls);
    if (calls > 1) this.violated(`doubled effect: ${jobId} was published ${calls} times`);
    if (!this.intended.has(jobId)) this.violated(`${jobId} was published without a committed intent`);
  }

  lostMessage({ jobId, requestNumber }: { jobId: string; requestNumber: number }): void {
    this.lost.add(`${jobId} ${requestNumber}`);
  }

  onCommit(tx: Transaction): void {
    if (this.server === null) return;
    const changes = this.server.jobs.changes(tx);
    for (const [before, after] of changes) if (after !== null) this.checkChange(before, after, this.server.clock);
    for (const { jobId, fence } of tx.writes) {
      const held = changes.find(([, after]) => after?.id === jobId)?.[0];
      if (held !== undefined && held !== null && held.fence !== fence)
        this.violated(`${jobId}: a holder with fence ${fence} wrote although ${held.fence} was granted`);
    }
    for (const result of tx.results) this.checkResult(result, changes);
  }

  /** Every unfinished job counts as lag, or its workers are scaled away. */
  checkLag(): void {
    if (this.server === null || this.announced === null) return;
    const unfinished = this.server.jobs.committed().filter(({ state }) => UNFINISHED.has(state));
    if (unfinished.length === 0) return;
    const messages = [...this.announced(), ...this.server.outbox.committed()];
    for (const { id, requestNumber, state } of unfinished)
      if (!this.lost.has(`${id} ${requestNumber}`) && !messages.some((one) => one.jobId === id && one.requestNumber === requestNumber))
        this.violated(`lag below unfinished work: ${id} is ${state} at request ${requestNumber} without a message`);
  }

  /** After the schedule. `mayFailToRecord`: commits of stages failed, so a dead job may have no result. */
  checkEnd(lag: number, mayFailToRecord: boolean): void {
    const jobs = this.server?.jobs.committed() ?? [];
    for (const job of jobs) {
      const { id, stage, state, requestNumber } = job;
      const ends = this.ends.get(`${id} ${requestNumber}`) ?? 0;
      if (!['done', 'dead', 'cancelled'].includes(state))
        this.violated(`lost job: ${stage} ${id} is still ${state} at request ${requestNumber}`);
      if (state === 'done' && ends !== 1) this.violated(`${id} is done with ${ends} results`);
      if (state === 'dead' && ends !== 1 && !(ends === 0 && mayFailToRecord)) this.violated(`${id} is dead with ${ends} results`);
      if (state === 'cancelled' && ends !== 0) this.violated(`${id} is cancelled with ${ends} results`);
      if (state === 'dead' && this.calls.has(id)) this.violated(`${id} was published and counts as failed`);
      const wentOn = this.server?.results.some(({ jobId, kind }) => jobId === id && kind === 'done');
      if (stage === 'download' && wentOn === true && !jobs.some((one) => one.stage === 'post' && one.subjectId === job.subjectId))
        this.violated(`lost job: the stage after ${id} was never requested`);
    }
    if (lag > 0) this.violated(`${lag} messages of ended jobs still count as lag`);
  }

  private checkChange(before: StageJob | null, after: StageJob, clock: number): void {
    const { id } = after;
    if (before === null) return;
    if (before.state !== after.state && !JOB_TRANSITIONS[before.state].includes(after.state))
      this.violated(`${id} went from ${before.state} to ${after.state}`);
    if (after.state !== 'running' || after.attempts === before.attempts) return;
    if (before.state === 'running' && before.leaseUntil !== null && before.leaseUntil.getTime() >= clock)
      this.violated(`two live holders: ${id} was claimed before its lease ended`);
    if (before.state === 'running') this.takeovers += 1;
    if (after.fence <= before.fence) this.violated(`${id} was claimed without a new fence`);
    const { oneJobPerKey } = STAGE_FACTS;
    const busy = this.server?.jobs
      .committed()
      .some((one) => one.id !== id && one.state === 'running' && oneJobPerKey.includes(one.stage) && one.messageKey === after.messageKey);
    if (oneJobPerKey.includes(after.stage) && busy === true) this.violated(`${after.messageKey} runs two jobs`);
  }

  private checkResult(
    { jobId, requestNumber, fence, kind }: CommittedResult,
    changes: [before: StageJob | null, after: StageJob | null][],
  ): void {
    if (kind === 'intended') this.intended.add(jobId);
    const [before] = changes.find(([, after]) => after?.id === jobId) ?? [];
    if (before === undefined || before === null || before.state !== 'running' || before.fence !== fence)
      this.violated(`${jobId}: ${kind} was committed by a worker that does not hold the job`);
    if (!TERMINAL.has(kind)) return;
    const ends = (this.ends.get(`${jobId} ${requestNumber}`) ?? 0) + 1;
    this.ends.set(`${jobId} ${requestNumber}`, ends);
    if (ends > 1) this.violated(`doubled effect: ${jobId} was ended ${ends} times at request ${requestNumber}`);
  }
}
