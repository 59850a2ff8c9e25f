import { isDeepStrictEqual } from 'node:util';
import { api, ENVIRONMENT_ACCOUNT_ID, idParamsSchema, queueAccountQuerySchema, type Route } from '@autoposter/contracts';
import { cutText, renderReviewReason, SETTING } from '@autoposter/domain';
import type { Logger } from '@autoposter/observability';
import { type UnitOfWork, audited, Database, type AuditContext } from '@autoposter/persistence';
import { Inject, Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { from, type Observable } from 'rxjs';
import { LOGGER } from '../bootstrap/systems';
import { resultOf, changeOf, type Change } from '../http/api-route';
import { requestIdOf } from '../http/middleware';
import { StoredSettings } from '../settings/stored-settings';

type Snapshot = Record<string, unknown>;

interface Subject {
  id: string | null;
  accountId: string;
}

interface SnapshotSource {
  read: UnitOfWork;
  stored: StoredSettings;
}

/** `id`: of the subject; on routes without one, of the account. */
type ReadSnapshot = (source: SnapshotSource, id: string) => Promise<object | null>;

const item: ReadSnapshot = async ({ read }, id) => {
  const found = await read.items.find(id);
  if (found === null) return null;
  const { state, autoProcessStage, retryCount, needsReview, reviewReasons, failedStage } = found;
  const caption = (await read.captions.ofItems([id])).get(id);
  return {
    ...{ state, autoProcessStage, retryCount, needsReview, failedStage },
    reviewReasons: reviewReasons.map(renderReviewReason),
    caption: caption?.caption ?? null,
    hashtags: caption?.hashtags ?? null,
  };
};
const queueItem: ReadSnapshot = async ({ read }, id) => {
  const found = await read.queue.find(id);
  if (found === null) return null;
  const { status, priority, caption, pinned, scheduledFor, outcome, failure } = found;
  return { status, priority, caption, pinned, scheduledFor, outcome, failure };
};
const subreddit: ReadSnapshot = async ({ read }, id) => {
  const found = await read.subreddits.find(id);
  if (found === null) return null;
  const { name, isActive, intervalMinutes, postsToFetch, timePeriod, autoProcessStage, mediaLayout, needsPermission, filters, nextRunAt } =
    found;
  return { name, isActive, intervalMinutes, postsToFetch, timePeriod, autoProcessStage, mediaLayout, needsPermission, filters, nextRunAt };
};

const WITH_ID: readonly (readonly [RegExp, ReadSnapshot])[] = [
  [/^\/api\/(?:dmca|ai|downloads|reddit|instagram|content)\//u, item],
  // POST names the item to enqueue, all other methods the queue item
  [/^\/api\/instagram-queue\/:id$/u, async (source, id) => (await queueItem(source, id)) ?? item(source, id)],
  [/^\/api\/instagram-queue\//u, queueItem],
  [/^\/api\/subreddits\//u, subreddit],
];
const WITHOUT_ID: readonly (readonly [RegExp, ReadSnapshot])[] = [
  [/^\/api\/instagram-queue\//u, ({ stored, read }, accountId) => stored.queue(read, accountId)],
  [/^\/api\/publishing\//u, ({ stored }) => stored.publishing()],
  [/^\/api\/scheduler\//u, async ({ stored }) => ({ running: await stored.isRunning(SETTING.taskScheduler) })],
  [/^\/api\/subreddits\/scheduler\//u, async ({ stored }) => ({ running: await stored.isRunning(SETTING.subredditScheduler) })],
];

/** The current fields of the subject of a route; `null` if it does not exist or the route has no comparable subject. */
async function snapshotSubject(source: SnapshotSource, path: string, { id, accountId }: Subject): Promise<Snapshot | null> {
  const readSnapshot = (id === null ? WITHOUT_ID : WITH_ID).find(([pattern]) => pattern.test(path))?.[1];
  const snapshot = (await readSnapshot?.(source, id ?? accountId)) ?? null;
  return snapshot === null ? null : (JSON.parse(JSON.stringify(snapshot)) as Snapshot);
}

function differenceOf(before: Snapshot | null, after: Snapshot | null): { before: Snapshot | null; after: Snapshot | null } {
  if (before === null || after === null) return { before, after };
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = names.filter((name) => !isDeepStrictEqual(before[name], after[name]));
  const pick = (from: Snapshot) => Object.fromEntries(changed.map((name) => [name, from[name] ?? null]));
  return { before: pick(before), after: pick(after) };
}

/** Longer texts are cut, in characters. */
const MAX_TEXT = 3000;

/** `resource.call` of each route. */
const ACTIONS = new Map<Route, string>(
  Object.entries(api).flatMap(([resource, table]) =>
    Object.entries(table as Record<string, Route>).map(([call, route]) => [route, `${resource}.${call}`] as const),
  ),
);

/**
 * Writes one audit entry for each change by an administrator, with its subject before and after the call. A service that records its own
 * entry does so in its transaction; that entry is completed here.
 */
@Injectable()
export class AuditLogInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly database: Database,
    private readonly stored: StoredSettings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const change = changeOf(this.reflector, context);
    return change === null ? next.handle() : from(this.record(change, next));
  }

  private async record({ route, request, actor }: Change, next: CallHandler): Promise<unknown> {
    const { id = null } = idParamsSchema.safeParse(request.params).data ?? {};
    const { accountId = ENVIRONMENT_ACCOUNT_ID } = queueAccountQuerySchema.safeParse(request.query).data ?? {};
    const before = await this.snapshot(route, { id, accountId });
    const context: AuditContext = { requestId: requestIdOf(request), before, entryId: null };
    const answer = await audited(context, () => resultOf(next));
    await this.write(route, { actor, id, accountId, context, answer }).catch((error: unknown) =>
      this.logger.error({ err: error, requestId: context.requestId }, 'a change is missing in the audit log'),
    );
    return answer;
  }

  private async write(route: Route, call: Subject & { actor: string; context: AuditContext; answer: unknown }): Promise<void> {
    const { actor, id, context, answer } = call;
    const created = dataOf(answer);
    const after = (await this.snapshot(route, call)) ?? (context.before === null ? created : null);
    const difference = differenceOf(context.before, after);
    const unchanged = context.before !== null && after !== null && Object.keys(difference.after ?? {}).length === 0;
    if (context.entryId === null && unchanged) return;
    const subject = id ?? [created?.['_id'], created?.['id']].find((one) => typeof one === 'string') ?? null;
    const action = ACTIONS.get(route) ?? `${route.method} ${route.path}`;
    const entryId = context.entryId ?? (await this.database.read.audit.record({ actor, action, subject: subject as string | null }));
    const { requestId } = context;
    await this.database.read.audit.complete(entryId, { ...shortened(difference), requestId });
  }

  private snapshot(route: Route, subject: Subject): Promise<Snapshot | null> {
    return snapshotSubject({ read: this.database.read, stored: this.stored }, route.path, subject);
  }
}

function dataOf(answer: unknown): Snapshot | null {
  const { data } = (answer ?? {}) as { data?: unknown };
  return typeof data === 'object' && data !== null && !Array.isArray(data) ? (data as Snapshot) : null;
}

function shortened<T>(value: T): T {
  return JSON.parse(JSON.stringify(value, (_name, part: unknown) => (typeof part === 'string' ? cutText(part, MAX_TEXT) : part))) as T;
}
