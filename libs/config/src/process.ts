import type { Environment } from './load-config';

/** The environment of code that is not a service (tests, trials). */
interface ProcessSettings {
  /** A missing container engine then fails the suite instead of skipping it. */
  ci: boolean;
  /** A running server, instead of one that the tests start. */
  testDatabaseUrl: string | null;
  path: string;
  temporaryFolder: string;
  ffmpegPath: string;
  ffprobePath: string;
  /** The whole environment, for programs that are started as a person would start them. */
  environment: Environment;
}

export function readProcessSettings(environment: Environment = process.env): ProcessSettings {
  return {
    ci: ['1', 'true'].includes(environment.CI ?? ''),
    testDatabaseUrl: environment.TEST_DATABASE_URL ?? null,
    path: environment.PATH ?? '',
    temporaryFolder: environment.TMPDIR ?? '/tmp',
    ffmpegPath: environment.FFMPEG_PATH || 'ffmpeg',
    ffprobePath: environment.FFPROBE_PATH || 'ffprobe',
    environment,
  };
}

interface FatalErrorOptions {
  logger: { error(facts: object, message: string): void };
  /** Called with every error, in its async context, to attribute it to a unit of work. */
  attribute?: (error: unknown) => void;
  /** Stops running work and releases its leases. Called once. */
  drain: () => Promise<unknown> | void;
  /** Longest duration of the drain. */
  withinMs: number;
  /** Ends the process; replaced in tests. */
  exit?: (code: number) => void;
}

const EXIT_CODE = 1;
const EVENTS = ['uncaughtException', 'unhandledRejection'] as const;

/**
 * Handles an uncaught error of a process: logs it, drains, and exits with code 1, so that its supervisor starts a new process. The state of
 * the process is unknown from then on, but its leases are still released in order. Output that is no longer read, as behind a closed pipe,
 * is no fatal error: to report it would cause the next. Returns a function that removes the handlers.
 */
export function drainOnFatalError({ logger, attribute, drain, withinMs, exit = process.exit }: FatalErrorOptions): () => void {
  let draining = false;
  const end = (): void => exit(EXIT_CODE);
  const onError =
    (event: (typeof EVENTS)[number]) =>
    (error: unknown): void => {
      const again = draining;
      draining = true;
      // a drain that began before may end the process first
      process.exitCode = EXIT_CODE;
      // a faulty handler must not cause the next fatal error
      attempt(() =>
        logger.error({ event, error }, again ? 'another fatal error while the process drains' : 'fatal error; the process drains and ends'),
      );
      attempt(() => attribute?.(error));
      if (again) return;
      setTimeout(end, withinMs).unref();
      void Promise.resolve()
        .then(drain)
        .catch((failure: unknown) => attempt(() => logger.error({ error: failure }, 'the drain after a fatal error failed')))
        .then(end);
    };
  const handlers = EVENTS.map((event) => [event, onError(event)] as const);
  for (const [event, handler] of handlers) process.on(event, handler);
  const outputs = [process.stdout, process.stderr];
  for (const output of outputs) output.on('error', ignore);
  return () => {
    for (const output of outputs) output.off('error', ignore);
    for (const [event, handler] of handlers) process.off(event, handler);
  };
}

const ignore = (): void => undefined;

function attempt(work: () => void): void {
  try {
    work();
  } catch {
    // the process is ending and has no other place to report to
  }
}
