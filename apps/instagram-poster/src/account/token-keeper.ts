import { toFailure } from '@autoposter/domain';
import { isSealedWithCurrent, sealToken, takeUpToken, type RenewedToken, type SealingKeys, type StoredToken } from '@autoposter/instagram';
import type { Logger } from '@autoposter/observability';

interface TokenKeeperOptions {
  /** As configured; a renewed token replaces it until another one is configured. */
  configured: string;
  /** Encrypts the stored token. */
  keys: SealingKeys;
  store: { read(): Promise<StoredToken | null>; write(stored: StoredToken): Promise<void> };
  /** Requests a new token; the current one stays valid. */
  renew: () => Promise<RenewedToken>;
  use: (accessToken: string) => void;
  logger: Logger;
  now?: () => Date;
}

const DAY_MS = 86_400_000;
/** A token is renewed well before its end, so that days without this process do not cost it. */
const RENEW_BEFORE_MS = 30 * DAY_MS;

/**
 * Renews the access token of Instagram Login: after 60 days without a renewal it expires and cannot be renewed any more. Renewed tokens are
 * stored encrypted, because the configured one expires all the same. The platform does not report when that happens, so it is renewed at the
 * first opportunity.
 */
export class TokenKeeper {
  /** ISO time, `null` while it is not known. */
  expiresAt: string | null = null;
  /** Time of the last renewal or attempt at one; one a day is enough. */
  private triedAt: number | null = null;

  constructor(private readonly options: TokenKeeperOptions) {}

  /** Reads the newest stored token, which another process may have renewed, and renews it when due. Never throws. */
  async keep(): Promise<void> {
    const { logger } = this.options;
    try {
      await this.restore();
      if (this.isDue()) await this.renew();
    } catch (error) {
      const { kind, message } = toFailure(error);
      // A token younger than a day cannot be renewed yet; the account report shows the problem of any other.
      logger.warn({ kind, reason: message }, 'the access token was not renewed; it is tried again tomorrow');
    }
  }

  private async restore(): Promise<void> {
    const { store, configured, keys, use, logger } = this.options;
    const found = await takeUpToken({ configured, keys, read: () => store.read(), use });
    if (found === null) return;
    const { stored, accessToken } = found;
    this.expiresAt = stored.expiresAt;
    this.triedAt = Math.max(this.triedAt ?? 0, Date.parse(stored.renewedAt));
    if (isSealedWithCurrent(stored, configured, keys)) return;
    await store.write(sealToken({ accessToken, expiresAt: stored.expiresAt }, configured, keys, new Date(stored.renewedAt)));
    logger.info({}, 'the stored access token was sealed anew with the current key');
  }

  private isDue(): boolean {
    const now = this.now().getTime();
    if (this.triedAt !== null && now - this.triedAt < DAY_MS) return false;
    return this.expiresAt === null || Date.parse(this.expiresAt) - now < RENEW_BEFORE_MS;
  }

  /** Stored before it is used, so that a restart does not lose it. */
  private async renew(): Promise<void> {
    const { store, configured, keys, renew, use, logger } = this.options;
    const now = this.now();
    this.triedAt = now.getTime();
    const renewed = await renew();
    await store.write(sealToken(renewed, configured, keys, now));
    use(renewed.accessToken);
    this.expiresAt = renewed.expiresAt;
    logger.info({ expiresAt: renewed.expiresAt }, 'the access token was renewed');
  }

  private now(): Date {
    return this.options.now?.() ?? new Date();
  }
}
