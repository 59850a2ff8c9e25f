import { Controller } from '@nestjs/common';
import { api } from '@autoposter/contracts';
import { Serves } from '../http/serves';
import { InstagramService } from './instagram.service';

@Controller()
export class InstagramController {
  constructor(private readonly instagram: InstagramService) {}

  @Serves(api.instagram.config)
  async config() {
    return { success: true, data: await this.instagram.config() };
  }

  @Serves(api.instagram.compatibilityTest)
  async compatibilityTest() {
    return { success: true, data: await this.instagram.compatibility() };
  }
}
