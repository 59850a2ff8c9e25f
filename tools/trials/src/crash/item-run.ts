import { APP_OF_STAGE, STAGES } from '@autoposter/contracts';
import type { Program } from '../product/program';
import type { SeededRandom } from '../random';
import { nameOf, type Boundary, type CrashedService } from './boundaries';
import { readEffects, readItem, type Effects, type ItemFacts } from './item-facts';
import type { PlannedRun } from './plan';
import { postOf, subscribe } from './send-item';
import { TakeoverWatch, type Kill, type Takeover } from './takeover';
import { isMatterOfTime, judge } from './verdict';
import { LEASE_SECONDS, type CrashWorld } from './world';

export interface AttemptReport {
  killed: Boundary[];
  /** Never got there: somebody else did that part of the work. */
  missed: Boundary[];
  takeovers: Takeover[];
  wrong: string[];
  /** Broken promises that only time can break, where the machine was too busy to keep any time: this item says nothing. */
  starved: string[];
  complaints: string[];
  seconds: number;
}

export interface RunContext {
  /** Of the item, unique in the whole trial. */
  number: number;
  random: SeededRandom;
  full: boolean;
}

interface Armed {
  boundary: Boundary;
  program: Program;
  state: 'armed' | 'killed' | 'missed';
}

const LOOK_MS = 40;
const ARRIVES_WITHIN_MS = 120_000;
/** After the item has arrived: its last messages are settled. A message that a dead process held comes again when its lease is over. */
const QUIET_WITHIN_MS = 20_000;
/** What a process still reaches of its boundaries once everything is quiet. */
const LAST_CHANCE_MS = 2_500;
/** Beside the lease. */
const GRACE_MS = 2_000;
const OVER = new Set(['posted', 'failed', 'blocked', 'discarded', 'deleted']);

/** The first look at a container finds it in work: each item waits once, and goes on when the clock says so. */
const NOT_READY_YET = {
  match: { system: 'instagram-graph', method: 'GET', path: 'status_code', times: 1 },
  status: 200,
  body: { id: '1', status_code: 'IN_PROGRESS', status: 'In Progress: Media is still being processed.' },
};

/** Sends one item through the whole product, kills what is to be killed on its way, and judges how it arrived. */
export class ItemRun {
  private readonly watch = new TakeoverWatch(LEASE_SECONDS * 1000);
  private readonly wrong: string[] = [];
  private readonly successions: Promise<void>[] = [];
  private readonly startedAt = Date.now();
  private armed: Armed[] = [];
  private facts: ItemFacts = { itemId: null, state: null, errors: [], jobs: [] };
  private effects: Effects | null = null;
  private find: () => Promise<ItemFacts> = () => Promise.resolve(this.facts);

  constructor(
    private readonly world: CrashWorld,
    private readonly plan: PlannedRun,
    private readonly context: RunContext,
  ) {}

  async run(): Promise<AttemptReport> {
    const { world: outside } = this.world.simulators;
    const { number, random, full } = this.context;
    this.armed = await Promise.all(this.plan.kills.map((boundary) => this.arm(boundary)));
    await outside.fault(NOT_READY_YET);
    if (this.plan.lostAnswer) await outside.fault('instagram-publish-lost');
    const before = await outside.ledger();
    const post = await outside.publishOn(`trial${number}x${Math.floor(random.next() * 1e6)}`, postOf(number, random, full));
    const subredditId = await subscribe(this.world.database, post.permalink);
    this.find = () => readItem(this.world.database, post.id, subredditId);

    await this.lookUntil(() => OVER.has(this.facts.state ?? '') || this.facts.jobs.some((job) => job.state === 'dead'), ARRIVES_WITHIN_MS);
    await this.lookUntil(() => this.isQuiet(), QUIET_WITHIN_MS);
    await this.lookUntil(() => this.armed.every(({ state }) => state !== 'armed'), LAST_CHANCE_MS);
    await Promise.all(this.successions);
    await this.standDown();
    await this.lookUntil(() => this.isQuiet(), QUIET_WITHIN_MS);
    await outside.noFaults();
    const after = await outside.ledger();
    const known = new Set(before.published.map(({ mediaId }) => mediaId));
    const published = after.published.filter(({ mediaId }) => !known.has(mediaId));
    this.judge(judge({ ...this.facts, effects: this.effects, published, publishCalls: after.publishCalls - before.publishCalls }));
    return this.report();
  }

  private async arm(boundary: Boundary): Promise<Armed> {
    const program = await this.world.arm(boundary.service, `${boundary.place}#${boundary.nth}`);
    return { boundary, program, state: 'armed' };
  }

  private async lookUntil(met: () => boolean | Promise<boolean>, withinMs: number): Promise<void> {
    for (const end = Date.now() + withinMs; Date.now() < end;) {
      await this.look();
      if (await met()) return;
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }

  private async look(): Promise<void> {
    this.facts = await this.find();
    this.watch.look(this.facts.jobs, Date.now());
    for (const one of this.armed) {
      if (one.state !== 'armed' || one.program.isAlive) continue;
      one.state = 'killed';
      const { service } = one.boundary;
      const { at, signal } = await one.program.ended;
      if (signal !== 'SIGKILL') this.wrong.push(`${service} ended by itself: ${one.program.words.slice(-800)}`);
      const kill: Kill = { at, readyAfter: Infinity };
      this.watch.killed(
        this.facts.jobs,
        one.program.pid,
        STAGES.filter((stage) => APP_OF_STAGE[stage] === service),
        kill,
      );
      this.successions.push(this.succeed(service, kill));
    }
  }

  /** A process that stood by has the lease to wait for; one that starts anew cannot take anything before it has started. */
  private async succeed(service: CrashedService, kill: Kill): Promise<void> {
    const anew = this.context.full && this.context.random.next() < 0.5;
    await this.world.succeed(service, anew);
    kill.readyAfter = anew ? Date.now() - kill.at : 0;
  }

  /** Ends processes that never got to where they were to be killed. */
  private async standDown(): Promise<void> {
    for (const one of this.armed.filter(({ state }) => state === 'armed')) {
      one.state = 'missed';
      await one.program.stop('SIGTERM');
      await this.world.succeed(one.boundary.service, false);
    }
  }

  private async isQuiet(): Promise<boolean> {
    if (this.facts.state !== 'posted' || this.facts.itemId === null) return true;
    this.effects = await readEffects(this.world.database, this.facts.itemId);
    const { unsent, undelivered } = this.effects;
    return unsent === 0 && undelivered === 0 && this.facts.jobs.every((job) => job.state === 'done');
  }

  private judge(verdict: readonly string[]): void {
    this.wrong.push(
      ...verdict,
      ...this.facts.errors.map(({ stage, message }) => `${stage}: ${message}`),
      ...this.watch.late(GRACE_MS),
      ...(this.watch.open > 0 ? [`${this.watch.open} jobs were never taken over`] : []),
      ...this.world.fallen().map((words) => `a process is gone: ${words}`),
    );
  }

  private report(): AttemptReport {
    const those = (state: Armed['state']): Boundary[] => this.armed.filter((one) => one.state === state).map(({ boundary }) => boundary);
    const where = those('killed').map(nameOf).join(' + ') || 'no kill';
    const complaints = this.world.complaints(this.startedAt);
    // the database is on this machine and was there all the time: who got no answer from it got no processor
    const isStarved = complaints.some((line) => line.includes('the database did not answer'));
    const told = (those: readonly string[]): string[] =>
      those.map((words) => `[${this.world.name} item ${this.context.number}: ${where}] ${words}`);
    const excused = isStarved && this.wrong.every(isMatterOfTime);
    return {
      killed: those('killed'),
      missed: those('missed'),
      takeovers: this.watch.takeovers,
      wrong: excused ? [] : told(this.wrong),
      starved: excused ? told(this.wrong) : [],
      complaints,
      seconds: (Date.now() - this.startedAt) / 1000,
    };
  }
}
