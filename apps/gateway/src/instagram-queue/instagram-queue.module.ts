import { Module } from '@nestjs/common';
import { InstagramQueueController } from './instagram-queue.controller';
import { InstagramQueueService } from './instagram-queue.service';
import { QueueSettingsService } from './queue-settings.service';
import { SettleOutcomeService } from './settle-outcome.service';

@Module({ controllers: [InstagramQueueController], providers: [InstagramQueueService, QueueSettingsService, SettleOutcomeService] })
export class InstagramQueueModule {}
