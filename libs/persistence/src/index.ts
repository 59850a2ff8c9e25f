export { Database, type DatabaseOptions } from './database/database';
export { BULK_LIMITS } from './database/time-limits';
export { SchemaError } from './database/schema-error';
export type { SqlPort } from './database/sql-port';
export type { Statement } from './database/transaction';
export { UnitOfWork } from './database/unit-of-work';
export type { Transition } from './database/conditional-write';
export { AuditEntry } from './audit-log/audit-entry.entity';
export { auditContext, audited, type AuditContext } from './audit-log/audit-context';
export { AuditRepository, type AuditFilter } from './audit-log/audit-log.repository';
export { BrowserLog } from './browser-log/browser-log.entity';
export { BrowserLogRepository } from './browser-log/browser-log.repository';
export { Caption } from './caption/caption.entity';
export { CaptionRepository, type NewCaption } from './caption/caption.repository';
export type { TextAnalysis } from './caption/text-analysis';
export { ClearingRepository, type Cleared } from './clearing/clearing.repository';
export { CollectRun } from './collect-run/collect-run.entity';
export { RunRepository } from './collect-run/collect-run.repository';
export { ContentItem } from './content-item/content-item.entity';
export { ItemRepository, type ItemPage, type NewItem } from './content-item/content-item.repository';
export { EventRecord } from './event-history/event-record.entity';
export { HistoryRepository } from './event-history/event-history.repository';
export type { NewEvent } from './event-history/new-event';
export { IdempotentCall } from './idempotency/idempotent-call.entity';
export { IdempotencyRepository, type NamedCall } from './idempotency/idempotency.repository';
export { Lease } from './lease/lease.entity';
export { LeaseRepository } from './lease/lease.repository';
export { MediaFile } from './media-file/media-file.entity';
export { MediaRepository, type MediaRole, type NewMediaFile } from './media-file/media-file.repository';
export type { StorageType } from './media-file/storage-type';
export { OutboxMessage } from './outbox/outbox-message.entity';
export { OutboxRepository, type OutgoingRow, type RefusedMessages } from './outbox/outbox.repository';
export { BudgetRepository } from './provider-budget/provider-budget.repository';
export { SharedBudget, type SharedBudgetOptions } from './provider-budget/shared-budget';
export { PublishAttempt } from './publish-attempt/publish-attempt.entity';
export { AttemptRepository, type NewAttempt } from './publish-attempt/publish-attempt.repository';
export { QuarantinedMessage } from './quarantine/quarantined-message.entity';
export { QuarantineRepository } from './quarantine/quarantine.repository';
export { QueueItem } from './queue-item/queue-item.entity';
export { QueueRepository, type NewQueueItem, type PostingProgress, type QueueRow } from './queue-item/queue-item.repository';
export { AiProviderRow } from './quota/ai-provider.entity';
export { AiProviderRepository, type ConfiguredProvider } from './quota/ai-provider.repository';
export { QuotaUsage } from './quota/quota-usage.entity';
export { QuotaRepository } from './quota/quota.repository';
export { FingerprintRow } from './rights/fingerprint.entity';
export { RightsClaim } from './rights/rights-claim.entity';
export { RETENTION_RULES, RetentionRepository } from './retention/retention.repository';
export { RightsRepository, type ClaimedItem, type NewFingerprint } from './rights/rights.repository';
export { RightsVerdictRow } from './rights/rights-verdict.entity';
export { RevokedSession } from './session/revoked-session.entity';
export { SessionRepository } from './session/session.repository';
export { Setting } from './setting/setting.entity';
export { SettingRepository } from './setting/setting.repository';
export { SkippedPost } from './skipped-post/skipped-post.entity';
export { SkippedRepository, type NewSkippedPost } from './skipped-post/skipped-post.repository';
export type { SkippedFilter, SkippedPageQuery } from './skipped-post/skipped-pages';
export { DeadLetterRepository, type DeadLetterRow } from './stage-job/dead-letter.repository';
export { AccountTaken } from './stage-job/account-taken';
export { JOB_TRANSITIONS, type JobEnding } from './stage-job/job-state';
export { StageJob } from './stage-job/stage-job.entity';
export { StageRun } from './stage-run/stage-run.entity';
export {
  JobRepository,
  type Held,
  type JobEnd,
  type NewJob,
  type RunningJobRow,
  type StagePressure,
} from './stage-job/stage-job.repository';
export { Subreddit } from './subreddit/subreddit.entity';
export { SubredditRepository, type NewSubreddit } from './subreddit/subreddit.repository';
export { TaskRun, type EndedTaskRun } from './task-run/task-run.entity';
export { TaskRepository } from './task-run/task-run.repository';
export { Worker } from './worker/worker.entity';
export { WorkerRepository } from './worker/worker.repository';
export { WorkerReport } from './worker-report/worker-report.entity';
export { ReportRepository } from './worker-report/worker-report.repository';
