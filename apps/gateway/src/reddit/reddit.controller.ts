import { Controller } from '@nestjs/common';
import { api, DEFAULT_AUTO_PROCESS_STAGE, type ProcessUrlBody } from '@autoposter/contracts';
import { Actor } from '../auth/current-session';
import { DownloadsService } from '../downloads/downloads.service';
import { ApiRoute } from '../http/api-route';
import { ValidBody, ValidId } from '../http/validation.pipe';
import { LinkSubmissionService } from '../items/link-submission.service';
import { ClearAllService } from './clear-all.service';

@Controller()
export class RedditController {
  constructor(
    private readonly links: LinkSubmissionService,
    private readonly downloads: DownloadsService,
    private readonly clearing: ClearAllService,
  ) {}

  @ApiRoute(api.reddit.process)
  async process(@ValidBody() { url }: ProcessUrlBody, @Actor() actor: string) {
    return { success: true, data: await this.links.submit(url, 'reddit', DEFAULT_AUTO_PROCESS_STAGE, actor) };
  }

  @ApiRoute(api.reddit.retry)
  async retry(@ValidId() id: string, @Actor() actor: string) {
    return { success: true, data: await this.downloads.retry(id, 'reddit', actor) };
  }

  @ApiRoute(api.reddit.clearAll)
  async clearAll(@Actor() actor: string) {
    const data = await this.clearing.clear(actor);
    const { posts, files, queueItems } = data;
    const plural = (count: number): string => (count === 1 ? '' : 's');
    const message = `${posts} post${plural(posts)}, ${files} file${plural(files)} and ${queueItems} queue item${plural(queueItems)} were deleted.`;
    return { success: true, message, data };
  }
}
