import { NOT_PAUSED, SETTING, type AccountHold, type AccountStop, type NewHold, type PublishingSwitch } from '@autoposter/domain';
import type { Logger } from '@autoposter/observability';
import type { Database } from '@autoposter/persistence';
import { v7 as uuidv7 } from 'uuid';

/** What is told about the whole account, as soon as the platform says it. */
export interface AccountSwitch {
  /** Pauses all publishing until a person resumes it. */
  stop(stop: AccountStop): Promise<void>;
  /** Keeps the queue from sending anything for so long, on the database clock. */
  hold(hold: NewHold): Promise<void>;
  /** What holds the account at this moment, or held it last. */
  held(): Promise<AccountHold | null>;
  /** Lets the queue go on before that date, unless something else holds it meanwhile. */
  lift(hold: AccountHold): Promise<void>;
}

/** Who pauses where nobody did by hand. */
const BREAKER = 'autoposter';

/** The one switch over all publishing, turned off by the platform's own words. */
export class AccountBreaker implements AccountSwitch {
  constructor(
    private readonly database: Database,
    private readonly logger: Logger,
  ) {}

  /** Says so once: a refused token stays the cause whatever else comes, for it is the one that is looked at before a person can resume. */
  async stop({ cause, reason, nextAction }: AccountStop): Promise<void> {
    const stopped = await this.database.unitOfWork(async (uow) => {
      const before = (await uow.settings.get<PublishingSwitch>(SETTING.publishing)) ?? NOT_PAUSED;
      if (before.paused && (before.cause === cause || before.cause === 'token')) return false;
      const since = (await uow.now()).toISOString();
      const after: PublishingSwitch = { paused: true, by: BREAKER, since, cause, reason, nextAction };
      await uow.settings.set(SETTING.publishing, after, BREAKER);
      uow.history.append({ type: 'publishing.paused', subjectId: uuidv7(), reason, actor: BREAKER });
      await uow.audit.record({ actor: BREAKER, action: 'publishing.pause', detail: { cause, reason } });
      return true;
    });
    if (stopped) this.logger.error({ cause, reason, nextAction }, 'publishing was paused: the platform refuses the account');
  }

  async hold({ cause, reason, seconds }: NewHold): Promise<void> {
    const now = await this.database.read.now();
    const hold: AccountHold = { cause, reason, until: new Date(now.getTime() + seconds * 1000).toISOString() };
    await this.database.read.settings.set(SETTING.accountHold, hold, BREAKER);
    this.logger.warn({ ...hold }, 'the account has to wait');
  }

  held(): Promise<AccountHold | null> {
    return this.database.read.settings.get<AccountHold>(SETTING.accountHold);
  }

  async lift(hold: AccountHold): Promise<void> {
    if (!isSame(await this.held(), hold)) return;
    await this.database.read.settings.set(SETTING.accountHold, null, BREAKER);
    this.logger.info({ ...hold }, 'the account need not wait any longer');
  }
}

const isSame = (one: AccountHold | null, other: AccountHold): boolean => one?.until === other.until && one.reason === other.reason;
