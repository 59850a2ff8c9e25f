import type { LoggerService } from '@nestjs/common';
import type { Logger } from '@autoposter/observability';

const text = (message: unknown): string => (typeof message === 'string' ? message : JSON.stringify(message));
const context = (parameters: readonly unknown[]): object => {
  const last = parameters[parameters.length - 1];
  return typeof last === 'string' ? { context: last } : {};
};

/** Lets the framework speak through the product's logger; what it says about its own wiring is of interest to developers only. */
export class NestLog implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...parameters: unknown[]): void {
    this.logger.debug(context(parameters), text(message));
  }

  error(message: unknown, ...parameters: unknown[]): void {
    this.logger.error(context(parameters), text(message));
  }

  warn(message: unknown, ...parameters: unknown[]): void {
    this.logger.warn(context(parameters), text(message));
  }

  debug(message: unknown, ...parameters: unknown[]): void {
    this.logger.debug(context(parameters), text(message));
  }
}
