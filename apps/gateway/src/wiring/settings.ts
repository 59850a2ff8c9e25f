import type { Keys } from '@autoposter/config';
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
