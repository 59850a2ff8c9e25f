import { Controller } from '@nestjs/common';
import { api } from '@autoposter/contracts';
import { Actor } from '../auth/current-user';
import { Serves } from '../http/serves';
import { PublishingService } from './publishing.service';

@Controller()
export class PublishingController {
  constructor(private readonly publishing: PublishingService) {}

  @Serves(api.publishing.state)
  async state() {
    return { success: true, data: await this.publishing.state() };
  }

  @Serves(api.publishing.pause)
  async pause(@Actor() actor: string) {
    return { success: true, data: await this.publishing.pause(actor) };
  }

  @Serves(api.publishing.resume)
  async resume(@Actor() actor: string) {
    return { success: true, data: await this.publishing.resume(actor) };
  }
}
