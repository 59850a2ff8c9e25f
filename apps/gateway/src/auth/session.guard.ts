import {
  ForbiddenException,
  Inject,
  Injectable,
  ServiceUnavailableException,
  UnauthorizedException,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { api, type RouteAccess } from '@autoposter/contracts';
import type { Request } from 'express';
import { ACCESS, routeOf } from '../http/serves';
import { isLoopbackRequest } from '../http/loopback';
import { ThrottleGuard } from '../http/throttle.guard';
import { inTime } from '../http/time-left';
import { SETTINGS, type GatewaySettings } from '../wiring/settings';
import { AuthService } from './auth.service';
import type { SignedInRequest } from './signed-in-request';

/** The token of an `Authorization: Bearer` header, `null` without one. */
export function bearerOf(request: Request): string | null {
  const match = /^Bearer ([A-Za-z0-9._~+/=-]{1,4096})$/i.exec(request.headers.authorization ?? '');
  return match?.[1] ?? null;
}

const tooLate = (): Error => new ServiceUnavailableException('The session could not be looked up in time; please try again.');

/** Closed unless the route says otherwise: a handler that was forgotten in the table is for administrators. */
@Injectable()
export class SessionGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    @Inject(AuthService) private readonly auth: AuthService,
    @Inject(ThrottleGuard) private readonly throttle: ThrottleGuard,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const targets = [context.getHandler(), context.getClass()];
    const access = this.reflector.getAllAndOverride<RouteAccess | undefined>(ACCESS, targets) ?? 'admin';
    const request = context.switchToHttp().getRequest<SignedInRequest>();
    if (access === 'public') return true;
    if (access === 'loopback' && !isLoopbackRequest(request)) throw new ForbiddenException('Browser logs are taken on this machine only.');
    const token = bearerOf(request);
    // Media decides for itself whether a signed query opens it.
    if (token === null && access === 'media') return true;
    const session = token === null ? null : await inTime(request, this.settings.answerWithinMs, this.auth.sessionOf(token), tooLate);
    // The token of the redirect becomes a session there, and is good for nothing else.
    const misplaced = session?.use === 'exchange' && routeOf(this.reflector, context) !== api.auth.me;
    if (session === null || misplaced) {
      // Nothing behind this guard hears of a stranger who guesses.
      await this.throttle.canActivate(context);
      throw new UnauthorizedException('Please sign in.');
    }
    request.session = session;
    return true;
  }
}
