import { NOT_PAUSED, SETTING, type AccountHold, type AccountStop, type NewHold, type PublishingSwitch } from '@autoposter/domain';
import type { Logger } from '@autoposter/observability';
import type { Database, UnitOfWork } from '@autoposter/persistence';
import { v7 as uuidv7 } from 'uuid';

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

/** The actor of an automatic pause. */
const BREAKER = 'autoposter';

/** Returns `false` if publishing is paused already. A refused token remains the cause whatever follows, because resuming depends on it. */
export async function pausePublishing(uow: UnitOfWork, { cause, reason, nextAction }: AccountStop): Promise<boolean> {
  const before = (await uow.settings.get<PublishingSwitch>(SETTING.publishing)) ?? NOT_PAUSED;
  if (before.paused && (before.cause === cause || before.cause === 'token')) return false;
  const since = (await uow.now()).toISOString();
  const after: PublishingSwitch = { paused: true, by: BREAKER, since, cause, reason, nextAction };
  await uow.settings.set(SETTING.publishing, after, BREAKER);
  uow.history.append({ type: 'publishing.paused', subjectId: uuidv7(), reason, actor: BREAKER });
  await uow.audit.record({ actor: BREAKER, action: 'publishing.pause', detail: { cause, reason } });
  return true;
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
    await this.database.read.settings.set(SETTING.accountHold, hold, BREAKER);
    this.logger.warn({ ...hold }, 'holding the queue of the account');
  }

  held(): Promise<AccountHold | null> {
    return this.database.read.settings.get<AccountHold>(SETTING.accountHold);
  }

  async lift(hold: AccountHold): Promise<void> {
    if (!isSame(await this.held(), hold)) return;
    await this.database.read.settings.set(SETTING.accountHold, null, BREAKER);
    this.logger.info({ ...hold }, 'the hold of the account is over');
  }
}

const isSame = (one: AccountHold | null, other: AccountHold): boolean => one?.until === other.until && one.reason === other.reason;
