import { HttpException } from '@nestjs/common';
import type { EnqueueBody } from '@autoposter/contracts';
import type { UnitOfWork } from '@autoposter/persistence';
import type { SimulatedProcess, World } from '../simulation/virtual-time';
import type { Audit, PostFacts } from './audit';
import type { Platform } from './platform';
import { type PlantedBug, services } from './product';
import type { VirtualDatabase } from './virtual-database';

const ADMINISTRATOR = 'admin@example.com';
const MINUTE_MS = 60_000;
/** How often a post that failed is queued again. */
const RETRIES = 3;

/** A person at the console, who sees what the account shows and does what the console offers, at times that the seed selects. */
export class Administrator {
  private readonly calls;
  private readonly retried = new Map<string, number>();
  /** A pause of their own, which they end themselves. */
  private pausedUntilMs = 0;

  constructor(
    private readonly process: SimulatedProcess,
    private readonly database: VirtualDatabase,
    private readonly platform: Platform,
    private readonly audit: Audit,
    private readonly bug: PlantedBug | null,
  ) {
    this.calls = services({ database });
  }

  /** Comes back at intervals until `isOver`; acts at random until `untilMs`. */
  attend(untilMs: number): void {
    const { world } = this;
    world.after(world.between(5, 50) * MINUTE_MS, () => {
      this.process.enter(
        () => void this.visit(world.elapsedMs < untilMs).catch((error: unknown) => this.audit.violated(`a person: ${String(error)}`)),
      );
      this.attend(untilMs);
    });
  }

  queue(itemId: string, body: EnqueueBody): void {
    this.process.enter(() => void this.attempt(() => this.calls.queue.add(itemId, body, ADMINISTRATOR)));
  }

  private get world(): World {
    return this.process.world;
  }

  private async visit(actsAtRandom: boolean): Promise<void> {
    const posts = await this.audit.facts();
    await this.removeCauses();
    for (const post of posts) await this.answer(post, actsAtRandom);
    for (const post of posts.filter(({ status }) => status === 'failed')) await this.retry(post);
    if (actsAtRandom && posts.length > 0) await this.act(posts);
  }

  /** Reads why publishing stopped, removes the cause and resumes. */
  private async removeCauses(): Promise<void> {
    const { paused, by } = await this.calls.publishing.state();
    if (!paused || (by === ADMINISTRATOR && this.world.elapsedMs < this.pausedUntilMs)) return;
    this.platform.reconnect();
    await this.attempt(() => this.calls.publishing.resume(ADMINISTRATOR));
  }

  /** Looks for the post on the account, whose list may lag behind. */
  private async answer(post: PostFacts, answersUnasked: boolean): Promise<void> {
    if (post.outcome !== 'unknown' || post.queueItemId === null) return;
    const { queueItemId } = post;
    if (!post.isQuestion && !(answersUnasked && this.world.chance(0.2))) return;
    const found = this.platform.shown().find(({ key }) => key === post.key);
    if (found !== undefined) {
      const named = this.world.chance(0.5) ? { mediaId: found.mediaId } : {};
      await this.attempt(() => this.calls.actions.resolveOutcome(queueItemId, { outcome: 'live', ...named }, ADMINISTRATOR));
    } else if (this.bug?.absent !== undefined) {
      const { absent } = this.bug;
      await this.attempt(() => this.database.unitOfWork((uow: UnitOfWork) => absent(uow, queueItemId)));
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
      case 0:
        this.pausedUntilMs = world.elapsedMs + world.between(10, 180) * MINUTE_MS;
        await this.attempt(() => calls.publishing.pause(ADMINISTRATOR));
        return;
      case 1:
      case 2: {
        // a post that is being sent is the interesting one
        const sent = posts.filter(({ status }) => status === 'posting');
        const chosen = sent.length > 0 ? world.pick(sent).queueItemId : queueItemId;
        if (chosen !== null) await this.attempt(() => calls.actions.remove(chosen, ADMINISTRATOR));
        return;
      }
      case 3:
      case 4:
        await this.attempt(() => calls.queue.add(itemId, { postImmediately: true } as EnqueueBody, ADMINISTRATOR));
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
        if (ready.length > 0)
          await this.attempt(() =>
            calls.queue.add(world.pick(ready).itemId, { ...caption, postImmediately: false } as EnqueueBody, ADMINISTRATOR),
          );
      }
    }
  }

  /** The product may refuse what a person asks for. */
  private async attempt(call: () => Promise<unknown>): Promise<void> {
    try {
      await call();
    } catch (error) {
      if (!(error instanceof HttpException)) throw error;
    }
  }
}
