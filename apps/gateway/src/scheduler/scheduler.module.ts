import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { Global, Inject, Injectable, Module, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { ScheduleModule, SchedulerRegistry } from '@nestjs/schedule';
import type { Logger } from '@autoposter/observability';
import { Database } from '@autoposter/persistence';
import { LeaderLease } from '@autoposter/job-engine';
import { SCHEDULED_TASKS, type RecurringTask, TaskRecorder } from './recurring-task';
import { QueueItemActionsService } from '../instagram-queue/queue-item-actions.service';
import { SETTINGS, type GatewaySettings } from '../bootstrap/settings';
import { LOGGER } from '../bootstrap/systems';
import { Scheduler, SCHEDULER_LEASE, SchedulerFence } from './scheduler';
import { SchedulerController } from './scheduler.controller';
import { SchedulerService } from './scheduler.service';
import { ExpireClaimsTask } from './tasks/expire-claims.task';
import { FindStuckPostsTask } from './tasks/find-stuck-posts.task';
import { FireDueJobsTask } from './tasks/fire-due-jobs.task';
import { FoldQueueCountsTask } from './tasks/fold-queue-counts.task';
import { PlanSubredditRunsTask } from './tasks/plan-subreddit-runs.task';
import { PublishDuePostsTask } from './tasks/publish-due-posts.task';
import { RemoveOrphanedFilesTask } from './tasks/remove-orphaned-files.task';
import { RunScheduledTasksTask } from './tasks/run-scheduled-tasks.task';
import { ScheduleReconciliationTask } from './tasks/schedule-reconciliation.task';
import { SendAlertsTask } from './tasks/send-alerts.task';
import { SweepLostJobsTask } from './tasks/sweep-lost-jobs.task';
import { WatchDuePostsTask } from './tasks/watch-due-posts.task';
import { SweepRetentionTask } from './tasks/sweep-retention.task';

/** Drive the pipeline; always on. */
const PIPELINE_TASKS = [
  FireDueJobsTask,
  SweepLostJobsTask,
  PlanSubredditRunsTask,
  PublishDuePostsTask,
  ScheduleReconciliationTask,
  RunScheduledTasksTask,
  FoldQueueCountsTask,
  WatchDuePostsTask,
  ExpireClaimsTask,
];
/** Monitoring and maintenance; always on, and recorded. */
const RECORDED_TASKS = [FindStuckPostsTask, SendAlertsTask, SweepRetentionTask, RemoveOrphanedFilesTask];
/** In the order of the Scheduler Manager screen. While the task scheduler is on, tasks with a longer interval run more often. */
const LISTED_TASKS = [SweepRetentionTask, FindStuckPostsTask, RemoveOrphanedFilesTask, SendAlertsTask];
export const RECURRING_TASKS = Symbol('recurring tasks');
const TIMER = 'scheduler';

/** In the order of `inject`: the recorder, the pipeline tasks, the recorded tasks. */
const recurringTasks = (recorder: TaskRecorder, ...tasks: RecurringTask[]): RecurringTask[] =>
  tasks.map((task, index) => (index < PIPELINE_TASKS.length ? task : recorder.recorded(task)));

@Injectable()
class SchedulerLoop implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly scheduler: Scheduler;
  private readonly tickMs: number;

  constructor(
    private readonly timers: SchedulerRegistry,
    database: Database,
    @Inject(RECURRING_TASKS) tasks: readonly RecurringTask[],
    @Inject(SETTINGS) settings: GatewaySettings,
    @Inject(LOGGER) logger: Logger,
    fence: SchedulerFence,
  ) {
    const lease = new LeaderLease({
      database,
      name: SCHEDULER_LEASE,
      // unique per instance: tests run two gateways in one process
      owner: `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`,
      seconds: settings.schedulerLeaseSeconds,
      logger,
    });
    const leadership = { hold: async () => (fence.current = await lease.hold()) !== null, release: () => lease.release() };
    this.scheduler = new Scheduler(leadership, tasks, logger);
    this.tickMs = settings.schedulerSeconds * 1000;
  }

  onApplicationBootstrap(): void {
    this.timers.addInterval(
      TIMER,
      setInterval(() => this.scheduler.tick(), this.tickMs),
    );
    this.scheduler.tick();
  }

  onModuleDestroy(): Promise<void> {
    if (this.timers.doesExist('interval', TIMER)) this.timers.deleteInterval(TIMER);
    return this.scheduler.stop();
  }
}

@Global()
@Module({
  imports: [ScheduleModule.forRoot()],
  controllers: [SchedulerController],
  providers: [
    SchedulerService,
    QueueItemActionsService,
    ...PIPELINE_TASKS,
    ...LISTED_TASKS,
    TaskRecorder,
    SchedulerFence,
    { provide: SCHEDULED_TASKS, inject: LISTED_TASKS, useFactory: (...tasks: RecurringTask[]) => tasks },
    { provide: RECURRING_TASKS, inject: [TaskRecorder, ...PIPELINE_TASKS, ...RECORDED_TASKS], useFactory: recurringTasks },
    SchedulerLoop,
  ],
  exports: [SCHEDULED_TASKS, RECURRING_TASKS, SchedulerFence, QueueItemActionsService],
})
export class SchedulerModule {}
