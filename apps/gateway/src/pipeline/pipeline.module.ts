import { Module } from '@nestjs/common';
import { DeadLettersService } from './dead-letters.service';
import { PipelineController } from './pipeline.controller';
import { PipelineService } from './pipeline.service';

@Module({ controllers: [PipelineController], providers: [PipelineService, DeadLettersService] })
export class PipelineModule {}
