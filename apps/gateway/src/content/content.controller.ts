import { Controller, Param } from '@nestjs/common';
import { api } from '@autoposter/contracts';
import { Serves } from '../http/serves';
import { idParam } from '../http/zod.pipe';
import { ContentService } from './content.service';

@Controller()
export class ContentController {
  constructor(private readonly content: ContentService) {}

  @Serves(api.content.details)
  async details(@Param('id', idParam) id: string) {
    return { success: true, data: await this.content.details(id) };
  }
}
