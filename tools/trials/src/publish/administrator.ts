import { HttpException } from '@nestjs/common';
import { ENVIRONMENT_ACCOUNT_ID, type EnqueueBody } from '@autoposter/contracts';
import { accountSetting, NOT_PAUSED, pausesAll, type PublishingSwitch } from '@autoposter/domain';
import type { UnitOfWork } from '@autoposter/persistence';
import type { SimulatedProcess, World } from '../simulation/virtual-time';
import type { Audit, PostFacts } from './audit';
import type { Platform } from './platform';
import { type PlantedBug, services } from './product';
import { ADMINISTRATOR, type Setup, type SimulatedPost, storeConnected } from './setup';
import type { VirtualDatabase } from './virtual-database';

const MINUTE_MS = 60_000;
/** How often a post that failed is queued again. */
const RETRIES = 3;

interface AdministratorParts {
  database: VirtualDatabase;
  platform: Platform;
  audit: Audit;
  bug: PlantedBug | null;
  setup: Setup;
  /** By item. */
  posts: ReadonlyMap<string, SimulatedPost>;
}

/** A person who uses the console and checks the accounts, at times that the seed selects. */
export class Administrator {
  private readonly calls;
  private readonly retried = new Map<string, number>();
  /** When this person ends their own pause, by account. */
  private readonly pausedUntilMs = new Map<string, number>();
  /** Start of the pause for which the account was last connected again, by account. */
  private readonly connectedAfter = new Map<string, string | null>();

  constructor(
    private readonly process: SimulatedProcess,
    private readonly parts: AdministratorParts,
  ) {
    this.calls = services(parts);
  }

  /** Visits the console at random intervals until the episode ends; makes random changes until `untilMs`. */
  attend(untilMs: number): void {
    const { world } = this;
    world.after(world.between(5, 50) * MINUTE_MS, () => {
      this.process.enter(
        () => void this.visit(world.elapsedMs < untilMs).catch((error: unknown) => this.parts.audit.violated(`a person: ${String(error)}`)),
      );
      this.attend(untilMs);
    });
  }

  queue(itemId: string, body: Pick<EnqueueBody, 'postImmediately'>): void {
    this.process.enter(() => void this.add(itemId, body));
  }

  /** Queues an item with the options of its kind, on its account. */
  private async add(itemId: string, body: Pick<EnqueueBody, 'postImmediately' | 'customCaption'>): Promise<void> {
    const post = this.parts.posts.get(itemId);
    if (post === undefined) return;
    const complete = { ...body, options: post.options, accountId: post.account.id };
    await this.attempt(() => this.calls.queue.add(itemId, complete, ADMINISTRATOR));
  }

  private get world(): World {
    return this.process.world;
  }

  private async visit(actsAtRandom: boolean): Promise<void> {
    const posts = await this.parts.audit.facts();
    await this.removeCauses();
    for (const post of posts) await this.answer(post, actsAtRandom);
    for (const post of posts.filter(({ status }) => status === 'failed')) await this.retry(post);
    if (actsAtRandom && posts.length > 0) await this.act(posts);
  }

  /** Reads why publishing stopped on each account, removes the cause and resumes. */
  private async removeCauses(): Promise<void> {
    const { world } = this;
    const { settings, accounts } = this.parts.database.read;
    for (const account of this.parts.setup.accounts) {
      const { id, userId } = account;
      const found = (await settings.get<PublishingSwitch>(accountSetting('publishing', id))) ?? NOT_PAUSED;
      const { paused, by, cause, since } = found;
      const isRefused = id !== ENVIRONMENT_ACCOUNT_ID && (await accounts.find(id))?.status === 'refused';
      if (paused && by === ADMINISTRATOR && world.elapsedMs < (this.pausedUntilMs.get(id) ?? 0)) continue;
      if (!paused && !isRefused) continue;
      this.parts.platform.reconnect(userId);
      // once per pause, because the publishing worker has to check the account before it can be resumed
      const isToConnect = cause === 'token' && id !== ENVIRONMENT_ACCOUNT_ID && this.connectedAfter.get(id) !== since;
      if (isRefused || isToConnect) await this.parts.database.unitOfWork((uow) => storeConnected(uow, account, this.parts.setup));
      this.connectedAfter.set(id, since);
      const isForAll = id === ENVIRONMENT_ACCOUNT_ID && pausesAll(found);
      await this.attempt(() => this.calls.publishing.resume(ADMINISTRATOR, isForAll ? {} : { accountId: id }));
    }
  }

  /** Answers whether a post with unknown outcome is on the account, whose list may lag. */
  private async answer(post: PostFacts, answersUnasked: boolean): Promise<void> {
    if (post.outcome !== 'unknown' || post.queueItemId === null) return;
    const { queueItemId } = post;
    const isPlanted = this.parts.bug?.absent !== undefined;
    if (!post.isQuestion && !(answersUnasked && this.world.chance(isPlanted ? 1 : 0.2))) return;
    const { platform, posts } = this.parts;
    const on = posts.get(post.itemId)?.account.userId;
    const found = platform.shown().find(({ key, userId }) => key === post.key && userId === on);
    if (found !== undefined) {
      const named = this.world.chance(0.5) ? { mediaId: found.mediaId } : {};
      await this.attempt(() => this.calls.actions.resolveOutcome(queueItemId, { outcome: 'live', ...named }, ADMINISTRATOR));
    } else if (this.parts.bug?.absent !== undefined) {
      const { absent } = this.parts.bug;
      await this.attempt(() => this.parts.database.unitOfWork((uow: UnitOfWork) => absent(uow, queueItemId)));
    } else await this.attempt(() => this.calls.actions.resolveOutcome(queueItemId, { outcome: 'absent' }, ADMINISTRATOR));
  }

  private async retry({ queueItemId, itemId, state }: PostFacts): Promise<void> {
    const times = this.retried.get(itemId) ?? 0;
    if (state !== 'ready' || queueItemId === null || times >= RETRIES) return;
    this.retried.set(itemId, times + 1);
    await this.attempt(() => this.calls.actions.retry(queueItemId, ADMINISTRATOR));
  }

  private async act(posts: readonly PostFacts[]): Promise<void> {
    const { world, calls } = this;
    const { itemId, queueItemId } = world.pick(posts);
    switch (world.between(0, 9)) {
      case 0: {
        const { id } = world.pick(this.parts.setup.accounts);
        // containers expire during a long pause
        const minutes = world.chance(0.1) ? world.between(22 * 60, 30 * 60) : world.between(10, 180);
        this.pausedUntilMs.set(id, world.elapsedMs + minutes * MINUTE_MS);
        // half of the pauses of the first account are pauses of all
        const only = id === ENVIRONMENT_ACCOUNT_ID && minutes % 2 === 0 ? undefined : id;
        await this.attempt(() => calls.publishing.pause(ADMINISTRATOR, only));
        return;
      }
      case 1:
      case 2: {
        // prefer a post that is being published
        const sent = posts.filter(({ status }) => status === 'posting');
        const chosen = sent.length > 0 ? world.pick(sent).queueItemId : queueItemId;
        if (chosen !== null) await this.attempt(() => calls.actions.remove(chosen, ADMINISTRATOR));
        return;
      }
      case 3:
      case 4:
        await this.add(itemId, { postImmediately: true });
        return;
      case 5:
        if (queueItemId !== null) await this.attempt(() => calls.queue.setPriority(queueItemId, world.between(0, 10), ADMINISTRATOR));
        return;
      case 6:
      case 7: {
        const at = new Date(world.nowMs + world.between(1, 240) * MINUTE_MS);
        if (queueItemId !== null) await this.attempt(() => calls.queue.setSchedule(queueItemId, at, ADMINISTRATOR));
        return;
      }
      default: {
        const ready = posts.filter(({ state }) => state === 'ready');
        const caption = world.chance(0.3) ? { customCaption: `Edited ${world.between(1, 1e9)} \u2764` } : {};
        if (ready.length > 0) await this.add(world.pick(ready).itemId, { ...caption, postImmediately: false });
      }
    }
  }

  /** The product may refuse a request. */
  private async attempt(call: () => Promise<unknown>): Promise<void> {
    try {
      await call();
    } catch (error) {
      if (!(error instanceof HttpException)) throw error;
    }
  }
}
