import { Controller } from '@nestjs/common';
import {
  api,
  FULL_AUTOMATION,
  type DeadLettersQuery,
  type ProcessUrlBody,
  type QuarantineQuery,
  type ReplayAllBody,
} from '@autoposter/contracts';
import { Actor } from '../auth/current-session';
import { ApiRoute, presentPagination } from '../http/api-route';
import { ValidBody, ValidId, ValidFilters } from '../http/validation.pipe';
import { LinkSubmissionService } from '../items/link-submission.service';
import { DeadLettersService } from './dead-letters.service';
import { presentDeadLetter, presentQuarantined, PipelineService } from './pipeline.service';
import { OverviewService } from './overview.service';

@Controller()
export class PipelineController {
  constructor(
    private readonly pipeline: PipelineService,
    private readonly overviews: OverviewService,
    private readonly dead: DeadLettersService,
    private readonly links: LinkSubmissionService,
  ) {}

  @ApiRoute(api.pipeline.processComplete)
  async processComplete(@ValidBody() { url }: ProcessUrlBody, @Actor() actor: string) {
    return { success: true, data: await this.links.submit(url, null, FULL_AUTOMATION.value, actor) };
  }

  @ApiRoute(api.overview.overview)
  async overview() {
    return { success: true, data: await this.overviews.overview() };
  }

  @ApiRoute(api.stages.now)
  async now() {
    return { success: true, data: await this.pipeline.now() };
  }

  @ApiRoute(api.stages.deadLetters)
  async deadLetters(@ValidFilters() query: DeadLettersQuery) {
    const { rows, total } = await this.dead.list(query);
    return { success: true, data: { posts: rows.map(presentDeadLetter), pagination: presentPagination(query.page, query.limit, total) } };
  }

  @ApiRoute(api.stages.replayAll)
  async replayAll(@ValidBody() { stage }: ReplayAllBody, @Actor() actor: string) {
    return { success: true, data: await this.dead.replayAll(stage, actor) };
  }

  @ApiRoute(api.stages.replay)
  async replay(@ValidId() id: string, @Actor() actor: string) {
    return { success: true, data: await this.dead.replay(id, actor) };
  }

  @ApiRoute(api.stages.quarantine)
  async quarantine(@ValidFilters() query: QuarantineQuery) {
    const { rows, total } = await this.pipeline.quarantine(query);
    return { success: true, data: { posts: rows.map(presentQuarantined), pagination: presentPagination(query.page, query.limit, total) } };
  }
}
