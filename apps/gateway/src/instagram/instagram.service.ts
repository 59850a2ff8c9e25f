import { Inject, Injectable } from '@nestjs/common';
import { ENVIRONMENT_ACCOUNT_ID, type Capabilities, type Compatibility, type InstagramConfig } from '@autoposter/contracts';
import { Database } from '@autoposter/persistence';
import { ACCOUNT_REPORT, ADDRESS_REPORT, type MediaAddressTest, SETTING } from '@autoposter/domain';
import { StoredSettings } from '../settings/stored-settings';
import { SETTINGS, type GatewaySettings } from '../bootstrap/settings';
import { type AccountFindings, type AddressFindings, MediaReach } from './media-reach';
import {
  presentAccount,
  presentCapabilities,
  presentCompatibility,
  presentHashtagLimit,
  presentMediaTest,
  presentReach,
  type MediaTest,
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
    const { mediaTest, problem } = await this.mediaTest();
    return {
      isConfigured: account.userId !== null,
      missing: [],
      account: null,
      mediaTest,
      hashtagLimit: presentHashtagLimit(this.settings.maxHashtags),
      ...presentReach(this.reach.accessOf(account), problem),
    };
  }

  private async ofEnvironment(): Promise<InstagramConfig> {
    const missing = [...this.settings.instagramMissing];
    const [found, publishing, { mediaTest, problem }] = await Promise.all([
      this.database.read.workerReports.find<AccountFindings>(ACCOUNT_REPORT),
      this.stored.publishing(),
      this.mediaTest(),
    ]);
    const account = found && presentAccount(found.report, found.reportedAt, publishing);
    const hashtagLimit = presentHashtagLimit(this.settings.maxHashtags);
    const isConfigured = missing.length === 0;
    return {
      isConfigured,
      missing,
      account,
      mediaTest,
      hashtagLimit,
      ...presentReach(this.reach.access(found?.report ?? {}), problem),
    };
  }

  private async mediaTest(): Promise<{ mediaTest: MediaTest; problem: string | null }> {
    const { read } = this.database;
    const [found, request, now] = await Promise.all([
      read.workerReports.find<AddressFindings>(ADDRESS_REPORT),
      read.settings.get<MediaAddressTest>(SETTING.mediaAddressTest),
      read.now(),
    ]);
    const mediaTest = presentMediaTest(found?.report ?? null, found?.reportedAt ?? null, request, now);
    return { mediaTest, problem: found?.report.problem ?? null };
  }

  /** The publishing worker makes the test; the configuration shows its result. */
  async testMediaAddress(actor: string): Promise<void> {
    await this.database.unitOfWork(async (uow) => {
      const request: MediaAddressTest = { requestedAt: (await uow.now()).toISOString() };
      await uow.settings.set(SETTING.mediaAddressTest, request, actor);
      await uow.audit.record({ actor, action: 'instagram.test_media_address' });
    });
  }

  async capabilities(accountId?: string): Promise<Capabilities> {
    return presentCapabilities((await this.stored.account(this.database.read, accountId)).api);
  }

  async compatibility(): Promise<Compatibility> {
    const found = await this.database.read.workerReports.find<ToolFindings>(TOOLS_REPORT);
    return presentCompatibility(found?.report ?? null, found?.reportedAt ?? null);
  }
}
