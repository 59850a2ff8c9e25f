import { createHash } from 'node:crypto';
import {
  BadRequestException,
  ConflictException,
  Inject,
  Injectable,
  UnprocessableEntityException,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { api, IDEMPOTENCY_KEY, IDEMPOTENCY_SECONDS, isIdempotencyKey, type Route } from '@autoposter/contracts';
import type { Logger } from '@autoposter/observability';
import { Database, type IdempotencyClaim } from '@autoposter/persistence';
import type { Response } from 'express';
import { from, type Observable } from 'rxjs';
import { LOGGER } from '../bootstrap/systems';
import { answerOf, changeOf } from './api-route';
import { acceptsIdempotencyKey } from './api-route';

/** Two clicks of one person on one button; what is meant twice is asked for later than that, or under two names. */
const DOUBLE_CLICK_SECONDS = 10;
/** Nothing else tells two things made by these from one that was asked for twice: other creations have a name, an address or a state. */
const UNNAMED: ReadonlySet<Route> = new Set<Route>([api.rights.create]);

/**
 * A POST that its caller named with `Idempotency-Key` is done once in 24 hours: repeated, it gets the stored answer. A call that failed
 * changed nothing and gives its name back.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly database: Database,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const change = changeOf(this.reflector, context);
    if (change === null || !acceptsIdempotencyKey(change.route)) return next.handle();
    const { route, request, actor } = change;
    const given = request.headers[IDEMPOTENCY_KEY.toLowerCase()];
    if (given === undefined && !UNNAMED.has(route)) return next.handle();
    if (given !== undefined && !isIdempotencyKey(given)) {
      throw new BadRequestException(`${IDEMPOTENCY_KEY} must be 1 to 255 letters, digits or signs without spaces.`);
    }
    const fingerprint = createHash('sha256')
      .update(`${request.path}\n${stable(request.body)}`)
      .digest('hex');
    const key = given === undefined ? `click:${fingerprint}` : `key:${given}`;
    const keepSeconds = given === undefined ? DOUBLE_CLICK_SECONDS : IDEMPOTENCY_SECONDS;
    const response = context.switchToHttp().getResponse<Response>();
    // The name has to be settled when nobody waits any more, too.
    return from(this.once({ actor, key, fingerprint }, keepSeconds, response, next));
  }

  private async once(call: IdempotencyClaim, keepSeconds: number, response: Response, next: CallHandler): Promise<unknown> {
    const { idempotentCalls } = this.database.read;
    const other = await idempotentCalls.begin(call, keepSeconds);
    if (other !== null) {
      if (other.fingerprint !== call.fingerprint) {
        throw new UnprocessableEntityException(`This ${IDEMPOTENCY_KEY} was used for another request; take a new one.`);
      }
      if (other.state === 'running') throw new ConflictException('The same request is being worked on at this moment.');
      response.setHeader('Idempotent-Replayed', 'true');
      return other.answer;
    }
    let answer: unknown;
    try {
      answer = await answerOf(next);
    } catch (error) {
      await idempotentCalls
        .release(call)
        .catch((cause: unknown) => this.logger.warn({ err: cause }, 'the name of a call was not given back'));
      throw error;
    }
    await idempotentCalls.finish(call, answer).catch((cause: unknown) => this.logger.warn({ err: cause }, 'an answer was not kept'));
    return answer;
  }
}

/** The same value gives the same text, in whatever order its fields came. */
function stable(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) => {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
  }) as string;
}
