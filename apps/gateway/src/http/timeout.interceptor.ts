import { LIMITS, api } from '@autoposter/contracts';
import {
  Inject,
  Injectable,
  ServiceUnavailableException,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, NextFunction, Response } from 'express';
import { catchError, throwError, timeout, TimeoutError, type Observable } from 'rxjs';
import { SETTINGS, type GatewaySettings } from '../bootstrap/settings';
import { routeOf } from './api-route';

/**
 * Answers a call that takes too long: whoever asked gave up waiting by then. The work itself is not cut off, and what comes of it is told
 * by the events. Redirects, media and streams have no answer that could be late.
 */
@Injectable()
export class TimeoutInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const route = routeOf(this.reflector, context);
    if (route?.response === undefined) return next.handle();
    const patience = route === api.reddit.clearAll ? LIMITS.http.clearAllTimeoutMs : this.settings.answerWithinMs;
    return next.handle().pipe(
      timeout(remainingMs(context.switchToHttp().getRequest<Request>(), patience)),
      catchError((error: unknown) => throwError(() => (error instanceof TimeoutError ? tooLong(patience) : error))),
    );
  }
}

const tooLong = (patienceMs: number): Error =>
  new ServiceUnavailableException(`This takes longer than ${patienceMs / 1000} seconds; it goes on, so look again in a moment.`);

/** The answer has to arrive while somebody still waits for it. */
const EARLY_MS = 500;
const arrivals = new WeakMap<Request, number>();

export function recordArrival(request: Request, _response: Response, next: NextFunction): void {
  arrivals.set(request, performance.now());
  next();
}

/** Gives a request more time to be answered: what took this long was not our work. */
export function excludeFromTimeout(request: Request, milliseconds: number): void {
  const arrivedAt = arrivals.get(request);
  if (arrivedAt !== undefined) arrivals.set(request, arrivedAt + milliseconds);
}

/** Milliseconds until a request that came in just now or earlier has to be answered, at least 1. */
function remainingMs(request: Request, patienceMs: number): number {
  const now = performance.now();
  return Math.max(1, patienceMs - EARLY_MS - (now - (arrivals.get(request) ?? now)));
}

/** What the work leads to, or `late` where that takes longer than the caller waits. */
export async function withTimeout<T>(request: Request, patienceMs: number, work: Promise<T>, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), remainingMs(request, patienceMs));
  });
  return Promise.race([work, over]).finally(() => clearTimeout(timer));
}
