import type { Logger } from '@autoposter/observability';

export interface AccountWatch {
  /** Renews the token where it is time, asks the platform and stores what it said. Answers whether all is well. */
  look: () => Promise<boolean>;
  logger: Logger;
  signal: AbortSignal;
}

const DAY_MS = 86_400_000;
/** While the account is refused: a person who has set it right wants to go on. */
const TROUBLED_MS = 600_000;

/** Looks at the account now, once a day, and every ten minutes while something is wrong. */
export function watchAccount({ look, logger, signal }: AccountWatch): void {
  const beat = async (): Promise<void> => {
    const well = await look().catch((error: unknown) => {
      logger.warn({ error }, 'the account could not be looked at');
      return false;
    });
    if (signal.aborted) return;
    const timer = setTimeout(() => void beat(), well ? DAY_MS : TROUBLED_MS);
    signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  };
  void beat();
}
