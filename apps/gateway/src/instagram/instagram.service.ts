import { Inject, Injectable } from '@nestjs/common';
import type { Capabilities, Compatibility, InstagramConfig } from '@autoposter/contracts';
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

  async config(): Promise<InstagramConfig> {
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

  capabilities(): Capabilities {
    return presentCapabilities(this.settings.instagramApi);
  }

  async compatibility(): Promise<Compatibility> {
    const found = await this.database.read.workerReports.find<ToolFindings>(TOOLS_REPORT);
    return presentCompatibility(found?.report ?? null, found?.reportedAt ?? null);
  }
}
