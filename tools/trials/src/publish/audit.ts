import { ENVIRONMENT_ACCOUNT_ID, type PostKind } from '@autoposter/contracts';
import { accountSetting, type Failure, NOT_PAUSED, pausesAll, type PublishingSwitch, type QueueSettings } from '@autoposter/domain';
import type { Container, ContainerKind } from '../../../simulators/src/instagram/instagram-state';
import { statusOf } from '../../../simulators/src/instagram/instagram-state';
import type { SimulatedProcess, World } from '../simulation/virtual-time';
import type { Platform } from './platform';
import { isShared, type SimulatedAccount, type SimulatedPost } from './setup';
import type { VirtualDatabase, VirtualServer } from './virtual-database';

/** A post as the product's tables show it: its item, the newest queue item and the newest attempt. */
export interface PostFacts {
  itemId: string;
  key: string;
  state: string;
  queueItemId: string | null;
  status: string | null;
  outcome: string | null;
  isQuestion: boolean;
  queueFailure: Failure | null;
  scheduledFor: Date | null;
  pinned: boolean | null;
  immediate: boolean | null;
  /** The account of the queue. */
  accountId: string | null;
}

interface AttemptFacts {
  id: string;
  itemId: string;
  key: string;
  /** The account's id on the platform. */
  userId: string;
  state: string;
  containerId: string | null;
  calledAt: Date | null;
  mediaId: string | null;
  answeredMediaId: string | null;
  immediate: boolean | null;
  pinned: boolean | null;
  createdAt: Date;
}

interface Records {
  posts: PostFacts[];
  attempts: AttemptFacts[];
}

/** Value of LIMIT for all rows. It is a parameter because only statements with parameters are prepared. */
const ALL = [1_000_000];

const POSTS = `
  SELECT i.id AS "itemId", regexp_replace(m.object_key, '.*/', '') AS key, i.state, q.id AS "queueItemId", q.status, q.outcome,
    q.outcome = 'unknown' AND q.failure IS NOT NULL AS "isQuestion", q.failure AS "queueFailure", q.scheduled_for AS "scheduledFor", q.pinned, q.immediate,
    q.account_id AS "accountId"
  FROM content_items i JOIN media_files m ON m.item_id = i.id AND m.role = 'processed' AND m.position = 0
  LEFT JOIN LATERAL (SELECT * FROM queue_items q WHERE q.item_id = i.id ORDER BY q.status IN ('pending','scheduled','posting') DESC, q.queued_at DESC LIMIT 1) q ON true
  ORDER BY i.id LIMIT $1`;

const ATTEMPTS = `
  SELECT a.id, a.item_id AS "itemId", regexp_replace(m.object_key, '.*/', '') AS key, a.account_id AS "userId", a.state, a.container_id AS "containerId", a.called_at AS "calledAt",
    a.media_id AS "mediaId", a.answered_media_id AS "answeredMediaId", CASE WHEN a.created_at >= q.queued_at THEN q.immediate END AS immediate, q.pinned, a.created_at AS "createdAt"
  FROM publish_attempts a JOIN media_files m ON m.item_id = a.item_id AND m.role = 'processed' AND m.position = 0
  LEFT JOIN queue_items q ON q.id = a.queue_item_id
  ORDER BY a.created_at, a.id LIMIT $1`;

/** The attempts that recorded this answer. A media id that reconciliation found does not count. */
const KNOWN = `SELECT id FROM publish_attempts WHERE answered_media_id = $1 OR (media_id = $1 AND settled_by = 'answer')`;

const CALL = `
  SELECT a.id, a.account_id AS "userId", a.state, a.called_at AS "calledAt", q.immediate, q.pinned,
    EXISTS (SELECT 1 FROM stage_jobs j WHERE j.subject_id = a.id AND j.stage = 'post' AND j.state = 'running' AND j.lease_owner = $2
      AND j.lease_until > now()) AS "heldByCaller"
  FROM publish_attempts a JOIN queue_items q ON q.id = a.queue_item_id WHERE a.container_id = $1`;

interface CallFacts {
  id: string;
  userId: string;
  state: string;
  calledAt: Date | null;
  immediate: boolean;
  pinned: boolean;
  heldByCaller: boolean;
}

const PUBLISHED_AS: Record<PostKind, ContainerKind> = { reel: 'REELS', image: 'IMAGE', carousel: 'CAROUSEL', story: 'STORIES' };

const MINUTE_MS = 60_000;
/** Minimum time between two posts of the queue if a person chose the time of one of them. */
const PINNED_APART_MS = MINUTE_MS;
/** Longest duration of a statement, with a slow request and a slow answer. */
const STORED_WITHIN_MS = 30_000;
/** Longest time between the check of a rule and the call: slow requests, and a freeze that is shorter than the lease. */
const TOLERANCE_MS = 30_000;
/** Longest time between a refusal and the pause of its account: a worker may be frozen, and the database unreachable. */
const STOPPED_WITHIN_MS = 30 * MINUTE_MS;

/** Compares what the product recorded with what the platform did. Every violated rule is one sentence. */
export class Audit {
  readonly violations: string[] = [];
  /** Publish calls that reached the platform. */
  calls = 0;
  private readonly called = new Map<string, CallFacts>();
  private readonly wallClocks = new Map<string, Intl.DateTimeFormat>();
  private readonly lastEffects = new Map<string, { atMs: number; pinned: boolean }>();
  private readonly posts = new Map<string, SimulatedPost[]>();
  platform: Platform | null = null;

  constructor(
    private readonly world: World,
    private readonly server: VirtualServer,
    private readonly accounts: readonly SimulatedAccount[],
    private readonly databaseOf: (process: SimulatedProcess) => VirtualDatabase | undefined,
  ) {}

  violated(sentence: string): void {
    this.violations.push(`${sentence} (${new Date(this.world.nowMs).toISOString()})`);
  }

  /** Registers a post that may be published. */
  expect(post: SimulatedPost): void {
    this.posts.set(post.key, [...(this.posts.get(post.key) ?? []), post]);
  }

  /** The posts that were not deleted. Takes no simulated time. */
  async facts(): Promise<PostFacts[]> {
    return this.query<PostFacts>(POSTS, ALL);
  }

  async onCall(containerId: string, userId: string, caller: SimulatedProcess): Promise<void> {
    this.calls += 1;
    const [facts] = await this.query<CallFacts>(CALL, [containerId, caller.name]);
    if (facts === undefined) return this.violated(`container ${containerId} was called and no attempt names it`);
    if (facts.userId !== userId) this.violated(`container ${containerId} of a post for ${facts.userId} was called on ${userId}`);
    if (await this.isStopped(userId)) this.violated(`container ${containerId} was called while publishing on ${userId} was paused`);
    if (!facts.heldByCaller) this.violated(`${caller.name} called container ${containerId} without the lease of its job`);
    if (facts.state !== 'intent' || facts.calledAt === null)
      this.violated(`container ${containerId} was called without a stored intent (${facts.state})`);
    this.called.set(containerId, facts);
  }

  onEffect(container: Container): void {
    const { world } = this;
    const facts = this.called.get(container.id);
    const { settings } = this.accounts.find(({ userId }) => userId === container.accountId) ?? {};
    if (facts === undefined || settings === undefined || facts.immediate) return;
    if (this.isBlocked(settings, world.nowMs - TOLERANCE_MS) && this.isBlocked(settings, world.nowMs))
      this.violated(`${this.platform?.keyOfContainer(container)} was published in blocked hours`);
    const before = this.lastEffects.get(container.accountId);
    const apartMs = facts.pinned || before?.pinned === true ? PINNED_APART_MS : settings.intervalMinutes * MINUTE_MS;
    if (before !== undefined && world.elapsedMs - before.atMs < apartMs - TOLERANCE_MS)
      this.violated(`two posts of the queue were published ${Math.round((world.elapsedMs - before.atMs) / 1000)} s apart`);
    this.lastEffects.set(container.accountId, { atMs: world.elapsedMs, pinned: facts.pinned });
  }

  /** An answer must be recorded if its process is alive and reaches the database, even if reconciliation would find the media. */
  onAnswer(mediaId: string, process: SimulatedProcess): void {
    const database = this.databaseOf(process);
    const { world } = this;
    const atMs = world.elapsedMs;
    const check = (): void => {
      const activeSinceMs = Math.max(atMs, process.resumedAtMs);
      if (!process.isAlive || database === undefined || database.troubledAtMs >= atMs) return;
      const leftMs = process.isFrozen ? STORED_WITHIN_MS : activeSinceMs + STORED_WITHIN_MS - world.elapsedMs;
      if (leftMs > 0) return void world.after(leftMs, check);
      void this.query(KNOWN, [mediaId]).then(
        (known) => known.length === 0 && this.violated(`the answer with media ${mediaId} was lost`),
        (error: unknown) => this.violated(String(error)),
      );
    };
    world.after(STORED_WITHIN_MS, check);
  }

  /** Checks the rules that hold at every moment; returns the records. */
  async check(): Promise<Records> {
    const [posts, attempts] = [await this.facts(), await this.query<AttemptFacts>(ATTEMPTS, ALL)];
    this.checkSlots(posts);
    this.checkAttempts(attempts);
    for (const { userId } of this.accounts) this.checkDispatch(attempts.filter((attempt) => attempt.userId === userId));
    this.checkOnce();
    this.checkOwn();
    await this.checkStops();
    return { posts, attempts };
  }

  /** Checks the rules that hold when no post is in progress; returns `false` while one is. */
  checkEnd({ posts, attempts }: Records, isLast: boolean): boolean {
    const open = posts.filter(({ state }) => state === 'queued' || state === 'posting');
    if (open.length > 0 && !isLast) return false;
    for (const { key, state, status, outcome, queueFailure } of open)
      this.violated(
        `${key} is in limbo: ${state}, ${status ?? 'not queued'}, ${outcome ?? 'no outcome'}, ${queueFailure?.code ?? 'no cause'}`,
      );
    const live = new Set(this.platform?.published().map(({ key, userId }) => `${key} ${userId}`));
    for (const { key, state, status, queueFailure, accountId } of posts) {
      const account = this.accounts.find(({ id }) => id === accountId) ?? this.posts.get(key)?.[0]?.account;
      const userId = account?.userId ?? '';
      if (live.has(`${key} ${userId}`) && state !== 'posted' && !isShared(key))
        this.violated(`${key} is on the account and recorded as ${state}`);
      if (!live.has(`${key} ${userId}`) && state === 'posted') this.violated(`${key} is recorded as published and is not on the account`);
      if (state === 'ready' && status === 'failed' && queueFailure === null) this.violated(`${key} failed without a cause`);
    }
    const stuck = attempts.filter(({ state }) => ['open', 'container', 'intent', 'unknown'].includes(state));
    for (const { key, state } of stuck) this.violated(`the attempt of ${key} is left in ${state}`);
    return true;
  }

  private checkSlots(posts: readonly PostFacts[]): void {
    for (const { key, status, pinned, immediate, scheduledFor, accountId } of posts) {
      const { settings } = this.accounts.find(({ id }) => id === accountId) ?? {};
      if (settings === undefined || status !== 'scheduled' || pinned || immediate || scheduledFor === null) continue;
      if (this.isBlocked(settings, scheduledFor.getTime())) this.violated(`${key} has a slot in blocked hours`);
    }
  }

  private checkAttempts(attempts: readonly AttemptFacts[]): void {
    const { graph } = this.platform ?? {};
    const published = new Map(this.platform?.published().map(({ mediaId, key }) => [mediaId, key]));
    for (const { key, state, containerId, calledAt, mediaId, answeredMediaId } of attempts) {
      const container = graph?.parts.state.containers.get(containerId ?? '');
      if (containerId !== null && this.called.has(containerId) && calledAt === null) this.violated(`the call of ${key} was forgotten`);
      if (container !== undefined && this.called.has(container.id) && (state === 'failed' || state === 'abandoned')) {
        const status = statusOf(container, graph?.parts.clock.now() ?? 0);
        if (status !== 'EXPIRED' && status !== 'ERROR')
          this.violated(`the attempt of ${key} ended as ${state} while its called container was ${status}`);
      }
      for (const id of [mediaId, answeredMediaId]) {
        const owner = published.get(id ?? '') ?? key;
        if (owner !== key) this.violated(`${key} is linked to the media of ${owner}`);
        if (this.platform?.isFromApp(id) === true) this.violated(`${key} is linked to media that a person published in the app`);
      }
    }
  }

  /** The queue starts one post at a time. */
  private checkDispatch(attempts: readonly AttemptFacts[]): void {
    const ofQueue = attempts.filter(({ immediate, state }) => immediate === false && state !== 'abandoned');
    ofQueue.forEach(({ key, createdAt }, index) => {
      const before = ofQueue[index - 1];
      if (before !== undefined && createdAt.getTime() - before.createdAt.getTime() < PINNED_APART_MS - 1_000)
        this.violated(`${before.key} and ${key} were started together`);
    });
  }

  private checkOnce(): void {
    const times = new Map<string, number>();
    for (const { key, caption, userId } of this.platform?.published() ?? []) {
      // the same file with another caption, or on another account, is another post
      const post = isShared(key) ? `${key} (${caption ?? ''}) on ${userId}` : key;
      times.set(post, (times.get(post) ?? 0) + 1);
    }
    for (const [post, count] of times) if (count > 1) this.violated(`${post} was published ${count} times`);
  }

  /** Every published post is on its own account, with all its files and as the kind that was queued. */
  private checkOwn(): void {
    for (const { key, kind, userId, files } of this.platform?.published() ?? []) {
      const known = this.posts.get(key) ?? [];
      if (!known.some(({ account }) => account.userId === userId))
        this.violated(`${key} was published on ${userId}, which is not its account`);
      if (!known.some((post) => PUBLISHED_AS[post.kind] === kind)) this.violated(`${key} was published as ${kind}`);
      if (!known.some((post) => post.files.join() === files.join())) this.violated(`${key} was published with the files ${files.join()}`);
    }
  }

  /** An account is stopped because of its own token only, not because of another account's token. */
  private async checkStops(): Promise<void> {
    for (const { id, userId } of this.accounts) {
      const { paused, cause, since } = await this.switchOf(id);
      if (!paused || cause !== 'token' || since === null) continue;
      const agoMs = this.world.nowMs - Date.parse(since);
      if ((this.platform?.lastRefusalOf(userId) ?? -Infinity) < this.world.elapsedMs - agoMs - STOPPED_WITHIN_MS)
        this.violated(`${userId} is stopped because of its token, and no request of it was refused`);
    }
  }

  private switchOf(accountId: string): Promise<PublishingSwitch> {
    const name = accountSetting('publishing', accountId);
    return this.server.at(this.world, async ({ read }) => (await read.settings.get<PublishingSwitch>(name)) ?? NOT_PAUSED);
  }

  /** Whether an account was paused so long ago that every process must have noticed. */
  private async isStopped(userId: string): Promise<boolean> {
    const account = this.accounts.find((one) => one.userId === userId);
    if (account === undefined) return false;
    const isOld = ({ paused, since }: PublishingSwitch): boolean => paused && this.world.nowMs - Date.parse(since ?? '') > TOLERANCE_MS;
    const all = await this.switchOf(ENVIRONMENT_ACCOUNT_ID);
    return isOld(await this.switchOf(account.id)) || (pausesAll(all) && isOld(all));
  }

  /** In the time zone that an administrator chose; calculated in another way than in the planner. */
  private isBlocked({ timeBlocking }: QueueSettings, atMs: number): boolean {
    const { enabled, startTime, endTime, timeZone } = timeBlocking;
    if (!enabled) return false;
    const known = this.wallClocks.get(timeZone);
    const wallClock = known ?? new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
    this.wallClocks.set(timeZone, wallClock);
    const clock = wallClock.format(atMs);
    return startTime <= endTime ? startTime <= clock && clock < endTime : clock >= startTime || clock < endTime;
  }

  private query<Row>(text: string, values: unknown[]): Promise<Row[]> {
    return this.server.at(this.world, (database) => database.sql.query<Row>(text, values));
  }
}
