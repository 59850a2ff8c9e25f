import { AuditEntry, AuditRepository } from '../audit-log/audit-log.repository';
import { BrowserLog, BrowserLogRepository } from '../browser-log/browser-log.repository';
import { Caption, CaptionRepository } from '../caption/caption.repository';
import { ClearingRepository } from '../clearing/clearing.repository';
import { CollectRun, CollectRunRepository } from '../collect-run/collect-run.repository';
import { ContentItem } from '../content-item/content-item.entity';
import { ItemRepository } from '../content-item/content-item.repository';
import { ItemListQueries } from '../content-item/item-list.queries';
import { EventRecord, HistoryRepository } from '../event-history/event-history.repository';
import { FailureQueries } from '../failure/failure.queries';
import { IdempotencyRepository, IdempotentCall } from '../idempotency/idempotency.repository';
import {
  AccountConnectionRepository,
  AccountConnectionRow,
  InstagramAccountRepository,
  InstagramAccountRow,
} from '../instagram-account/instagram-account.repository';
import { Lease, LeaseRepository } from '../lease/lease.repository';
import { MediaFile } from '../media-file/media-file.entity';
import { MediaRepository } from '../media-file/media-file.repository';
import { OutboxMessage, OutboxRepository, type Publishing } from '../outbox/outbox.repository';
import { BudgetRepository, ProviderBudgetRow } from '../provider-budget/provider-budget.repository';
import { PublishAttempt } from '../publish-attempt/publish-attempt.entity';
import { AttemptRepository } from '../publish-attempt/publish-attempt.repository';
import { PostCheckRepository } from '../publish-attempt/post-check.repository';
import { QuarantinedMessage, QuarantineRepository } from '../quarantine/quarantine.repository';
import { QueueItem } from '../queue-item/queue-item.entity';
import { QueueRepository } from '../queue-item/queue-item.repository';
import { AiProviderRepository, AiProviderRow } from '../quota/ai-provider.repository';
import { QuotaRepository, QuotaUsage } from '../quota/quota.repository';
import { RetentionRepository } from '../retention/retention.repository';
import { AnswerRepository } from '../rights/answers.repository';
import { CaseRepository } from '../rights/cases.repository';
import { ClaimRepository } from '../rights/claims.repository';
import { FrameRepository } from '../rights/prints.repository';
import { NoticeRepository } from '../rights/notices.repository';
import { OriginalityRepository } from '../rights/originality.repository';
import { PermissionRepository } from '../rights/permissions.repository';
import { ProvenanceRepository } from '../rights/provenance.repository';
import { FingerprintRow, RightsClaim, RightsDecisionRow } from '../rights/rights.entity';
import { RightsRepository } from '../rights/rights.repository';
import { RevokedSession, SessionRepository } from '../session/session.repository';
import { Setting, SettingRepository } from '../setting/setting.repository';
import { SkippedPost } from '../skipped-post/skipped-post.entity';
import { SkippedRepository } from '../skipped-post/skipped-post.repository';
import { DeadLetterRepository } from '../stage-job/dead-letter.repository';
import { JobCountQueries } from '../stage-job/job-counts.queries';
import { StageJob } from '../stage-job/stage-job.entity';
import { JobRepository } from '../stage-job/stage-job.repository';
import { StageRun, StageRunRepository } from '../stage-run/stage-run.repository';
import { Subreddit, SubredditRepository } from '../subreddit/subreddit.repository';
import { Notification, NotificationRepository } from '../notification/notification.repository';
import { TaskRepository, TaskRun } from '../task-run/task-run.repository';
import { WorkerHeartbeat, WorkerHeartbeatRepository, WorkerReport, WorkerReportRepository } from '../worker/worker.repository';
import type { PreparedClient } from './prepared-client';
import { SqlQueries } from './sql-repository';
import type { EntityManager } from 'typeorm';

export const ENTITIES = [
  AccountConnectionRow,
  AiProviderRow,
  AuditEntry,
  BrowserLog,
  Caption,
  CollectRun,
  ContentItem,
  EventRecord,
  FingerprintRow,
  IdempotentCall,
  InstagramAccountRow,
  Lease,
  MediaFile,
  OutboxMessage,
  ProviderBudgetRow,
  PublishAttempt,
  QuarantinedMessage,
  QueueItem,
  Notification,
  QuotaUsage,
  RevokedSession,
  RightsClaim,
  RightsDecisionRow,
  Setting,
  SkippedPost,
  StageJob,
  StageRun,
  Subreddit,
  TaskRun,
  WorkerHeartbeat,
  WorkerReport,
];

const REPOSITORIES = {
  items: ItemRepository,
  itemLists: ItemListQueries,
  failures: FailureQueries,
  media: MediaRepository,
  rights: RightsRepository,
  claims: ClaimRepository,
  answers: AnswerRepository,
  cases: CaseRepository,
  frames: FrameRepository,
  notices: NoticeRepository,
  originality: OriginalityRepository,
  permissions: PermissionRepository,
  provenance: ProvenanceRepository,
  captions: CaptionRepository,
  queue: QueueRepository,
  attempts: AttemptRepository,
  accounts: InstagramAccountRepository,
  connections: AccountConnectionRepository,
  postChecks: PostCheckRepository,
  subreddits: SubredditRepository,
  clearing: ClearingRepository,
  runs: CollectRunRepository,
  skipped: SkippedRepository,
  jobs: JobRepository,
  jobCounts: JobCountQueries,
  stageRuns: StageRunRepository,
  deadLetters: DeadLetterRepository,
  notifications: NotificationRepository,
  history: HistoryRepository,
  leases: LeaseRepository,
  settings: SettingRepository,
  tasks: TaskRepository,
  heartbeats: WorkerHeartbeatRepository,
  workerReports: WorkerReportRepository,
  audit: AuditRepository,
  idempotentCalls: IdempotencyRepository,
  sessions: SessionRepository,
  quarantine: QuarantineRepository,
  quota: QuotaRepository,
  aiProviders: AiProviderRepository,
  budgets: BudgetRepository,
  browserLogs: BrowserLogRepository,
  retention: RetentionRepository,
};

type Repositories = { readonly [Name in keyof typeof REPOSITORIES]: InstanceType<(typeof REPOSITORIES)[Name]> };

const WithRepositories = SqlQueries as unknown as abstract new (manager: EntityManager) => SqlQueries & Repositories;

/**
 * All repositories over one connection: inside `Database.unitOfWork` one transaction, as `Database.read` the pool. Each is made when it is first
 * used, because a unit of work uses few of them.
 */
export class UnitOfWork extends WithRepositories {
  readonly outbox: OutboxRepository;

  constructor(
    manager: EntityManager,
    readonly publishing: Publishing,
  ) {
    super(manager);
    this.outbox = new OutboxRepository(manager, publishing);
  }

  /** State of the item that a job works on, as this transaction leaves it; `null` for a job without an item. */
  async subjectState({ itemId }: Pick<StageJob, 'itemId'>): Promise<string | null> {
    return itemId === null ? null : this.items.stateOf(itemId);
  }

  /** The database clock: the start of this transaction. */
  async now(): Promise<Date> {
    return (await this.value<Date>('SELECT now()')) as Date;
  }

  /** Every later statement of this transaction reads the same state. Has to be its first statement. */
  async readSnapshot(): Promise<void> {
    await this.run('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
  }

  /** Raises the time limit of each statement of this transaction, for work over whole tables. */
  async allowMinutes(minutes: number): Promise<void> {
    const client = (await this.manager.queryRunner?.connect()) as PreparedClient | undefined;
    if (client === undefined) throw new Error('a time limit belongs to a transaction');
    await this.run(`SET LOCAL statement_timeout = ${minutes * 60_000}`);
    client.setAnswerTimeout(minutes * 60_000 + 5_000);
  }
}

for (const [name, Repository] of Object.entries(REPOSITORIES))
  Object.defineProperty(UnitOfWork.prototype, name, {
    get(this: { manager: EntityManager }): unknown {
      const repository = new Repository(this.manager);
      Object.defineProperty(this, name, { value: repository });
      return repository;
    },
  });
