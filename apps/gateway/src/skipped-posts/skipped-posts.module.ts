import { Module } from '@nestjs/common';
import { SkippedPostsController } from './skipped-posts.controller';
import { SkippedPostsService } from './skipped-posts.service';

@Module({ controllers: [SkippedPostsController], providers: [SkippedPostsService] })
export class SkippedPostsModule {}
