import { Controller } from '@nestjs/common';
import { api, type ResumeBody } from '@autoposter/contracts';
import { Actor } from '../auth/current-session';
import { ApiRoute } from '../http/api-route';
import { ValidBody } from '../http/validation.pipe';
import { PublishingService } from './publishing.service';

@Controller()
export class PublishingController {
  constructor(private readonly publishing: PublishingService) {}

  @ApiRoute(api.publishing.state)
  async state() {
    return { success: true, data: await this.publishing.state() };
  }

  @ApiRoute(api.publishing.pause)
  async pause(@Actor() actor: string) {
    return { success: true, data: await this.publishing.pause(actor) };
  }

  @ApiRoute(api.publishing.resume)
  async resume(@ValidBody() { since }: ResumeBody, @Actor() actor: string) {
    return { success: true, data: await this.publishing.resume(actor, { since }) };
  }
}
