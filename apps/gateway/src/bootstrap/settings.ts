import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Keys, Config } from '@autoposter/config';
import { LIMITS, type LoginFlavour } from '@autoposter/contracts';
import { flavourOf, isInReach, type ApiAccess } from '@autoposter/domain';
import type { AlertChannels } from '../notifications/channels';
import type { StorageType } from '@autoposter/persistence';
import { withoutSlash } from '@autoposter/resilience';

/** The gateway's part of the configuration. */
export interface GatewaySettings {
  port: number;
  host: string;
  /** Port for probes and metrics, never for browsers. */
  managementPort: number;
  /** Requests are accepted for this many seconds after SIGTERM. */
  shutdownDelaySeconds: number;
  /** Origin of the product for browsers, without a trailing slash. */
  publicUrl: string;
  /** Whether Instagram can fetch media from `CDN_BASE_URL`. */
  hasPublicAddress: boolean;
  /** The first of each signs; all of them verify. Without one for evidence, bundles are not made. */
  keys: { session: Keys; link: Keys; evidence: Keys };
  /** Trimmed, lower case. */
  adminEmails: readonly string[];
  /** Accepted Google account ids by e-mail address (ADMIN_ACCOUNTS), for addresses whose account changed. */
  adminAccounts: ReadonlyMap<string, string>;
  google: {
    clientId: string;
    clientSecret: string;
    authorizationUrl: string;
    tokenUrl: string;
    userinfoUrl: string;
    /** Another OpenID Connect issuer; its discovery document then replaces the three URLs above. */
    issuerUrl: string | null;
  } | null;
  /** Environment variables that publishing lacks; empty if it is configured. */
  instagramMissing: readonly string[];
  instagramAccountId: string | null;
  /** How the account is reached; `null` while none is configured. */
  instagramApi: ApiAccess | null;
  /** The applications that connect accounts, and where their login pages are. */
  instagramLogin: {
    appIds: Record<LoginFlavour, string | null>;
    loginUrls: Record<LoginFlavour, string>;
    apiVersion: string;
  };
  aiDailyLimit: number;
  /** INSTAGRAM_HASHTAG_LIMIT. */
  maxHashtags: number;
  timeZone: string;
  /** Express' `trust proxy`. */
  trustProxy: boolean | number | string;
  /** Folder of the launcher's log files; `null` if pod logs are read instead. */
  logFolder: string | null;
  /** `null` outside Kubernetes. */
  podLogs: { namespace: string; selector: string } | null;
  alerts: AlertChannels;
  /** Folder of the built console; `null` if it was not built. */
  consoleFolder: string | null;
  storageType: StorageType;
  rateLimits: boolean;
  /** Callers wait this long; a call that is still running shortly before gets a 503. */
  responseTimeoutMs: number;
  /** Seconds between two ticks of the scheduler. */
  schedulerSeconds: number;
  /** Another gateway takes over the scheduler after this many seconds without a renewal. */
  schedulerLeaseSeconds: number;
  /** Whether the schedulers run before an administrator starts them (demo only). */
  schedulersStart: boolean;
}

export const SETTINGS = Symbol('gateway settings');

/** `mainFolder` contains the bundle of this program; the build puts the console beside it. */
export function settingsFrom(config: Config, mainFolder: string): GatewaySettings {
  const { http, google, instagram, instagramLogin: login } = config;
  return {
    port: http.port,
    host: http.host,
    managementPort: http.metricsPort,
    shutdownDelaySeconds: http.shutdownDelaySeconds,
    publicUrl: withoutSlash(http.publicUrl),
    hasPublicAddress: isInReach(http.cdnBaseUrl, instagram.configured ? instagram.graphUrl : null),
    keys: { session: config.keys.session, link: config.keys.link, evidence: config.keys.evidence },
    adminEmails: config.adminEmails,
    adminAccounts: config.adminAccounts,
    google: google.configured
      ? {
          clientId: google.clientId,
          clientSecret: google.clientSecret,
          authorizationUrl: google.authorizationUrl,
          tokenUrl: google.tokenUrl,
          userinfoUrl: google.userinfoUrl,
          issuerUrl: google.issuerUrl,
        }
      : null,
    instagramMissing: instagram.configured ? [] : instagram.missing,
    instagramAccountId: instagram.configured ? instagram.accountId : null,
    instagramApi: instagram.configured
      ? { flavour: instagram.flavour ?? flavourOf(instagram.accessToken), version: instagram.apiVersion }
      : null,
    instagramLogin: {
      appIds: { instagram: login.apps.instagram.id, facebook: login.apps.facebook.id },
      loginUrls: login.loginUrls,
      apiVersion: login.apiVersion,
    },
    aiDailyLimit: config.aiDailyLimit,
    maxHashtags: config.publishing.maxHashtags,
    timeZone: config.timeZone,
    trustProxy: http.trustProxy,
    logFolder: config.pods === null ? resolve(config.log.folder ?? join(config.dataDir, 'logs')) : null,
    podLogs: config.pods,
    alerts: config.alerts,
    consoleFolder: consoleFolder(http.consoleFolder, mainFolder),
    storageType: config.objects.kind === 'minio' ? 'cdn' : 'local',
    rateLimits: http.rateLimits,
    responseTimeoutMs: LIMITS.http.timeoutMs,
    schedulerSeconds: config.schedulerSeconds,
    schedulerLeaseSeconds: Math.max(3 * config.schedulerSeconds, Math.ceil(config.stage.leaseSeconds / 2)),
    schedulersStart: config.schedulersStart,
  };
}

function consoleFolder(named: string | null, mainFolder: string): string | null {
  const folder = resolve(named ?? join(mainFolder, '../console'));
  return existsSync(join(folder, 'index.html')) ? folder : null;
}
