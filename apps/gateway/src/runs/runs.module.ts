import { Module } from '@nestjs/common';
import { CancelRunService } from './cancel-run.service';
import { RunsController } from './runs.controller';

@Module({ controllers: [RunsController], providers: [CancelRunService] })
export class RunsModule {}
