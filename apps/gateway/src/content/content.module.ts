import { Module } from '@nestjs/common';
import { ContentController } from './content.controller';
import { ContentService } from './content.service';
import { RestoreService } from './restore.service';

@Module({ controllers: [ContentController], providers: [ContentService, RestoreService] })
export class ContentModule {}
