import {
  ACCOUNT_REPORT,
  type AccountReport,
  describeConnection,
  type Failure,
  failureOf,
  type MediaAccess,
  NOT_PAUSED,
  type Publisher,
  type PublishingSwitch,
  SETTING,
  toFailure,
} from '@autoposter/domain';
import type { InstagramPublisher, StoredToken } from '@autoposter/instagram';
import type { Systems } from '@autoposter/job-engine';
import type { Logger } from '@autoposter/observability';
import { repeatUntilAborted } from '@autoposter/resilience';
import { TokenKeeper } from './token-keeper';
import type { PosterTools } from '../poster.tools';

/** Without its publishing limit an account is not ready. */
export const quotaUnknown = (): Failure => failureOf('instagram_answer_incomplete', { fields: { missing: 'its publishing limit' } });

/** The account check: renews the token and writes the report for the settings screen. `null` while no account is configured. */
export function accountChecks(
  systems: Systems,
  { publisher, platform, access }: PosterTools,
): Pick<AccountWatch, 'checkAccount' | 'isStopped'> | null {
  if (publisher === null || platform === null) return null;
  const { database, config } = systems;
  const keeper = tokenKeeper(systems, platform);
  return {
    checkAccount: async () => {
      await keeper?.keep();
      const found = await readAccount(publisher, access, keeper?.expiresAt ?? null);
      await database.read.workerReports.save(ACCOUNT_REPORT, found, config.service);
      return found.ok;
    },
    isStopped: async () => {
      const { paused, cause } = (await database.read.settings.get<PublishingSwitch>(SETTING.publishing)) ?? NOT_PAUSED;
      return paused && cause === 'token';
    },
  };
}

/** Only Instagram Login renews tokens, and without a key a renewed one could not be stored. */
function tokenKeeper({ database, config, logger }: Systems, platform: InstagramPublisher): TokenKeeper | null {
  const { instagram } = config;
  const keys = config.keys.sealing;
  if (!instagram.configured || platform.flavour !== 'instagram' || keys.length === 0) return null;
  const { settings } = database.read;
  return new TokenKeeper({
    configured: instagram.accessToken,
    keys,
    store: {
      read: () => settings.get<StoredToken>(SETTING.instagramToken),
      write: (stored) => settings.set(SETTING.instagramToken, stored),
    },
    renew: () => platform.renewToken(),
    use: (token) => platform.useToken(token),
    logger,
  });
}

/** What the settings screen shows about the account; no token in it. */
interface AccountFindings {
  ok: boolean;
  username: string | null;
  detail: string;
  tokenExpiresAt: string | null;
  quotaUsed: number | null;
  quotaTotal: number | null;
  canPublishImages: boolean;
  canPublishVideos: boolean;
}

/**
 * Asks the platform who the token speaks for; a refusal is a finding, not an error. `knownExpiry` is the end of a renewed token where the
 * platform does not tell it.
 */
async function readAccount(publisher: Publisher, access: MediaAccess, knownExpiry: string | null): Promise<AccountFindings> {
  const reach = { canPublishImages: access.images, canPublishVideos: access.videos };
  try {
    const report = await publisher.account();
    const facts = factsOf({ ...report, tokenExpiresAt: report.tokenExpiresAt ?? knownExpiry });
    // each post reads it before its container is made
    if (report.quotaTotal === null) {
      const { message, nextAction } = quotaUnknown();
      return { ok: false, ...facts, detail: `${message} ${nextAction}`, ...reach };
    }
    return { ok: true, ...facts, ...reach };
  } catch (error) {
    const { message, nextAction } = toFailure(error);
    const nothing = { username: null, tokenExpiresAt: knownExpiry, quotaUsed: null, quotaTotal: null };
    return { ok: false, detail: `${message} ${nextAction}`, ...nothing, ...reach };
  }
}

function factsOf(report: AccountReport) {
  const { username, flavour, tokenExpiresAt, quotaUsed, quotaTotal } = report;
  return { username, tokenExpiresAt, quotaUsed, quotaTotal, detail: describeConnection(flavour, report) };
}

interface AccountWatch {
  /** Renews the token when due, queries the platform and stores the result. Returns whether the account works. */
  checkAccount: () => Promise<boolean>;
  /** Whether publishing is paused because the token was refused: a person can resume only after a successful check. */
  isStopped: () => Promise<boolean>;
  logger: Logger;
  signal: AbortSignal;
}

const DAY_MS = 86_400_000;
const INTERVAL_MS = 600_000;

/** Checks the account now, once a day, and every ten minutes while the check fails or publishing is paused because of the token. */
export function watchAccount({ checkAccount, isStopped, logger, signal }: AccountWatch): void {
  let isWorking = false;
  // monotonic: a clock that is set back must not delay the check
  let checkedAt = -Infinity;
  const check = async (): Promise<void> => {
    if (isWorking && performance.now() - checkedAt < DAY_MS && !(await isStopped())) return;
    checkedAt = performance.now();
    isWorking = false;
    isWorking = await checkAccount();
  };
  repeatUntilAborted(signal, {
    work: check,
    everyMs: INTERVAL_MS,
    firstMs: 0,
    problem: 'the account check failed',
    logger,
  });
}
