import { NOT_PAUSED, SETTING, type PublishingSwitch } from '@autoposter/domain';
import type { InstagramPublisher, StoredToken } from '@autoposter/instagram';
import type { Systems } from '@autoposter/job-engine';
import type { PosterTools } from '../poster.tools';
import { readAccount } from './account-report';
import { TokenKeeper } from './token-keeper';
import type { AccountWatch } from './watch-account';

const REPORT = 'instagram-account';

/** The looks at the account: the token kept alive, the report for the settings screen. `null` while no account is configured. */
export function accountLooks(
  systems: Systems,
  { publisher, platform, access }: PosterTools,
): Pick<AccountWatch, 'look' | 'isStopped'> | null {
  if (publisher === null || platform === null) return null;
  const { database, config } = systems;
  const keeper = tokenKeeper(systems, platform);
  return {
    look: async () => {
      await keeper?.keep();
      const found = await readAccount(publisher, access, keeper?.expiresAt ?? null);
      await database.read.workerReports.save(REPORT, found, config.service);
      return found.ok;
    },
    isStopped: async () => {
      const { paused, cause } = (await database.read.settings.get<PublishingSwitch>(SETTING.publishing)) ?? NOT_PAUSED;
      return paused && cause === 'token';
    },
  };
}

/** Only Instagram Login renews tokens, and without a key a renewed one could not be stored. */
function tokenKeeper({ database, config, logger }: Systems, platform: InstagramPublisher): TokenKeeper | null {
  const { instagram } = config;
  const keys = config.keys.sealing;
  if (!instagram.configured || platform.flavour !== 'instagram' || keys.length === 0) return null;
  const { settings } = database.read;
  return new TokenKeeper({
    configured: instagram.accessToken,
    keys,
    store: {
      read: () => settings.get<StoredToken>(SETTING.instagramToken),
      write: (stored) => settings.set(SETTING.instagramToken, stored),
    },
    renew: () => platform.renewToken(),
    use: (token) => platform.useToken(token),
    logger,
  });
}
