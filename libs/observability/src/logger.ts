import { destination, type Logger as Pino, pino } from 'pino';
import { excerptOf, REDACTED_PATHS, redactText } from './redaction';

/** Most characters of one text of a log line. */
const MAX_TEXT = 2_000;
/** Most characters of all texts of a line together. */
const MAX_LINE = 16_000;
const MAX_ENTRIES = 100;
const MAX_NAME = 80;
const MAX_DEPTH = 6;

interface Budget {
  left: number;
}

/** Bounds the size of the facts of a log line. Errors are handled by their serialiser. */
function boundedFacts(facts: object): Record<string, unknown> {
  return bounded({ ...facts }, { left: MAX_LINE }, 0) as Record<string, unknown>;
}

function bounded(value: unknown, budget: Budget, depth: number): unknown {
  if (typeof value === 'string') return spend(value, budget);
  if (typeof value !== 'object' || value === null || value instanceof Error || value instanceof Date) return value;
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (depth > MAX_DEPTH || budget.left <= 0) return '[omitted]';
  if (Array.isArray(value)) return value.slice(0, MAX_ENTRIES).map((entry) => bounded(entry, budget, depth + 1));
  if ('toJSON' in value && typeof value.toJSON === 'function') return bounded(value.toJSON(), budget, depth + 1);
  const entries = Object.entries(value).slice(0, MAX_ENTRIES);
  return Object.fromEntries(entries.map(([name, entry]) => [excerptOf(name, MAX_NAME), bounded(entry, budget, depth + 1)]));
}

function spend(text: string, budget: Budget): string {
  const cut = excerptOf(text, Math.max(0, Math.min(MAX_TEXT, budget.left)));
  budget.left -= Math.min(text.length, MAX_TEXT);
  return cut;
}

/** Four levels; facts first, then one sentence. */
export interface Logger {
  debug(facts: object, message: string): void;
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

interface LoggerOptions {
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

const MAX_STACK_LENGTH = 4_000;
const MAX_CAUSES = 3;

function serialiseError(error: unknown, causes = MAX_CAUSES): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message, stack } = error;
  const code = (error as { code?: unknown }).code;
  return {
    name: excerptOf(String(name), MAX_TEXT),
    message: excerptOf(String(message), MAX_TEXT),
    ...(typeof code === 'string' || typeof code === 'number' ? { code: excerptOf(String(code), MAX_TEXT) } : {}),
    stack: excerptOf(String(stack), MAX_STACK_LENGTH),
    ...(error.cause === undefined || causes === 0
      ? {}
      : { cause: boundedFacts({ cause: serialiseError(error.cause, causes - 1) })['cause'] }),
  };
}

const BURST = 20;
const REFILL_MS = 60_000;

/**
 * Limits log lines that unauthenticated requests can cause: 20 at once, then one a minute, so that they do not push other lines out of the
 * log. The next line names how many were left out.
 */
export class LimitedLog {
  private tokens = BURST;
  private refilledAt: number;
  private leftOut = 0;

  constructor(
    private readonly logger: Pick<Logger, 'warn' | 'error'>,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.refilledAt = now();
  }

  warn(facts: object, message: string): void {
    this.write('warn', facts, message);
  }

  error(facts: object, message: string): void {
    this.write('error', facts, message);
  }

  private write(level: 'warn' | 'error', facts: object, message: string): void {
    const refills = Math.floor((this.now() - this.refilledAt) / REFILL_MS);
    this.refilledAt += refills * REFILL_MS;
    this.tokens = Math.min(BURST, this.tokens + refills);
    if (this.tokens === 0) {
      this.leftOut += 1;
      return;
    }
    this.tokens -= 1;
    this.logger[level](this.leftOut === 0 ? facts : { ...facts, leftOut: this.leftOut }, message);
    this.leftOut = 0;
  }
}
