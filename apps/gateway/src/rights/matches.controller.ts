import { api, type AnswerMatchBody, type MatchesQuery, type RightsThresholdsBody } from '@autoposter/contracts';
import { Controller } from '@nestjs/common';
import { Actor } from '../auth/current-session';
import { ApiRoute, presentPagination } from '../http/api-route';
import { ValidBody, ValidFilters } from '../http/validation.pipe';
import { MatchesService } from './matches.service';

@Controller()
export class MatchesController {
  constructor(private readonly matches: MatchesService) {}

  @ApiRoute(api.rightsMatches.list)
  async list(@ValidFilters() query: MatchesQuery) {
    const { matches, total } = await this.matches.page(query);
    return { success: true, data: { posts: matches, pagination: presentPagination(query.page, query.limit, total) } };
  }

  @ApiRoute(api.rightsMatches.counts)
  async counts() {
    return { success: true, data: await this.matches.counts() };
  }

  @ApiRoute(api.rightsMatches.thresholds)
  async thresholds() {
    return { success: true, data: await this.matches.thresholds() };
  }

  @ApiRoute(api.rightsMatches.setThresholds)
  async setThresholds(@ValidBody() body: RightsThresholdsBody, @Actor() actor: string) {
    return { success: true, data: await this.matches.setThresholds(body, actor) };
  }

  @ApiRoute(api.rightsMatches.answer)
  async answer(@ValidBody() body: AnswerMatchBody, @Actor() actor: string) {
    return { success: true, data: await this.matches.answer(body, actor) };
  }
}
