import { Controller, Query } from '@nestjs/common';
import {
  api,
  cursorQuerySchema,
  type AiProcessAllBody,
  type CaptionOptionsBody,
  type CursorQuery,
  type ReadyQuery,
  type UpdateCaptionBody,
} from '@autoposter/contracts';
import { Actor } from '../auth/current-session';
import { ApiRoute } from '../http/api-route';
import { ValidBody, ValidId, ValidQuery, validPage } from '../http/validation.pipe';
import { ItemPresenter } from '../items/item.presenter';
import { AiService } from './ai.service';

@Controller()
export class AiController {
  constructor(
    private readonly ai: AiService,
    private readonly present: ItemPresenter,
  ) {}

  @ApiRoute(api.ai.ready)
  async ready(@ValidQuery() { limit }: ReadyQuery) {
    const { rows, totalCount } = await this.ai.ready(limit);
    return { success: true, data: rows.map((row) => this.present.readyForAi(row)), totalCount };
  }

  @ApiRoute(api.ai.completed)
  async completed(@Query(validPage(cursorQuerySchema)) query: CursorQuery) {
    const [{ rows, nextCursor }, totalCount] = await Promise.all([this.ai.completed(query), this.ai.countCompleted(query)]);
    return { success: true, data: rows.map((row) => this.present.content(row, query.limit !== undefined)), nextCursor, totalCount };
  }

  @ApiRoute(api.ai.processAll)
  processAll(@ValidBody() body: AiProcessAllBody, @Actor() actor: string) {
    return this.ai.processAll(body, actor);
  }

  @ApiRoute(api.ai.process)
  async process(@ValidId() id: string, @ValidBody() options: CaptionOptionsBody, @Actor() actor: string) {
    return { success: true, data: await this.ai.process(id, options, actor) };
  }

  @ApiRoute(api.ai.discard)
  async discard(@ValidId() id: string, @Actor() actor: string) {
    await this.ai.discard(id, actor);
    return { success: true, message: 'Post discarded.' };
  }

  @ApiRoute(api.ai.updateCaption)
  async updateCaption(@ValidId() id: string, @ValidBody() body: UpdateCaptionBody, @Actor() actor: string) {
    const row = await this.ai.updateCaption(id, body, actor);
    return { success: true, data: this.present.content(row) };
  }
}
