import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readProcessSettings } from '@autoposter/config';
import { Database } from '@autoposter/persistence';
import { GenericContainer, Wait, type StartedTestContainer } from 'testcontainers';

export interface TestDatabase {
  url: string;
  database: Database;
  stop(): Promise<void>;
}

const { testDatabaseUrl, ci } = readProcessSettings();

/** `describe` where a PostgreSQL can be had, else `describe.skip` with the reason printed. On CI a missing one is a failure. */
export function describeWithDatabase(suite: string): typeof describe | typeof describe.skip {
  if (testDatabaseUrl !== null || ci) return describe;
  try {
    execFileSync('docker', ['info'], { stdio: 'ignore', timeout: 15_000 });
    return describe;
  } catch {
    process.stderr.write(`skipped: ${suite} (no TEST_DATABASE_URL and no container engine)\n`);
    return describe.skip;
  }
}

/** An empty, migrated database of its own; on the named server, else in a container. */
export async function startTestDatabase(): Promise<TestDatabase> {
  const container = testDatabaseUrl === null ? await startContainer() : null;
  const server = container === null ? (testDatabaseUrl ?? '') : urlOf(container);
  const name = `gateway_${randomBytes(6).toString('hex')}`;
  const admin = await Database.connect({ url: server, poolSize: 1 });
  await admin.sql.query(`CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const database = await Database.connect({ url: url.toString(), poolSize: 6 });
  await database.migrate();
  return {
    url: url.toString(),
    database,
    stop: async () => {
      await database.close();
      await admin.sql.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      await admin.close();
      await container?.stop();
    },
  };
}

const startContainer = (): Promise<StartedTestContainer> =>
  new GenericContainer(imageNamed('POSTGRES_IMAGE'))
    .withEnvironment({ POSTGRES_PASSWORD: 'test' })
    .withExposedPorts(5432)
    .withCommand(['postgres', '-c', 'fsync=off'])
    .withWaitStrategy(Wait.forLogMessage(/ready to accept connections/, 2))
    .start();

const urlOf = (container: StartedTestContainer): string =>
  `postgres://postgres:test@${container.getHost()}:${container.getMappedPort(5432)}/postgres`;

function imageNamed(name: string): string {
  const lines = readFileSync(join(__dirname, '../../../../docker/images.env'), 'utf8');
  const image = new RegExp(`^${name}=(.+)$`, 'm').exec(lines)?.[1]?.trim();
  if (!image) throw new Error(`docker/images.env names no ${name}`);
  return image;
}
