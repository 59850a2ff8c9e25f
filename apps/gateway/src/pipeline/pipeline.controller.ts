import { Body, Controller, Param, Query } from '@nestjs/common';
import {
  api,
  deadLettersQuerySchema,
  quarantineQuerySchema,
  replayAllBodySchema,
  type DeadLettersQuery,
  type QuarantineQuery,
  type ReplayAllBody,
} from '@autoposter/contracts';
import { Actor } from '../auth/current-user';
import { Serves } from '../http/serves';
import { idParam, valid } from '../http/zod.pipe';
import { presentPagination } from '../paging/pagination';
import { DeadLettersService } from './dead-letters.service';
import { presentDeadLetter, presentQuarantined } from './pipeline.presenter';
import { PipelineService } from './pipeline.service';

@Controller()
export class PipelineController {
  constructor(
    private readonly pipeline: PipelineService,
    private readonly dead: DeadLettersService,
  ) {}

  @Serves(api.stages.now)
  async now() {
    return { success: true, data: await this.pipeline.now() };
  }

  @Serves(api.stages.deadLetters)
  async deadLetters(@Query(valid(deadLettersQuerySchema)) query: DeadLettersQuery) {
    const { rows, total } = await this.dead.list(query);
    return { success: true, data: { posts: rows.map(presentDeadLetter), pagination: presentPagination(query.page, query.limit, total) } };
  }

  @Serves(api.stages.replayAll)
  async replayAll(@Body(valid(replayAllBodySchema)) { stage }: ReplayAllBody, @Actor() actor: string) {
    return { success: true, data: await this.dead.replayAll(stage, actor) };
  }

  @Serves(api.stages.replay)
  async replay(@Param('id', idParam) id: string, @Actor() actor: string) {
    return { success: true, data: await this.dead.replay(id, actor) };
  }

  @Serves(api.stages.quarantine)
  async quarantine(@Query(valid(quarantineQuerySchema)) query: QuarantineQuery) {
    const { rows, total } = await this.pipeline.quarantine(query);
    return { success: true, data: { posts: rows.map(presentQuarantined), pagination: presentPagination(query.page, query.limit, total) } };
  }
}
