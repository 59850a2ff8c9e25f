import { Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER, APP_INTERCEPTOR } from '@nestjs/core';
import { AiModule } from './ai/ai.module';
import { AuditInterceptor } from './audit-log/audit.interceptor';
import { AuditLogModule } from './audit-log/audit-log.module';
import { AuthModule } from './auth/auth.module';
import { ClearAllModule } from './clear-all/clear-all.module';
import { ClockModule } from './clock/clock.module';
import { ContentModule } from './content/content.module';
import { DmcaModule } from './dmca/dmca.module';
import { DownloadsModule } from './downloads/downloads.module';
import { HealthModule } from './health/health.module';
import { BudgetInterceptor } from './http/budget.interceptor';
import { ErrorFilter } from './http/error.filter';
import { IdempotencyInterceptor } from './http/idempotency.interceptor';
import { InstagramModule } from './instagram/instagram.module';
import { InstagramQueueModule } from './instagram-queue/instagram-queue.module';
import { IntakeModule } from './intake/intake.module';
import { LiveModule } from './live/live.module';
import { LogsModule } from './logs/logs.module';
import { MediaModule } from './media/media.module';
import { OpenApiModule } from './openapi/openapi.module';
import { OverviewModule } from './overview/overview.module';
import { PipelineModule } from './pipeline/pipeline.module';
import { PublishingModule } from './publishing/publishing.module';
import { RightsModule } from './rights/rights.module';
import { RunsModule } from './runs/runs.module';
import { SchedulerModule } from './scheduler/scheduler.module';
import { SkippedPostsModule } from './skipped-posts/skipped-posts.module';
import { StoredSettingsModule } from './stored-settings/stored-settings.module';
import { SubredditsModule } from './subreddits/subreddits.module';
import { SystemsModule, type Systems } from './wiring/systems';

const RESOURCES = [
  HealthModule,
  DmcaModule,
  AiModule,
  RunsModule,
  ContentModule,
  InstagramModule,
  InstagramQueueModule,
  MediaModule,
  DownloadsModule,
  IntakeModule,
  ClearAllModule,
  OverviewModule,
  PipelineModule,
  SubredditsModule,
  SkippedPostsModule,
  SchedulerModule,
  LogsModule,
  PublishingModule,
  RightsModule,
  AuditLogModule,
  LiveModule,
  OpenApiModule,
];

@Module({})
export class AppModule {
  static of(systems: Systems): DynamicModule {
    return {
      module: AppModule,
      imports: [SystemsModule.of(systems), StoredSettingsModule, AuthModule, ClockModule, ...RESOURCES],
      providers: [
        { provide: APP_FILTER, useClass: ErrorFilter },
        // From the outside in: who repeats a call gets the first answer, and no second entry in the audit log.
        { provide: APP_INTERCEPTOR, useClass: BudgetInterceptor },
        { provide: APP_INTERCEPTOR, useClass: IdempotencyInterceptor },
        { provide: APP_INTERCEPTOR, useClass: AuditInterceptor },
      ],
    };
  }
}
