import { cutText } from '@autoposter/domain';
import { Inject, Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { api, idParamsSchema, type Route } from '@autoposter/contracts';
import type { Logger } from '@autoposter/observability';
import { audited, Database, type AuditContext } from '@autoposter/persistence';
import { from, type Observable } from 'rxjs';
import { answerOf, changeOf, type Change } from '../http/change';
import { requestIdOf } from '../http/request-id';
import { StoredSettings } from '../stored-settings/stored-settings';
import { LOGGER } from '../wiring/systems';
import { differenceOf, lookAtSubject, type Snapshot } from './look-at-subject';

const LONGEST_TEXT = 3000;

const NAMES = new Map<Route, string>(
  Object.entries(api).flatMap(([resource, table]) =>
    Object.entries(table as Record<string, Route>).map(([call, route]) => [route, `${resource}.${call}`] as const),
  ),
);

/**
 * The one place that sees every change of a person: looks at what the call is about before and after it, and makes sure that one entry
 * stands in the audit log. A change that writes its own entry does so in its own transaction; the entry is completed here.
 */
@Injectable()
export class AuditInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly database: Database,
    private readonly stored: StoredSettings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const change = changeOf(this.reflector, context);
    return change === null ? next.handle() : from(this.watch(change, next));
  }

  private async watch({ route, request, actor }: Change, next: CallHandler): Promise<unknown> {
    const { id = null } = idParamsSchema.safeParse(request.params).data ?? {};
    const before = await this.look(route, id);
    const context: AuditContext = { requestId: requestIdOf(request), before, entryId: null };
    const answer = await audited(context, () => answerOf(next));
    await this.write(route, { actor, id, context, answer }).catch((error: unknown) =>
      this.logger.error({ err: error, requestId: context.requestId }, 'the audit log misses what a change did'),
    );
    return answer;
  }

  private async write(route: Route, seen: { actor: string; id: string | null; context: AuditContext; answer: unknown }): Promise<void> {
    const { actor, id, context, answer } = seen;
    const made = dataOf(answer);
    const after = (await this.look(route, id)) ?? (context.before === null ? made : null);
    const difference = differenceOf(context.before, after);
    const unchanged = context.before !== null && after !== null && Object.keys(difference.after ?? {}).length === 0;
    if (context.entryId === null && unchanged) return;
    const subject = id ?? [made?.['_id'], made?.['id']].find((one) => typeof one === 'string') ?? null;
    const action = NAMES.get(route) ?? `${route.method} ${route.path}`;
    const entryId = context.entryId ?? (await this.database.read.audit.record({ actor, action, subject: subject as string | null }));
    const { requestId } = context;
    await this.database.read.audit.complete(entryId, { ...shortened(difference), requestId });
  }

  private look(route: Route, id: string | null): Promise<Snapshot | null> {
    return lookAtSubject({ read: this.database.read, stored: this.stored }, route.path, id);
  }
}

function dataOf(answer: unknown): Snapshot | null {
  const { data } = (answer ?? {}) as { data?: unknown };
  return typeof data === 'object' && data !== null && !Array.isArray(data) ? (data as Snapshot) : null;
}

function shortened<T>(value: T): T {
  return JSON.parse(JSON.stringify(value, (_name, part: unknown) => (typeof part === 'string' ? cutText(part, LONGEST_TEXT) : part))) as T;
}
