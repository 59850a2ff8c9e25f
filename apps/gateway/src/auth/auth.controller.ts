import { Controller, Header, Inject, Query, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import { api, signInQuerySchema, type Acknowledged, type CurrentUserResponse } from '@autoposter/contracts';
import type { Request, Response } from 'express';
import { Serves } from '../http/serves';
import { valid } from '../http/zod.pipe';
import { presentUser } from './auth.presenter';
import { SETTINGS, type GatewaySettings } from '../wiring/settings';
import { AuthService } from './auth.service';
import { CurrentSession } from './current-user';
import { GoogleGuard } from './google.guard';
import type { GoogleProfile } from './google.strategy';
import type { Session } from './session-tokens';
import { SignInBrowser } from './sign-in-browser';
import { SignInFilter } from './sign-in.filter';

@Controller()
export class AuthController {
  private readonly browser: SignInBrowser;

  constructor(
    private readonly auth: AuthService,
    @Inject(SETTINGS) settings: GatewaySettings,
  ) {
    this.browser = new SignInBrowser(settings.publicUrl.startsWith('https://'));
  }

  @Serves(api.auth.signIn)
  @UseGuards(GoogleGuard)
  @UseFilters(SignInFilter)
  signIn(@Query(valid(signInQuerySchema)) _query: unknown): void {
    // The guard has already sent the browser to Google.
  }

  @Serves(api.auth.callback)
  @UseGuards(GoogleGuard)
  @UseFilters(SignInFilter)
  async callback(@Req() request: Request & { user: GoogleProfile; signInReturnTo?: string }, @Res() response: Response): Promise<void> {
    const address = await this.auth.admit(request.user, this.browser.hashIn(request), request.signInReturnTo);
    response.setHeader('Cache-Control', 'no-store').redirect(302, address);
  }

  @Serves(api.auth.me)
  @Header('Cache-Control', 'no-store')
  async me(@Req() request: Request, @CurrentSession() session: Session): Promise<CurrentUserResponse> {
    const token = session.use === 'exchange' ? await this.auth.exchange(session, this.browser.hashIn(request)) : undefined;
    return presentUser(session, token);
  }

  @Serves(api.auth.logout)
  async logout(@CurrentSession() session: Session): Promise<Acknowledged> {
    await this.auth.logout(session);
    return { success: true, message: 'Signed out.' };
  }
}
