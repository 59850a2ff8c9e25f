import { api, type Acknowledged, type CurrentUserResponse } from '@autoposter/contracts';
import { Controller, Header, Inject, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { SETTINGS, type GatewaySettings } from '../bootstrap/settings';
import { ApiRoute } from '../http/api-route';
import { ValidQuery } from '../http/validation.pipe';
import { AuthService } from './auth.service';
import { CurrentSession } from './current-session';
import { GoogleGuard, type GoogleProfile } from './google.strategy';
import type { Session } from './session-tokens';
import { SignInBrowser } from './sign-in-state';
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

  @ApiRoute(api.auth.signIn)
  @UseGuards(GoogleGuard)
  @UseFilters(SignInFilter)
  signIn(@ValidQuery() _query: unknown): void {
    // GoogleGuard already redirected the browser to Google.
  }

  @ApiRoute(api.auth.callback)
  @UseGuards(GoogleGuard)
  @UseFilters(SignInFilter)
  async callback(@Req() request: Request & { user: GoogleProfile; signInReturnTo?: string }, @Res() response: Response): Promise<void> {
    const address = await this.auth.admit(request.user, this.browser.hashIn(request), request.signInReturnTo);
    response.setHeader('Cache-Control', 'no-store').redirect(302, address);
  }

  @ApiRoute(api.auth.me)
  @Header('Cache-Control', 'no-store')
  async me(@Req() request: Request, @CurrentSession() session: Session): Promise<CurrentUserResponse> {
    const token = session.use === 'exchange' ? await this.auth.exchange(session, this.browser.hashIn(request)) : undefined;
    return presentUser(session, token);
  }

  @ApiRoute(api.auth.logout)
  async logout(@CurrentSession() session: Session): Promise<Acknowledged> {
    await this.auth.logout(session);
    return { success: true, message: 'Signed out.' };
  }
}

function presentUser(session: Session, token: string | undefined): CurrentUserResponse {
  const user = { name: session.name, email: session.email, avatar: session.avatar };
  return { success: true, user, token };
}
