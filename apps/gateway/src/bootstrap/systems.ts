import { Global, Module, type DynamicModule } from '@nestjs/common';
import { Health, type Logger } from '@autoposter/observability';
import type { JobBus } from '@autoposter/job-engine';
import type { ObjectStore } from '@autoposter/object-store';
import { Database } from '@autoposter/persistence';
import { MediaReach } from '../instagram/media-reach';
import type { LogSource } from '../logs/log-source';
import { StoredSettings } from '../settings/stored-settings';
import { DatabaseClock } from './database-clock';
import { SETTINGS, type GatewaySettings } from './settings';

export const LOGGER = Symbol('logger');
export const OBJECTS = Symbol('object store');
export const LOG_SOURCE = Symbol('log source');
export const BUS = Symbol('event bus');

/** The gateway only reads the lag; its commits announce jobs. */
export type BusLag = Pick<JobBus, 'lag'>;

/** External systems and process-wide services, created by `main.ts` or a test. */
export interface Systems {
  settings: GatewaySettings;
  database: Database;
  objects: ObjectStore;
  bus: BusLag;
  logger: Logger;
  logs: LogSource;
  health: Health;
}

@Global()
@Module({})
export class SystemsModule {
  static of(systems: Systems): DynamicModule {
    const providers = [
      { provide: SETTINGS, useValue: systems.settings },
      { provide: Database, useValue: systems.database },
      { provide: OBJECTS, useValue: systems.objects },
      { provide: BUS, useValue: systems.bus },
      { provide: LOGGER, useValue: systems.logger },
      { provide: LOG_SOURCE, useValue: systems.logs },
      { provide: Health, useValue: systems.health },
      { provide: DatabaseClock, useFactory: () => new DatabaseClock(systems.database, systems.logger) },
    ];
    const services = [StoredSettings, MediaReach];
    return {
      module: SystemsModule,
      providers: [...providers, ...services],
      exports: [...providers.map((provider) => provider.provide), ...services],
    };
  }
}
