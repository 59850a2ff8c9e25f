import { Inject, Injectable, type ExecutionContext } from '@nestjs/common';
import { ThrottlerGuard, type ThrottlerModuleOptions } from '@nestjs/throttler';
import type { Request } from 'express';
import type { SignedInRequest } from '../auth/current-session';
import { SETTINGS, type GatewaySettings } from '../bootstrap/settings';
import { DEFAULT_MESSAGES } from './error.filter';

/**
 * Far above the console's own traffic: polling makes about fifty requests a minute, a grid of videos a few hundred ranges. Limits runaway
 * loops and token guessing in this process; with two gateways a session may call twice as often. Any name but `default` would become a suffix of
 * the X-RateLimit headers.
 */
export const THROTTLING: ThrottlerModuleOptions = {
  throttlers: [{ name: 'default', ttl: 60_000, limit: 3_000 }],
  errorMessage: DEFAULT_MESSAGES[429]!,
};

const UNLIMITED = /^\/(?:healthz|media\/|api\/(?:health|events|media\/))/;

@Injectable()
export class ThrottleGuard extends ThrottlerGuard {
  @Inject(SETTINGS) private readonly settings!: GatewaySettings;

  protected override shouldSkip(context: ExecutionContext): Promise<boolean> {
    return Promise.resolve(!this.settings.rateLimits || UNLIMITED.test(context.switchToHttp().getRequest<Request>().path));
  }

  /** Per session, so that administrators behind one IP address do not share a limit. */
  protected override getTracker(request: SignedInRequest): Promise<string> {
    return Promise.resolve(request.session?.sessionId ?? request.ip ?? 'unknown');
  }
}
