import { Inject, Injectable } from '@nestjs/common';
import { SETTING, type FailureKind, type PublishingSwitch } from '@autoposter/domain';
import { Database, type RefusedMessages } from '@autoposter/persistence';
import { MESSAGE_FAILURES } from '@autoposter/job-engine';
import { SETTINGS, type GatewaySettings } from '../../bootstrap/settings';
import { ACCOUNT_REPORT, type AccountFindings } from '../../instagram/media-reach';
import { refusedMessages } from '../../failures/failures.service';
import type { RecurringTask } from '../recurring-task';

const TIMEOUT_MS = 10_000;
/** Rows carry the start time of their transaction: younger rows may not be committed yet and are reported next time. */
const COMMITTED_AFTER_MS = 5_000;
const EXPIRES_SOON_MS = 7 * 86_400_000;

interface Alert {
  kind: 'publish_failed' | 'publish_unknown' | 'dead_letter' | 'token_expires' | 'publishing_stopped' | 'messages_refused';
  count: number;
  message: string;
}

interface LastAlert {
  at: string;
  tokenWarned?: string;
  /** Start of the last reported pause. */
  stopTold?: string;
  /** Reported refusals of the bus; reported again only after an acceptance in between. */
  refusalsTold?: string[];
}

@Injectable()
export class SendAlertsTask implements RecurringTask {
  readonly id = 'send-alerts';
  readonly description =
    'Notifies the alert address of failed posts, dead jobs, refused messages, an automatic publishing pause and an access token that expires soon; always on.';
  readonly everySeconds = 60;

  constructor(
    private readonly database: Database,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
  ) {}

  /** The mark moves only after a successful delivery: a failed one is repeated. */
  async run(): Promise<void> {
    const url = this.settings.alertWebhookUrl;
    if (url === null) return;
    const last = await this.database.read.settings.get<LastAlert>(SETTING.lastAlert);
    // the database clock, which also wrote the rows: with the process clock, a failure could be older than the mark
    const now = await this.database.read.now();
    const until = new Date(now.getTime() - COMMITTED_AFTER_MS);
    const hourAgo = now.getTime() - 3_600_000;
    const lastSent = last === null ? hourAgo : Date.parse(last.at);
    // ignore a mark in the future: it was written with a wrong clock
    const since = new Date(lastSent > now.getTime() ? hourAgo : lastSent);
    const expires = await this.expiringToken(now);
    const warned = expires !== null && last?.tokenWarned === expires;
    const stop = await this.automaticPause();
    const refused = await refusedMessages(this.database);
    const newlyRefused = refused.filter((one) => !last?.refusalsTold?.includes(refusalOf(one)));
    const alerts = [
      ...(stop === null || stop.since === last?.stopTold ? [] : [stopAlert(stop)]),
      ...(await this.failures(since, until)),
      ...(newlyRefused.length === 0 ? [] : [refusedAlert(newlyRefused)]),
      ...(expires === null || warned ? [] : [tokenAlert(expires)]),
    ];
    if (alerts.length > 0) await this.send(url, alerts);
    const mark: LastAlert = {
      at: until.toISOString(),
      ...(expires === null ? {} : { tokenWarned: expires }),
      ...(stop?.since ? { stopTold: stop.since } : {}),
      ...(refused.length === 0 ? {} : { refusalsTold: refused.map(refusalOf) }),
    };
    await this.database.read.settings.set(SETTING.lastAlert, mark);
  }

  private async failures(since: Date, until: Date): Promise<Alert[]> {
    const { failedPublishes, unresolvedPublishes, deadJobs } = await this.database.read.failures.countBetween(since, until);
    const alerts: Alert[] = [
      { kind: 'publish_failed', count: failedPublishes, message: `${failedPublishes} post(s) could not be published.` },
      {
        kind: 'publish_unknown',
        count: unresolvedPublishes,
        message: `${unresolvedPublishes} post(s) may be published or not; check the account.`,
      },
      { kind: 'dead_letter', count: deadJobs, message: `${deadJobs} job(s) failed permanently.` },
    ];
    return alerts.filter((alert) => alert.count > 0);
  }

  /** A pause that no person asked for. */
  private async automaticPause(): Promise<PublishingSwitch | null> {
    const publishing = await this.database.read.settings.get<PublishingSwitch>(SETTING.publishing);
    return publishing?.paused && publishing.cause != null && publishing.cause !== 'person' ? publishing : null;
  }

  private async expiringToken(now: Date): Promise<string | null> {
    const account = await this.database.read.workerReports.find<AccountFindings>(ACCOUNT_REPORT);
    const expires = account?.report.tokenExpiresAt ?? null;
    return expires !== null && Date.parse(expires) - now.getTime() < EXPIRES_SOON_MS ? expires : null;
  }

  private async send(url: string, alerts: readonly Alert[]): Promise<void> {
    const text = alerts.map((alert) => alert.message).join(' ');
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ product: 'Autoposter', address: this.settings.publicUrl, text, alerts }),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) throw new Error(`The alert address responded with HTTP ${response.status}.`);
  }
}

const tokenAlert = (expires: string): Alert => ({
  kind: 'token_expires',
  count: 1,
  message: `The Instagram access token expires on ${expires.slice(0, 10)}.`,
});

const refusalOf = ({ id, topic, failure }: RefusedMessages): string => (MESSAGE_FAILURES.has(failure as FailureKind) ? id : topic);

function refusedAlert(refused: readonly RefusedMessages[]): Alert {
  const count = refused.reduce((sum, one) => sum + one.count, 0);
  const topics = [...new Set(refused.map(({ topic }) => topic))].join(', ');
  return { kind: 'messages_refused', count, message: `The event bus refuses ${count} message(s) for ${topics}.` };
}

const stopAlert = ({ reason, nextAction }: PublishingSwitch): Alert => ({
  kind: 'publishing_stopped',
  count: 1,
  message: `Publishing was paused: ${reason ?? 'Instagram refused the account.'} ${nextAction ?? ''}`.trim(),
});
