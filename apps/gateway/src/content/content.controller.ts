import { Controller } from '@nestjs/common';
import { api } from '@autoposter/contracts';
import { Actor } from '../auth/current-session';
import { ApiRoute } from '../http/api-route';
import { ValidId } from '../http/validation.pipe';
import { ContentService } from './content.service';

@Controller()
export class ContentController {
  constructor(private readonly content: ContentService) {}

  @ApiRoute(api.content.details)
  async details(@ValidId() id: string) {
    return { success: true, data: await this.content.details(id) };
  }

  @ApiRoute(api.content.restore)
  async restore(@ValidId() id: string, @Actor() actor: string) {
    await this.content.restore(id, actor);
    return { success: true, data: await this.content.item(id) };
  }
}
