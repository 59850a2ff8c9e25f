import { isDeepStrictEqual } from 'node:util';
import { api, idParamsSchema, type Route } from '@autoposter/contracts';
import { SETTING, cutText } from '@autoposter/domain';
import type { Logger } from '@autoposter/observability';
import { type UnitOfWork, audited, Database, type AuditContext } from '@autoposter/persistence';
import { Inject, Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { from, type Observable } from 'rxjs';
import { LOGGER } from '../bootstrap/systems';
import { answerOf, changeOf, type Change } from '../http/api-route';
import { requestIdOf } from '../http/middleware';
import { StoredSettings } from '../settings/stored-settings';

type Snapshot = Record<string, unknown>;

/** Where a snapshot is read. */
interface SnapshotSource {
  read: UnitOfWork;
  stored: StoredSettings;
}

type Look = (sight: SnapshotSource, id: string) => Promise<object | null>;

const item: Look = async ({ read }, id) => {
  const found = await read.items.find(id);
  if (found === null) return null;
  const { state, autoProcessStage, retryCount, needsReview, reviewReasons, failedStage } = found;
  const caption = (await read.captions.ofItems([id])).get(id);
  return {
    ...{ state, autoProcessStage, retryCount, needsReview, reviewReasons, failedStage },
    caption: caption?.caption ?? null,
    hashtags: caption?.hashtags ?? null,
  };
};
const place: Look = async ({ read }, id) => {
  const found = await read.queue.find(id);
  if (found === null) return null;
  const { status, priority, caption, pinned, scheduledFor, outcome, failure } = found;
  return { status, priority, caption, pinned, scheduledFor, outcome, failure };
};
const subreddit: Look = async ({ read }, id) => {
  const found = await read.subreddits.find(id);
  if (found === null) return null;
  const { name, isActive, intervalMinutes, postsToFetch, timePeriod, autoProcessStage, filters, nextRunAt } = found;
  return { name, isActive, intervalMinutes, postsToFetch, timePeriod, autoProcessStage, filters, nextRunAt };
};

const UNDER_ID: readonly (readonly [RegExp, Look])[] = [
  [/^\/api\/(?:dmca|ai|downloads|reddit|instagram|content)\//u, item],
  // what goes into the queue is named by its post, what is there by its place
  [/^\/api\/instagram-queue\/:id$/u, async (sight, id) => (await place(sight, id)) ?? item(sight, id)],
  [/^\/api\/instagram-queue\//u, place],
  [/^\/api\/subreddits\//u, subreddit],
];
const WITHOUT_ID: readonly (readonly [RegExp, Look])[] = [
  [/^\/api\/instagram-queue\//u, ({ stored }) => stored.queue()],
  [/^\/api\/publishing\//u, ({ stored }) => stored.publishing()],
  [/^\/api\/scheduler\//u, async ({ stored }) => ({ running: await stored.isRunning(SETTING.taskScheduler) })],
  [/^\/api\/subreddits\/scheduler\//u, async ({ stored }) => ({ running: await stored.isRunning(SETTING.subredditScheduler) })],
];

/**
 * How what a call is about looks now, by the path as the table of routes has it; `null` where there is nothing, or nothing that could be
 * compared.
 */
async function snapshotSubject(sight: SnapshotSource, path: string, id: string | null): Promise<Snapshot | null> {
  const look = (id === null ? WITHOUT_ID : UNDER_ID).find(([pattern]) => pattern.test(path))?.[1];
  const seen = (await look?.(sight, id ?? '')) ?? null;
  return seen === null ? null : (JSON.parse(JSON.stringify(seen)) as Snapshot);
}

/** The fields in which two snapshots differ. */
function differenceOf(before: Snapshot | null, after: Snapshot | null): { before: Snapshot | null; after: Snapshot | null } {
  if (before === null || after === null) return { before, after };
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = names.filter((name) => !isDeepStrictEqual(before[name], after[name]));
  const pick = (from: Snapshot) => Object.fromEntries(changed.map((name) => [name, from[name] ?? null]));
  return { before: pick(before), after: pick(after) };
}

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
export class AuditLogInterceptor implements NestInterceptor {
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
    return snapshotSubject({ read: this.database.read, stored: this.stored }, route.path, id);
  }
}

function dataOf(answer: unknown): Snapshot | null {
  const { data } = (answer ?? {}) as { data?: unknown };
  return typeof data === 'object' && data !== null && !Array.isArray(data) ? (data as Snapshot) : null;
}

function shortened<T>(value: T): T {
  return JSON.parse(JSON.stringify(value, (_name, part: unknown) => (typeof part === 'string' ? cutText(part, LONGEST_TEXT) : part))) as T;
}
