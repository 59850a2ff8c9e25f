import { AuditEntry } from '../audit-log/audit-entry.entity';
import { BrowserLog } from '../browser-log/browser-log.entity';
import { Caption } from '../caption/caption.entity';
import { CollectRun } from '../collect-run/collect-run.entity';
import { ContentItem } from '../content-item/content-item.entity';
import { EventRecord } from '../event-history/event-record.entity';
import { IdempotentCall } from '../idempotency/idempotent-call.entity';
import { Lease } from '../lease/lease.entity';
import { MediaFile } from '../media-file/media-file.entity';
import { OutboxMessage } from '../outbox/outbox-message.entity';
import { ProviderBudgetRow } from '../provider-budget/provider-budget.entity';
import { PublishAttempt } from '../publish-attempt/publish-attempt.entity';
import { QuarantinedMessage } from '../quarantine/quarantined-message.entity';
import { QueueItem } from '../queue-item/queue-item.entity';
import { AiProviderRow } from '../quota/ai-provider.entity';
import { QuotaUsage } from '../quota/quota-usage.entity';
import { FingerprintRow } from '../rights/fingerprint.entity';
import { RightsClaim } from '../rights/rights-claim.entity';
import { RightsVerdictRow } from '../rights/rights-verdict.entity';
import { RevokedSession } from '../session/revoked-session.entity';
import { Setting } from '../setting/setting.entity';
import { SkippedPost } from '../skipped-post/skipped-post.entity';
import { StageJob } from '../stage-job/stage-job.entity';
import { StageRun } from '../stage-run/stage-run.entity';
import { Subreddit } from '../subreddit/subreddit.entity';
import { TaskRun } from '../task-run/task-run.entity';
import { Worker } from '../worker/worker.entity';
import { WorkerReport } from '../worker-report/worker-report.entity';

export const ENTITIES = [
  AiProviderRow,
  AuditEntry,
  BrowserLog,
  Caption,
  CollectRun,
  ContentItem,
  EventRecord,
  FingerprintRow,
  IdempotentCall,
  Lease,
  MediaFile,
  OutboxMessage,
  ProviderBudgetRow,
  PublishAttempt,
  QuarantinedMessage,
  QueueItem,
  QuotaUsage,
  RevokedSession,
  RightsClaim,
  RightsVerdictRow,
  Setting,
  SkippedPost,
  StageJob,
  StageRun,
  Subreddit,
  TaskRun,
  Worker,
  WorkerReport,
];
