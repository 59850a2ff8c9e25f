import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { Global, Inject, Injectable, Module, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { ScheduleModule, SchedulerRegistry } from '@nestjs/schedule';
import type { Logger } from '@autoposter/observability';
import { Database } from '@autoposter/persistence';
import { LeaderLease } from '@autoposter/job-engine';
import { SCHEDULED_TASKS, type RecurringTask, TaskRecorder } from './recurring-task';
import { SETTINGS, type GatewaySettings } from '../bootstrap/settings';
import { LOGGER } from '../bootstrap/systems';
import { Scheduler } from './scheduler';
import { SchedulerController } from './scheduler.controller';
import { SchedulerService } from './scheduler.service';
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
import { SweepRetentionTask } from './tasks/sweep-retention.task';

/** Keep the pipeline going, whatever the switches say. */
const HEARTBEATS = [
  FireDueJobsTask,
  SweepLostJobsTask,
  PlanSubredditRunsTask,
  PublishDuePostsTask,
  ScheduleReconciliationTask,
  RunScheduledTasksTask,
  FoldQueueCountsTask,
];
/** Watch over it, whatever the switches say; what they did is recorded. */
const WATCHERS = [FindStuckPostsTask, SendAlertsTask, SweepRetentionTask, RemoveOrphanedFilesTask];
/** On the scheduler's screen, in this order. All run by themselves; while the task scheduler is on, those with a long beat run more often. */
const LISTED = [SweepRetentionTask, FindStuckPostsTask, RemoveOrphanedFilesTask, SendAlertsTask];
export const HEARTBEAT_LIST = Symbol('heartbeats');
const BEAT = 'clock';

/** In the order in which they are asked for: the recorder, what keeps the pipeline going, the watchers. */
const heartbeats = (recorder: TaskRecorder, ...beats: RecurringTask[]): RecurringTask[] =>
  beats.map((beat, index) => (index < HEARTBEATS.length ? beat : recorder.recorded(beat)));

@Injectable()
class SchedulerLoop implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly clock: Scheduler;
  private readonly beatMs: number;

  constructor(
    private readonly timers: SchedulerRegistry,
    database: Database,
    @Inject(HEARTBEAT_LIST) heartbeats: readonly RecurringTask[],
    @Inject(SETTINGS) settings: GatewaySettings,
    @Inject(LOGGER) logger: Logger,
  ) {
    const lease = new LeaderLease({
      database,
      name: 'clock',
      // Two in one process are two as well.
      owner: `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`,
      seconds: settings.clockLeaseSeconds,
      logger,
    });
    const leadership = { hold: async () => (await lease.hold()) !== null, release: () => lease.release() };
    this.clock = new Scheduler(leadership, heartbeats, logger);
    this.beatMs = settings.clockSeconds * 1000;
  }

  onApplicationBootstrap(): void {
    this.timers.addInterval(
      BEAT,
      setInterval(() => this.clock.tick(), this.beatMs),
    );
    this.clock.tick();
  }

  onModuleDestroy(): Promise<void> {
    if (this.timers.doesExist('interval', BEAT)) this.timers.deleteInterval(BEAT);
    return this.clock.stop();
  }
}

@Global()
@Module({
  imports: [ScheduleModule.forRoot()],
  controllers: [SchedulerController],
  providers: [
    SchedulerService,
    ...HEARTBEATS,
    ...LISTED,
    TaskRecorder,
    { provide: SCHEDULED_TASKS, inject: LISTED, useFactory: (...tasks: RecurringTask[]) => tasks },
    { provide: HEARTBEAT_LIST, inject: [TaskRecorder, ...HEARTBEATS, ...WATCHERS], useFactory: heartbeats },
    SchedulerLoop,
  ],
  exports: [SCHEDULED_TASKS, HEARTBEAT_LIST],
})
export class SchedulerModule {}
