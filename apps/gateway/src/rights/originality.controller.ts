import { api, type MarkOriginalityBody, type OriginalityRule } from '@autoposter/contracts';
import { Controller } from '@nestjs/common';
import { Actor } from '../auth/current-session';
import { ApiRoute } from '../http/api-route';
import { ValidBody, ValidId } from '../http/validation.pipe';
import { OriginalityService } from './originality.service';

@Controller()
export class OriginalityController {
  constructor(private readonly originality: OriginalityService) {}

  @ApiRoute(api.originality.state)
  async state() {
    return { success: true, data: await this.originality.state() };
  }

  @ApiRoute(api.originality.setRule)
  async setRule(@ValidBody() body: OriginalityRule, @Actor() actor: string) {
    return { success: true, data: await this.originality.setRule(body, actor) };
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
