import { toFailure } from '@autoposter/domain';
import { isSealedWithCurrent, sealToken, takeUpToken, type RenewedToken, type SealingKeys, type StoredToken } from '@autoposter/instagram';
import type { Logger } from '@autoposter/observability';

interface TokenKeeperOptions {
  /** As it was configured; a renewed one takes over from it until another one is configured. */
  configured: string;
  /** Encrypts the stored token. */
  keys: SealingKeys;
  store: { read(): Promise<StoredToken | null>; write(stored: StoredToken): Promise<void> };
  /** Asks the platform; the token that it was asked with stays valid. */
  renew: () => Promise<RenewedToken>;
  use: (accessToken: string) => void;
  logger: Logger;
  now?: () => Date;
}

const DAY_MS = 86_400_000;
/** A token is renewed well before its end, so that days without this process do not cost it. */
const RENEW_BEFORE_MS = 30 * DAY_MS;

/**
 * Keeps the access token of Instagram Login alive: one that is not renewed ends after 60 days and cannot be saved then. Renewed ones are
 * stored encrypted, for the configured one ends all the same. How long the configured one lives, the platform does not tell: it is renewed
 * at the first chance.
 */
export class TokenKeeper {
  /** ISO time, `null` while it is not known. */
  expiresAt: string | null = null;
  /** When it was renewed last, or when that was tried: once a day is enough for either. */
  private triedAt: number | null = null;

  constructor(private readonly options: TokenKeeperOptions) {}

  /** Takes up the newest stored token, another process may have renewed it, and renews it when it is time. Never throws. */
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

  /** Stored before it is used: a token that a restart forgets would be of no help. */
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
