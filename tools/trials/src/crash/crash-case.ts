import type { Service } from '@autoposter/config';
import { APP_OF_STAGE, DEFAULT_SUBREDDIT_FILTERS, LIMITS, STAGES } from '@autoposter/contracts';
import type { Database } from '@autoposter/persistence';
import { LEASE_SECONDS } from '../product/fast-product';
import type { Program } from '../product/program';
import type { SeededRandom } from '../trial';
import { assess, type CaseFailure } from './assess';
import { type Boundary, nameOf, type PlannedCase } from './boundaries';
import type { CrashProduct } from './crash-product';
import { type Effects, type ItemFacts, readEffects, readItem } from './item-facts';
import { type Kill, type Takeover, TakeoverMonitor } from './takeover';

export interface CaseReport {
  killed: Boundary[];
  /** Boundaries that were not reached, because another process did that part of the work. */
  missed: Boundary[];
  takeovers: Takeover[];
  failures: string[];
  /** Failures of an item that an overloaded machine explains; the case is inconclusive. */
  starved: string[];
  warnings: string[];
  seconds: number;
}

interface CaseContext {
  /** Number of the item, unique in the trial. */
  number: number;
  random: SeededRandom;
  full: boolean;
}

interface ArmedProcess {
  boundary: Boundary;
  program: Program;
  state: 'armed' | 'killed' | 'missed';
}

const POLL_MS = 40;
const POSTED_WITHIN_MS = 120_000;
/** Time to acknowledge the last messages of a posted item; messages of a killed process are redelivered after its lease. */
const IDLE_WITHIN_MS = 20_000;
/** Time for armed processes to reach their boundary after the item is idle. */
const LAST_KILLS_WITHIN_MS = 2_500;
/** Allowed takeover time in addition to the lease. */
const GRACE_MS = 2_000;
const FINAL_STATES = new Set(['posted', 'failed', 'blocked', 'discarded', 'deleted']);

/** The first status request of a container returns IN_PROGRESS, so that every item waits once and the scheduler resumes it. */
const CONTAINER_IN_PROGRESS = {
  match: { system: 'instagram-graph', method: 'GET', path: 'status_code', times: 1 },
  status: 200,
  body: { id: '1', status_code: 'IN_PROGRESS', status: 'In Progress: Media is still being processed.' },
};

/** Sends one item through the whole product, kills processes at the planned boundaries and assesses the result. */
export class CrashCase {
  private readonly monitor = new TakeoverMonitor(LEASE_SECONDS * 1000);
  private readonly failures: CaseFailure[] = [];
  private readonly replacements: Promise<void>[] = [];
  private readonly startedAt = Date.now();
  private armed: ArmedProcess[] = [];
  private facts: ItemFacts = { itemId: null, state: null, errors: [], jobs: [] };
  private effects: Effects | null = null;
  private readFacts: () => Promise<ItemFacts> = () => Promise.resolve(this.facts);

  constructor(
    private readonly product: CrashProduct,
    private readonly plan: PlannedCase,
    private readonly context: CaseContext,
  ) {}

  async run(): Promise<CaseReport> {
    const { control } = this.product.simulators;
    const { number, random, full } = this.context;
    this.armed = await Promise.all(this.plan.kills.map((boundary) => this.arm(boundary)));
    await control.addFault(CONTAINER_IN_PROGRESS);
    if (this.plan.lostResponse) await control.addFault('instagram-publish-lost');
    const before = await control.ledger();
    const post = await control.addPost(`trial${number}x${Math.floor(random.next() * 1e6)}`, postOf(number, random, full));
    const subredditId = await subscribe(this.product.database, post.permalink);
    this.readFacts = () => readItem(this.product.database, post.id, subredditId);

    const hasEnded = (): boolean => FINAL_STATES.has(this.facts.state ?? '') || this.facts.jobs.some((job) => job.state === 'dead');
    await this.observeUntil(hasEnded, POSTED_WITHIN_MS);
    await this.observeUntil(() => this.isIdle(), IDLE_WITHIN_MS);
    await this.observeUntil(() => this.armed.every(({ state }) => state !== 'armed'), LAST_KILLS_WITHIN_MS);
    await Promise.all(this.replacements);
    await this.disarm();
    await this.observeUntil(() => this.isIdle(), IDLE_WITHIN_MS);
    await control.clearFaults();
    const after = await control.ledger();
    const known = new Set(before.published.map(({ mediaId }) => mediaId));
    const published = after.published.filter(({ mediaId }) => !known.has(mediaId));
    const publishCalls = after.publishCalls - before.publishCalls;
    this.collectFailures(assess({ ...this.facts, effects: this.effects, published, publishCalls }));
    return this.report();
  }

  private async arm(boundary: Boundary): Promise<ArmedProcess> {
    const program = await this.product.arm(boundary.service, `${boundary.place}#${boundary.nth}`);
    return { boundary, program, state: 'armed' };
  }

  /** Polls until the condition holds; a timeout is no failure here, because the assessment of the final state follows. */
  private async observeUntil(condition: () => boolean | Promise<boolean>, timeoutMs: number): Promise<void> {
    for (const end = Date.now() + timeoutMs; Date.now() < end;) {
      await this.observe();
      if (await condition()) return;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  private async observe(): Promise<void> {
    this.facts = await this.readFacts();
    this.monitor.observe(this.facts.jobs, Date.now());
    for (const one of this.armed) {
      if (one.state !== 'armed' || one.program.isAlive) continue;
      one.state = 'killed';
      const { service } = one.boundary;
      const { at, signal } = await one.program.ended;
      if (signal !== 'SIGKILL') this.fail(`${service} exited unexpectedly: ${one.program.output.slice(-800)}`);
      const kill: Kill = { at, readyAfter: Infinity };
      const stages = STAGES.filter((stage) => APP_OF_STAGE[stage] === service);
      this.monitor.killed(this.facts.jobs, one.program.pid, stages, kill);
      this.replacements.push(this.replace(service, kill));
    }
  }

  /** A standby process can claim the job after the lease; a restarted process is ready only after its start. */
  private async replace(service: Service, kill: Kill): Promise<void> {
    const restart = this.context.full && this.context.random.next() < 0.5;
    await this.product.replace(service, restart);
    kill.readyAfter = restart ? Date.now() - kill.at : 0;
  }

  /** Stops processes that did not reach their boundary. */
  private async disarm(): Promise<void> {
    for (const one of this.armed.filter(({ state }) => state === 'armed')) {
      one.state = 'missed';
      await one.program.stop('SIGTERM');
      await this.product.replace(one.boundary.service, false);
    }
  }

  private async isIdle(): Promise<boolean> {
    if (this.facts.state !== 'posted' || this.facts.itemId === null) return true;
    this.effects = await readEffects(this.product.database, this.facts.itemId);
    return this.facts.jobs.every((job) => job.state === 'done');
  }

  private fail(message: string, byLoad = false): void {
    this.failures.push({ message, byLoad });
  }

  private collectFailures(assessment: readonly CaseFailure[]): void {
    this.failures.push(...assessment);
    for (const { stage, message, kind } of this.facts.errors) {
      // A job whose attempts ended with lost leases is dead with an internal failure.
      const isDead = this.facts.jobs.some((job) => job.stage === stage && job.state === 'dead');
      this.fail(`${stage}: ${message}`, isDead && kind === 'internal');
    }
    for (const late of this.monitor.late(GRACE_MS)) this.fail(late, true);
    if (this.monitor.open > 0) this.fail(`${this.monitor.open} jobs were never taken over`);
    for (const exited of this.product.exitedPrograms()) this.fail(`a process exited: ${exited}`);
  }

  private report(): CaseReport {
    const boundariesIn = (state: ArmedProcess['state']): Boundary[] =>
      this.armed.filter((one) => one.state === state).map(({ boundary }) => boundary);
    const kills = boundariesIn('killed').map(nameOf).join(' + ') || 'no kill';
    const warnings = [...this.product.warnings(this.startedAt), ...this.armed.flatMap(({ program }) => program.warnings)];
    // The database was available on this machine all the time, so a lease that it did not confirm means that the process got no CPU time.
    const isStarved = warnings.some((line) => /"why":"database_silent"/u.test(line));
    const messages = this.failures.map(({ message }) => `[${this.product.name} item ${this.context.number}: ${kills}] ${message}`);
    const isExcused = isStarved && this.failures.every(({ byLoad }) => byLoad);
    return {
      killed: boundariesIn('killed'),
      missed: boundariesIn('missed'),
      takeovers: this.monitor.takeovers,
      failures: isExcused ? [] : messages,
      starved: isExcused ? messages : [],
      warnings,
      seconds: (Date.now() - this.startedAt) / 1000,
    };
  }
}

const SCENES = ['hills', 'sea', 'tiles', 'lights', 'paint', 'rosette', 'animal', 'skyline'];

/** Small media, so that processing is fast; in the full form a third of the items are videos. */
function postOf(number: number, random: SeededRandom, full: boolean): object {
  const scene = SCENES[Math.floor(random.next() * SCENES.length)];
  const title = `Number ${number}: ${scene} ${Math.floor(random.next() * 1e9).toString(36)}`;
  const picture = { type: 'image', scene, width: 480, height: 600 };
  const video = { type: 'video', scene, width: 270, height: 480, seconds: 4, fps: 12 };
  return { title, author: `author_${number}`, score: 500, comments: 1, content: full && number % 3 === 0 ? video : picture };
}

/** Adds the post's subreddit, due immediately and processed automatically up to the queue; returns its id. */
async function subscribe(database: Database, permalink: string): Promise<string> {
  const name = /\/r\/([^/]+)\//u.exec(permalink)?.[1] ?? '';
  const created = await database.unitOfWork((uow) =>
    uow.subreddits.create({
      name,
      intervalMinutes: LIMITS.subreddit.intervalMinutes.max,
      postsToFetch: 1,
      timePeriod: 'day',
      autoProcessStage: 'queuePost',
      filters: { ...DEFAULT_SUBREDDIT_FILTERS, allowImages: true },
      nextRunAt: null,
    }),
  );
  if (created === null) throw new Error(`r/${name} already exists`);
  return created.id;
}
