import { pino, destination, type Logger as Pino } from 'pino';
import { boundedFacts, MAX_TEXT } from './bounded-facts';
import { excerptOf, REDACTED_PATHS, redactText } from './redaction';

/** Four levels; facts first, then one sentence. */
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
  /** A file for the lines instead of standard output. */
  file?: string;
  /** A stream for the lines instead of both (tests). */
  stream?: { write(line: string): void };
}

/**
 * JSON lines with an ISO time, `level` as a word and `service`. Masks known secret fields and tokens inside texts and addresses, so that a
 * careless caller does not leak one. The length of a line is bounded before redaction.
 */
export function createLogger(options: LoggerOptions): Logger {
  const settings = {
    level: options.level ?? 'info',
    base: { service: options.service, pid: process.pid },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }), log: boundedFacts },
    redact: { paths: [...REDACTED_PATHS], censor: '[redacted]' },
    serializers: { error: (given: unknown) => serialiseError(given), err: (given: unknown) => serialiseError(given) },
    hooks: {
      streamWrite: redactText,
      logMethod(this: Pino, args: Parameters<Pino['info']>, method: Pino['info']) {
        method.apply(this, args.map((given: unknown) => (typeof given === 'string' ? excerptOf(given, MAX_TEXT) : given)) as typeof args);
      },
    },
  };
  const target =
    options.stream ?? (options.file ? destination({ dest: options.file, mkdir: true, sync: true }) : destination({ fd: 1, sync: true }));
  const logger: Pino = pino(settings, target);
  return logger;
}

/** A logger that writes nothing; the default of classes without a logger. */
export const silentLogger: Logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

const LONGEST_STACK = 4_000;
const MAX_CAUSES = 3;

function serialiseError(error: unknown, causes = MAX_CAUSES): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message, stack } = error;
  const code = (error as { code?: unknown }).code;
  return {
    name: excerptOf(String(name), MAX_TEXT),
    message: excerptOf(String(message), MAX_TEXT),
    ...(typeof code === 'string' || typeof code === 'number' ? { code: excerptOf(String(code), MAX_TEXT) } : {}),
    stack: excerptOf(String(stack), LONGEST_STACK),
    ...(error.cause === undefined || causes === 0
      ? {}
      : { cause: boundedFacts({ cause: serialiseError(error.cause, causes - 1) })['cause'] }),
  };
}
