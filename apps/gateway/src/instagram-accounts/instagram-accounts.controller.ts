import {
  api,
  connectionCallbackQuerySchema,
  type ConnectAccountBody,
  type NeedsPermissionBody,
  type ResumeBody,
} from '@autoposter/contracts';
import { LOGIN_SECONDS } from '@autoposter/domain';
import { Controller, Inject, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Actor } from '../auth/current-session';
import { SignInBrowser } from '../auth/sign-in-state';
import { SETTINGS, type GatewaySettings } from '../bootstrap/settings';
import { ApiRoute } from '../http/api-route';
import { ValidBody, ValidId } from '../http/validation.pipe';
import { InstagramAccountsService } from './instagram-accounts.service';

@Controller()
export class InstagramAccountsController {
  private readonly browser: SignInBrowser;

  constructor(
    private readonly accounts: InstagramAccountsService,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
  ) {
    this.browser = new SignInBrowser(settings.publicUrl.startsWith('https://'));
  }

  @ApiRoute(api.instagramAccounts.list)
  async list(@Actor() actor: string) {
    return { success: true, data: await this.accounts.list(actor) };
  }

  @ApiRoute(api.instagramAccounts.connect)
  async connect(@ValidBody() { login }: ConnectAccountBody, @Actor() actor: string, @Req() request: Request) {
    const browserHash = this.browser.begin(request, LOGIN_SECONDS);
    return { success: true, data: { authorizationUrl: await this.accounts.connect(login, actor, browserHash) } };
  }

  /** Opened by the browser: always redirects to Settings, which shows the result. */
  @ApiRoute(api.instagramAccounts.callback)
  async callback(@Query() query: unknown, @Req() request: Request, @Res() response: Response): Promise<void> {
    await this.accounts.answer(connectionCallbackQuerySchema.parse(query), this.browser.hashIn(request));
    response.setHeader('Cache-Control', 'no-store').redirect(302, `${this.settings.publicUrl}/admin/settings`);
  }

  @ApiRoute(api.instagramAccounts.pause)
  async pause(@ValidId() id: string, @Actor() actor: string) {
    return { success: true, data: await this.accounts.pause(id, actor) };
  }

  @ApiRoute(api.instagramAccounts.resume)
  async resume(@ValidId() id: string, @ValidBody() body: ResumeBody, @Actor() actor: string) {
    return { success: true, data: await this.accounts.resume(id, body, actor) };
  }

  @ApiRoute(api.instagramAccounts.changeNeedsPermission)
  async changeNeedsPermission(@ValidId() id: string, @ValidBody() { needsPermission }: NeedsPermissionBody, @Actor() actor: string) {
    await this.accounts.changeNeedsPermission(id, needsPermission, actor);
    return { success: true, message: 'The account was changed.' };
  }

  @ApiRoute(api.instagramAccounts.disconnect)
  async disconnect(@ValidId() id: string) {
    await this.accounts.disconnect(id);
    return { success: true, message: 'The account was disconnected.' };
  }
}
