import type { EntityManager } from 'typeorm';
import { AuditRepository } from '../audit-log/audit-log.repository';
import { BrowserLogRepository } from '../browser-log/browser-log.repository';
import { CaptionRepository } from '../caption/caption.repository';
import { ClearingRepository } from '../clearing/clearing.repository';
import { RunRepository } from '../collect-run/collect-run.repository';
import { ItemRepository } from '../content-item/content-item.repository';
import { HistoryRepository } from '../event-history/event-history.repository';
import { IdempotencyRepository } from '../idempotency/idempotency.repository';
import { LeaseRepository } from '../lease/lease.repository';
import { MediaRepository } from '../media-file/media-file.repository';
import { OutboxRepository } from '../outbox/outbox.repository';
import { BudgetRepository } from '../provider-budget/provider-budget.repository';
import { AttemptRepository } from '../publish-attempt/publish-attempt.repository';
import { QuarantineRepository } from '../quarantine/quarantine.repository';
import { QueueRepository } from '../queue-item/queue-item.repository';
import { AiProviderRepository } from '../quota/ai-provider.repository';
import { QuotaRepository } from '../quota/quota.repository';
import { RetentionRepository } from '../retention/retention.repository';
import { RightsRepository } from '../rights/rights.repository';
import { SessionRepository } from '../session/session.repository';
import { SettingRepository } from '../setting/setting.repository';
import { SkippedRepository } from '../skipped-post/skipped-post.repository';
import { DeadLetterRepository } from '../stage-job/dead-letter.repository';
import { JobRepository } from '../stage-job/stage-job.repository';
import { StageRunRepository } from '../stage-run/stage-run.repository';
import { SubredditRepository } from '../subreddit/subreddit.repository';
import { TaskRepository } from '../task-run/task-run.repository';
import { WorkerRepository } from '../worker/worker.repository';
import { ReportRepository } from '../worker-report/worker-report.repository';
import type { PreparedClient } from './prepared-client';

/** All repositories over one connection: inside `Database.unitOfWork` one transaction, as `Database.read` the pool. */
export class UnitOfWork {
  readonly items: ItemRepository;
  readonly media: MediaRepository;
  readonly rights: RightsRepository;
  readonly captions: CaptionRepository;
  readonly queue: QueueRepository;
  readonly attempts: AttemptRepository;
  readonly subreddits: SubredditRepository;
  readonly clearing: ClearingRepository;
  readonly runs: RunRepository;
  readonly skipped: SkippedRepository;
  readonly jobs: JobRepository;
  readonly stageRuns: StageRunRepository;
  readonly deadLetters: DeadLetterRepository;
  readonly outbox: OutboxRepository;
  readonly history: HistoryRepository;
  readonly leases: LeaseRepository;
  readonly settings: SettingRepository;
  readonly tasks: TaskRepository;
  readonly workers: WorkerRepository;
  readonly reports: ReportRepository;
  readonly audit: AuditRepository;
  readonly namedCalls: IdempotencyRepository;
  readonly sessions: SessionRepository;
  readonly quarantine: QuarantineRepository;
  readonly quota: QuotaRepository;
  readonly aiProviders: AiProviderRepository;
  readonly budgets: BudgetRepository;
  readonly browserLogs: BrowserLogRepository;
  readonly retention: RetentionRepository;

  constructor(private readonly manager: EntityManager) {
    this.items = new ItemRepository(manager);
    this.media = new MediaRepository(manager);
    this.rights = new RightsRepository(manager);
    this.captions = new CaptionRepository(manager);
    this.queue = new QueueRepository(manager);
    this.attempts = new AttemptRepository(manager);
    this.subreddits = new SubredditRepository(manager);
    this.clearing = new ClearingRepository(manager);
    this.runs = new RunRepository(manager);
    this.skipped = new SkippedRepository(manager);
    this.jobs = new JobRepository(manager);
    this.stageRuns = new StageRunRepository(manager);
    this.deadLetters = new DeadLetterRepository(manager);
    this.outbox = new OutboxRepository(manager);
    this.history = new HistoryRepository(manager);
    this.leases = new LeaseRepository(manager);
    this.settings = new SettingRepository(manager);
    this.tasks = new TaskRepository(manager);
    this.workers = new WorkerRepository(manager);
    this.reports = new ReportRepository(manager);
    this.audit = new AuditRepository(manager);
    this.namedCalls = new IdempotencyRepository(manager);
    this.sessions = new SessionRepository(manager);
    this.quarantine = new QuarantineRepository(manager);
    this.quota = new QuotaRepository(manager);
    this.aiProviders = new AiProviderRepository(manager);
    this.budgets = new BudgetRepository(manager);
    this.browserLogs = new BrowserLogRepository(manager);
    this.retention = new RetentionRepository(manager);
  }

  /** The database clock: the start of this transaction. */
  async now(): Promise<Date> {
    const rows: { now: Date }[] = await this.manager.query('SELECT now() AS now');
    if (rows[0] === undefined) throw new Error('the database did not tell its time');
    return rows[0].now;
  }

  /** Lets each statement of this transaction take so long: for work over whole tables. */
  async allowMinutes(minutes: number): Promise<void> {
    const client = (await this.manager.queryRunner?.connect()) as PreparedClient | undefined;
    if (client === undefined) throw new Error('time is allowed to a unit of work only');
    await this.manager.query(`SET LOCAL statement_timeout = ${minutes * 60_000}`);
    client.answerWithin(minutes * 60_000 + 5_000);
  }
}
