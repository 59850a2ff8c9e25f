import { SETTING, type AccountHold, type AccountStop, type NewHold } from '@autoposter/domain';
import type { Logger } from '@autoposter/observability';
import type { Database } from '@autoposter/persistence';
import { AUTOPOSTER_ACTOR, pausePublishing } from '@autoposter/workflow';

/** Reacts to refusals that concern the whole account. */
export interface AccountSwitch {
  /** Pauses all publishing until a person resumes it. */
  stop(stop: AccountStop): Promise<void>;
  /** Keeps the queue from sending anything for so long, on the database clock. */
  hold(hold: NewHold): Promise<void>;
  /** The current or latest hold. */
  held(): Promise<AccountHold | null>;
  /** Lets the queue continue early, unless another hold has replaced this one. */
  lift(hold: AccountHold): Promise<void>;
}

/** Pauses all publishing when the platform refuses the account. */
export class AccountBreaker implements AccountSwitch {
  constructor(
    private readonly database: Database,
    private readonly logger: Logger,
  ) {}

  async stop(stop: AccountStop): Promise<void> {
    const { cause, reason, nextAction } = stop;
    if (await this.database.unitOfWork((uow) => pausePublishing(uow, stop)))
      this.logger.error({ cause, reason, nextAction }, 'publishing was paused: the platform refuses the account');
  }

  async hold({ cause, reason, seconds }: NewHold): Promise<void> {
    const now = await this.database.read.now();
    const hold: AccountHold = { cause, reason, until: new Date(now.getTime() + seconds * 1000).toISOString() };
    await this.database.read.settings.set(SETTING.accountHold, hold, AUTOPOSTER_ACTOR);
    this.logger.warn({ ...hold }, 'holding the queue of the account');
  }

  held(): Promise<AccountHold | null> {
    return this.database.read.settings.get<AccountHold>(SETTING.accountHold);
  }

  async lift(hold: AccountHold): Promise<void> {
    if (!isSame(await this.held(), hold)) return;
    await this.database.read.settings.set(SETTING.accountHold, null, AUTOPOSTER_ACTOR);
    this.logger.info({ ...hold }, 'the hold of the account is over');
  }
}

const isSame = (one: AccountHold | null, other: AccountHold): boolean => one?.until === other.until && one.reason === other.reason;
