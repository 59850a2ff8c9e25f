import { Controller } from '@nestjs/common';
import { api } from '@autoposter/contracts';
import { Actor } from '../auth/current-user';
import { Serves } from '../http/serves';
import { ClearAllService } from './clear-all.service';

@Controller()
export class ClearAllController {
  constructor(private readonly clearing: ClearAllService) {}

  @Serves(api.reddit.clearAll)
  async clear(@Actor() actor: string) {
    const data = await this.clearing.clear(actor);
    return {
      success: true,
      message: `${data.posts} posts, ${data.files} files and ${data.queueItems} places in the queue were deleted.`,
      data,
    };
  }
}
