import type { Logger } from '@autoposter/observability';
import type { LoggerService } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from './app.module';
import type { Systems } from './bootstrap/systems';
import { consoleFiles } from './http/console-files';
import { applyMiddleware } from './http/middleware';
import { TimeoutHttpAdapter } from './http/timeout-http-adapter';

/** The whole gateway, not yet listening. */
export async function createApp(systems: Systems): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(AppModule.of(systems), new TimeoutHttpAdapter(), {
    bodyParser: false,
    logger: new NestLogger(systems.logger),
    // main.ts reports a failed start and closes the opened systems
    abortOnError: false,
  });
  applyMiddleware(app, systems.settings);
  for (const handler of consoleFiles(systems.settings.consoleFolder)) app.use(handler);
  return app;
}

const text = (message: unknown): string => (typeof message === 'string' ? message : JSON.stringify(message));
const context = (parameters: readonly unknown[]): object => {
  const last = parameters[parameters.length - 1];
  return typeof last === 'string' ? { context: last } : {};
};

/** Routes Nest's log lines to our logger; its start-up lines become debug lines. */
class NestLogger implements LoggerService {
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
