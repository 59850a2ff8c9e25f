import { api, type MarkOriginalityBody, type OriginalityRule, type QueueAccountQuery } from '@autoposter/contracts';
import { Controller } from '@nestjs/common';
import { Actor } from '../auth/current-session';
import { ApiRoute } from '../http/api-route';
import { ValidBody, ValidId, ValidQuery } from '../http/validation.pipe';
import { OriginalityService } from './originality.service';

@Controller()
export class OriginalityController {
  constructor(private readonly originality: OriginalityService) {}

  @ApiRoute(api.originality.state)
  async state(@ValidQuery() { accountId }: QueueAccountQuery) {
    return { success: true, data: await this.originality.state(accountId) };
  }

  @ApiRoute(api.originality.setRule)
  async setRule(@ValidBody() body: OriginalityRule, @ValidQuery() { accountId }: QueueAccountQuery, @Actor() actor: string) {
    return { success: true, data: await this.originality.setRule(body, actor, accountId) };
  }

  @ApiRoute(api.originality.ofItem)
  async ofItem(@ValidId() id: string) {
    return { success: true, data: await this.originality.markOf(id) };
  }

  @ApiRoute(api.originality.markItem)
  async markItem(@ValidId() id: string, @ValidBody() body: MarkOriginalityBody, @Actor() actor: string) {
    return { success: true, data: await this.originality.mark(id, body, actor) };
  }
}
