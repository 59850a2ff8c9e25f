import { Controller } from '@nestjs/common';
import { api, type SkippedPostsQuery, type SkipStatisticsQuery } from '@autoposter/contracts';
import { ApiRoute, presentPagination } from '../http/api-route';
import { ValidFilters } from '../http/validation.pipe';
import { presentSkipped, SkippedPostsService } from './skipped-posts.service';

@Controller()
export class SkippedPostsController {
  constructor(private readonly skipped: SkippedPostsService) {}

  @ApiRoute(api.skippedPosts.list)
  async list(@ValidFilters() query: SkippedPostsQuery) {
    const { rows, total } = await this.skipped.list(query);
    return { success: true, data: { posts: rows.map(presentSkipped), pagination: presentPagination(query.page, query.limit, total) } };
  }

  @ApiRoute(api.skippedPosts.subreddits)
  async subreddits() {
    return { success: true, data: await this.skipped.subreddits() };
  }

  @ApiRoute(api.skippedPosts.reasons)
  reasons() {
    return { success: true, data: this.skipped.reasons() };
  }

  @ApiRoute(api.skippedPosts.statistics)
  async statistics(@ValidFilters() query: SkipStatisticsQuery) {
    const counts = await this.skipped.statistics(query);
    return { success: true, data: counts.map(({ reason, count }) => ({ _id: reason, reason, count })) };
  }
}
