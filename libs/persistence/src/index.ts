export { Database, type DatabaseOptions, type SqlPort } from './database/database';
export { STAGE_SQL } from './database/stage-sql';
export { SchemaError } from './database/database-errors';
export type { Transition } from './database/sql-repository';
export { BULK_LIMITS } from './database/time-limits';
export type { Statement } from './database/transaction';
export { UnitOfWork } from './database/unit-of-work';
export { auditContext, audited, AuditEntry, AuditRepository, type AuditContext, type AuditFilter } from './audit-log/audit-log.repository';
export { BrowserLog, BrowserLogRepository } from './browser-log/browser-log.repository';
export { Caption, type TextAnalysis } from './caption/caption.entity';
export { CaptionRepository, type NewCaption } from './caption/caption.repository';
export { ClearingRepository, type Cleared } from './clearing/clearing.repository';
export { CollectRun } from './collect-run/collect-run.entity';
export { CollectRunRepository } from './collect-run/collect-run.repository';
export { ContentItem } from './content-item/content-item.entity';
export { ItemRepository, type ItemPage, type NewItem } from './content-item/content-item.repository';
export type { NewEvent } from './event-history/commit-statement';
export { EventRecord, HistoryRepository } from './event-history/event-history.repository';
export { IdempotencyRepository, IdempotentCall, type IdempotencyClaim } from './idempotency/idempotency.repository';
export { Lease, LeaseRepository } from './lease/lease.repository';
export { MediaFile, type StorageType } from './media-file/media-file.entity';
export { MediaRepository, type MediaRole, type NewMediaFile } from './media-file/media-file.repository';
export { OutboxMessage, OutboxRepository, type OutgoingRow, type RefusedMessages } from './outbox/outbox.repository';
export { BudgetRepository } from './provider-budget/provider-budget.repository';
export { SharedBudget, type SharedBudgetOptions } from './provider-budget/shared-budget';
export { PublishAttempt } from './publish-attempt/publish-attempt.entity';
export { AttemptRepository, type NewAttempt } from './publish-attempt/publish-attempt.repository';
export { QuarantinedMessage, QuarantineRepository } from './quarantine/quarantine.repository';
export { QueueItem } from './queue-item/queue-item.entity';
export { QueueRepository, type NewQueueItem, type PostingProgress, type QueueRow } from './queue-item/queue-item.repository';
export { AiProviderRepository, AiProviderRow, type ConfiguredProvider } from './quota/ai-provider.repository';
export { QuotaRepository, QuotaUsage } from './quota/quota.repository';
export { RETENTION_RULES, RetentionRepository } from './retention/retention.repository';
export { FingerprintRow, RightsClaim, RightsDecisionRow } from './rights/rights.entity';
export { RightsRepository, type ClaimedItem, type NewFingerprint } from './rights/rights.repository';
export { RevokedSession, SessionRepository } from './session/session.repository';
export { Setting, SettingRepository } from './setting/setting.repository';
export type { SkippedFilter, SkippedPageQuery } from './skipped-post/skipped-pages';
export { SkippedPost } from './skipped-post/skipped-post.entity';
export { SkippedRepository, type NewSkippedPost } from './skipped-post/skipped-post.repository';
export { DeadLetterRepository, type DeadLetterRow } from './stage-job/dead-letter.repository';
export { JOB_TRANSITIONS, StageJob, type JobEnding } from './stage-job/stage-job.entity';
export {
  AccountBusyError,
  JobRepository,
  type Held,
  type JobEnd,
  type NewJob,
  type RunningJobRow,
  type StagePressure,
} from './stage-job/stage-job.repository';
export { StageRun } from './stage-run/stage-run.repository';
export { Subreddit } from './subreddit/subreddit.entity';
export { SubredditRepository, type NewSubreddit } from './subreddit/subreddit.repository';
export { TaskRepository, TaskRun, type EndedTaskRun } from './task-run/task-run.repository';
export { WorkerHeartbeat, WorkerHeartbeatRepository } from './worker/worker-heartbeat.repository';
export { WorkerReport, WorkerReportRepository } from './worker/worker-report.repository';
