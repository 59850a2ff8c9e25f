import { LIMITS, api, type ErrorCode } from '@autoposter/contracts';
import {
  Inject,
  Injectable,
  ServiceUnavailableException,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { withinTime } from '@autoposter/resilience';
import type { Request, NextFunction, Response } from 'express';
import { catchError, throwError, timeout, TimeoutError, type Observable } from 'rxjs';
import { SETTINGS, type GatewaySettings } from '../bootstrap/settings';
import { routeOf } from './api-route';

/**
 * Responds with 503 before the client's own timeout. The handler keeps running, and live events report its result. Routes without a JSON
 * response (redirects, media, streams) and uploads have no timeout.
 */
@Injectable()
export class TimeoutInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const route = routeOf(this.reflector, context);
    if (route?.response === undefined || route.uploadBytes !== undefined) return next.handle();
    const timeoutMs = route === api.reddit.clearAll ? LIMITS.http.clearAllTimeoutMs : this.settings.responseTimeoutMs;
    return next.handle().pipe(
      timeout(remainingMs(context.switchToHttp().getRequest<Request>(), timeoutMs)),
      catchError((error: unknown) => throwError(() => (error instanceof TimeoutError ? timeoutError(timeoutMs) : error))),
    );
  }
}

const timeoutError = (timeoutMs: number): Error =>
  new ServiceUnavailableException({
    message: `This takes longer than ${timeoutMs / 1000} seconds and continues; reload in a moment.`,
    code: 'continues' satisfies ErrorCode,
  });

/** The response must arrive before the client gives up. */
const MARGIN_MS = 500;
const arrivals = new WeakMap<Request, number>();

export function recordArrival(request: Request, _response: Response, next: NextFunction): void {
  arrivals.set(request, performance.now());
  next();
}

/** Extends the timeout by time that was not spent in the gateway. */
export function excludeFromTimeout(request: Request, milliseconds: number): void {
  const arrivedAt = arrivals.get(request);
  if (arrivedAt !== undefined) arrivals.set(request, arrivedAt + milliseconds);
}

/** Milliseconds until the response is due, at least 1. */
function remainingMs(request: Request, timeoutMs: number): number {
  const now = performance.now();
  return Math.max(1, timeoutMs - MARGIN_MS - (now - (arrivals.get(request) ?? now)));
}

/** The result of `work`, or a rejection with `late` if it misses the timeout. */
export const withTimeout = <T>(request: Request, timeoutMs: number, work: Promise<T>, late: () => Error): Promise<T> =>
  withinTime(work, remainingMs(request, timeoutMs), late);
