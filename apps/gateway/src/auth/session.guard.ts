import { api, type RouteAccess } from '@autoposter/contracts';
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
import type { Request } from 'express';
import { SETTINGS, type GatewaySettings } from '../bootstrap/settings';
import { ACCESS, routeOf } from '../http/api-route';
import { ThrottleGuard } from '../http/throttle.guard';
import { withTimeout } from '../http/timeout.interceptor';
import { AuthService } from './auth.service';
import type { SignedInRequest } from './current-session';

const LOOPBACK_PEER = /^(?:::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$|^::1$/;
const LOOPBACK_HOST = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(?::\d{1,5})?$/i;
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];

const isForwarded = ({ headers }: Request): boolean => FORWARDED.some((name) => headers[name] !== undefined);

/**
 * Whether the request was made on this machine, by socket peer, Host and Origin. Host and Origin protect against DNS rebinding. A local
 * proxy is a loopback peer that may set a loopback Host, so any forwarded request counts as remote.
 */
function isLoopbackRequest(request: Request): boolean {
  const { socket, headers } = request;
  if (isForwarded(request)) return false;
  if (!LOOPBACK_PEER.test(socket.remoteAddress ?? '') || !LOOPBACK_HOST.test(headers.host ?? '')) return false;
  return headers.origin === undefined || LOOPBACK_HOST.test(headers.origin.replace(/^https?:\/\//iu, ''));
}

/** The token of an `Authorization: Bearer` header, `null` without one. */
function bearerOf(request: Request): string | null {
  const match = /^Bearer ([A-Za-z0-9._~+/=-]{1,4096})$/i.exec(request.headers.authorization ?? '');
  return match?.[1] ?? null;
}

const sessionTimeout = (): Error => new ServiceUnavailableException('The session could not be read in time; please try again.');

/** Requires an administrator unless the route declares another access. */
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
    if (access === 'loopback' && !isLoopbackRequest(request))
      throw new ForbiddenException('Browser logs are accepted from this machine only.');
    const token = bearerOf(request);
    // MediaController checks the signed query
    if (token === null && access === 'media') return true;
    const session =
      token === null ? null : await withTimeout(request, this.settings.responseTimeoutMs, this.auth.sessionOf(token), sessionTimeout);
    // an exchange token is only valid for the exchange
    const isMisusedExchange = session?.use === 'exchange' && routeOf(this.reflector, context) !== api.auth.me;
    if (session === null || isMisusedExchange) {
      // the guards after this one do not run: count guessed tokens here
      await this.throttle.canActivate(context);
      throw new UnauthorizedException('Please sign in.');
    }
    request.session = session;
    return true;
  }
}
