import { flavourOf, type PostSource, SETTING } from '@autoposter/domain';
import { GRAPH_ORIGIN, InstagramPostSource, InstagramPublisher, type StoredToken, takeUpToken } from '@autoposter/instagram';
import { type Systems, processName } from '@autoposter/job-engine';
import { MediaTools } from '@autoposter/media-tools';
import { SharedBudget } from '@autoposter/persistence';
import { RedditClient } from '@autoposter/reddit';
import type { KnownPosts } from './collect/steps/drop-known.step';
import { downloadStage } from './download/download.stage';
import type { ResolveTools } from './download/steps/resolve-source.step';
import type { StoreTools } from './download/steps/store-original.step';
import { MediaFetcher } from './fetching/media-fetcher';
import type { RetrieveTools } from './retrieve/steps/fetch-works.step';
import { RedditAccess, type RedditSource, withAccessNoted } from './reddit-access/reddit-access';

interface DownloaderTools extends ResolveTools, StoreTools, RetrieveTools {
  /** `null` while no Reddit credentials are configured. */
  reddit: RedditSource | null;
  /** The client itself, which asks Reddit also while access is denied. */
  redditClient: RedditSource | null;
  access: RedditAccess;
  known: KnownPosts;
}

/** The adapters of the stages, as far as they are configured. */
export function downloaderTools({ config, database, objects, logger, storageType }: Systems): DownloaderTools {
  const access = new RedditAccess(database, processName(config.service));
  const redditClient = config.reddit.configured
    ? new RedditClient({
        ...config.reddit,
        budget: new SharedBudget(database, { provider: 'reddit', side: 'reddit' }),
        tokenBudget: new SharedBudget(database, { provider: 'reddit-token', side: 'reddit' }),
        logger,
      })
    : null;
  const reddit = redditClient === null ? null : withAccessNoted(redditClient, access);
  const extraOrigins = new Set(config.downloadExtraOrigins.map((origin) => new URL(origin).origin));
  const addressRules = { extraOrigins, publicOnly: config.production };
  return {
    reddit,
    redditClient,
    access,
    sources: { reddit, instagram: instagramSource({ config, database, logger }) },
    claims: database.read.claims,
    known: { findKnown: (platform, sourceIds) => database.read.items.findKnown(platform, sourceIds) },
    fetcher: new MediaFetcher(addressRules),
    workFetcher: new MediaFetcher({ ...addressRules, anyHost: true }),
    media: new MediaTools({ ...config.media, concurrency: concurrentDownloads(config.stage.slots), logger }),
    objects,
    storageType,
  };
}

/** Downloads that run at the same time, those for people included; each decodes. */
const concurrentDownloads = (slots: number): number => (slots || downloadStage.limits.slots) + (downloadStage.limits.slotsForPeople ?? 0);

/**
 * Reads Instagram posts with the newest token: a configured token of Instagram Login expires after 60 days, and the poster renews it.
 * `null` while no account is configured.
 */
export function instagramSource({ config, database, logger }: Pick<Systems, 'config' | 'database' | 'logger'>): PostSource | null {
  const { instagram } = config;
  const keys = config.keys.sealing;
  if (!instagram.configured) return null;
  const { accessToken, accountId, apiVersion, uploadUrl, appSecret } = instagram;
  const flavour = instagram.flavour ?? flavourOf(accessToken);
  const graphUrl = instagram.graphUrl ?? GRAPH_ORIGIN[flavour];
  const publisher = new InstagramPublisher({
    ...{ graphUrl, uploadUrl, apiVersion, accessToken, accountId, flavour, logger },
    ...(appSecret === null ? {} : { appSecret }),
  });
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
