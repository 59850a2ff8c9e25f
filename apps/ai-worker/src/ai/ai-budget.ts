import { createHash } from 'node:crypto';
import {
  admit,
  aiDay,
  CLOSED,
  concernsProvider,
  dailyLimitReached,
  PipelineError,
  PROBE_SECONDS,
  refused,
  withRetryAt,
  type AiProvider,
  type Failure,
} from '@autoposter/domain';
import type { AiProviderRow, ConfiguredProvider, Database, UnitOfWork } from '@autoposter/persistence';

/** A call to a model, as far as the budget is concerned. */
export interface ModelCall {
  /** None for a model that calls nobody. */
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

  /** Makes the configuration known; jobs that waited because of an earlier one continue. */
  async configure(): Promise<void> {
    await this.database.unitOfWork(async (uow) => {
      await uow.aiProviders.keepOnly(this.configured.map(({ provider }) => provider));
      for (const configured of this.configured)
        if (await uow.aiProviders.configure(configured)) await uow.jobs.wake('ai', configured.provider);
    });
  }

  /**
   * Makes a call that costs one request of the day. Throws the provider's failure without a call while its breaker is open, and
   * `quota_exceeded` when the day's requests are used up. Only a call of which nothing was sent gets its request back.
   */
  async spend<T>(call: ModelCall, run: () => Promise<T>): Promise<T> {
    const { provider, signal } = call;
    if (provider === undefined) return run();
    signal.throwIfAborted();
    const entered = await this.enter(provider, call);
    if (signal.aborted) {
      await this.leave(entered, { sent: false, failure: null, answered: false });
      throw signal.reason;
    }
    try {
      const result = await run();
      await this.leave(entered, { sent: true, failure: null, answered: true });
      return result;
    } catch (error) {
      const failure = error instanceof PipelineError ? error.failure : null;
      const sent = failure?.detail?.['sent'] !== false;
      const answered = failure !== null && failure.kind !== 'transient';
      const retryAt = await this.leave(entered, { sent, failure, answered });
      throw failure === null || retryAt === null ? error : new PipelineError(withRetryAt(failure, retryAt), { cause: error });
    }
  }

  private async enter(provider: AiProvider, { jobId, byPerson, now }: ModelCall): Promise<Entered> {
    const startedAt = performance.now();
    return this.database.unitOfWork(async (uow) => {
      const row = await this.lock(uow, provider);
      const admission = admit(row, now, { jobId, byPerson });
      if (!admission.admitted) throw heldBack(admission.failure, admission.retryAt);
      const { day, endsAt } = aiDay(provider, now);
      if (!(await uow.quota.take(usageName(provider), day, this.dailyLimit)))
        throw new PipelineError(dailyLimitReached(provider, this.dailyLimit, endsAt));
      if (admission.probe) await uow.aiProviders.save(row, { ...row, probeJob: jobId, probeUntil: secondsAfter(now, PROBE_SECONDS) });
      return { provider, day, jobId, probe: admission.probe, time: () => new Date(now.getTime() + performance.now() - startedAt) };
    });
  }

  /** Settles a call with quota and breaker. Answers until when the provider wants no further call, `null` where it does not say so. */
  private async leave({ provider, day, jobId, probe, time }: Entered, result: CallResult): Promise<Date | null> {
    const { sent, failure, answered } = result;
    const isRefusal = failure !== null && concernsProvider(failure);
    if (sent && !probe && !isRefusal) return null;
    return this.database.unitOfWork(async (uow) => {
      const row = await this.lock(uow, provider);
      if (!sent) await uow.quota.giveBack(usageName(provider), day);
      if (isRefusal) {
        const breaker = refused(row, time(), failure);
        await uow.aiProviders.save(row, breaker);
        return breaker.retryAt;
      }
      // a probe that outlived its time was replaced by another job's, which decides
      if (!probe || row.probeJob !== jobId) return null;
      if (answered) {
        await uow.aiProviders.save(row, CLOSED);
        await uow.jobs.wake('ai', provider);
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
}

const usageName = (provider: AiProvider): string => `ai.${provider}`;
const secondsAfter = (time: Date, seconds: number): Date => new Date(time.getTime() + seconds * 1000);

const heldBack = (failure: Failure, retryAt: Date): PipelineError => new PipelineError(withRetryAt(failure, retryAt));
