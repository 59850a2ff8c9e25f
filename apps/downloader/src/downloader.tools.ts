import { MediaTools } from '@autoposter/media-tools';
import { SharedBudget } from '@autoposter/persistence';
import { RedditClient } from '@autoposter/reddit';
import { downloadStage } from './download/download.stage';
import type { KnownPosts } from './collect/steps/drop-known.step';
import type { ResolveTools } from './download/steps/resolve-source.step';
import type { StoreTools } from './download/steps/store-original.step';
import { DEFAULT_FETCH_LIMITS, MediaFetcher } from './fetching/media-fetcher';
import { instagramSource } from './instagram-source';
import { RedditAccess, withAccessNoted, type RedditSource } from './reddit-access/reddit-access';
import { processName, type Systems } from '@autoposter/job-engine';

export interface DownloaderTools extends ResolveTools, StoreTools {
  /** `null` while no Reddit credentials are configured. */
  reddit: RedditSource | null;
  /** The client itself, which asks Reddit also while access is denied. */
  redditClient: RedditSource | null;
  access: RedditAccess;
  known: KnownPosts;
  fetcher: MediaFetcher;
  media: MediaTools;
}

/** The adapters of both stages, as far as they are configured. */
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
  return {
    reddit,
    redditClient,
    access,
    sources: { reddit, instagram: instagramSource({ config, database, logger }) },
    known: { findKnown: (platform, sourceIds) => database.read.items.findKnown(platform, sourceIds) },
    fetcher: new MediaFetcher(
      new Set(config.downloadExtraOrigins.map((origin) => new URL(origin).origin)),
      DEFAULT_FETCH_LIMITS,
      config.production,
    ),
    media: new MediaTools({ ...config.media, concurrency: config.stage.slots || downloadStage.limits.slots, logger }),
    objects,
    storageType,
  };
}
