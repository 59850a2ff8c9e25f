import type { PublishOptions } from '@autoposter/contracts';
import { NOT_PAUSED, type PublishingSwitch, SETTING } from '@autoposter/domain';
import { bindStage } from '@autoposter/job-engine';
import { silentLogger } from '@autoposter/observability';
import type { ContentItem, MediaFile, PublishAttempt, QueueItem, StageJob } from '@autoposter/persistence';
import {
  type FreshDatabase,
  type PostgresServer,
  StageTestHarness,
  aReadyItem,
  fileFields,
  freshDatabase,
  pollUntil,
  startPostgres,
} from '@autoposter/testkit';
import { enqueue, requestReconcile } from '@autoposter/workflow';
import { AccountBreaker } from '../account/account-breaker';
import { GuardedPublisher } from '../account/guarded-publisher';
import { postStage } from '../post/post.stage';
import { QueueSpacing } from '../post/publish-conditions';
import { rightsTools, type PosterTools } from '../poster.tools';
import { reconcileStage } from '../reconcile/reconcile.stage';
import { FakePublisher } from './publisher.fake';

/** Both stages of the poster over a database of its own, with an account in memory. */
export class PostingTestHarness {
  private constructor(
    readonly fresh: FreshDatabase,
    readonly publisher: FakePublisher,
    readonly tools: PosterTools,
    /** Tools of other accounts by their id for publishing. */
    readonly others: Map<string, PosterTools>,
    readonly stages: StageTestHarness,
  ) {}

  static async open(server: PostgresServer): Promise<PostingTestHarness> {
    const fresh = await freshDatabase(server);
    const publisher = new FakePublisher();
    const { read } = fresh.database;
    const account = new AccountBreaker(fresh.database, silentLogger);
    const tools: PosterTools = {
      publisher: new GuardedPublisher(publisher, account, silentLogger),
      platform: null,
      account,
      rights: rightsTools(fresh.database),
      access: { images: true, videos: true },
      api: { flavour: 'facebook', version: 'v26.0' },
      publishing: { isPaused: async () => ((await read.settings.get<PublishingSwitch>(SETTING.publishing)) ?? NOT_PAUSED).paused },
      spacing: new QueueSpacing(fresh.database, 'UTC'),
      ledger: read.attempts,
      answers: read.attempts,
      maxHashtags: 5,
      reach: { problemWith: () => Promise.resolve(null) },
      links: { isPublic: true, forMeta: (key) => `https://cdn.example.test/${key}` },
      objects: {} as never,
      pace: { containerPollSeconds: 30 },
      linked: read.attempts,
      reconcile: { looksAtSeconds: [30, 60, 90], believeAbsentAfterSeconds: 0 },
    };
    const others = new Map<string, PosterTools>();
    const toolsFor = ({ attempt }: { attempt: PublishAttempt }) => Promise.resolve(others.get(attempt.accountId) ?? tools);
    const bound = [bindStage(postStage, tools, toolsFor), bindStage(reconcileStage, tools, toolsFor)];
    const stages = await StageTestHarness.open(fresh.database, bound);
    return new PostingTestHarness(fresh, publisher, tools, others, stages);
  }

  async close(): Promise<void> {
    await this.stages.close();
    await this.fresh.drop();
  }

  get read() {
    return this.fresh.database.read;
  }

  /** Sends a post at once; `files` replace its one video. */
  async postNow(
    caption = 'Snow day.',
    files?: readonly Partial<MediaFile>[],
    options: PublishOptions = {},
    account: { accountId: string; queueAccountId?: string } = this.publisher,
  ): Promise<ContentItem> {
    return this.fresh.database.unitOfWork(async (uow) => {
      const item = await aReadyItem(uow);
      if (files) await uow.media.replace(item.id, 'processed', files.map(fileFields));
      const queued = await enqueue(uow, item, { caption, options, immediate: true, ...accountOf(account), actor: 'test' });
      if (queued.outcome !== 'queued') throw new Error(`the post was ${queued.outcome}`);
      return item;
    });
  }

  pause(paused: boolean): Promise<void> {
    return this.read.settings.set(SETTING.publishing, { paused, by: 'test', since: null });
  }

  switch(): Promise<PublishingSwitch | null> {
    return this.read.settings.get<PublishingSwitch>(SETTING.publishing);
  }

  async attemptOf(item: ContentItem): Promise<PublishAttempt | null> {
    return (await this.read.attempts.ofItems([item.id])).get(item.id) ?? null;
  }

  async placeOf(item: ContentItem): Promise<QueueItem | null> {
    const attempt = await this.attemptOf(item);
    return attempt && this.read.queue.find(attempt.queueItemId);
  }

  async stateOf(item: ContentItem): Promise<string | undefined> {
    return (await this.read.items.find(item.id))?.state;
  }

  /** The next check of an unknown outcome, as the scheduler requests it. */
  async reconcile(item: ContentItem): Promise<void> {
    await this.fresh.database.unitOfWork(async (uow) => {
      const open = await uow.attempts.findOpenOf(item.id);
      if (open?.state === 'unknown') await requestReconcile(uow, open, { actor: 'test' });
    });
  }

  /** The platform expires every container that it did not publish. */
  expireContainers(): void {
    for (const container of this.publisher.containers.values()) if (container.status !== 'PUBLISHED') container.status = 'EXPIRED';
  }

  /** Resolves when the post is published. */
  goesOut(item: ContentItem): Promise<unknown> {
    return pollUntil(async () => {
      await this.stages.fireWaitingJobs();
      const state = await this.stateOf(item);
      if (state !== 'posted') throw new Error(`the post is ${state ?? 'gone'}`);
      return true;
    }, 60_000);
  }

  async jobOf(item: ContentItem): Promise<StageJob | null> {
    const attempt = await this.attemptOf(item);
    return attempt && this.read.jobs.findOpen('post', attempt.id);
  }
}

const accountOf = ({ accountId, queueAccountId }: { accountId: string; queueAccountId?: string }) => ({
  accountId,
  ...(queueAccountId === undefined ? {} : { queueAccountId }),
});

/** A server for the suite and a harness of its own for each test, which `enter` gets before the test begins. */
export function usePostingTestHarness(enter: (harness: PostingTestHarness) => void): void {
  let server: PostgresServer | undefined;
  let harness: PostingTestHarness | undefined;
  beforeAll(async () => {
    server = await startPostgres('embedded');
  });
  afterAll(() => server?.stop());
  beforeEach(async () => {
    if (server === undefined) throw new Error('there is no server');
    harness = await PostingTestHarness.open(server);
    enter(harness);
  });
  afterEach(() => harness?.close());
}
