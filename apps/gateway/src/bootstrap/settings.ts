import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Keys, Config } from '@autoposter/config';
import { LIMITS } from '@autoposter/contracts';
import { isInReach } from '@autoposter/domain';
import type { StorageType } from '@autoposter/persistence';

/** What the gateway needs to know, read once by the configuration library and handed in; nothing here reads the environment. */
export interface GatewaySettings {
  port: number;
  host: string;
  /** Port for probes and metrics, never for browsers. */
  managementPort: number;
  /** Seconds for which requests are still taken once the process was asked to stop. */
  shutdownDelaySeconds: number;
  /** Origin under which browsers reach the product, without a slash at the end. */
  publicUrl: string;
  /** Whether there is an address under which Instagram can fetch media. */
  hasPublicAddress: boolean;
  /** The first of each signs, all of them verify. */
  keys: { session: Keys; link: Keys };
  /** Trimmed, lower case. */
  adminEmails: readonly string[];
  /** The Google account that may use an address, by the address; for addresses whose account changed. */
  adminAccounts: ReadonlyMap<string, string>;
  google: {
    clientId: string;
    clientSecret: string;
    authorizationUrl: string;
    tokenUrl: string;
    userinfoUrl: string;
    /** Another OpenID Connect issuer, which is asked for its addresses; the three above then do not count. */
    issuerUrl: string | null;
  } | null;
  /** Variables that are missing for publishing; empty when it is configured. */
  instagramMissing: readonly string[];
  instagramAccountId: string | null;
  aiDailyLimit: number;
  /** INSTAGRAM_HASHTAG_LIMIT. */
  maxHashtags: number;
  timeZone: string;
  /** Express' `trust proxy`. */
  trustProxy: boolean | number | string;
  /** Folder of the launcher's log files; `null` where the pods' logs are read instead. */
  logFolder: string | null;
  /** Name of the namespace whose pods are read; `null` outside Kubernetes. */
  podLogs: { namespace: string; selector: string } | null;
  alertWebhookUrl: string | null;
  /** Folder of the built console; served when it is there. */
  consoleFolder: string | null;
  storageType: StorageType;
  /** Whether a peer that asks too often is sent away for a while. */
  rateLimits: boolean;
  /** Milliseconds for which callers wait: a call that is not done shortly before is answered with that. */
  answerWithinMs: number;
  /** Seconds between two beats of the clock. */
  clockSeconds: number;
  /** Seconds after which another gateway keeps the clock of one that fell silent. */
  clockLeaseSeconds: number;
  /** Whether planning starts by itself on the first start (the demonstration), or waits for a person. */
  schedulersStart: boolean;
}

export const SETTINGS = Symbol('gateway settings');

const withoutSlash = (url: string): string => url.replace(/(?<!\/)\/+$/, '');

/** Arranges the configuration for this process. `mainFolder` is where the bundle lies: the built console stands beside it. */
export function settingsFrom(config: Config, mainFolder: string): GatewaySettings {
  const { http, google, instagram } = config;
  return {
    port: http.port,
    host: http.host,
    managementPort: http.metricsPort,
    shutdownDelaySeconds: http.shutdownDelaySeconds,
    publicUrl: withoutSlash(http.publicUrl),
    hasPublicAddress: isInReach(http.cdnBaseUrl, instagram.configured ? instagram.graphUrl : null),
    keys: { session: config.keys.session, link: config.keys.link },
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
    aiDailyLimit: config.aiDailyLimit,
    maxHashtags: config.publishing.maxHashtags,
    timeZone: config.timeZone,
    trustProxy: http.trustProxy,
    logFolder: config.pods === null ? resolve(config.log.folder ?? join(config.dataDir, 'logs')) : null,
    podLogs: config.pods,
    alertWebhookUrl: config.alertWebhookUrl,
    consoleFolder: consoleFolder(http.consoleFolder, mainFolder),
    storageType: config.objects.kind === 'minio' ? 'cdn' : 'local',
    rateLimits: http.rateLimits,
    answerWithinMs: LIMITS.http.timeoutMs,
    clockSeconds: config.clockSeconds,
    clockLeaseSeconds: Math.max(3 * config.clockSeconds, Math.ceil(config.stage.leaseSeconds / 2)),
    schedulersStart: config.schedulersStart,
  };
}

/** The named folder, else the one that the build puts beside this program. */
function consoleFolder(named: string | null, mainFolder: string): string | null {
  const folder = resolve(named ?? join(mainFolder, '../console'));
  return existsSync(join(folder, 'index.html')) ? folder : null;
}
