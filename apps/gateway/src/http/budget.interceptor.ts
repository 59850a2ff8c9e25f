import {
  Inject,
  Injectable,
  ServiceUnavailableException,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { LIMITS, api } from '@autoposter/contracts';
import type { Request } from 'express';
import { catchError, throwError, timeout, TimeoutError, type Observable } from 'rxjs';
import { SETTINGS, type GatewaySettings } from '../wiring/settings';
import { routeOf } from './serves';
import { timeLeft } from './time-left';

/**
 * Answers a call that takes too long: whoever asked gave up waiting by then. The work itself is not cut off, and what comes of it is told
 * by the events. Redirects, media and streams have no answer that could be late.
 */
@Injectable()
export class BudgetInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const route = routeOf(this.reflector, context);
    if (route?.response === undefined) return next.handle();
    const patience = route === api.reddit.clearAll ? LIMITS.http.clearAllTimeoutMs : this.settings.answerWithinMs;
    return next.handle().pipe(
      timeout(timeLeft(context.switchToHttp().getRequest<Request>(), patience)),
      catchError((error: unknown) => throwError(() => (error instanceof TimeoutError ? tooLong(patience) : error))),
    );
  }
}

const tooLong = (patienceMs: number): Error =>
  new ServiceUnavailableException(`This takes longer than ${patienceMs / 1000} seconds; it goes on, so look again in a moment.`);
