import type { QueueSettings, Publisher } from '@autoposter/domain';
import { type AnyStage, bindStage, LeaderLease, postgresJobBus, StageRunner, type Systems } from '@autoposter/job-engine';
import { silentLogger } from '@autoposter/observability';
import type { PublishAttempt, UnitOfWork } from '@autoposter/persistence';
import { repeatUntilAborted } from '@autoposter/resilience';
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
import { accountChecks, watchAccount } from '../../../../apps/instagram-poster/src/account/check-account';
import { checkAccount } from '../../../../apps/instagram-poster/src/account/connected-accounts';
import { postStage } from '../../../../apps/instagram-poster/src/post/post.stage';
import { type PosterTools, posterTools, ToolsByAccount } from '../../../../apps/instagram-poster/src/poster.tools';
import { reconcileStage } from '../../../../apps/instagram-poster/src/reconcile/reconcile.stage';
import type { SimulatedProcess } from '../simulation/virtual-time';
import { contentOf, type Setup, type SimulatedAccount } from './setup';
import type { VirtualDatabase } from './virtual-database';

/** A defect that is put into the product, to prove that the trial finds it. */
export interface PlantedBug {
  name: string;
  /** Seed of an episode that finds the bug quickly; `null` if that takes too many posts for each run of the tests. */
  seed: number | null;
  /** Changes the repositories in the transactions of the poster. */
  unit?(uow: UnitOfWork): void;
  publisher?(publisher: Publisher): Publisher;
  answers?: PosterTools['answers'];
  post?(stage: AnyStage): AnyStage;
  reconcile?(stage: AnyStage): AnyStage;
  queueSettings?(stored: QueueSettings): QueueSettings;
  /** Instead of sending the post that is due. */
  dispatch?(uow: UnitOfWork, settings: QueueSettings, account: SimulatedAccount): Promise<void>;
  /** Instead of recording the answer "it is not there". */
  absent?(uow: UnitOfWork, queueItemId: string): Promise<void>;
}

/** The jobs are announced; a poll only finds those whose announcement was lost. */
const POLL_MS = 1_800_000;
/** Interval of the tasks that repair lost work; shorter ones would make the trial slower and find no more. */
const SAFETY_NET_SECONDS = 300;
/** Interval of the checks for due accounts; the product uses two seconds. */
const ACCOUNTS_MS = 600_000;

export interface Place {
  process: SimulatedProcess;
  database: VirtualDatabase;
  bug: PlantedBug | null;
  setup: Setup;
}

/** Starts the stages of the publishing worker in a simulated process. */
export function startPoster(
  { process, database: simulated, bug, setup }: Place,
  leaseSeconds: number,
  onFailure: (error: unknown) => void,
): void {
  const { database } = simulated;
  const config = { ...setup.config, service: process.name };
  const objects = { get: (key: string) => Promise.resolve({ stream: chunksOf(contentOf(key)) }) };
  const systems = { database, config, objects, logger: silentLogger } as unknown as Systems;
  const here = (tools: PosterTools): PosterTools => ({
    ...tools,
    publisher: tools.publisher && (bug?.publisher?.(tools.publisher) ?? tools.publisher),
    answers: bug?.answers ?? tools.answers,
    reach: { problemWith: () => Promise.resolve(null) },
  });
  const first = here(posterTools(systems));
  const accounts = new ToolsByAccount(systems, first);
  const toolsFor = async ({ attempt }: { attempt: PublishAttempt }): Promise<PosterTools> => {
    const tools = await accounts.of(attempt.accountId);
    return tools === first ? first : here(tools);
  };
  const bound = [bindStage(postStage, first, toolsFor), bindStage(reconcileStage, first, toolsFor)].map(({ stage, ...tools }) => {
    const spoiled = stage.name === 'post' ? bug?.post?.(stage) : bug?.reconcile?.(stage);
    return { stage: spoiled ?? stage, ...tools };
  });
  const settings = {
    database,
    leaseSeconds,
    bus: postgresJobBus(database),
    owner: process.name,
    logger: silentLogger,
    retrySeconds: 5,
    workRoot: '/nonexistent',
    pollMs: POLL_MS,
  };
  for (const one of bound) new StageRunner(one, settings).start().catch(onFailure);
  const { signal } = new AbortController();
  const checks = accountChecks(systems, first);
  if (checks !== null) watchAccount({ ...checks, logger: silentLogger, signal });
  const checkDue = async (): Promise<void> => {
    for (const account of await database.read.accounts.claimDueForCheck()) await checkAccount(systems, account);
  };
  if (setup.accounts.length > 1)
    repeatUntilAborted(signal, {
      work: checkDue,
      everyMs: ACCOUNTS_MS,
      firstMs: 0,
      problem: 'accounts were not checked',
      logger: silentLogger,
    });
}

/** In pieces, so that a transfer can be cut between two. */
async function* chunksOf(content: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += PIECE_BYTES) yield await Promise.resolve(content.subarray(at, at + PIECE_BYTES));
}
const PIECE_BYTES = 32;

/** The services that the administrator's requests reach. */
export function services({ database: simulated, setup }: Pick<Place, 'database' | 'setup'>) {
  const { database } = simulated;
  const { gateway } = setup;
  const stored = new StoredSettings(database, gateway);
  return {
    stored,
    queue: new InstagramQueueService(database, stored, new MediaReach(gateway), gateway),
    actions: new QueueItemActionsService(database, stored, gateway),
    publishing: new PublishingService(database, stored, gateway),
  };
}

class SpoiledSettings extends StoredSettings {
  constructor(
    { database }: VirtualDatabase,
    { gateway }: Setup,
    private readonly bug: PlantedBug | null,
  ) {
    super(database, gateway);
  }

  override async queue(uow?: UnitOfWork, accountId?: string): Promise<QueueSettings> {
    const settings = await super.queue(uow, accountId);
    return this.bug?.queueSettings?.(settings) ?? settings;
  }
}

export interface Pause {
  ms: number;
  /** The tasks that will find work afterwards; `null` runs all. */
  only: { posts: boolean; looks: boolean } | null;
}

/** A task that is not due runs after this time anyway, because `Pause.only` may miss work. */
const UNASKED_SECONDS = 1200;

/** Starts the scheduler of a gateway in a simulated process. `pause` resolves with the time until something is due, and with what is due then. */
export function startGateway({ process, database: simulated, bug, setup }: Place, pause: () => Promise<Pause>): void {
  const { database } = simulated;
  const fence = new SchedulerFence();
  const stored = new SpoiledSettings(simulated, setup, bug);
  const lease = new LeaderLease({ database, name: SCHEDULER_LEASE, owner: process.name, logger: silentLogger });
  const leadership = { hold: async () => (fence.current = await lease.hold()) !== null, release: () => lease.release() };
  const reach = new MediaReach(setup.gateway);
  const publishDue = new PublishDuePostsTask(database, stored, reach, fence);
  const spoiledDispatch = {
    id: publishDue.id,
    description: publishDue.description,
    everySeconds: publishDue.everySeconds,
    run: async () => {
      for (const account of setup.accounts) {
        const settings = await stored.queue(database.read, account.id);
        await database.unitOfWork(async (uow) => bug?.dispatch?.(uow, settings, account));
      }
      await publishDue.run();
    },
  };
  let { only }: Pause = { ms: 0, only: null };
  const ifDue = (task: RecurringTask, isDue: (due: NonNullable<Pause['only']>) => boolean): RecurringTask => {
    let ranAtMs = -Infinity;
    return {
      id: task.id,
      description: task.description,
      everySeconds: task.everySeconds,
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
      ...[new WatchDuePostsTask(database, stored, reach, setup.gateway), new SweepLostJobsTask(database)].map((task) => ({
        id: task.id,
        description: task.description,
        run: () => task.run(),
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
