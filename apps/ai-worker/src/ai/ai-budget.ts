import { createHash } from 'node:crypto';
import {
  admit,
  aiDay,
  CLOSED,
  concernsProvider,
  dailyLimitReached,
  noRequestsLeft,
  PipelineError,
  PROBE_SECONDS,
  refused,
  secondsAfter,
  withRetryAt,
  type AiProvider,
  type Failure,
  type ProviderBreaker,
  type RequestMeter,
  type RequestsLeft,
} from '@autoposter/domain';
import type { AiProviderRow, ConfiguredProvider, Database, UnitOfWork } from '@autoposter/persistence';

/** A call to a model, as far as the budget is concerned. */
export interface ModelCall {
  /** None for a model that makes no request. */
  provider: AiProvider | undefined;
  jobId: string;
  /** Whether a person asked for exactly this item; see `admit`. */
  byPerson: boolean;
  /** Database clock at the start of the step. */
  now: Date;
  signal: AbortSignal;
}

export interface ProviderSettings {
  provider: AiProvider;
  model: string;
  apiKey: string;
  url: string;
}

/**
 * The calls that all workers together may make: a number of requests per provider and day, and one breaker per provider. Both are rows in
 * Postgres, so that the first refusal holds back every process.
 */
export class AiBudget {
  private readonly configured: readonly ConfiguredProvider[];
  /** Of calls that cost no request. Not shared: a key may call a model and yet not list the models. */
  private readonly looks = new Map<AiProvider, ProviderBreaker>();

  constructor(
    private readonly database: Pick<Database, 'unitOfWork'>,
    private readonly dailyLimit: number,
    providers: readonly ProviderSettings[],
  ) {
    this.configured = providers.map(({ provider, model, apiKey, url }) => ({
      provider,
      model,
      configuration: createHash('sha256').update([model, url, apiKey].join('\n')).digest('hex').slice(0, 32),
      dailyLimit,
    }));
  }

  /** Makes the configuration known; jobs that waited because of an earlier one, or for a provider that is not used any more, continue. */
  async configure(): Promise<void> {
    await this.database.unitOfWork(async (uow) => {
      for (const removed of await uow.aiProviders.keepOnly(this.configured.map(({ provider }) => provider)))
        await uow.jobs.resumeWaiting('ai', removed);
      for (const configured of this.configured)
        if (await uow.aiProviders.configure(configured)) await uow.jobs.resumeWaiting('ai', configured.provider);
    });
  }

  /**
   * Makes a call that costs one request of the day. Throws the provider's failure without a call while its breaker is open, and
   * `quota_exceeded` when the day's requests are used up. A request is refunded only if none of it was sent. The number of
   * remaining requests that the provider reports corrects ours, because others may use the same key.
   */
  async spend<T>(call: ModelCall, run: (meter?: RequestMeter) => Promise<T>): Promise<T> {
    const { provider, signal } = call;
    if (provider === undefined) return run();
    signal.throwIfAborted();
    const entered = await this.enter(provider, call);
    if (signal.aborted) {
      await this.leave(entered, { sent: false, failure: null, answered: false, left: null });
      throw signal.reason;
    }
    let left: RequestsLeft | null = null;
    let limitReached: PipelineError | null = null;
    const meter: RequestMeter = {
      another: async () => {
        limitReached = await this.database.unitOfWork(async (uow) => {
          await this.lock(uow, provider);
          return this.take(uow, provider, entered.time());
        });
        if (limitReached !== null) throw limitReached;
      },
      left: (told) => (left = told),
    };
    let result: T;
    try {
      result = await run(meter);
    } catch (error) {
      if (error === limitReached) {
        await this.leave(entered, { sent: true, failure: null, answered: false, left });
        throw error;
      }
      const failure = error instanceof PipelineError ? error.failure : null;
      const sent = failure?.detail?.['sent'] !== false;
      const answered = failure !== null && failure.kind !== 'transient';
      const retryAt = await this.leave(entered, { sent, failure, answered, left });
      throw failure === null || retryAt === null ? error : new PipelineError(withRetryAt(failure, retryAt), { cause: error });
    }
    await this.leave(entered, { sent: true, failure: null, answered: true, left });
    return result;
  }

  /**
   * Makes a call that costs no request, such as the list of models. Throws the provider's failure without a call while its breaker is open,
   * or until the time that the refusal of an earlier look named.
   */
  async look<T>(provider: AiProvider | undefined, run: () => Promise<T>): Promise<T> {
    if (provider === undefined) return run();
    const now = await this.database.unitOfWork(async (uow) => {
      const moment = await uow.now();
      for (const { failure, retryAt } of [await this.lock(uow, provider), this.looks.get(provider) ?? CLOSED])
        if (failure !== null && retryAt !== null && retryAt > moment) throw heldBack(failure, retryAt);
      return moment;
    });
    try {
      const found = await run();
      this.looks.delete(provider);
      return found;
    } catch (error) {
      if (error instanceof PipelineError && concernsProvider(error.failure))
        this.looks.set(provider, refused(this.looks.get(provider) ?? CLOSED, now, error.failure));
      throw error;
    }
  }

  private async enter(provider: AiProvider, { jobId, byPerson, now }: ModelCall): Promise<Entered> {
    const startedAt = performance.now();
    return this.database.unitOfWork(async (uow) => {
      const row = await this.lock(uow, provider);
      const admission = admit(row, now, { jobId, byPerson });
      if (!admission.admitted) throw heldBack(admission.failure, admission.retryAt);
      const limitReached = await this.take(uow, provider, now);
      if (limitReached !== null) throw limitReached;
      const { day } = aiDay(provider, now);
      if (admission.probe) await uow.aiProviders.save(row, { ...row, probeJob: jobId, probeUntil: secondsAfter(now, PROBE_SECONDS) });
      return { provider, day, jobId, probe: admission.probe, time: () => new Date(now.getTime() + performance.now() - startedAt) };
    });
  }

  /** Counts a request of the day; answers why not. The row of the provider is locked. */
  private async take(uow: UnitOfWork, provider: AiProvider, now: Date): Promise<PipelineError | null> {
    const { day, endsAt } = aiDay(provider, now);
    const elsewhere = await uow.quota.used(elsewhereName(provider), day);
    const taken = await uow.quota.take(usageName(provider), day, this.dailyLimit - elsewhere);
    return taken ? null : new PipelineError(dailyLimitReached(provider, this.dailyLimit, endsAt));
  }

  /**
   * Counts the requests missing at the provider as used elsewhere; the next answer corrects the number. Missing are those below the smaller
   * of its limit and ours: the plan of the key may allow less than AI_DAILY_LIMIT. One request always remains, because only another answer
   * shows that the provider's window has moved; the breaker paces it.
   */
  private async correct(uow: UnitOfWork, provider: AiProvider, day: string, left: RequestsLeft): Promise<void> {
    const known = await uow.quota.used(elsewhereName(provider), day);
    const ours = (await uow.quota.used(usageName(provider), day)) - known;
    const limit = Math.min(this.dailyLimit, left.limit ?? this.dailyLimit);
    const elsewhere = Math.max(0, limit - Math.max(left.requests, 1) - ours);
    if (elsewhere !== known) await uow.quota.set(elsewhereName(provider), day, elsewhere);
  }

  /** Settles a call with quota and breaker. Returns when the provider accepts the next call, or `null` if it does not say. */
  private async leave({ provider, day, jobId, probe, time }: Entered, result: CallResult): Promise<Date | null> {
    const { sent, failure, answered, left } = result;
    const isRefusal = failure !== null && concernsProvider(failure);
    if (sent && !probe && !isRefusal && left === null) return null;
    return this.database.unitOfWork(async (uow) => {
      const row = await this.lock(uow, provider);
      if (!sent) await uow.quota.refund(usageName(provider), day);
      if (left !== null) await this.correct(uow, provider, day, left);
      if (isRefusal) {
        const breaker = refused(row, time(), failure);
        await uow.aiProviders.save(row, breaker);
        return breaker.retryAt;
      }
      if (left?.requests === 0) {
        // not a refusal yet, so that the pause does not grow with each answer
        await uow.aiProviders.save(row, refused(CLOSED, time(), noRequestsLeft(provider, left.nextInSeconds)));
        return null;
      }
      // a probe that outlived its time was replaced by another job's, which decides
      if (!probe || row.probeJob !== jobId) return null;
      if (answered) {
        await uow.aiProviders.save(row, CLOSED);
        await uow.jobs.resumeWaiting('ai', provider);
      } else {
        await uow.aiProviders.save(row, { ...row, probeJob: null, probeUntil: null });
      }
      return null;
    });
  }

  private async lock(uow: UnitOfWork, provider: AiProvider): Promise<AiProviderRow> {
    const configured = this.configured.find((one) => one.provider === provider);
    if (configured === undefined) throw new Error(`${provider} is called without being configured`);
    const row = await uow.aiProviders.lock(provider);
    if (row !== null) return row;
    await uow.aiProviders.ensure(configured);
    return this.lock(uow, provider);
  }
}

interface Entered {
  provider: AiProvider;
  /** On which the request was counted. */
  day: string;
  jobId: string;
  probe: boolean;
  /** The database clock, carried on by the monotonic one. */
  time: () => Date;
}

interface CallResult {
  sent: boolean;
  failure: Failure | null;
  /** The provider took a request: its quota, key and model are good. */
  answered: boolean;
  /** What the provider said last about its quota. */
  left: RequestsLeft | null;
}

const usageName = (provider: AiProvider): string => `ai.${provider}`;
/** Begins with the name above, so that both are counted together. */
const elsewhereName = (provider: AiProvider): string => `${usageName(provider)}.elsewhere`;

const heldBack = (failure: Failure, retryAt: Date): PipelineError => new PipelineError(withRetryAt(failure, retryAt));
