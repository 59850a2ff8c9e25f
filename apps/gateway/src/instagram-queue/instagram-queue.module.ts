import { Module } from '@nestjs/common';
import { InstagramQueueController } from './instagram-queue.controller';
import { InstagramQueueService } from './instagram-queue.service';
import { QueueSettingsService } from './queue-settings.service';
import { RetryPostService } from './retry-post.service';
import { SettleOutcomeService } from './settle-outcome.service';
import { TakeBackService } from './take-back.service';

const providers = [InstagramQueueService, QueueSettingsService, RetryPostService, SettleOutcomeService, TakeBackService];

@Module({ controllers: [InstagramQueueController], providers })
export class InstagramQueueModule {}
