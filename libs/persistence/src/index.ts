export { Database } from './database/database';
export { STAGE_SQL } from './database/stage-sql';
export { SchemaError } from './database/database-errors';
export { BULK_LIMITS } from './database/time-limits';
export type { ItemWrite as SubjectWrite } from './content-item/item-moves';
export { UnitOfWork } from './database/unit-of-work';
export { audited, AuditEntry, type AuditContext } from './audit-log/audit-log.repository';
export { BrowserLog } from './browser-log/browser-log.repository';
export { Caption, type TextAnalysis } from './caption/caption.repository';
export { CollectRun } from './collect-run/collect-run.repository';
export { ContentItem, newContentItem, type NewItem } from './content-item/content-item.entity';
export {
  readCursor,
  type CaptionRow,
  type ErrorRow,
  type ItemRow,
  type ItemRowPage,
  type MediaRow,
  type PostRow,
} from './content-item/item-list.queries';
export type { FailureRow, PublishProblem } from './failure/failure.queries';
export type { IdempotencyClaim } from './idempotency/idempotency.repository';
export { Lease } from './lease/lease.repository';
export { MediaFile, type StorageType } from './media-file/media-file.entity';
export type { MediaRole, NewMediaFile } from './media-file/media-file.repository';
export { type DueMessage, type Publishing, type RefusedMessages } from './outbox/outbox.repository';
export { SharedBudget } from './provider-budget/shared-budget';
export { type DuePostCheck, type PostCheckRow } from './publish-attempt/post-check.repository';
export { PublishAttempt } from './publish-attempt/publish-attempt.entity';
export { QuarantinedMessage } from './quarantine/quarantine.repository';
export { QueueItem } from './queue-item/queue-item.entity';
export type { OverduePost, QueueRow, WaitingItem, WaitingQueue } from './queue-item/queue-item.repository';
export { AiProviderRow, type ConfiguredProvider } from './quota/ai-provider.repository';
export { RETENTION_RULES } from './retention/retention.repository';
export type { ComparedFile, MatchedWork, ListedMatch } from './rights/answers.repository';
export { recordedFrames, type MatchedFrame } from './rights/prints.repository';
export type { NewCase, RepeatInfringer, RightsCase } from './rights/cases.repository';
export type { NewNotice, NoticeRow } from './rights/notices.repository';
export type { Permission, PermissionState, StoredProof } from './rights/permissions.repository';
export { targetedPost, type AllowEntry, type NamingClaim } from './rights/claims.repository';
export { RightsDecisionRow } from './rights/rights.entity';
export type { ClaimedItem, MatchedClaim, ListedClaim, NewClaim } from './rights/rights.repository';
export { Setting } from './setting/setting.repository';
export type { SkippedFilter, SkippedPageQuery } from './skipped-post/skipped-pages';
export { SkippedPost } from './skipped-post/skipped-post.entity';
export type { NewSkippedPost } from './skipped-post/skipped-post.repository';
export type { RunningJobRow } from './stage-job/job-counts.queries';
export type { DeadLetterRow } from './stage-job/dead-letter.repository';
export { JOB_TRANSITIONS, MESSAGE_LOST_AFTER_SECONDS, newStageJob, StageJob } from './stage-job/stage-job.entity';
export type { AttemptEnd, ClaimedJob, ClaimRequest, JobClaim, JobEnd, NewJob } from './stage-job/stage-job.repository';
export { StageRun } from './stage-run/stage-run.repository';
export { Subreddit, type NewSubreddit } from './subreddit/subreddit.repository';
export type { AccountConnectionRow, ConnectedAccount } from './instagram-account/instagram-account.repository';
export { Notification } from './notification/notification.repository';
export { TaskRun } from './task-run/task-run.repository';
export { WorkerHeartbeat } from './worker/worker.repository';
