import { Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER, APP_INTERCEPTOR } from '@nestjs/core';
import { PublicLinks } from '@autoposter/object-store';
import { AiController } from './ai/ai.controller';
import { AiService } from './ai/ai.service';
import { AuditLogController } from './audit-log/audit-log.controller';
import { AuditLogInterceptor } from './audit-log/audit-log.interceptor';
import { AuthModule } from './auth/auth.module';
import { currentSession } from './auth/current-session';
import { DatabaseClock } from './bootstrap/database-clock';
import { SETTINGS, type GatewaySettings } from './bootstrap/settings';
import { SystemsModule, type Systems } from './bootstrap/systems';
import { ContentController } from './content/content.controller';
import { ContentService } from './content/content.service';
import { DmcaController } from './dmca/dmca.controller';
import { DocsController } from './docs/docs.controller';
import { DownloadsController } from './downloads/downloads.controller';
import { DownloadsService } from './downloads/downloads.service';
import { FailuresController } from './failures/failures.controller';
import { FailuresService } from './failures/failures.service';
import { HealthController } from './health/health.controller';
import { HealthService } from './health/health.service';
import { ErrorFilter } from './http/error.filter';
import { IdempotencyInterceptor } from './http/idempotency.interceptor';
import { TimeoutInterceptor } from './http/timeout.interceptor';
import { InstagramAccountsController } from './instagram-accounts/instagram-accounts.controller';
import { InstagramAccountsService } from './instagram-accounts/instagram-accounts.service';
import { InstagramController } from './instagram/instagram.controller';
import { InstagramService } from './instagram/instagram.service';
import { InstagramQueueController } from './instagram-queue/instagram-queue.controller';
import { CoverService } from './instagram-queue/cover.service';
import { InstagramQueueService } from './instagram-queue/instagram-queue.service';
import { QueueSettingsService } from './instagram-queue/queue-settings.service';
import { ItemPresenter } from './items/item.presenter';
import { LinkSubmissionService } from './items/link-submission.service';
import { LiveController } from './live/live.controller';
import { LiveService } from './live/live.service';
import { LogsController } from './logs/logs.controller';
import { LogsService } from './logs/logs.service';
import { MediaLinks } from './media/media-links';
import { MediaController, PublicMediaController } from './media/media.controller';
import { MediaService } from './media/media.service';
import { DeadLettersService } from './pipeline/dead-letters.service';
import { OverviewService } from './pipeline/overview.service';
import { PipelineController } from './pipeline/pipeline.controller';
import { PipelineService } from './pipeline/pipeline.service';
import { PublishingController } from './publishing/publishing.controller';
import { PublishingService } from './publishing/publishing.service';
import { ClearAllService } from './reddit/clear-all.service';
import { RedditController } from './reddit/reddit.controller';
import { ClaimedWorkService } from './rights/claimed-work.service';
import { EvidenceController } from './rights/evidence.controller';
import { EvidenceService } from './rights/evidence.service';
import { MatchesController } from './rights/matches.controller';
import { MatchesService } from './rights/matches.service';
import { OriginalityController } from './rights/originality.controller';
import { OriginalityService } from './rights/originality.service';
import { PermissionsController } from './rights/permissions.controller';
import { PermissionsService } from './rights/permissions.service';
import { RightsController } from './rights/rights.controller';
import { RightsService } from './rights/rights.service';
import { TakedownController } from './rights/takedown.controller';
import { TakedownService } from './rights/takedown.service';
import { RunsController } from './runs/runs.controller';
import { RunsService } from './runs/runs.service';
import { SchedulerModule } from './scheduler/scheduler.module';
import { SkippedPostsController } from './skipped-posts/skipped-posts.controller';
import { SkippedPostsService } from './skipped-posts/skipped-posts.service';
import { SubredditsController } from './subreddits/subreddits.controller';
import { SubredditsService } from './subreddits/subreddits.service';

const CONTROLLERS = [
  AiController,
  AuditLogController,
  ContentController,
  DmcaController,
  DocsController,
  DownloadsController,
  EvidenceController,
  FailuresController,
  HealthController,
  InstagramAccountsController,
  InstagramController,
  InstagramQueueController,
  LiveController,
  LogsController,
  MatchesController,
  OriginalityController,
  PermissionsController,
  MediaController,
  PipelineController,
  PublicMediaController,
  PublishingController,
  RedditController,
  RightsController,
  RunsController,
  SkippedPostsController,
  SubredditsController,
  TakedownController,
];

const SERVICES = [
  AiService,
  ClaimedWorkService,
  ClearAllService,
  ContentService,
  DeadLettersService,
  DownloadsService,
  EvidenceService,
  FailuresService,
  HealthService,
  InstagramAccountsService,
  InstagramQueueService,
  CoverService,
  InstagramService,
  LinkSubmissionService,
  LiveService,
  LogsService,
  MatchesService,
  MediaService,
  OverviewService,
  OriginalityService,
  PermissionsService,
  PipelineService,
  PublishingService,
  QueueSettingsService,
  RightsService,
  RunsService,
  SkippedPostsService,
  SubredditsService,
  TakedownService,
];

/** Every resource of the API. Sign-in and the scheduler are modules of their own because they register guards and timers. */
@Module({})
export class AppModule {
  static of(systems: Systems): DynamicModule {
    return {
      module: AppModule,
      imports: [SystemsModule.of(systems), AuthModule, SchedulerModule],
      controllers: CONTROLLERS,
      providers: [
        ...SERVICES,
        {
          provide: MediaLinks,
          inject: [SETTINGS, DatabaseClock],
          useFactory: (settings: GatewaySettings, clock: DatabaseClock) => new MediaLinks(settings.keys.link, currentSession, clock.now),
        },
        { provide: PublicLinks, inject: [SETTINGS], useFactory: (settings: GatewaySettings) => new PublicLinks(settings.keys.link) },
        { provide: ItemPresenter, inject: [MediaLinks], useFactory: (links: MediaLinks) => new ItemPresenter(links) },
        { provide: APP_FILTER, useClass: ErrorFilter },
        // Outermost first: a repeated call gets the stored answer and no second entry in the audit log.
        { provide: APP_INTERCEPTOR, useClass: TimeoutInterceptor },
        { provide: APP_INTERCEPTOR, useClass: IdempotencyInterceptor },
        { provide: APP_INTERCEPTOR, useClass: AuditLogInterceptor },
      ],
    };
  }
}
