import { Controller, Query } from '@nestjs/common';
import { api, downloadsQuerySchema, type DownloadsQuery } from '@autoposter/contracts';
import { Actor } from '../auth/current-session';
import { ApiRoute } from '../http/api-route';
import { ValidId, validPage } from '../http/validation.pipe';
import { ItemPresenter } from '../items/item.presenter';
import { DownloadsService } from './downloads.service';

@Controller()
export class DownloadsController {
  constructor(
    private readonly downloads: DownloadsService,
    private readonly present: ItemPresenter,
  ) {}

  @ApiRoute(api.downloads.list)
  async list(@Query(validPage(downloadsQuerySchema)) query: DownloadsQuery) {
    const { rows, nextCursor } = await this.downloads.list(query);
    return { success: true, data: rows.map((row) => this.present.download(row)), nextCursor };
  }

  @ApiRoute(api.downloads.remove)
  async remove(@ValidId() id: string, @Actor() actor: string) {
    await this.downloads.remove(id, actor);
    return { success: true, message: 'Download deleted successfully' };
  }
}
