import { Controller } from '@nestjs/common';
import { api, DEFAULT_AUTO_PROCESS_STAGE, type ProcessUrlBody, type QueueAccountQuery } from '@autoposter/contracts';
import { Actor } from '../auth/current-session';
import { DownloadsService } from '../downloads/downloads.service';
import { ApiRoute } from '../http/api-route';
import { ValidBody, ValidId, ValidQuery } from '../http/validation.pipe';
import { LinkSubmissionService } from '../items/link-submission.service';
import { InstagramService } from './instagram.service';

@Controller()
export class InstagramController {
  constructor(
    private readonly instagram: InstagramService,
    private readonly links: LinkSubmissionService,
    private readonly downloads: DownloadsService,
  ) {}

  @ApiRoute(api.instagram.config)
  async config(@ValidQuery() { accountId }: QueueAccountQuery) {
    return { success: true, data: await this.instagram.config(accountId) };
  }

  @ApiRoute(api.instagram.capabilities)
  async capabilities(@ValidQuery() { accountId }: QueueAccountQuery) {
    return { success: true, data: await this.instagram.capabilities(accountId) };
  }

  @ApiRoute(api.instagram.testMediaAddress)
  async testMediaAddress(@Actor() actor: string) {
    await this.instagram.testMediaAddress(actor);
    return { success: true, message: 'The address of media is being tested.' };
  }

  @ApiRoute(api.instagram.compatibilityTest)
  async compatibilityTest() {
    return { success: true, data: await this.instagram.compatibility() };
  }

  @ApiRoute(api.instagramSource.process)
  async process(@ValidBody() { url }: ProcessUrlBody, @Actor() actor: string) {
    return { success: true, data: await this.links.submit(url, 'instagram', DEFAULT_AUTO_PROCESS_STAGE, actor) };
  }

  @ApiRoute(api.instagramSource.retry)
  async retry(@ValidId() id: string, @Actor() actor: string) {
    return { success: true, data: await this.downloads.retry(id, 'instagram', actor) };
  }
}
