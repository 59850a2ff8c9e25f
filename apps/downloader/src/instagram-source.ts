import { SETTING, type PostSource } from '@autoposter/domain';
import { flavourOf, GRAPH_ORIGIN, InstagramPostSource, InstagramPublisher, takeUpToken, type StoredToken } from '@autoposter/instagram';
import type { Systems } from '@autoposter/job-engine';

/**
 * Reads Instagram posts with the newest token: the configured one of Instagram Login ends after 60 days, and whoever publishes renews it.
 * `null` while no account is configured.
 */
export function instagramSource({ config, database, logger }: Pick<Systems, 'config' | 'database' | 'logger'>): PostSource | null {
  const { instagram } = config;
  const keys = config.keys.sealing;
  if (!instagram.configured) return null;
  const { accessToken, accountId, apiVersion, uploadUrl } = instagram;
  const flavour = instagram.flavour ?? flavourOf(accessToken);
  const graphUrl = instagram.graphUrl ?? GRAPH_ORIGIN[flavour];
  const publisher = new InstagramPublisher({ graphUrl, uploadUrl, apiVersion, accessToken, accountId, flavour, logger });
  const source = new InstagramPostSource(publisher);
  // only Instagram Login renews tokens
  if (flavour !== 'instagram') return source;
  if (keys.length === 0) {
    logger.warn({}, 'without SEALING_KEY a renewed access token cannot be opened: posts are read until the configured one expires');
    return source;
  }
  const read = () => database.read.settings.get<StoredToken>(SETTING.instagramToken);
  return {
    resolve: async (url) => {
      await takeUpToken({ configured: accessToken, keys, read, use: (token) => publisher.useToken(token) });
      return source.resolve(url);
    },
  };
}
