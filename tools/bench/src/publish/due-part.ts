import { setTimeout as sleep } from 'node:timers/promises';
import { LeaderLease } from '@autoposter/job-engine';
import { silentLogger } from '@autoposter/observability';
import type { Database, UnitOfWork } from '@autoposter/persistence';
import { MediaReach } from '../../../../apps/gateway/src/instagram/media-reach';
import { Scheduler, SCHEDULER_LEASE, SchedulerFence } from '../../../../apps/gateway/src/scheduler/scheduler';
import { FoldQueueCountsTask } from '../../../../apps/gateway/src/scheduler/tasks/fold-queue-counts.task';
import { PublishDuePostsTask } from '../../../../apps/gateway/src/scheduler/tasks/publish-due-posts.task';
import { StoredSettings } from '../../../../apps/gateway/src/settings/stored-settings';
import { progress } from '../bench';
import { cpuOfTree } from '../machine/cpu-time';
import type { BenchPostgres } from '../machine/servers';
import { percentile } from '../spread';
import { auditDuePosts, readDuePosts } from './due-audit';
import { fillQueues, SETTINGS, tidyQueues } from './filled-queues';
import { SkippingClock } from './skipping-clock';

const SCHEDULERS = 4;
/** The defaults of the configuration. */
const TICK_MS = 1_000;
const LEASE_SECONDS = 15;
/** The shortest interval that an administrator can choose. */
const INTERVAL_MINUTES = 30;
/** Rounds between two runs of the maintenance: autovacuum runs in real time, which is too seldom for the skipped hours. */
const TIDY_EVERY = 4;
/** Time after the last change in which all schedulers have found nothing to do. */
const QUIET_MS = 5_000;
/** Of ten rounds of due posts, the leading scheduler is killed in one, and frozen for longer than its lease in another. */
const DISTURBED_EVERY = 10;
const KILLED_AT = 3;
const FROZEN_AT = 8;
const FROZEN_MS = 22_000;
const REPLACED_AFTER_MS = 60_000;

/** A process that may freeze right before it checks its lease. */
class FreezingFence extends SchedulerFence {
  frozenUntilMs = 0;
  /** At its next check. */
  freezesForMs = 0;
  refused = 0;

  constructor(private readonly clock: SkippingClock) {
    super();
  }

  get isFrozen(): boolean {
    return this.clock.nowMs < this.frozenUntilMs;
  }

  override forThisRun(): (uow: UnitOfWork) => Promise<boolean> {
    const check = super.forThisRun();
    return async (uow) => {
      if (this.freezesForMs > 0) this.frozenUntilMs = this.clock.nowMs + this.freezesForMs;
      this.freezesForMs = 0;
      while (this.isFrozen) await sleep(1);
      const holds = await check(uow);
      if (!holds) this.refused += 1;
      return holds;
    };
  }
}

interface Instance {
  owner: string;
  database: Database;
  scheduler: Scheduler;
  fence: FreezingFence;
  nextTickMs: number;
  isBusy: boolean;
}

/** The state of the queues between two steps. */
interface Seen {
  posting: number;
  waiting: number;
  postingSlot: Date | null;
  nextSlot: Date | null;
}

/** Reads no waiting posts but the next one, because it is asked at each step. */
const SEEN = `
  SELECT posting.*, (SELECT coalesce(sum(items), 0)::int FROM queue_item_counts WHERE status IN ('pending','scheduled')) AS waiting,
    (SELECT scheduled_for FROM queue_items WHERE status = 'scheduled' ORDER BY coalesce(scheduled_for, 'infinity'), id LIMIT 1) AS "nextSlot"
  FROM (SELECT count(*)::int AS posting, min(scheduled_for) AS "postingSlot" FROM queue_items WHERE status = 'posting') AS posting`;

/** Does the work of the publishing worker: publishes the posts, so that their intervals begin. */
const PUBLISH = `
  WITH ended AS (
    UPDATE queue_items SET status = 'posted', finished_at = $1, version = version + 1 WHERE status = 'posting' AND scheduled_for <= $2 RETURNING id, item_id),
  attempts AS (
    UPDATE publish_attempts a SET state = 'published', media_id = a.id::text, published_at = $1, version = version + 1 FROM ended WHERE a.queue_item_id = ended.id),
  jobs AS (
    UPDATE stage_jobs j SET state = 'done', finished_at = $1 FROM ended WHERE j.item_id = ended.item_id)
  UPDATE content_items i SET state = 'posted', version = version + 1 FROM ended WHERE i.id = ended.item_id`;

/**
 * Posts of several accounts, all accounts due at the same time, dispatched by one of four schedulers with their own connections and leases. The clock
 * skips the time in which nothing is due. Ends when all posts are published, or after `rounds` posts of each account.
 */
export async function duePosts(
  postgres: BenchPostgres,
  { posts, accounts, rounds }: { posts: number; accounts: number; rounds: number | null },
) {
  const clock = await SkippingClock.over(await postgres.freshDatabase('empty'));
  const run = new DuePostsRun(clock, posts, Math.min(posts, rounds === null ? Infinity : rounds * accounts));
  try {
    const settings = { intervalMinutes: INTERVAL_MINUTES, randomization: { enabled: false, maxDelayMinutes: 0 }, backlogLimit: 1000 };
    await fillQueues(clock.observer, { accounts, waiting: posts, posted: accounts, settings });
    // the first slots of all accounts are equal
    await clock.observer.sql.query(`UPDATE queue_items SET finished_at = now() WHERE status = 'posted'`);
    await tidyQueues(clock.observer);
    return await run.report(accounts);
  } finally {
    await run.stop();
    await clock.close();
  }
}

class DuePostsRun {
  private readonly instances: Instance[] = [];
  private readonly disturbedAtMs: number[] = [];
  private readonly counts = { started: 0, kills: 0, freezes: 0, rounds: 0, ticks: 0, refused: 0 };
  private changedAtMs = 0;
  private replaceAtMs = Infinity;
  /** The slot whose disturbance was decided last. */
  private knownSlotMs = 0;

  constructor(
    private readonly clock: SkippingClock,
    private readonly posts: number,
    /** How many of them are to be published. */
    private readonly wanted: number,
  ) {}

  async report(accounts: number) {
    const startedMs = this.clock.nowMs;
    const cpuBefore = cpuOfTree(process.pid);
    for (let count = 0; count < SCHEDULERS; count += 1) await this.start();
    await this.untilPublished();
    await this.stop();
    const cpuMs = (cpuOfTree(process.pid) - cpuBefore) / this.wanted;
    const verdict = auditDuePosts(await readDuePosts(this.clock.observer), INTERVAL_MINUTES * 60_000);
    const isDisturbed = ({ dueAtMs }: { dueAtMs: number }): boolean =>
      this.disturbedAtMs.some((at) => Math.abs(at - dueAtMs) < REPLACED_AFTER_MS);
    const lateness = (disturbed: boolean) => {
      const all = verdict.lateness.filter((one) => isDisturbed(one) === disturbed).map(({ lateMs }) => lateMs);
      return { posts: all.length, p50: percentile(all, 0.5), p99: percentile(all, 0.99), most: percentile(all, 1) };
    };
    const [calm, disturbed] = [lateness(false), lateness(true)];
    const { doubles, early } = verdict;
    const misses = Math.max(0, verdict.misses - (this.posts - this.wanted));
    const { kills, freezes, refused, rounds } = this.counts;
    const failures = Object.entries({ doubles, misses, early })
      .filter(([, count]) => count > 0)
      .map(([name, count]) => `${count} ${name}`);
    const row = (name: string, { posts: count, p50, p99, most }: typeof calm): string[] => [
      name,
      ...[count, p50, p99, most].map((value) => String(Math.round(value))),
    ];
    const whole = (spread: typeof calm) => Object.fromEntries(Object.entries(spread).map(([name, value]) => [name, Math.round(value)]));
    return {
      rows: [['lateness in ms', 'posts', 'p50', 'p99', 'most'], row('undisturbed', calm), row('scheduler killed or frozen', disturbed)],
      failures,
      facts: {
        posts: this.posts,
        started: this.wanted,
        accounts,
        schedulers: SCHEDULERS,
        doubles,
        misses,
        early,
        latenessMs: whole(calm),
        disturbedLatenessMs: whole(disturbed),
        kills,
        freezes,
        refusedByFence: refused,
        rounds,
        cpuMsPerPost: Number(cpuMs.toFixed(1)),
        virtualHours: Math.round((this.clock.nowMs - startedMs) / 3_600_000),
      },
    };
  }

  async stop(): Promise<void> {
    for (const { scheduler, fence, database } of this.instances.splice(0)) {
      fence.frozenUntilMs = 0;
      this.counts.refused += fence.refused;
      await scheduler.stop();
      await database.close();
    }
  }

  private async start(): Promise<void> {
    const { clock } = this;
    const database = await clock.connect();
    const owner = `scheduler-${(this.counts.started += 1)}`;
    const fence = new FreezingFence(clock);
    const lease = new LeaderLease({ database, name: SCHEDULER_LEASE, owner, seconds: LEASE_SECONDS });
    const leadership = { hold: async () => (fence.current = await lease.hold()) !== null, release: () => lease.release() };
    const tasks = [
      new PublishDuePostsTask(database, new StoredSettings(database, SETTINGS), new MediaReach(SETTINGS), fence),
      new FoldQueueCountsTask(database),
    ];
    const scheduler = new Scheduler(leadership, tasks, silentLogger);
    const phaseMs = (this.counts.started * TICK_MS) / SCHEDULERS;
    this.instances.push({ owner, database, scheduler, fence, nextTickMs: clock.nowMs + phaseMs, isBusy: false });
  }

  private async untilPublished(): Promise<void> {
    const { clock } = this;
    let last = '';
    for (;;) {
      this.tickDue();
      if (this.instances.some(({ isBusy, fence }) => isBusy && !fence.isFrozen)) {
        await sleep(1);
        continue;
      }
      const [seen] = await clock.observer.sql.query<Seen>(SEEN);
      if (seen === undefined || seen.posting + seen.waiting <= this.posts - this.wanted) return;
      const state = `${seen.posting} ${seen.waiting} ${seen.nextSlot?.getTime() ?? 0}`;
      if (state !== last) this.changedAtMs = clock.nowMs;
      if (state !== last && this.counts.ticks % 500 === 0) progress(`${this.posts - seen.posting - seen.waiting} of ${this.posts} posts`);
      last = state;
      await this.publish(seen);
      await this.disturb(seen);
      await this.skipIdle(seen);
    }
  }

  private tickDue(): void {
    const nowMs = this.clock.nowMs;
    for (const instance of this.instances) {
      if (nowMs < instance.nextTickMs || instance.isBusy || instance.fence.isFrozen) continue;
      instance.nextTickMs += TICK_MS * Math.ceil((nowMs - instance.nextTickMs + 1) / TICK_MS);
      instance.isBusy = true;
      this.counts.ticks += 1;
      void instance.scheduler
        .runDue()
        .then(() => instance.scheduler.settled())
        .finally(() => (instance.isBusy = false));
    }
  }

  /** All posts with the same slot are published at the same time, so that the accounts stay due together. */
  private async publish({ postingSlot }: Seen): Promise<void> {
    if (postingSlot === null || this.clock.nowMs < publishedAtMs(postingSlot)) return;
    await this.clock.observer.sql.query(PUBLISH, [new Date(publishedAtMs(postingSlot)), postingSlot]);
    if (this.counts.rounds % TIDY_EVERY === 0) await tidyQueues(this.clock.observer);
    this.counts.rounds += 1;
    this.changedAtMs = this.clock.nowMs;
  }

  /** Kills or freezes the leading scheduler right before posts are due. */
  private async disturb({ nextSlot }: Seen): Promise<void> {
    const { clock, counts } = this;
    if (clock.nowMs >= this.replaceAtMs) {
      this.replaceAtMs = Infinity;
      await this.start();
    }
    const slotMs = nextSlot?.getTime() ?? 0;
    if (slotMs - clock.nowMs > TICK_MS || slotMs <= this.knownSlotMs || slotMs === 0) return;
    this.knownSlotMs = slotMs;
    const leader = this.instances.find(({ scheduler }) => scheduler.isLeader);
    const turn = counts.rounds % DISTURBED_EVERY;
    if (leader === undefined || (turn !== KILLED_AT && turn !== FROZEN_AT)) return;
    this.disturbedAtMs.push(slotMs);
    if (turn === FROZEN_AT) {
      counts.freezes += 1;
      leader.fence.freezesForMs = FROZEN_MS;
      return;
    }
    counts.kills += 1;
    this.instances.splice(this.instances.indexOf(leader), 1);
    // without a stop, so that its lease remains
    await leader.database.close();
    this.replaceAtMs = clock.nowMs + REPLACED_AFTER_MS;
  }

  /** Skips to the next tick; when the schedulers have nothing to do, to the last tick before something is due. */
  private async skipIdle({ nextSlot, postingSlot }: Seen): Promise<void> {
    const { clock, instances } = this;
    const nowMs = clock.nowMs;
    // a frozen scheduler does not tick
    const nextTickMs = Math.min(...instances.filter(({ fence }) => !fence.isFrozen).map(({ nextTickMs: at }) => at));
    const thawMs = Math.min(...instances.map(({ fence }) => (fence.isFrozen ? fence.frozenUntilMs : Infinity)));
    if (nowMs - this.changedAtMs < QUIET_MS || thawMs < Infinity) return clock.skip(Math.min(nextTickMs, thawMs) - nowMs, []);
    const due = [nextSlot?.getTime(), postingSlot && publishedAtMs(postingSlot), this.replaceAtMs].map((at) => at ?? Infinity);
    const untilMs = Math.min(...due) - TICK_MS;
    const ticks = Math.floor((untilMs - nextTickMs) / TICK_MS);
    if (!(ticks > 0) || !Number.isFinite(ticks)) return clock.skip(nextTickMs - nowMs, []);
    for (const instance of instances) instance.nextTickMs += ticks * TICK_MS;
    await clock.skip(
      ticks * TICK_MS,
      instances.map(({ owner }) => owner),
    );
  }
}

/** Between 25 and 45 seconds after the slot, so that slots meet the ticks at all distances. */
const publishedAtMs = (slot: Date): number => slot.getTime() + 25_000 + ((slot.getTime() / 7) % 20_000);
