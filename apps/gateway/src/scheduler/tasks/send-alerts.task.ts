import { Inject, Injectable } from '@nestjs/common';
import { ENVIRONMENT_ACCOUNT_ID } from '@autoposter/contracts';
import {
  ACCOUNT_REPORT,
  accountName,
  accountSetting,
  alertTimesOf,
  NOTICE_ALERTS,
  type NoticeAlert,
  rightsCheckText,
  SETTING,
  type PublishingSwitch,
} from '@autoposter/domain';
import { type ConnectedAccount, Database, type PublishProblem, type RefusedMessages } from '@autoposter/persistence';
import { MESSAGE_FAILURES } from '@autoposter/job-engine';
import { SETTINGS, type GatewaySettings } from '../../bootstrap/settings';
import { type Alert, type AlertItem, type AlertMessage, configuredChannels, deliver } from '../../notifications/channels';
import type { AccountFindings } from '../../instagram/media-reach';
import { refusedMessages } from '../../failures/failures.service';
import type { RecurringTask } from '../recurring-task';
import { OVERDUE_CODES } from './watch-due-posts.task';

/** Rows carry the start time of their transaction: younger rows may not be committed yet and are reported next time. */
const COMMITTED_AFTER_MS = 5_000;
const EXPIRES_SOON_MS = 7 * 86_400_000;
/** Days before the end of a permission in which a new one should be requested. */
const PERMISSION_ENDS_DAYS = 7;
const NOTICE_TEXTS: Record<NoticeAlert, string> = {
  answer_due: 'takedown notice(s) are to be answered within a day.',
  answer_overdue: 'takedown notice(s) were not answered by their deadline.',
  restore_due: 'countered notice(s) have reached the time in which posts are restored; decide under Rights.',
  restore_overdue: 'countered notice(s) were not decided in the time in which posts are restored.',
};
/** Posts of a kind that one message names. */
const MAX_NAMED = 20;
/** Posts of a kind that are read: all overdue and held ones, so that none is reported again after others have displaced it. */
const MAX_PROBLEMS = 1_000;
/** Deliveries of one run; each takes ten seconds at most. */
const MAX_DELIVERIES = 10;

type NamedProblem = PublishProblem & { account: string | undefined };

interface LastAlert {
  at: string;
  tokenWarned?: string;
  /** The same of connected accounts: id and expiry. */
  tokensWarned?: string[];
  /** Reported posts that are overdue, or whose outcome nothing looks up; reported again only after they were not. */
  overdueTold?: string[];
  /** The same of posts that their copyright check holds. */
  heldTold?: string[];
  /** Start of the last reported pause. */
  stopTold?: string;
  /** The same of connected accounts: id and start. */
  stopsTold?: string[];
  /** Reported refusals of the bus; reported again only after an acceptance in between. */
  refusalsTold?: string[];
}

@Injectable()
export class SendAlertsTask implements RecurringTask {
  readonly id = 'send-alerts';
  readonly description =
    'Notifies the alert addresses of failed, overdue and held posts, dead jobs, refused messages, new and overdue rights cases, deadlines of takedown notices, permissions that end, an automatic publishing pause and an access token that expires soon; always on.';
  readonly everySeconds = 60;

  constructor(
    private readonly database: Database,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
  ) {}

  /** Stores new alerts for each channel in one transaction with the read position, then delivers due ones. A failed delivery is retried later. */
  async run(): Promise<void> {
    const channels = configuredChannels(this.settings.alerts);
    if (channels.length === 0) return;
    await this.record(channels);
    await this.deliverDue();
  }

  private async record(channels: readonly string[]): Promise<void> {
    const { read } = this.database;
    const last = await read.settings.get<LastAlert>(SETTING.lastAlert);
    const { tokenWarned, tokensWarned = [], stopTold, stopsTold = [], refusalsTold = [], overdueTold = [], heldTold = [] } = last ?? {};
    // the database clock, which also wrote the rows: with the process clock, a failure could be older than the mark
    const now = await read.now();
    const until = new Date(now.getTime() - COMMITTED_AFTER_MS);
    const since = sinceOf(last, now);
    const expires = await this.expiringToken(now);
    const stop = await this.automaticPause();
    const accounts = await read.accounts.connected();
    const names = await this.namesOf(accounts);
    const first = names.get(ENVIRONMENT_ACCOUNT_ID);
    const connected = await this.connectedAccounts(accounts, now);
    const refused = await refusedMessages(this.database);
    const newlyRefused = refused.filter((one) => !refusalsTold.includes(refusalOf(one)));
    const found = await read.failures.publishProblems(since, until, OVERDUE_CODES, MAX_PROBLEMS);
    const problems = found.map((problem): NamedProblem => ({ ...problem, account: names.get(problem.accountId) }));
    const ofKind = (kind: NamedProblem['kind']) => problems.filter((problem) => problem.kind === kind);
    const overdue = ofKind('publish_overdue');
    const unchecked = ofKind('publish_unchecked');
    const held = ofKind('rights_held');
    const newIn = (those: readonly NamedProblem[], told: readonly string[]) => those.filter(({ id }) => !told.includes(id));
    const alerts = [
      ...(stop === null || stop.since === stopTold ? [] : [stopAlert(stop, first)]),
      ...connected.stops.filter(({ key }) => !stopsTold.includes(key)).map(({ name, stop: one }) => stopAlert(one, name)),
      ...(await this.failures(since, until, problems)),
      ...this.alertOf('publish_overdue', newIn(overdue, overdueTold), 'are due and not being published.'),
      ...this.alertOf(
        'publish_unchecked',
        newIn(unchecked, overdueTold),
        'may be published or not, and no publishing worker looks them up.',
      ),
      ...this.alertOf('rights_held', newIn(held, heldTold), "are held, because Instagram's copyright check has no result."),
      ...(newlyRefused.length === 0 ? [] : [refusedAlert(newlyRefused)]),
      ...(expires === null || expires === tokenWarned ? [] : [tokenAlert(expires, first)]),
      ...connected.expiring.filter(({ key }) => !tokensWarned.includes(key)).map(({ name, expires: at }) => tokenAlert(at, name)),
    ];
    const mark: LastAlert = {
      at: until.toISOString(),
      tokenWarned: expires ?? undefined,
      tokensWarned: unlessEmpty(connected.expiring.map(({ key }) => key)),
      stopTold: stop?.since ?? undefined,
      stopsTold: unlessEmpty(connected.stops.map(({ key }) => key)),
      refusalsTold: unlessEmpty(refused.map(refusalOf)),
      overdueTold: unlessEmpty([...overdue, ...unchecked].map(({ id }) => id)),
      heldTold: unlessEmpty(held.map(({ id }) => id)),
    };
    await this.database.unitOfWork(async (uow) => {
      await uow.settings.lock(SETTING.lastAlert);
      // this process froze since it read the mark, and another one has recorded these alerts
      if ((await uow.settings.get<LastAlert>(SETTING.lastAlert))?.at !== last?.at) return;
      if (alerts.length > 0) await uow.notifications.add(channels, this.messageOf(alerts));
      await uow.settings.set(SETTING.lastAlert, mark);
    });
  }

  private messageOf(alerts: Alert[]): AlertMessage {
    return { product: 'Autoposter', address: this.settings.publicUrl, text: alerts.map(({ message }) => message).join(' '), alerts };
  }

  /** Side by side: a receiver that hangs delays only its own messages. The last error is thrown, so that the Scheduler Manager shows it. */
  private async deliverDue(): Promise<void> {
    const { notifications } = this.database.read;
    const due = await notifications.claimDue(MAX_DELIVERIES);
    const results = await Promise.all(
      due.map(async ({ id, channel, body }): Promise<Error | null> => {
        try {
          await deliver(channel, this.settings.alerts, id, body as AlertMessage);
          await notifications.markSent(id);
          return null;
        } catch (error) {
          const failed = error instanceof Error ? error : new Error('Unknown error');
          await notifications.markFailed(id, failed.message);
          return failed;
        }
      }),
    );
    const failed = results.findLast((result) => result !== null) ?? null;
    if (failed !== null) throw failed;
  }

  private itemsOf(problems: readonly NamedProblem[]): AlertItem[] {
    return problems.slice(0, MAX_NAMED).map(({ itemId, title, account, step, failure, rightsCheck }) => ({
      itemId,
      title,
      ...(account === undefined ? {} : { account }),
      step,
      ...(rightsCheck === null
        ? {
            cause: failure?.code ?? failure?.kind ?? 'unknown',
            side: failure?.side ?? null,
            message: failure?.message ?? 'Unknown error',
            nextAction: failure?.nextAction ?? null,
          }
        : {
            cause: `copyright_check_${rightsCheck.state}`,
            side: 'instagram',
            message: rightsCheckText(rightsCheck),
            nextAction: 'Publish it anyway or delete it from the queue.',
          }),
      link: `${this.settings.publicUrl}/admin/items/${itemId}`,
    }));
  }

  private alertOf(kind: Alert['kind'], problems: readonly NamedProblem[], what: string): Alert[] {
    const { length: count } = problems;
    return count === 0 ? [] : [{ kind, count, message: `${count} post(s) ${what}`, items: this.itemsOf(problems) }];
  }

  private async failures(since: Date, until: Date, problems: readonly NamedProblem[]): Promise<Alert[]> {
    const { cases, failures, notices, permissions, postChecks } = this.database.read;
    const { failedPublishes, unresolvedPublishes, deadJobs } = await failures.countBetween(since, until);
    const { comments, matches } = await postChecks.problemsBetween(since, until);
    const { opened, overdue } = await cases.alertsBetween(since, until);
    const alertTimes = (await notices.findOpen()).map(alertTimesOf);
    const ending = await permissions.endingBetween(since, until, PERMISSION_ENDS_DAYS);
    const alerts: Alert[] = [
      { kind: 'publish_failed', count: failedPublishes, message: `${failedPublishes} post(s) could not be published.` },
      {
        kind: 'publish_unknown',
        count: unresolvedPublishes,
        message: `${unresolvedPublishes} post(s) may be published or not; check the account.`,
      },
      { kind: 'comment_failed', count: comments, message: `${comments} first comment(s) could not be posted.` },
      { kind: 'platform_match', count: matches, message: `Instagram's copyright check found a match in ${matches} published post(s).` },
      { kind: 'case_opened', count: opened, message: `${opened} published post(s) are to be removed; decide under Rights.` },
      { kind: 'case_overdue', count: overdue, message: `${overdue} published post(s) were not removed by their deadline.` },
      ...NOTICE_ALERTS.map((kind) => {
        const count = alertTimes.filter(({ [kind]: at }) => at !== null && at > since && at <= until).length;
        return { kind, count, message: `${count} ${NOTICE_TEXTS[kind]}` };
      }),
      {
        kind: 'permission_ends',
        count: ending,
        message: `${ending} permission(s) end within ${PERMISSION_ENDS_DAYS} days; ask for new ones under Rights.`,
      },
      { kind: 'dead_letter', count: deadJobs, message: `${deadJobs} job(s) failed permanently.` },
    ];
    return alerts
      .filter((alert) => alert.count > 0)
      .map((alert) => {
        const items = this.itemsOf(problems.filter(({ kind }) => kind === alert.kind));
        return items.length === 0 ? alert : { ...alert, items };
      });
  }

  /** A pause that no person asked for. */
  private async automaticPause(accountId = ENVIRONMENT_ACCOUNT_ID): Promise<PublishingSwitch | null> {
    const publishing = await this.database.read.settings.get<PublishingSwitch>(accountSetting('publishing', accountId));
    return publishing?.paused && publishing.cause != null && publishing.cause !== 'person' ? publishing : null;
  }

  /** Automatic pauses of connected accounts, and their tokens that expire soon although they are renewed. */
  private async connectedAccounts(accounts: readonly ConnectedAccount[], now: Date) {
    const stops: { key: string; name: string; stop: PublishingSwitch }[] = [];
    const expiring: { key: string; name: string; expires: string }[] = [];
    for (const { id, tokenExpiresAt, ...account } of accounts) {
      const name = accountName(account);
      const stop = await this.automaticPause(id);
      if (stop !== null) stops.push({ key: `${id} ${stop.since}`, name, stop });
      if (tokenExpiresAt === null || tokenExpiresAt.getTime() - now.getTime() >= EXPIRES_SOON_MS) continue;
      const expires = tokenExpiresAt.toISOString();
      expiring.push({ key: `${id} ${expires}`, name, expires });
    }
    return { stops, expiring };
  }

  /** Names by which alerts tell the accounts apart; none while there is only one. */
  private async namesOf(accounts: readonly ConnectedAccount[]): Promise<ReadonlyMap<string, string>> {
    if (accounts.length === 0) return new Map();
    const found = await this.database.read.workerReports.find<AccountFindings>(ACCOUNT_REPORT);
    const first = { username: found?.report.username ?? null, userId: this.settings.instagramAccountId };
    return new Map([[ENVIRONMENT_ACCOUNT_ID, accountName(first)], ...accounts.map((one) => [one.id, accountName(one)] as const)]);
  }

  private async expiringToken(now: Date): Promise<string | null> {
    const account = await this.database.read.workerReports.find<AccountFindings>(ACCOUNT_REPORT);
    const expires = account?.report.tokenExpiresAt ?? null;
    return expires !== null && Date.parse(expires) - now.getTime() < EXPIRES_SOON_MS ? expires : null;
  }
}

const unlessEmpty = (told: string[]): string[] | undefined => (told.length === 0 ? undefined : told);

/** From the last run on. A mark in the future was written with a wrong clock. */
function sinceOf(last: LastAlert | null, now: Date): Date {
  const at = last === null ? Infinity : Date.parse(last.at);
  return new Date(at > now.getTime() ? now.getTime() - 3_600_000 : at);
}

/** `name`: of the account, where there are several. */
const tokenAlert = (expires: string, name?: string): Alert => ({
  kind: 'token_expires',
  count: 1,
  message: `The Instagram access token ${name === undefined ? '' : `of ${name} `}expires on ${expires.slice(0, 10)}.`,
});

const refusalOf = ({ id, topic, failure }: RefusedMessages): string => (MESSAGE_FAILURES.has(failure) ? id : topic);

function refusedAlert(refused: readonly RefusedMessages[]): Alert {
  const count = refused.reduce((sum, one) => sum + one.count, 0);
  const topics = [...new Set(refused.map(({ topic }) => topic))].join(', ');
  return { kind: 'messages_refused', count, message: `The event bus refuses ${count} message(s) for ${topics}.` };
}

const stopAlert = ({ reason, nextAction }: PublishingSwitch, name?: string): Alert => ({
  kind: 'publishing_stopped',
  count: 1,
  message:
    `Publishing ${name === undefined ? '' : `on ${name} `}was paused: ${reason ?? 'Instagram refused the account.'} ${nextAction ?? ''}`.trim(),
});
