import { Controller, Param } from '@nestjs/common';
import { api } from '@autoposter/contracts';
import { Actor } from '../auth/current-session';
import { ApiRoute } from '../http/api-route';
import { idParam } from '../http/validation.pipe';
import { ContentService } from './content.service';

@Controller()
export class ContentController {
  constructor(private readonly content: ContentService) {}

  @ApiRoute(api.content.details)
  async details(@Param('id', idParam) id: string) {
    return { success: true, data: await this.content.details(id) };
  }

  @ApiRoute(api.content.restore)
  async restore(@Param('id', idParam) id: string, @Actor() actor: string) {
    await this.content.restore(id, actor);
    return { success: true, data: await this.content.item(id) };
  }
}
