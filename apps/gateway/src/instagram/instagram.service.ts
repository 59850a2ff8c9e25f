import { Inject, Injectable } from '@nestjs/common';
import type { Compatibility, InstagramConfig } from '@autoposter/contracts';
import { Database } from '@autoposter/persistence';
import { SETTINGS, type GatewaySettings } from '../wiring/settings';
import { presentAccount, presentCompatibility, type AccountFindings, type ToolFindings } from './instagram.presenter';

/** Names under which workers leave what they found out. */
const REPORTS = { tools: 'media-tools', account: 'instagram-account' } as const;

/** Tells what workers have reported, with its age: this process reaches neither ffmpeg nor Instagram. */
@Injectable()
export class InstagramService {
  constructor(
    private readonly database: Database,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
  ) {}

  async config(): Promise<InstagramConfig> {
    const missing = [...this.settings.instagramMissing];
    const found = await this.database.read.reports.find<AccountFindings>(REPORTS.account);
    return { isConfigured: missing.length === 0, missing, account: found && presentAccount(found.report, found.reportedAt) };
  }

  async compatibility(): Promise<Compatibility> {
    const found = await this.database.read.reports.find<ToolFindings>(REPORTS.tools);
    return presentCompatibility(found?.report ?? null, found?.reportedAt ?? null);
  }
}
