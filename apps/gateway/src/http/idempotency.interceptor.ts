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
import { api, IDEMPOTENCY_KEY, IDEMPOTENCY_SECONDS, isIdempotencyKey, type ErrorCode, type Route } from '@autoposter/contracts';
import type { Logger } from '@autoposter/observability';
import { Database, type IdempotencyClaim } from '@autoposter/persistence';
import type { Response } from 'express';
import { from, type Observable } from 'rxjs';
import { LOGGER } from '../bootstrap/systems';
import { MediaLinks } from '../media/media-links';
import { resultOf, changeOf, acceptsIdempotencyKey } from './api-route';

/** Identical calls of one administrator within this time are a double click. */
const DOUBLE_CLICK_SECONDS = 10;
/** Creations without a natural key, for which a repeated call cannot be detected otherwise. */
const WITHOUT_NATURAL_KEY: ReadonlySet<Route> = new Set<Route>([api.rights.create]);

/**
 * Executes a POST with an `Idempotency-Key` once in 24 hours; a repeated call gets the stored response, with media URLs of its own session.
 * A failed call releases its key, because it changed nothing.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly database: Database,
    private readonly links: MediaLinks,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const change = changeOf(this.reflector, context);
    if (change === null || !acceptsIdempotencyKey(change.route)) return next.handle();
    const { route, request, actor } = change;
    const given = request.headers[IDEMPOTENCY_KEY.toLowerCase()];
    if (given === undefined && !WITHOUT_NATURAL_KEY.has(route)) return next.handle();
    if (given !== undefined && !isIdempotencyKey(given)) {
      throw new BadRequestException(`${IDEMPOTENCY_KEY} must be 1 to 255 printable ASCII characters without spaces.`);
    }
    const fingerprint = createHash('sha256')
      .update(`${request.path}\n${canonicalJson(request.body)}`)
      .digest('hex');
    const key = given === undefined ? `click:${fingerprint}` : `key:${given}`;
    const keepSeconds = given === undefined ? DOUBLE_CLICK_SECONDS : IDEMPOTENCY_SECONDS;
    const response = context.switchToHttp().getResponse<Response>();
    // a promise, so that the key is settled even if the client disconnects
    return from(this.once({ actor, key, fingerprint }, keepSeconds, response, next));
  }

  private async once(call: IdempotencyClaim, keepSeconds: number, response: Response, next: CallHandler): Promise<unknown> {
    const { idempotentCalls } = this.database.read;
    const other = await idempotentCalls.begin(call, keepSeconds);
    if (other !== null) {
      if (other.fingerprint !== call.fingerprint) {
        throw new UnprocessableEntityException(`This ${IDEMPOTENCY_KEY} was used for another request; use a new key.`);
      }
      if (other.state === 'running')
        throw new ConflictException({ message: 'The same request is still running.', code: 'request_running' satisfies ErrorCode });
      response.setHeader('Idempotent-Replayed', 'true');
      return this.links.reissued(other.answer);
    }
    let answer: unknown;
    try {
      answer = await resultOf(next);
    } catch (error) {
      await idempotentCalls
        .release(call)
        .catch((cause: unknown) => this.logger.warn({ err: cause }, 'an idempotency key was not released'));
      throw error;
    }
    await idempotentCalls
      .finish(call, answer)
      .catch((cause: unknown) => this.logger.warn({ err: cause }, 'an idempotent response was not stored'));
    return answer;
  }
}

/** JSON with sorted keys. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) => {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
  }) as string;
}
