import type { Systems } from './systems';

const DAY_MS = 86_400_000;
const AGAIN_MS = 60_000;

/**
 * Writes what `find` found out under `name`, now and once a day until `signal`: the gateway shows it with its age. A report that could
 * not be made or written is tried again after a minute.
 */
export function keepReporting(
  { database, config, logger }: Systems,
  name: string,
  find: () => Promise<unknown>,
  signal: AbortSignal,
): void {
  const report = async (): Promise<void> => {
    let pauseMs = DAY_MS;
    try {
      await database.read.reports.save(name, await find(), config.service);
    } catch (error) {
      logger.warn({ error, report: name }, 'a report could not be written');
      pauseMs = AGAIN_MS;
    }
    if (signal.aborted) return;
    const timer = setTimeout(() => void report(), pauseMs);
    signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  };
  void report();
}
