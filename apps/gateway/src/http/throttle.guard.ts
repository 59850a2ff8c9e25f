import { Inject, Injectable, type ExecutionContext } from '@nestjs/common';
import { ThrottlerGuard, type ThrottlerModuleOptions } from '@nestjs/throttler';
import type { Request } from 'express';
import type { SignedInRequest } from '../auth/current-session';
import { SETTINGS, type GatewaySettings } from '../bootstrap/settings';

/**
 * Far above what the console asks for: its polls make some fifty requests a minute, a grid of videos a few hundred ranges. What is limited
 * is a loop that went wrong and a stranger who guesses. Under another name the headers that tell what is left would carry it.
 */
export const THROTTLING: ThrottlerModuleOptions = [{ name: 'default', ttl: 60_000, limit: 3_000 }];

const FREE = /^\/(?:healthz|media\/|api\/(?:health|events|media\/))/;

@Injectable()
export class ThrottleGuard extends ThrottlerGuard {
  @Inject(SETTINGS) private readonly settings!: GatewaySettings;

  protected override shouldSkip(context: ExecutionContext): Promise<boolean> {
    return Promise.resolve(!this.settings.rateLimits || FREE.test(context.switchToHttp().getRequest<Request>().path));
  }

  /** Counted per session where there is one: administrators behind one address do not get into each other's way. */
  protected override getTracker(request: SignedInRequest): Promise<string> {
    return Promise.resolve(request.session?.sessionId ?? request.ip ?? 'unknown');
  }
}
