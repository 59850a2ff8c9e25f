import { setTimeout as pause } from 'node:timers/promises';
import { Database } from '@autoposter/persistence';
import { GenericContainer, Wait } from 'testcontainers';
import { imageNamed } from '../containers/engine';
import { freePort } from '../containers/free-port';
import type { PostgresServer } from './postgres-server';

/** The PostgreSQL of `docker/images.env`. Its port is fixed before the start, so that it is the same after a restart. */
export async function startContainerPostgres(): Promise<PostgresServer> {
  const port = await freePort();
  const container = await new GenericContainer(imageNamed('POSTGRES_IMAGE'))
    .withExposedPorts({ container: 5432, host: port })
    .withEnvironment({ POSTGRES_PASSWORD: 'test', POSTGRES_INITDB_ARGS: '--no-sync' })
    .withCommand(['postgres', '-c', 'fsync=off', '-c', 'max_connections=200', '-c', 'timezone=UTC'])
    .withWaitStrategy(Wait.forLogMessage(/ready to accept connections/u, 2))
    .start();
  const url = `postgresql://postgres:test@127.0.0.1:${port}/postgres`;
  return {
    kind: 'container',
    url,
    halt: async () => void (await container.exec(['bash', '-c', 'kill -QUIT 1'])).exitCode,
    resume: async () => {
      await container.restart({ timeout: 1 });
      for (let tries = 0; tries < 200; tries += 1) {
        try {
          await (await Database.connect({ url, poolSize: 1 })).close();
          return;
        } catch {
          await pause(100);
        }
      }
      throw new Error('PostgreSQL did not come back');
    },
    stop: async () => void (await container.stop()),
  };
}
