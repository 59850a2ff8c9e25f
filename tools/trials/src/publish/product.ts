import { NOT_PAUSED, type Publisher, type PublishingSwitch, type QueueSettings, SETTING } from '@autoposter/domain';
import { InstagramPublisher } from '@autoposter/instagram';
import { type AnyStage, bindStage, LeaderLease, PostgresJobBus, StageRunner, type Systems } from '@autoposter/job-engine';
import { silentLogger } from '@autoposter/observability';
import type { UnitOfWork } from '@autoposter/persistence';
import type { GatewaySettings } from '../../../../apps/gateway/src/bootstrap/settings';
import { MediaReach } from '../../../../apps/gateway/src/instagram/media-reach';
import { InstagramQueueService } from '../../../../apps/gateway/src/instagram-queue/instagram-queue.service';
import { QueueItemActionsService } from '../../../../apps/gateway/src/instagram-queue/queue-item-actions.service';
import { PublishingService } from '../../../../apps/gateway/src/publishing/publishing.service';
import type { RecurringTask } from '../../../../apps/gateway/src/scheduler/recurring-task';
import { Scheduler, SCHEDULER_LEASE, SchedulerFence } from '../../../../apps/gateway/src/scheduler/scheduler';
import { FireDueJobsTask } from '../../../../apps/gateway/src/scheduler/tasks/fire-due-jobs.task';
import { PublishDuePostsTask } from '../../../../apps/gateway/src/scheduler/tasks/publish-due-posts.task';
import { ScheduleReconciliationTask } from '../../../../apps/gateway/src/scheduler/tasks/schedule-reconciliation.task';
import { SweepLostJobsTask } from '../../../../apps/gateway/src/scheduler/tasks/sweep-lost-jobs.task';
import { WatchDuePostsTask } from '../../../../apps/gateway/src/scheduler/tasks/watch-due-posts.task';
import { StoredSettings } from '../../../../apps/gateway/src/settings/stored-settings';
import { AccountBreaker } from '../../../../apps/instagram-poster/src/account/account-breaker';
import { accountChecks, watchAccount } from '../../../../apps/instagram-poster/src/account/check-account';
import { GuardedPublisher } from '../../../../apps/instagram-poster/src/account/guarded-publisher';
import { postStage } from '../../../../apps/instagram-poster/src/post/post.stage';
import { QueueSpacing } from '../../../../apps/instagram-poster/src/post/publish-conditions';
import { type PosterTools, rightsTools } from '../../../../apps/instagram-poster/src/poster.tools';
import { reconcileStage } from '../../../../apps/instagram-poster/src/reconcile/reconcile.stage';
import type { SimulatedProcess } from '../simulation/virtual-time';
import { ACCESS_TOKEN, ACCOUNT_ID } from './platform';
import type { VirtualDatabase } from './virtual-database';

/** A defect that is put into the product, to prove that the trial finds it. */
export interface PlantedBug {
  name: string;
  /** Within a few dozen posts. */
  isFoundEarly?: true;
  /** In the transactions of the poster. */
  unit?(uow: UnitOfWork): void;
  publisher?(publisher: Publisher): Publisher;
  answers?: PosterTools['answers'];
  post?(stage: AnyStage): AnyStage;
  reconcile?(stage: AnyStage): AnyStage;
  queueSettings?(stored: QueueSettings): QueueSettings;
  /** Instead of sending the post that is due. */
  dispatch?(uow: UnitOfWork, settings: QueueSettings): Promise<void>;
  /** Instead of recording the answer "it is not there". */
  absent?(uow: UnitOfWork, queueItemId: string): Promise<void>;
}

/** The jobs are announced; a poll only finds those whose announcement was lost. */
const POLL_MS = 1_800_000;
/** Of the tasks that find what went wrong elsewhere; each run costs the trial more than it finds. */
const SAFETY_NET_SECONDS = 300;
/** The configuration's own values for `RECONCILE_LOOKS_SECONDS` and `RECONCILE_ABSENT_SECONDS`. */
const LOOKS_AT_SECONDS = [60, 180, 600, 1800, 3600, 7200, 14_400, 28_800, 57_600, 86_400];
const BELIEVE_ABSENT_AFTER_SECONDS = 600;

export interface Place {
  process: SimulatedProcess;
  database: VirtualDatabase;
  bug: PlantedBug | null;
}

/** Starts the stages of the publishing worker in a simulated process. */
export function startPoster(
  { process, database: simulated, bug }: Place,
  platform: typeof fetch,
  leaseSeconds: number,
  onFailure: (error: unknown) => void,
): void {
  const { database } = simulated;
  const client = new InstagramPublisher({
    graphUrl: 'http://graph.example.test',
    uploadUrl: '',
    apiVersion: 'v26.0',
    accessToken: ACCESS_TOKEN,
    accountId: ACCOUNT_ID,
    flavour: 'facebook',
    fetch: platform,
  });
  const account = new AccountBreaker(database, silentLogger);
  const { read } = database;
  const guarded = new GuardedPublisher(client, account, silentLogger);
  const tools: PosterTools = {
    publisher: bug?.publisher?.(guarded) ?? guarded,
    platform: client,
    account,
    api: { flavour: 'facebook', version: 'v26.0' },
    access: { images: true, videos: true },
    publishing: { isPaused: async () => ((await read.settings.get<PublishingSwitch>(SETTING.publishing)) ?? NOT_PAUSED).paused },
    spacing: new QueueSpacing(database, 'UTC'),
    ledger: read.attempts,
    answers: bug?.answers ?? read.attempts,
    maxHashtags: 5,
    reach: { problemWith: () => Promise.resolve(null) },
    links: { isPublic: true, forMeta: (key) => `https://cdn.example.test/${key}` },
    objects: {} as never,
    pace: { containerPollSeconds: 60 },
    linked: read.attempts,
    rights: rightsTools(database),
    reconcile: { looksAtSeconds: LOOKS_AT_SECONDS, believeAbsentAfterSeconds: BELIEVE_ABSENT_AFTER_SECONDS },
  };
  const bound = [bindStage(postStage, tools), bindStage(reconcileStage, tools)].map(({ stage, tools: own }) => {
    const spoiled = stage.name === 'post' ? bug?.post?.(stage) : bug?.reconcile?.(stage);
    return { stage: spoiled ?? stage, tools: own };
  });
  const settings = {
    ...{ database, leaseSeconds, bus: new PostgresJobBus(database), owner: process.name, logger: silentLogger },
    ...{ retrySeconds: 5, workRoot: '/nonexistent', pollMs: POLL_MS },
  };
  for (const one of bound) new StageRunner(one, settings).start().catch(onFailure);
  const systems = { database, logger: silentLogger, config: { service: process.name, keys: { sealing: [] }, instagram: {} } };
  const checks = accountChecks(systems as unknown as Systems, tools);
  if (checks !== null) watchAccount({ ...checks, logger: silentLogger, signal: new AbortController().signal });
}

const SETTINGS = {
  ...{ instagramAccountId: ACCOUNT_ID, instagramMissing: [], maxHashtags: 5, timeZone: 'UTC', hasPublicAddress: true },
  schedulersStart: true,
} as unknown as GatewaySettings;

/** What an administrator calls. */
export function services({ database: simulated }: Pick<Place, 'database'>) {
  const { database } = simulated;
  const stored = new StoredSettings(database, SETTINGS);
  return {
    stored,
    queue: new InstagramQueueService(database, stored, new MediaReach(SETTINGS), SETTINGS),
    actions: new QueueItemActionsService(database, stored, SETTINGS),
    publishing: new PublishingService(database, stored),
  };
}

class SpoiledSettings extends StoredSettings {
  constructor(
    { database }: VirtualDatabase,
    private readonly bug: PlantedBug | null,
  ) {
    super(database, SETTINGS);
  }

  override async queue(uow?: UnitOfWork): Promise<QueueSettings> {
    const settings = await super.queue(uow);
    return this.bug?.queueSettings?.(settings) ?? settings;
  }
}

export interface Pause {
  ms: number;
  /** Which tasks will find something after it; `null` runs all. */
  only: { posts: boolean; looks: boolean } | null;
}

/** A task that finds nothing now may still have work that no column shows. */
const UNASKED_SECONDS = 1200;

/** Starts the scheduler of a gateway in a simulated process; `pause` tells how long nothing will be due, and what is due then. */
export function startGateway({ process, database: simulated, bug }: Place, pause: () => Promise<Pause>): void {
  const { database } = simulated;
  const fence = new SchedulerFence();
  const stored = new SpoiledSettings(simulated, bug);
  const lease = new LeaderLease({ database, name: SCHEDULER_LEASE, owner: process.name, logger: silentLogger });
  const leadership = { hold: async () => (fence.current = await lease.hold()) !== null, release: () => lease.release() };
  const publishDue = new PublishDuePostsTask(database, stored, new MediaReach(SETTINGS), fence);
  const spoiledDispatch = {
    id: publishDue.id,
    description: publishDue.description,
    everySeconds: publishDue.everySeconds,
    run: async () => {
      const settings = await stored.queue();
      await database.unitOfWork(async (uow) => bug?.dispatch?.(uow, settings));
      await publishDue.run();
    },
  };
  let { only }: Pause = { ms: 0, only: null };
  const ifDue = (task: RecurringTask, isDue: (due: NonNullable<Pause['only']>) => boolean): RecurringTask => {
    let ranAtMs = -Infinity;
    return {
      ...{ id: task.id, description: task.description, everySeconds: task.everySeconds },
      run: async () => {
        const nowMs = performance.now();
        if (only !== null && !isDue(only) && nowMs - ranAtMs < UNASKED_SECONDS * 1000) return;
        ranAtMs = nowMs;
        await task.run();
      },
    };
  };
  const scheduler = new Scheduler(
    leadership,
    [
      new FireDueJobsTask(database),
      ifDue(bug?.dispatch === undefined ? publishDue : spoiledDispatch, ({ posts }) => posts),
      ifDue(new ScheduleReconciliationTask(database), ({ looks }) => looks),
      ...[new WatchDuePostsTask(database, stored, new MediaReach(SETTINGS), SETTINGS), new SweepLostJobsTask(database)].map((task) => ({
        ...{ id: task.id, description: task.description, run: () => task.run() },
        everySeconds: SAFETY_NET_SECONDS,
      })),
    ],
    silentLogger,
  );
  const round = async (): Promise<void> => {
    await scheduler.runDue();
    await scheduler.settled();
    const next = await pause();
    only = next.only;
    setTimeout(() => void round(), next.ms);
  };
  void round();
}
