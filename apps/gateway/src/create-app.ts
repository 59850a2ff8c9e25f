import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from './app.module';
import { consoleFiles } from './console-files/console-files';
import { harden } from './http/harden';
import { PatientServer } from './http/patient-server';
import { NestLog } from './wiring/nest-log';
import type { Systems } from './wiring/systems';

/** The whole gateway, not yet listening. */
export async function createApp(systems: Systems): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(AppModule.of(systems), new PatientServer(), {
    bodyParser: false,
    logger: new NestLog(systems.logger),
    // A failure to start is told by the entry, which also closes what it has opened.
    abortOnError: false,
  });
  harden(app, systems.settings);
  for (const handler of consoleFiles(systems.settings.consoleFolder)) app.use(handler);
  return app;
}
