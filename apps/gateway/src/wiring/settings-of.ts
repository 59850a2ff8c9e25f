import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Config } from '@autoposter/config';
import { LIMITS } from '@autoposter/contracts';
import { isInReach } from '@autoposter/domain';
import type { GatewaySettings } from './settings';

const withoutSlash = (url: string): string => url.replace(/(?<!\/)\/+$/, '');

/** Arranges the configuration for this process. `mainFolder` is where the bundle lies: the built console stands beside it. */
export function settingsOf(config: Config, mainFolder: string): GatewaySettings {
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
