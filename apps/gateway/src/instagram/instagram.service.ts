import { Inject, Injectable } from '@nestjs/common';
import { ENVIRONMENT_ACCOUNT_ID, type Capabilities, type Compatibility, type InstagramConfig } from '@autoposter/contracts';
import { Database } from '@autoposter/persistence';
import { StoredSettings } from '../settings/stored-settings';
import { SETTINGS, type GatewaySettings } from '../bootstrap/settings';
import { ACCOUNT_REPORT, type AccountFindings, MediaReach } from './media-reach';
import {
  presentAccount,
  presentCapabilities,
  presentCompatibility,
  presentHashtagLimit,
  presentReach,
  type ToolFindings,
} from './instagram.presenter';

/** Report of a media worker about ffmpeg and ffprobe. */
const TOOLS_REPORT = 'media-tools';

/** Shows the reports of workers: the gateway has no access to ffmpeg and Instagram. */
@Injectable()
export class InstagramService {
  constructor(
    private readonly database: Database,
    private readonly stored: StoredSettings,
    private readonly reach: MediaReach,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
  ) {}

  /** Of one account; a connected one is configured while it is ready to publish. */
  async config(accountId = ENVIRONMENT_ACCOUNT_ID): Promise<InstagramConfig> {
    return accountId === ENVIRONMENT_ACCOUNT_ID ? this.ofEnvironment() : this.ofConnected(accountId);
  }

  private async ofConnected(accountId: string): Promise<InstagramConfig> {
    const { read } = this.database;
    const account = await this.stored.account(read, accountId);
    const found = await read.workerReports.find<AccountFindings>(ACCOUNT_REPORT);
    return {
      isConfigured: account.userId !== null,
      missing: [],
      account: null,
      hashtagLimit: presentHashtagLimit(this.settings.maxHashtags),
      ...presentReach(this.reach.accessOf(account), found?.report.mediaProblem ?? null),
    };
  }

  private async ofEnvironment(): Promise<InstagramConfig> {
    const missing = [...this.settings.instagramMissing];
    const [found, publishing] = await Promise.all([
      this.database.read.workerReports.find<AccountFindings>(ACCOUNT_REPORT),
      this.stored.publishing(),
    ]);
    const account = found && presentAccount(found.report, found.reportedAt, publishing);
    const hashtagLimit = presentHashtagLimit(this.settings.maxHashtags);
    const isConfigured = missing.length === 0;
    return {
      isConfigured,
      missing,
      account,
      hashtagLimit,
      ...presentReach(this.reach.access(found?.report ?? {}), found?.report.mediaProblem ?? null),
    };
  }

  async capabilities(accountId?: string): Promise<Capabilities> {
    return presentCapabilities((await this.stored.account(this.database.read, accountId)).api);
  }

  async compatibility(): Promise<Compatibility> {
    const found = await this.database.read.workerReports.find<ToolFindings>(TOOLS_REPORT);
    return presentCompatibility(found?.report ?? null, found?.reportedAt ?? null);
  }
}
