import {
  accountTroubleOf,
  PipelineError,
  type AccountHold,
  type AccountReport,
  type ContainerRequest,
  type Failure,
  type PublishedMedia,
  type Publisher,
  type PublishOutcome,
} from '@autoposter/domain';
import type { Logger } from '@autoposter/observability';
import type { AccountSwitch } from './account-breaker';

/** Pause between two tries of a job while its account is stopped: a person has to act first. */
const STOPPED_RETRY_SECONDS = 300;

/**
 * A publisher that reports failures of the whole account to its breaker. Jobs that a refused token or a restricted account stops wait without
 * using an attempt, and continue after a person has resumed publishing.
 */
export class GuardedPublisher implements Publisher {
  constructor(
    private readonly inner: Publisher,
    private readonly breaker: AccountSwitch,
    private readonly logger: Logger,
    /** How a failure is described for the account. */
    private readonly describe: (failure: Failure) => Failure = (failure) => failure,
  ) {}

  get accountId(): string {
    return this.inner.accountId;
  }

  get canUpload(): boolean {
    return this.inner.canUpload;
  }

  /** Passes the refusal on, because it is the content of the report. */
  async account(): Promise<AccountReport> {
    try {
      return await this.inner.account();
    } catch (error) {
      if (!(error instanceof PipelineError)) throw error;
      const failure = this.describe(error.failure);
      await this.tell(failure);
      throw new PipelineError(failure, { cause: error });
    }
  }

  quota() {
    return this.guard(() => this.inner.quota());
  }

  createContainer(request: ContainerRequest) {
    return this.guard(() => this.inner.createContainer(request));
  }

  containerStatus(containerId: string) {
    return this.guard(() => this.inner.containerStatus(containerId));
  }

  permalink(mediaId: string) {
    return this.guard(() => this.inner.permalink(mediaId));
  }

  recentMedia(since: Date): Promise<PublishedMedia[]> {
    return this.guard(() => this.inner.recentMedia(since));
  }

  stories(): Promise<PublishedMedia[]> {
    return this.guard(() => this.inner.stories());
  }

  /**
   * Throws only errors of `beforeCall`, because the call is irreversible. Awaits nothing between the intent and the call, nor before the
   * published post can be recorded: a slow database must not delay the call until its lease has expired. A published post proves that an
   * earlier hold of the account has ended.
   */
  async publish(containerId: string, beforeCall?: () => void): Promise<PublishOutcome> {
    const held = this.breaker.held().catch(this.unsaid('it is not known what holds the account', null));
    const outcome = await this.inner.publish(containerId, beforeCall);
    if (outcome.outcome === 'published') void this.liftOnceKnown(held);
    if (outcome.outcome === 'published' || outcome.failure === undefined) return outcome;
    const failure = this.describe(outcome.failure);
    const stops = await this.tell(failure).catch(this.unsaid('publishing could not be paused', false));
    if (outcome.outcome !== 'refused') return { ...outcome, failure };
    return { ...outcome, failure, ...(stops ? { retryAfterSeconds: STOPPED_RETRY_SECONDS } : {}) };
  }

  private async liftOnceKnown(held: Promise<AccountHold | null>): Promise<void> {
    const hold = await held;
    if (hold !== null) await this.breaker.lift(hold).catch(this.unsaid('the account is held although a post went out', undefined));
  }

  private unsaid<T>(message: string, instead: T): (error: unknown) => T {
    return (error) => {
      this.logger.error({ error }, message);
      return instead;
    };
  }

  private async guard<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof PipelineError)) throw error;
      const failure = this.describe(error.failure);
      if (!(await this.tell(failure))) throw new PipelineError(failure, { cause: error });
      throw new PipelineError({ ...failure, kind: 'rate_limited', retryAfterSeconds: STOPPED_RETRY_SECONDS }, { cause: error });
    }
  }

  /** Whether the account is stopped by it. */
  private async tell(failure: Failure): Promise<boolean> {
    const trouble = accountTroubleOf(failure);
    if (trouble === null) return false;
    if ('hold' in trouble) await this.breaker.hold(trouble.hold);
    else await this.breaker.stop(trouble.stop);
    return 'stop' in trouble;
  }
}
