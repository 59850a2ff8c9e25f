import type { Config } from '@autoposter/config';
import { NOT_PAUSED, SETTING, type PublishingSwitch } from '@autoposter/domain';
import { flavourOf, GRAPH_ORIGIN, InstagramPublisher } from '@autoposter/instagram';
import { PublicLinks, type ObjectStore } from '@autoposter/object-store';
import type { Logger } from '@autoposter/observability';
import type { MediaLinks } from './post/media-links';
import type { PauseSwitch } from './post/pause-switch';
import type { PublishLedger } from './post/steps/preflight.step';
import type { PublisherTools } from './publisher-access';
import type { PollPace } from './post/steps/await-container.step';
import type { LinkedMedia } from './reconcile/steps/look-at-media.step';
import type { ReconcilePace } from './reconcile/steps/settle.step';
import type { Systems } from '@autoposter/stage-runner';

export interface PosterTools extends PublisherTools {
  publisher: InstagramPublisher | null;
  publishing: PauseSwitch;
  ledger: PublishLedger;
  links: MediaLinks;
  objects: ObjectStore;
  pace: PollPace;
  linked: LinkedMedia;
  reconcile: ReconcilePace;
}

/** The adapters of both stages, as far as they are configured. */
export function posterTools({ config, database, objects, logger }: Systems): PosterTools {
  const { containerPollSeconds, reconcileLooksAtSeconds, believeAbsentAfterSeconds } = config.publishing;
  return {
    publisher: instagramPublisher(config, logger),
    publishing: {
      isPaused: async () => ((await database.read.settings.get<PublishingSwitch>(SETTING.publishing)) ?? NOT_PAUSED).paused,
    },
    ledger: database.read.attempts,
    links: mediaLinks(config),
    objects,
    pace: { containerPollSeconds },
    linked: database.read.attempts,
    reconcile: { looksAtSeconds: reconcileLooksAtSeconds, believeAbsentAfterSeconds },
  };
}

function instagramPublisher({ instagram }: Config, logger: Logger): InstagramPublisher | null {
  if (!instagram.configured) return null;
  const flavour = instagram.flavour ?? flavourOf(instagram.accessToken);
  return new InstagramPublisher({
    graphUrl: instagram.graphUrl ?? GRAPH_ORIGIN[flavour],
    uploadUrl: instagram.uploadUrl,
    apiVersion: instagram.apiVersion,
    accessToken: instagram.accessToken,
    accountId: instagram.accountId,
    flavour,
    ...(instagram.appId !== null ? { appId: instagram.appId } : {}),
    ...(instagram.appSecret !== null ? { appSecret: instagram.appSecret } : {}),
    logger,
  });
}

/** A container lives for 24 hours, and Meta may fetch as long as it processes. */
const LINK_SECONDS = 26 * 3600;

/** The gateway serves these addresses; both sides sign with the same secret. */
export function mediaLinks(config: Pick<Config, 'http' | 'jwtSecret'>): MediaLinks {
  const { cdnBaseUrl } = config.http;
  if (cdnBaseUrl === null || config.jwtSecret === '') {
    const refuse = (): never => {
      throw new Error('there is no public address for media');
    };
    return { isPublic: false, forMeta: refuse };
  }
  const links = new PublicLinks(config.jwtSecret);
  return { isPublic: true, forMeta: (objectKey) => `${cdnBaseUrl.replace(/\/+$/, '')}${links.path(objectKey, LINK_SECONDS, new Date())}` };
}
