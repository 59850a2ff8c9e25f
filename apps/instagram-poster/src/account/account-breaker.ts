import { ENVIRONMENT_ACCOUNT_ID } from '@autoposter/contracts';
import { accountSetting, type AccountHold, type AccountStop, type NewHold, secondsAfter } from '@autoposter/domain';
import type { Logger } from '@autoposter/observability';
import type { Database, UnitOfWork } from '@autoposter/persistence';
import { AUTOPOSTER_ACTOR, pausePublishing } from '@autoposter/workflow';

/** Reacts to refusals that concern the whole account. */
export interface AccountSwitch {
  /** Pauses publishing on the account until a person resumes it. */
  stop(stop: AccountStop): Promise<void>;
  /** Keeps the queue from sending anything for so long, on the database clock. */
  hold(hold: NewHold): Promise<void>;
  /** The current or latest hold. */
  held(): Promise<AccountHold | null>;
  /** Lets the queue continue early, unless another hold has replaced this one. */
  lift(hold: AccountHold): Promise<void>;
}

/** Pauses publishing on one account when the platform refuses it; the others continue. */
export class AccountBreaker implements AccountSwitch {
  constructor(
    private readonly database: Database,
    private readonly logger: Logger,
    private readonly accountId = ENVIRONMENT_ACCOUNT_ID,
  ) {}

  async stop(stop: AccountStop): Promise<void> {
    const { cause, reason, nextAction } = stop;
    if (await this.database.unitOfWork((uow) => this.pause(uow, stop)))
      this.logger.error({ cause, reason, nextAction }, 'publishing was paused: the platform refuses the account');
  }

  /** An account whose token is refused is checked at once: resuming depends on a check that succeeds. */
  private async pause(uow: UnitOfWork, stop: AccountStop): Promise<boolean> {
    const isPaused = await pausePublishing(uow, stop, this.accountId);
    // not again at each refusal, which the check itself may be
    if (isPaused && stop.cause === 'token') await uow.accounts.requestCheck(this.accountId);
    return isPaused;
  }

  async hold({ cause, reason, seconds }: NewHold): Promise<void> {
    const now = await this.database.read.now();
    const hold: AccountHold = { cause, reason, until: secondsAfter(now, seconds).toISOString() };
    await this.database.read.settings.set(accountSetting('accountHold', this.accountId), hold, AUTOPOSTER_ACTOR);
    this.logger.warn({ ...hold }, 'holding the queue of the account');
  }

  held(): Promise<AccountHold | null> {
    return this.database.read.settings.get<AccountHold>(accountSetting('accountHold', this.accountId));
  }

  async lift(hold: AccountHold): Promise<void> {
    if (!isSame(await this.held(), hold)) return;
    await this.database.read.settings.set(accountSetting('accountHold', this.accountId), null, AUTOPOSTER_ACTOR);
    this.logger.info({ ...hold }, 'the hold of the account is over');
  }
}

const isSame = (one: AccountHold | null, other: AccountHold): boolean => one?.until === other.until && one.reason === other.reason;
