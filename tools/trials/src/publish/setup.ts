import { createHash } from 'node:crypto';
import { type Config, loadConfig } from '@autoposter/config';
import { ENVIRONMENT_ACCOUNT_ID, type LoginFlavour, type PostKind, type PublishOptions } from '@autoposter/contracts';
import { initialQueueSettings, type QueueSettings } from '@autoposter/domain';
import { sealToken } from '@autoposter/instagram';
import type { UnitOfWork } from '@autoposter/persistence';
import { fileFields } from '@autoposter/testkit';
import type { GatewaySettings } from '../../../../apps/gateway/src/bootstrap/settings';
import { CREDENTIALS } from '../../../simulators/src/credentials';
import { accountsOf } from '../../../simulators/src/instagram/instagram.system';
import type { World } from '../simulation/virtual-time';

/** An account with a queue of its own. */
export interface SimulatedAccount {
  /** Id of its queue; for a connected account it is known once the account is stored. */
  id: string;
  /** On the platform. */
  userId: string;
  username: string;
  login: LoginFlavour;
  /** Its first access token. */
  token: string;
  settings: QueueSettings;
}

export interface SimulatedPost {
  /** Name of its first file, which identifies it. */
  key: string;
  kind: PostKind;
  /** Names of its files, in order. */
  files: string[];
  fields: ReturnType<typeof fileFields>[];
  options: PublishOptions;
  caption: string;
  account: SimulatedAccount;
}

/** An installation that the seed selects: its accounts, its application, and whether Instagram can fetch its media. */
export interface Setup {
  /** The first is the account of the environment. */
  accounts: readonly SimulatedAccount[];
  /** Without a public address videos are uploaded, and pictures cannot be published. */
  hasAddress: boolean;
  /** The secret of the application, which proves calls of Facebook Login. */
  hasSecret: boolean;
  config: Config;
  gateway: GatewaySettings;
}

export const FURTHER_ACCOUNTS = 1;
const API_VERSION = 'v26.0';
const CDN = 'https://cdn.example.com';

export function drawSetup(world: World): Setup {
  const count = world.pick([1, 2, 2, 2, 3, 3, 3]);
  // accounts are connected with the secret of the application
  const hasSecret = count > 1 || world.chance(0.5);
  const hasAddress = world.chance(0.85);
  const first: LoginFlavour = hasAddress && world.chance(0.4) ? 'instagram' : 'facebook';
  const other: LoginFlavour = first === 'facebook' && hasAddress ? 'instagram' : 'facebook';
  const accounts = accountsOf({ furtherAccounts: FURTHER_ACCOUNTS })
    .slice(0, count)
    .map(({ id: userId, username }, index) => {
      const login = index === 1 ? other : index === 0 || !hasAddress || world.chance(0.5) ? first : other;
      return {
        id: index === 0 ? ENVIRONMENT_ACCOUNT_ID : '',
        userId,
        username,
        login,
        settings: drawSettings(world),
        token: `${login === 'facebook' ? 'EAAS' : 'IGAA'}simulatedTokenOf${userId}`,
      };
    });
  return { accounts, hasAddress, hasSecret, config: configOf(accounts, hasAddress, hasSecret), gateway: gatewayOf(accounts, hasAddress) };
}

function drawSettings(world: World): QueueSettings {
  return {
    ...initialQueueSettings('UTC'),
    running: true,
    intervalMinutes: world.pick([10, 10, 30]),
    backlogLimit: world.pick([3, 10, 1000]),
    timeBlocking: {
      enabled: world.chance(0.5),
      ...world.pick([
        { startTime: '22:30', endTime: '06:15' },
        { startTime: '09:00', endTime: '17:00' },
      ]),
      timeZone: world.pick(['America/New_York', 'Asia/Kolkata', 'Pacific/Auckland']),
    },
    randomization: { enabled: world.chance(0.3), maxDelayMinutes: 5 },
  };
}

/** The configuration of the publishing worker. It has no addresses of the platform, so that each login uses its own host. */
function configOf([first]: readonly SimulatedAccount[], hasAddress: boolean, hasSecret: boolean): Config {
  const { instagramAppId: id, instagramAppSecret: secret } = CREDENTIALS;
  const apps = { INSTAGRAM_APP_ID: id, INSTAGRAM_APP_SECRET: secret, FACEBOOK_APP_ID: id, FACEBOOK_APP_SECRET: secret };
  return loadConfig('instagram-poster', {
    DATABASE_URL: 'postgres://localhost/none',
    TIME_ZONE: 'UTC',
    CONTAINER_POLL_SECONDS: '60',
    INSTAGRAM_API_VERSION: API_VERSION,
    LINK_KEY: 'l'.repeat(40),
    SEALING_KEY: 's'.repeat(40),
    INSTAGRAM_ACCESS_TOKEN: first?.token,
    INSTAGRAM_BUSINESS_ACCOUNT_ID: first?.userId,
    INSTAGRAM_LOGIN_FLAVOUR: first?.login,
    ...(hasAddress ? { CDN_BASE_URL: CDN } : {}),
    ...(hasSecret ? apps : {}),
  });
}

const gatewayOf = ([first]: readonly SimulatedAccount[], hasPublicAddress: boolean): GatewaySettings =>
  ({
    instagramAccountId: first?.userId,
    instagramMissing: [],
    maxHashtags: 5,
    timeZone: 'UTC',
    hasPublicAddress,
    schedulersStart: true,
    // the simulated worker checks accounts less often than a person waits
    responseTimeoutMs: 0,
    instagramApi: { flavour: first?.login, version: API_VERSION },
    instagramLogin: { apiVersion: API_VERSION },
  }) as unknown as GatewaySettings;

export const ADMINISTRATOR = 'admin@example.com';
const TOKEN_LIFE_MS = 60 * 86_400_000;

/** Stores what a login through the platform grants; the publishing worker checks it. */
export async function storeConnected(uow: UnitOfWork, account: SimulatedAccount, { config }: Setup): Promise<void> {
  const { userId, username, login, token } = account;
  const now = await uow.now();
  const tokenExpiresAt = login === 'facebook' ? null : new Date(now.getTime() + TOKEN_LIFE_MS);
  const granted = { accessToken: token, expiresAt: tokenExpiresAt?.toISOString() ?? null };
  const sealed = sealToken(granted, userId, config.keys.sealing, now);
  const known = { userId, username, login, scopes: [], tokenExpiresAt, connectedBy: ADMINISTRATOR };
  account.id = (await uow.accounts.saveConnected({ ...known, token: sealed })).id;
}

/** An uploaded file contains its own name, padded to this size. */
const FILE_BYTES = 96;

export const contentOf = (objectKey: string): Buffer => Buffer.from(objectKey.padEnd(FILE_BYTES, '\0'));

/** Two to ten files, rarely many: each is a container. */
const CAROUSEL_FILES = [2, 2, 2, 3, 3, 4, 10];

export function drawPost(
  world: World,
  name: string,
  kind: PostKind,
  { account, videosOnly }: { account: SimulatedAccount; videosOnly: boolean },
): SimulatedPost {
  const count = kind === 'carousel' ? world.pick(CAROUSEL_FILES) : 1;
  const fields = Array.from({ length: count }, (_none, index) => {
    const isImage = !videosOnly && (kind === 'image' || (kind !== 'reel' && world.chance(0.5)));
    const form = isImage ? ({ mediaType: 'image', contentType: 'image/jpeg', width: 1080, height: 1080 } as const) : {};
    const objectKey = `processed/${name}${count > 1 ? `.${index}` : ''}.${isImage ? 'jpg' : 'mp4'}`;
    return fileFields({ ...form, objectKey, bytes: FILE_BYTES, sha256: createHash('sha256').update(objectKey).digest('hex') });
  });
  const files = fields.map(({ objectKey }) => keyOf(objectKey));
  return {
    key: files[0] ?? name,
    kind: kind === 'image' && videosOnly ? 'reel' : kind,
    files,
    fields,
    account,
    options: kind === 'story' ? { story: true } : {},
    caption: `A fox \u2764 in the snow, ${name}.`,
  };
}

/** Name of a stored file by its address. */
export const keyOf = (address: string): string => (address.split('?')[0] ?? '').split('/').at(-1) ?? '';

/** Whether two items have this file and the same caption; only one of them may be published. */
export const isShared = (key: string): boolean => key.startsWith('shared-');
