import { pino, destination, type Logger as Pino } from 'pino';
import { REDACTED_PATHS, redactText } from './redaction';

/** What plain classes get: four levels, facts first, then one sentence. */
export interface Logger {
  debug(facts: object, message: string): void;
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

export interface LoggerOptions {
  /** Name of the process, on each line. */
  service: string;
  level?: LogLevel;
  /** A file that takes the lines instead of standard output. */
  file?: string;
  /** Where lines go when neither is wanted (tests). */
  stream?: { write(line: string): void };
}

/**
 * JSON lines with an ISO time, `level` as a word and `service`. Known secret fields are censored, and tokens inside texts and addresses
 * are cut out, so that a careless caller does not leak one.
 */
export function createLogger(options: LoggerOptions): Logger {
  const settings = {
    level: options.level ?? 'info',
    base: { service: options.service, pid: process.pid },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: [...REDACTED_PATHS], censor: '[redacted]' },
    serializers: { error: serialiseError, err: serialiseError },
    hooks: { streamWrite: redactText },
  };
  const target =
    options.stream ?? (options.file ? destination({ dest: options.file, mkdir: true, sync: true }) : destination({ fd: 1, sync: true }));
  const logger: Pino = pino(settings, target);
  return logger;
}

/** A logger that says nothing; the default of classes that were given none. */
export const silentLogger: Logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

function serialiseError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message, stack } = error;
  const code = (error as { code?: unknown }).code;
  const cause = error.cause === undefined ? {} : { cause: serialiseError(error.cause) };
  return { name, message, ...(code === undefined ? {} : { code }), stack, ...cause };
}
