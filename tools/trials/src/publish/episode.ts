import type { PostKind, Stage } from '@autoposter/contracts';
import { accountSetting, SETTING } from '@autoposter/domain';
import type { UnitOfWork } from '@autoposter/persistence';
import { anItem } from '@autoposter/testkit';
import { Faults } from '../simulation/faults';
import { SimulatedProcess, World } from '../simulation/virtual-time';
import { SeededRandom } from '../trial';
import type { ContainerKind } from '../../../simulators/src/instagram/instagram-state';
import { Administrator } from './administrator';
import { Audit } from './audit';
import { Platform } from './platform';
import { type Pause, type PlantedBug, startGateway, startPoster } from './product';
import { ADMINISTRATOR, drawPost, drawSetup, type Setup, type SimulatedPost, storeConnected } from './setup';
import { VirtualDatabase, type VirtualServer } from './virtual-database';

export interface EpisodeReport {
  seed: number;
  violations: string[];
  posts: number;
  accounts: number;
  /** Published posts by kind. */
  kinds: Record<PostKind, number>;
  /** Published posts whose bytes were uploaded. */
  uploaded: number;
  /** Containers of posts that expired before they were published. */
  expired: number;
  calls: number;
  published: number;
  kills: number;
  freezes: number;
  virtualHours: number;
}

type Role = 'poster' | 'gateway';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/**
 * Each episode starts at another date, so that some meet the clock changes of their time zone, and later than those before it: the sequence
 * of ids continues only forwards, and a repeated episode must have the same ids.
 */
const FIRST_START_MS = Date.UTC(2030, 0, 1, 9);
const START_APART_MS = 61 * 24 * HOUR_MS;
const LEASE_SECONDS = 30;
/** Most accounts have passed their first check after this time. */
const CONNECTED_AFTER_MS = 2 * MINUTE_MS;
/** Long after the last container has expired: posts that are still open then are in limbo. */
const REST_MS = 30 * 24 * HOUR_MS;
const AUDIT_EVERY_MS = 20 * MINUTE_MS;
/** Shortest and longest time between two rounds of a scheduler. */
const ROUND_MS = { least: 3_000, most: 30 * MINUTE_MS };

/** First pause between two checks of due posts that something holds up; it grows until a post is started. */
const HELD_UP_MS = 4 * MINUTE_MS;

/**
 * When jobs, posts and reconciliations are due next. Posts that are due already count as due at $2. The statement has parameters, so that it is
 * prepared.
 */
const NEXT_DUE = `
  SELECT (SELECT min(due_at) FROM stage_jobs WHERE state IN ('waiting','retrying')) AS jobs,
    (SELECT min(CASE WHEN scheduled_for > $1 THEN scheduled_for ELSE $2::timestamptz END) FROM queue_items WHERE status = 'scheduled') AS posts,
    (SELECT min(next_look_at) FROM publish_attempts WHERE state = 'unknown' AND next_look_at > $1) AS looks,
    (SELECT count(*)::int FROM publish_attempts) AS started`;

interface NextDue extends Record<'jobs' | 'posts' | 'looks', Date | null> {
  started: number;
}

/** Each kind is used for two posts of ten. `null` stands for twins, which share file and caption; their kinds are those of TWINS in turn. */
const KINDS: readonly (PostKind | null)[] = ['reel', 'image', 'carousel', 'story', null];
const TWINS: readonly PostKind[] = ['reel', 'carousel', 'image'];
const COUNTED_AS: Partial<Record<ContainerKind, PostKind>> = { REELS: 'reel', IMAGE: 'image', CAROUSEL: 'carousel', STORIES: 'story' };

/**
 * Publishes some posts of one to three accounts. The seed selects posts, accounts, the actions of a person, and the faults of processes, network and
 * platform.
 */
export class Episode {
  private readonly world: World;
  private readonly faults: Faults;
  private readonly calm: Faults;
  private readonly audit: Audit;
  private readonly platform: Platform;
  private readonly setup: Setup;
  private readonly running = new Map<SimulatedProcess, { role: Role; database: VirtualDatabase }>();
  private readonly counts = { kills: 0, freezes: 0, started: 0 };
  /** Time in which posts arrive and faults happen. */
  private readonly spanMs: number;
  /** The posts by item. */
  private readonly drawn = new Map<string, SimulatedPost>();
  private readonly arrivals: { itemId: string; isTwin: boolean }[] = [];
  private readonly outages: { role: Role; fromMs: number; untilMs: number }[] = [];
  /** When due posts that something holds up are checked again, the pause after that, and the number of attempts at the last change. */
  private heldUp = { ms: HELD_UP_MS, untilMs: 0, started: 0 };
  private isOver = false;

  constructor(
    private readonly server: VirtualServer,
    private readonly seed: number,
    private readonly posts: number,
    private readonly bug: PlantedBug | null,
  ) {
    const world = new World(new SeededRandom(seed), FIRST_START_MS + seed * START_APART_MS);
    this.world = world;
    this.setup = drawSetup(world);
    const { accounts } = this.setup;
    this.spanMs = (posts * Math.max(...accounts.map(({ settings }) => settings.intervalMinutes)) * MINUTE_MS) / Math.sqrt(accounts.length);
    this.faults = new Faults(world, this.spanMs, LEASE_SECONDS * 1000, {
      onKilled: (process) => this.restart(process),
      onFrozen: () => {
        this.counts.freezes += 1;
        this.pollOnceLapsed();
      },
    });
    // a post has about fifty opportunities for each fault
    for (const kind of ['kill', 'freeze', 'loseRequest', 'loseAnswer', 'cut'] as const) this.faults.rates[kind] *= 0.4;
    // planted bugs are found sooner where their conditions are frequent
    if (bug !== null) this.faults.rates.freeze = Math.max(this.faults.rates.freeze, 0.015);
    if (bug?.queueSettings !== undefined) for (const { settings } of accounts) settings.timeBlocking.enabled = true;
    this.calm = new Faults(world, 0, 0, { onKilled: () => undefined, onFrozen: () => undefined });
    this.audit = new Audit(world, server, accounts, (process) => this.running.get(process)?.database);
    this.platform = new Platform(world, this.faults, this.audit, this.setup);
    this.audit.platform = this.platform;
    if (bug !== null) this.platform.makeHarsh();
  }

  async run(): Promise<EpisodeReport> {
    const { world, audit, counts, platform } = this;
    await this.server.clear();
    const own = globalThis.fetch;
    globalThis.fetch = platform.fetch;
    world.after(0, () => {
      this.prepare().then(
        () => this.begin(),
        (error: unknown) => this.fail(error),
      );
    });
    await world.run(() => this.isOver || audit.violations.length > 0, this.spanMs + REST_MS).finally(() => (globalThis.fetch = own));
    const kinds = { reel: 0, image: 0, carousel: 0, story: 0 };
    for (const { kind } of platform.published()) kinds[COUNTED_AS[kind] ?? 'reel'] += 1;
    return {
      seed: this.seed,
      violations: audit.violations,
      posts: this.posts,
      accounts: this.setup.accounts.length,
      kinds,
      ...platform.counts(),
      calls: audit.calls,
      published: platform.published().length,
      kills: counts.kills,
      freezes: counts.freezes,
      virtualHours: Math.round(world.elapsedMs / HOUR_MS),
    };
  }

  private fail(error: unknown): void {
    this.audit.violated(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }

  private prepare(): Promise<unknown> {
    return this.server.at(this.world, () =>
      this.server.unitOfWork(async (uow) => {
        for (const [index, account] of this.setup.accounts.entries()) {
          if (index > 0) await storeConnected(uow, account, this.setup);
          await uow.settings.set(accountSetting('queue', account.id), account.settings, ADMINISTRATOR);
          if (index === 0) await uow.settings.set(SETTING.queueAccount, { accountId: account.userId }, ADMINISTRATOR);
        }
        for (let n = 0; n < this.posts; n += 1) await this.create(uow, n);
      }),
    );
  }

  private async create(uow: UnitOfWork, n: number): Promise<void> {
    const post = this.draw(n);
    const item = await anItem(uow, { sourceId: `${this.seed}.${n}`, state: 'ready' });
    await uow.media.replace(item.id, 'processed', post.fields);
    await uow.captions.save({ itemId: item.id, caption: post.caption, hashtags: [], captionModel: 'offline' });
    this.drawn.set(item.id, post);
    this.audit.expect(post);
    this.arrivals.push({ itemId: item.id, isTwin: isTwin(n) });
  }

  private draw(n: number): SimulatedPost {
    const { world, setup } = this;
    const kind = KINDS[Math.floor(n / 2) % KINDS.length];
    const videosOnly = !setup.hasAddress;
    const before = [...this.drawn.values()].at(-1);
    // most twins are on the account of the other one
    if (n % 10 === 9 && before !== undefined) return world.chance(0.2) ? { ...before, account: world.pick(setup.accounts) } : before;
    const name = kind === null ? `shared-${Math.floor(n / 10)}` : `post-${n}`;
    const account = world.pick(setup.accounts);
    return drawPost(world, name, kind ?? TWINS[Math.floor(n / 10) % TWINS.length] ?? 'reel', { account, videosOnly });
  }

  private begin(): void {
    const { world, audit, platform, bug } = this;
    for (const role of ['poster', 'poster', 'gateway', 'gateway'] as const) this.start(role);
    const person = new SimulatedProcess(world, 'person');
    const database = new VirtualDatabase(this.server, person, this.calm, { onRequest: (stages) => this.notify(stages) });
    const administrator = new Administrator(person, { database, platform, audit, bug, setup: this.setup, posts: this.drawn });
    administrator.attend(this.spanMs);
    let twinAtMs = 0;
    this.arrivals.forEach(({ itemId, isTwin: isOneOfTwo }, index) => {
      // twins are often sent at the same time
      if (index % 10 !== 9 || world.chance(0.3))
        twinAtMs = world.chance(0.5) ? world.between(0, 60_000) : world.between(0, this.spanMs * 0.7);
      const postImmediately = isOneOfTwo ? index % 10 === 8 || world.chance(0.8) : world.chance(0.12);
      world.after(CONNECTED_AFTER_MS + twinAtMs, () => administrator.queue(itemId, { postImmediately }));
    });
    if (world.chance(0.4)) this.outage('poster');
    if (world.chance(0.3)) this.outage('gateway');
    // a planted bug is found by its own seed
    if (bug === null && world.chance(0.5)) this.publishInApp();
    if (world.chance(0.2)) world.after(world.between(0, this.spanMs), () => void (platform.graph.parts.settings.requireProof = true));
    this.watch();
  }

  /** People use the app beside the product, most often for stories. */
  private publishInApp(): void {
    const { world, setup, platform } = this;
    for (let left = world.between(1, 6); left > 0; left -= 1)
      world.after(world.between(0, this.spanMs), () => platform.publishInApp(world.pick(setup.accounts).userId));
  }

  /** Stops all processes of a role for hours, sometimes for a day, in which containers expire. */
  private outage(role: Role): void {
    const { world } = this;
    const fromMs = world.between(0, this.spanMs * 0.8);
    const lastsMs = world.chance(0.15) ? world.between(22 * HOUR_MS, 30 * HOUR_MS) : world.between(20 * MINUTE_MS, 8 * HOUR_MS);
    this.outages.push({ role, fromMs, untilMs: fromMs + lastsMs });
    world.after(fromMs, () => {
      for (const [process] of [...this.running].filter(([, { role: own }]) => own === role)) {
        process.kill();
        this.restart(process);
      }
    });
  }

  private start(role: Role): void {
    const { world, faults, server, bug, audit } = this;
    const away = this.outages.find((one) => one.role === role && one.fromMs <= world.elapsedMs && world.elapsedMs < one.untilMs);
    if (away !== undefined) return void world.after(away.untilMs - world.elapsedMs, () => this.start(role));
    const process = new SimulatedProcess(world, `${role}.${(this.counts.started += 1)}`);
    process.wallSkewMs = world.between(-300, 300) * 1000;
    const database = new VirtualDatabase(server, process, faults, {
      onRequest: (stages) => this.notify(stages),
      ...(role === 'poster' && bug?.unit ? { spoil: bug.unit } : {}),
    });
    this.running.set(process, { role, database });
    const place = { process, database, bug, setup: this.setup };
    // a separate event, because promises of this start must continue before another process becomes the current one
    world.after(0, () =>
      process.enter(() => {
        if (role === 'poster') startPoster(place, LEASE_SECONDS, (error) => audit.violated(`a runner did not start: ${String(error)}`));
        else startGateway(place, () => this.pauseOf(process));
      }),
    );
  }

  /** The pause until something is due, because earlier rounds would find nothing. Only one gateway, mostly the first one, runs often. */
  private pauseOf(process: SimulatedProcess): Promise<Pause> {
    const { world, server } = this;
    const gateways = [...this.running].filter(([, { role }]) => role === 'gateway');
    const isQuick = (gateways[0]?.[0] === process) !== world.chance(0.05);
    if (!isQuick) return Promise.resolve({ ms: ROUND_MS.most, only: null });
    return new Promise((resolve) => {
      world.after(0, () => {
        void server
          .at(world, (database) => database.sql.query<NextDue>(NEXT_DUE, [new Date(world.nowMs), this.nextLookAt()]))
          .then(([due]) => {
            if (due?.started !== this.heldUp.started) this.heldUp = { ms: HELD_UP_MS, untilMs: 0, started: due?.started ?? 0 };
            const inMs = (at: Date | null | undefined): number => (at?.getTime() ?? Infinity) - world.nowMs;
            const least = Math.min(inMs(due?.jobs), inMs(due?.posts), inMs(due?.looks));
            const ms = Math.min(Math.max(least, ROUND_MS.least), ROUND_MS.most) + world.between(0, 1_000);
            const only = { posts: inMs(due?.posts) <= ms, looks: inMs(due?.looks) <= ms };
            process.enter(() => resolve({ ms, only: world.chance(0.2) ? null : only }));
          });
      });
    });
  }

  /** The next check of due posts that something holds up. */
  private nextLookAt(): Date {
    const { heldUp, world } = this;
    if (heldUp.untilMs <= world.nowMs) {
      heldUp.untilMs = world.nowMs + heldUp.ms;
      heldUp.ms = Math.min(heldUp.ms * 1.5, ROUND_MS.most);
    }
    return new Date(heldUp.untilMs);
  }

  /** In the product the other worker polls every second. Here only the poll after the lease has lapsed is simulated, because the others find nothing. */
  private pollOnceLapsed(): void {
    this.world.after(LEASE_SECONDS * 1000 + this.world.between(0, 1_000), () => this.notify(['post', 'reconcile']));
  }

  private restart(process: SimulatedProcess): void {
    const role = this.running.get(process)?.role;
    this.counts.kills += 1;
    this.pollOnceLapsed();
    this.running.delete(process);
    if (role !== undefined) this.world.after(this.world.between(100, 90_000), () => this.start(role));
  }

  /** Notifications of the database; any may be missing. */
  private notify(stages: readonly Stage[]): void {
    for (const [process, { role, database }] of this.running)
      if (role === 'poster' && !this.faults.losesAnswer())
        this.world.after(this.faults.latencyMs(), () => process.enter(() => database.wake(stages)));
  }

  private watch(): void {
    const { world, audit } = this;
    world.after(AUDIT_EVERY_MS, () => {
      const isLast = world.elapsedMs > this.spanMs + REST_MS - 2 * AUDIT_EVERY_MS;
      const over = async (): Promise<boolean> => {
        const records = await audit.check();
        return world.elapsedMs > this.spanMs && audit.checkEnd(records, isLast);
      };
      void over().then(
        (isOver) => {
          this.isOver = isOver;
          this.watch();
        },
        (error: unknown) => this.fail(error),
      );
    });
  }
}

const isTwin = (n: number): boolean => KINDS[Math.floor(n / 2) % KINDS.length] === null;
