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
/** What a proxy says about whom it speaks for. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];

/** Whether a proxy stands between us and who asks, as far as it says so; those in front of clusters do. */
const isForwarded = ({ headers }: Request): boolean => FORWARDED.some((name) => headers[name] !== undefined);

/**
 * Whether the request was made on this machine: the socket's own peer, the Host that the browser named and the page that it came from.
 * The host keeps out pages of other sites whose name was made to point here. A proxy on this machine is a peer of this machine and may
 * name its own target as the host, whoever stands behind it: what it forwards is from elsewhere, and so is a page of another address.
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
    const session = token === null ? null : await withTimeout(request, this.settings.answerWithinMs, this.auth.sessionOf(token), tooLate);
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
