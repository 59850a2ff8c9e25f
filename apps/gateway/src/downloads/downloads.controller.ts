import { Controller, Param, Query } from '@nestjs/common';
import { api, downloadsQuerySchema, type DownloadsQuery } from '@autoposter/contracts';
import { Actor } from '../auth/current-user';
import { Serves } from '../http/serves';
import { idParam, valid } from '../http/zod.pipe';
import { ItemPresenter } from '../items/item.presenter';
import { DownloadsService } from './downloads.service';

@Controller()
export class DownloadsController {
  constructor(
    private readonly downloads: DownloadsService,
    private readonly present: ItemPresenter,
  ) {}

  @Serves(api.downloads.list)
  async list(@Query(valid(downloadsQuerySchema)) query: DownloadsQuery) {
    const { rows, nextCursor } = await this.downloads.list(query);
    const now = new Date();
    return { success: true, data: rows.map((row) => this.present.download(row, now)), nextCursor };
  }

  @Serves(api.downloads.remove)
  async remove(@Param('id', idParam) id: string, @Actor() actor: string) {
    await this.downloads.remove(id, actor);
    return { success: true, message: 'Download deleted successfully' };
  }

  @Serves(api.reddit.retry)
  async retryReddit(@Param('id', idParam) id: string, @Actor() actor: string) {
    return { success: true, data: await this.downloads.retry(id, 'reddit', actor) };
  }

  @Serves(api.instagramSource.retry)
  async retryInstagram(@Param('id', idParam) id: string, @Actor() actor: string) {
    return { success: true, data: await this.downloads.retry(id, 'instagram', actor) };
  }
}
