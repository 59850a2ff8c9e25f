import type { Logger } from '@autoposter/observability';

export interface AccountWatch {
  /** Renews the token where it is time, asks the platform and stores what it said. Answers whether the account is well. */
  look: () => Promise<boolean>;
  /** Whether publishing stands still because the token was refused: then a good look is what a person waits for. */
  isStopped: () => Promise<boolean>;
  logger: Logger;
  signal: AbortSignal;
}

const DAY_MS = 86_400_000;
const BEAT_MS = 600_000;

/** Looks at the account now, once a day, and every ten minutes while it is not well or publishing stands still because of the token. */
export function watchAccount({ look, isStopped, logger, signal }: AccountWatch): void {
  let well = false;
  // monotonic: a clock that is set back must not put the look off
  let lookedAt = -Infinity;
  const beat = async (): Promise<void> => {
    try {
      if (well && performance.now() - lookedAt < DAY_MS && !(await isStopped())) return;
      lookedAt = performance.now();
      well = false;
      well = await look();
    } catch (error) {
      logger.warn({ error }, 'the account could not be looked at');
    }
  };
  let timer: NodeJS.Timeout | undefined;
  const goOn = async (): Promise<void> => {
    await beat();
    if (!signal.aborted) timer = setTimeout(() => void goOn(), BEAT_MS);
  };
  signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  void goOn();
}
