import { Controller, Param } from '@nestjs/common';
import { api } from '@autoposter/contracts';
import { Actor } from '../auth/current-user';
import { Serves } from '../http/serves';
import { idParam } from '../http/zod.pipe';
import { ContentService } from './content.service';
import { RestoreService } from './restore.service';

@Controller()
export class ContentController {
  constructor(
    private readonly content: ContentService,
    private readonly restoring: RestoreService,
  ) {}

  @Serves(api.content.details)
  async details(@Param('id', idParam) id: string) {
    return { success: true, data: await this.content.details(id) };
  }

  @Serves(api.content.restore)
  async restore(@Param('id', idParam) id: string, @Actor() actor: string) {
    await this.restoring.restore(id, actor);
    return { success: true, data: await this.content.item(id) };
  }
}
