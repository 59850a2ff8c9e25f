import { ENVIRONMENT_ACCOUNT_ID } from '@autoposter/contracts';
import type { Config } from '@autoposter/config';
import {
  accountSetting,
  type ApiAccess,
  flavourOf,
  isInReach,
  mediaAccessOf,
  ofConnectedAccount,
  PipelineError,
  type MediaAccess,
  type Publisher,
  type QueueSettings,
} from '@autoposter/domain';
import { GRAPH_ORIGIN, InstagramPublisher, openToken, type StoredToken } from '@autoposter/instagram';
import { PublicLinks, type ObjectStore } from '@autoposter/object-store';
import type { Logger } from '@autoposter/observability';
import type { Systems } from '@autoposter/job-engine';
import type { ConnectedAccount, Database } from '@autoposter/persistence';
import { withoutSlash } from '@autoposter/resilience';
import { AccountBreaker, type AccountSwitch } from './account/account-breaker';
import { mediaReach, type MediaReach } from './account/check-media-address';
import { GuardedPublisher } from './account/guarded-publisher';
import type { MediaLinks } from './post/media-source';
import { isPausedOn, type PauseSwitch, QueueSpacing, type Spacing } from './post/publish-conditions';
import type { PollSchedule, RightsTools } from './post/steps/judge-container';
import type { AwaitTools } from './post/steps/await-container.step';
import type { PublishLedger } from './post/steps/preflight.step';
import type { AnswerLedger } from './post/steps/publish.step';
import type { PublisherTools } from './publisher-access';
import type { AccountLedger } from './reconcile/steps/check-account-media.step';
import type { ReconcileSchedule } from './reconcile/steps/resolve-outcome.step';

export interface PosterTools extends PublisherTools {
  /** The publisher of the steps; it reports failures of the account to the account's breaker. */
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
  reach: MediaReach;
  links: MediaLinks;
  objects: ObjectStore;
  pace: PollSchedule;
  linked: AccountLedger;
  reconcile: ReconcileSchedule;
}

interface PublishingAccount {
  id: string;
  platform: InstagramPublisher | null;
}

/** The configured adapters of both stages for one account; by default the account of the environment. */
export function posterTools({ config, database, objects, logger }: Systems, connected?: PublishingAccount): PosterTools {
  const { containerPollSeconds, reconcileLooksAtSeconds, believeAbsentAfterSeconds } = config.publishing;
  const { id, platform } = connected ?? { id: ENVIRONMENT_ACCOUNT_ID, platform: instagramPublisher(config, logger) };
  const account = new AccountBreaker(database, logger, id);
  const links = mediaLinks(config);
  return {
    publisher: platform && new GuardedPublisher(platform, account, logger, connected && ofConnectedAccount),
    platform,
    account,
    rights: rightsTools(database, id),
    api: platform && { flavour: platform.flavour, version: config.instagramLogin.apiVersion },
    access: mediaAccessOf({ hasPublicAddress: links.isPublic, canUpload: platform?.canUpload ?? false }),
    publishing: { isPaused: () => isPausedOn(database.read.settings, id) },
    spacing: new QueueSpacing(database, config.timeZone),
    ledger: database.read.attempts,
    answers: database.read.attempts,
    maxHashtags: config.publishing.maxHashtags,
    reach: mediaReach(links, objects),
    links,
    objects,
    pace: { containerPollSeconds },
    linked: database.read.attempts,
    reconcile: { looksAtSeconds: reconcileLooksAtSeconds, believeAbsentAfterSeconds },
  };
}

/** The policy is a setting of the account's queue. */
export const rightsTools = ({ read }: Pick<Database, 'read'>, accountId = ENVIRONMENT_ACCOUNT_ID): RightsTools => ({
  policy: async () => (await read.settings.get<Partial<QueueSettings>>(accountSetting('queue', accountId)))?.uncheckedPosts ?? 'hold',
  keep: (id, check) => read.attempts.keepRightsCheck(id, check),
});

/** The tools of the account that an attempt publishes on, each with its own token, pause and breaker. */
export class ToolsByAccount {
  private readonly connected = new Map<string, { sealed: string; tools: PosterTools }>();

  constructor(
    private readonly systems: Systems,
    /** Those of the environment's account. */
    private readonly first: PosterTools,
  ) {}

  /** The tools of all accounts with a known token. The check of an account refuses an unreadable token, without delaying other accounts. */
  async usable(): Promise<(PosterTools & { platform: InstagramPublisher })[]> {
    const connected = await this.systems.database.read.accounts.connected();
    const tools = [this.first];
    for (const { userId } of connected.filter(({ status }) => status === 'ready')) {
      try {
        tools.push(await this.of(userId));
      } catch (error) {
        if (!(error instanceof PipelineError)) throw error;
        this.systems.logger.warn({ userId, code: error.failure.code }, 'published posts of an account cannot be checked');
      }
    }
    return [...new Set(tools)].flatMap((one) => (one.platform === null ? [] : { ...one, platform: one.platform }));
  }

  /** For an account that is not connected the steps of the first account refuse the post. Follows a renewed token. */
  async of(userId: string): Promise<PosterTools> {
    if (this.first.publisher?.accountId === userId) return this.first;
    const { config, database, logger } = this.systems;
    const account = await database.read.accounts.findByUser(userId);
    const stored = (account?.token ?? null) as StoredToken | null;
    if (account === null || stored === null) return this.first;
    const known = this.connected.get(userId);
    if (known?.sealed === stored.sealed) return known.tools;
    const token = openToken(stored, userId, config.keys.sealing);
    if (token === null) throw PipelineError.of('account_token_unreadable');
    const platform = connectedPublisher(config, account, token, logger);
    const tools = posterTools(this.systems, { id: account.id, platform });
    this.connected.set(userId, { sealed: stored.sealed, tools });
    return tools;
  }
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
    appId: instagram.appId ?? undefined,
    appSecret: instagram.appSecret ?? undefined,
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
    appId: id ?? undefined,
    appSecret: secret ?? undefined,
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
    forMeta: (objectKey, now) => `${withoutSlash(cdnBaseUrl)}${links.path(objectKey, LINK_SECONDS, now)}`,
  };
}
