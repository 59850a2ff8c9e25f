export interface FatalErrorOptions {
  logger: { error(facts: object, message: string): void };
  /** Told of every error, in the async context that it came from: attributes it to a unit of work where there is one. */
  attribute?: (error: unknown) => void;
  /** Ends what runs and gives back what is held. Called once. */
  drain: () => Promise<unknown> | void;
  /** Longest time that the drain may take. */
  withinMs: number;
  /** Ends the process; a test replaces it. */
  exit?: (code: number) => void;
}

const EXIT_CODE = 1;
const EVENTS = ['uncaughtException', 'unhandledRejection'] as const;

/**
 * What every process does with an error that no code caught: says why, drains, and ends with exit code 1, so that its supervisor starts
 * a new one. The state of the process is unknown from there on, but what it holds for others is still given back in order. Answers
 * how to remove the handlers.
 */
export function drainOnFatalError({ logger, attribute, drain, withinMs, exit = process.exit }: FatalErrorOptions): () => void {
  let draining = false;
  const end = (): void => exit(EXIT_CODE);
  const onError =
    (event: (typeof EVENTS)[number]) =>
    (error: unknown): void => {
      const again = draining;
      draining = true;
      // neither a closed log pipe nor a faulty handler may raise the next fatal error from here
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
  return () => {
    for (const [event, handler] of handlers) process.off(event, handler);
  };
}

function attempt(work: () => void): void {
  try {
    work();
  } catch {
    // the process is ending; there is no further place to report to
  }
}
