import type { Config } from '@autoposter/config';
import {
  type ApiAccess,
  flavourOf,
  isInReach,
  mediaAccessOf,
  NOT_PAUSED,
  SETTING,
  type MediaAccess,
  type Publisher,
  type PublishingSwitch,
  type QueueSettings,
} from '@autoposter/domain';
import { GRAPH_ORIGIN, InstagramPublisher } from '@autoposter/instagram';
import { PublicLinks, type ObjectStore } from '@autoposter/object-store';
import type { Logger } from '@autoposter/observability';
import type { Database } from '@autoposter/persistence';
import type { Systems } from '@autoposter/job-engine';
import type { ConnectedAccount } from '@autoposter/persistence';
import { AccountBreaker, type AccountSwitch } from './account/account-breaker';
import { GuardedPublisher } from './account/guarded-publisher';
import type { MediaLinks } from './post/media-source';
import { type PauseSwitch, QueueSpacing, type Spacing } from './post/publish-conditions';
import type { PollSchedule } from './post/steps/judge-container';
import type { AwaitTools, RightsTools } from './post/steps/await-container.step';
import type { PublishLedger } from './post/steps/preflight.step';
import type { AnswerLedger } from './post/steps/publish.step';
import type { PublisherTools } from './publisher-access';
import type { AccountLedger } from './reconcile/steps/check-account-media.step';
import type { ReconcileSchedule } from './reconcile/steps/resolve-outcome.step';

export interface PosterTools extends PublisherTools {
  /** The publisher that the steps use; it tells the switch of the account what the platform says about it. */
  publisher: Publisher | null;
  /** Behind it, for what only the account's own upkeep needs. */
  platform: InstagramPublisher | null;
  account: AccountSwitch;
  rights: RightsTools;
  access: MediaAccess;
  /** `null` while no account is configured. */
  api: ApiAccess | null;
  publishing: PauseSwitch;
  spacing: Spacing;
  ledger: PublishLedger & AwaitTools['ledger'];
  answers: AnswerLedger;
  maxHashtags: number;
  links: MediaLinks;
  objects: ObjectStore;
  pace: PollSchedule;
  linked: AccountLedger;
  reconcile: ReconcileSchedule;
}

/** The adapters of both stages, as far as they are configured. */
export function posterTools({ config, database, objects, logger }: Systems): PosterTools {
  const { containerPollSeconds, reconcileLooksAtSeconds, believeAbsentAfterSeconds } = config.publishing;
  const platform = instagramPublisher(config, logger);
  const account = new AccountBreaker(database, logger);
  const links = mediaLinks(config);
  return {
    publisher: platform && new GuardedPublisher(platform, account, logger),
    platform,
    account,
    rights: rightsTools(database),
    api: platform && config.instagram.configured ? { flavour: platform.flavour, version: config.instagram.apiVersion } : null,
    access: mediaAccessOf({ hasPublicAddress: links.isPublic, canUpload: platform?.canUpload ?? false }),
    publishing: {
      isPaused: async () => ((await database.read.settings.get<PublishingSwitch>(SETTING.publishing)) ?? NOT_PAUSED).paused,
    },
    spacing: new QueueSpacing(database, config.timeZone),
    ledger: database.read.attempts,
    answers: database.read.attempts,
    maxHashtags: config.publishing.maxHashtags,
    links,
    objects,
    pace: { containerPollSeconds },
    linked: database.read.attempts,
    reconcile: { looksAtSeconds: reconcileLooksAtSeconds, believeAbsentAfterSeconds },
  };
}

/** The policy is a setting of the queue. */
export const rightsTools = ({ read }: Pick<Database, 'read'>): RightsTools => ({
  policy: async () => (await read.settings.get<Partial<QueueSettings>>(SETTING.queue))?.uncheckedPosts ?? 'hold',
  keep: (id, check) => read.attempts.keepRightsCheck(id, check),
});

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

/** The publisher of a connected account, with its own token and the application of its login. */
export function connectedPublisher(
  { instagramLogin }: Pick<Config, 'instagramLogin'>,
  { userId, login }: Pick<ConnectedAccount, 'userId' | 'login'>,
  accessToken: string,
  logger: Logger,
): InstagramPublisher {
  const { apps, graphUrl, uploadUrl, apiVersion } = instagramLogin;
  const { id, secret } = apps[login];
  return new InstagramPublisher({
    graphUrl: graphUrl ?? GRAPH_ORIGIN[login],
    uploadUrl,
    apiVersion,
    accessToken,
    accountId: userId,
    flavour: login,
    ...(id !== null ? { appId: id } : {}),
    ...(secret !== null ? { appSecret: secret } : {}),
    logger,
  });
}

/** A container lives for 24 hours, and Meta may fetch as long as it processes. */
const LINK_SECONDS = 26 * 3600;

/** The gateway serves these addresses; both sides sign with the same key. */
export function mediaLinks({ http, keys, instagram }: Pick<Config, 'http' | 'keys' | 'instagram'>): MediaLinks {
  const { cdnBaseUrl } = http;
  if (cdnBaseUrl === null || keys.link.length === 0 || !isInReach(cdnBaseUrl, instagram.configured ? instagram.graphUrl : null)) {
    const refuse = (): never => {
      throw new Error('there is no public address for media');
    };
    return { isPublic: false, forMeta: refuse };
  }
  const links = new PublicLinks(keys.link);
  return {
    isPublic: true,
    forMeta: (objectKey, now) => `${cdnBaseUrl.replace(/(?<!\/)\/+$/, '')}${links.path(objectKey, LINK_SECONDS, now)}`,
  };
}
