import { SETTING, type PostSource } from '@autoposter/domain';
import { flavourOf, GRAPH_ORIGIN, InstagramPostSource, InstagramPublisher, takeUpToken, type StoredToken } from '@autoposter/instagram';
import type { Systems } from '@autoposter/stage-runner';

/**
 * Reads Instagram posts with the newest token: the configured one of Instagram Login ends after 60 days, and whoever publishes renews it.
 * `null` while no account is configured.
 */
export function instagramSource({ config, database, logger }: Pick<Systems, 'config' | 'database' | 'logger'>): PostSource | null {
  const { instagram, jwtSecret: secret } = config;
  if (!instagram.configured) return null;
  const { accessToken, accountId, apiVersion, uploadUrl } = instagram;
  const flavour = instagram.flavour ?? flavourOf(accessToken);
  const graphUrl = instagram.graphUrl ?? GRAPH_ORIGIN[flavour];
  const publisher = new InstagramPublisher({ graphUrl, uploadUrl, apiVersion, accessToken, accountId, flavour, logger });
  const source = new InstagramPostSource(publisher);
  // only Instagram Login renews tokens, and without the secret they were sealed with none can be opened
  if (flavour !== 'instagram' || secret === '') return source;
  const read = () => database.read.settings.get<StoredToken>(SETTING.instagramToken);
  return {
    resolve: async (url) => {
      await takeUpToken({ configured: accessToken, secret, read, use: (token) => publisher.useToken(token) });
      return source.resolve(url);
    },
  };
}
