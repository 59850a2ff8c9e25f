import { ENVIRONMENT_ACCOUNT_ID } from '@autoposter/contracts';
import type { Database, ContentItem, PublishAttempt, QueueItem, StageJob, UnitOfWork } from '@autoposter/persistence';
import { itemFields } from './builders';

/** The database clock of every fake. */
export const NOW = new Date('2026-05-05T10:00:00.000Z');
export const minutesFromNow = (minutes: number): Date => new Date(NOW.getTime() + minutes * 60_000);

/** Results of repository methods: values, or functions of the arguments. */
type Stubs = Record<string, unknown>;

/** Writes succeed and lookups find nothing, unless a spec says otherwise. */
const DEFAULTS: Stubs = {
  'accounts.connected': [],
  'accounts.defaultId': ENVIRONMENT_ACCOUNT_ID,
  'cases.alertsBetween': { opened: 0, overdue: 0 },
  'notices.findOpen': [],
  'permissions.endingBetween': 0,
  'notices.ofClaim': null,
  'items.transition': true,
  'items.transitionStatement': {},
  'items.insertionStatement': (item: ContentItem) => ({ id: item.id, insert: [] }),
  'items.find': null,
  'items.findForUpdate': null,
  'items.findBySource': null,
  'queue.find': null,
  'queue.findForUpdate': null,
  'queue.findOpenOf': null,
  'queue.transition': true,
  'queue.patchWaiting': true,
  'queue.listWaiting': [],
  'queue.listPosting': [],
  'queue.assignSlots': (changes: readonly object[]) => changes.length,
  'queue.countMissed': 0,
  'queue.lastPostAt': null,
  'queue.create': (values: object) => queueItem(values),
  'attempts.findOpenOf': null,
  'attempts.ofItems': new Map(),
  'attempts.open': (values: object) => publishAttempt(values),
  'attempts.transition': true,
  'postChecks.ofItem': [],
  'postChecks.problemsBetween': { comments: 0, matches: 0 },
  'captions.of': null,
  'captions.ofItems': new Map(),
  'history.ofItem': [],
  'jobs.find': null,
  'jobs.findOpen': null,
  'jobs.cancelIdle': false,
  'jobs.create': (values: object) => stageJob(values),
  'jobs.createWith': (_move: object, values: object) => stageJob(values),
  'media.ofItem': [],
  'permissions.stateOf': { refusal: null, credit: null, collaborator: null, granted: null },
  'media.ofItems': new Map(),
  'claims.onTargets': [],
  'claims.allowEntries': [],
  'claims.itemsNamed': [],
  'claims.targetsOf': new Map(),
  'rights.printsOf': [],
  'rights.findMatches': [],
  'runs.latestOf': new Map(),
  'settings.get': null,
  'workerReports.find': null,
};

/**
 * The repositories as stubs named `<repository>.<method>`. Every call is recorded; calls of a unit of work that rejects are dropped,
 * because a transaction that rolls back writes nothing.
 */
export class FakeDatabase {
  private calls: { method: string; args: unknown[] }[] = [];
  readonly read = this.unit();

  constructor(private readonly stubs: Stubs = {}) {}

  get database(): Database {
    return this as unknown as Database;
  }

  get uow(): UnitOfWork {
    return this.read;
  }

  async unitOfWork<T>(work: (uow: UnitOfWork) => Promise<T>): Promise<T> {
    const before = [...this.calls];
    try {
      return await work(this.read);
    } catch (error) {
      this.calls = before;
      throw error;
    }
  }

  /** The arguments of each call of a method, in order. */
  argsOf(method: string): unknown[][] {
    return this.calls.filter((call) => call.method === method).map(({ args }) => args);
  }

  /** The first argument of each recorded history event or audit entry. */
  get events(): { type: string; state?: string }[] {
    return this.argsOf('history.append').map(([event]) => event as { type: string; state?: string });
  }

  get auditActions(): string[] {
    return this.argsOf('audit.record').map(([entry]) => (entry as { action: string }).action);
  }

  private unit(): UnitOfWork {
    const repository = (name: string) =>
      new Proxy(
        {},
        {
          get:
            (_, method) =>
            (...args: unknown[]) =>
              this.call(`${name}.${String(method)}`, args),
        },
      );
    const own: Stubs = { now: () => Promise.resolve(NOW), allowMinutes: () => Promise.resolve() };
    return new Proxy(
      {},
      { get: (_, name) => (name === 'then' ? undefined : (own[String(name)] ?? repository(String(name)))) },
    ) as UnitOfWork;
  }

  private call(method: string, args: unknown[]): unknown {
    this.calls.push({ method, args });
    const stub = method in this.stubs ? this.stubs[method] : DEFAULTS[method];
    const answer: unknown = typeof stub === 'function' ? (stub as (...given: unknown[]) => unknown)(...args) : stub;
    return method.endsWith('Statement') ? answer : Promise.resolve(answer);
  }
}

export const contentItem = (values: Partial<ContentItem> = {}): ContentItem =>
  ({
    ...itemFields({ sourceId: 'abc123' }),
    id: 'item-1',
    sourceKey: null,
    nsfw: false,
    sourcePost: null,
    topComments: [],
    state: 'ready',
    failedStage: null,
    needsReview: false,
    reviewReasons: [],
    version: 1,
    retryCount: 0,
    maxRetries: 3,
    processingErrors: [],
    failureSeenAt: null,
    subredditId: null,
    collectRunId: null,
    sourceRemovedAt: null,
    createdAt: NOW,
    updatedAt: NOW,
    ...values,
  }) as ContentItem;

export const queueItem = (values: Partial<QueueItem> = {}): QueueItem => ({
  id: 'queue-1',
  itemId: 'item-1',
  accountId: ENVIRONMENT_ACCOUNT_ID,
  status: 'pending',
  priority: 5,
  caption: 'Queued caption',
  options: {},
  immediate: false,
  pinned: false,
  scheduledFor: null,
  queuedAt: NOW,
  finishedAt: null,
  outcome: null,
  failure: null,
  version: 1,
  queuedBy: 'admin@example.com',
  traceparent: null,
  ...values,
});

export const publishAttempt = (values: Partial<PublishAttempt> = {}): PublishAttempt =>
  ({
    id: 'attempt-1',
    itemId: 'item-1',
    queueItemId: 'queue-1',
    accountId: 'account-1',
    state: 'open',
    kind: 'reel',
    caption: 'Queued caption',
    options: {},
    containerId: null,
    intentAt: null,
    calledAt: null,
    calls: 0,
    answeredMediaId: null,
    absentAt: null,
    version: 1,
    createdAt: NOW,
    updatedAt: NOW,
    ...values,
  }) as PublishAttempt;

export const stageJob = (values: Partial<StageJob> = {}): StageJob =>
  ({
    id: 'job-1',
    stage: 'ai',
    subjectId: 'item-1',
    itemId: 'item-1',
    messageKey: 'item-1',
    state: 'requested',
    requestNumber: 1,
    attempts: 0,
    maxAttempts: 3,
    options: {},
    journal: {},
    dueAt: null,
    waitReason: null,
    failure: null,
    history: [],
    correlationId: 'correlation-1',
    causationId: null,
    traceparent: null,
    requestedAt: NOW,
    startedAt: null,
    finishedAt: null,
    ...values,
  }) as StageJob;
