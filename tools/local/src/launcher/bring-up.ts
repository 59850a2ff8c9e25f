import path from 'node:path';
import type { Database } from '@autoposter/persistence';
import { PlainStop } from '../plain-stop';
import { preparePostgres } from '../postgres/embedded-postgres';
import { freePorts, isPortFree, nextFreePort } from '../processes/free-port';
import type { SupervisedProcess } from '../processes/supervised-process';
import { buildConsole } from './console-build';
import { migrate, withDatabase } from './database';
import { DEFAULT_PORT, type Environment, type LaunchOptions, type LaunchRequest } from './options';
import type { ProcessGroup } from './process-group';
import { waitUntilOk } from './readiness';
import { readPorts, type RunState, writePorts } from './run-state';
import { nodeProcess, SERVICES, WORKERS } from './services';

/** What differs between the demo and the real product: the outside systems, the first content, the words at the end. */
export interface World {
  /** Ports it needs for programs of its own, by name. */
  ports: readonly string[];
  /** What the services' environment says about the outside; throws a `PlainStop` naming everything that is wrong. */
  environment(env: Environment, ports: Record<string, number>): Environment;
  /** Starts programs of its own and resolves when they answer. */
  start(context: { root: string; dataDir: string; env: Environment; ports: Record<string, number>; group: ProcessGroup }): Promise<void>;
  /** Puts the first content into a database that has none. */
  seed(database: Database): Promise<void>;
  addresses(ports: Record<string, number>): Record<string, string>;
  welcome(address: string, env: Environment): string;
  /** Whether a busy default port may be answered by taking the next one. */
  mayMove: boolean;
}

interface Context {
  request: LaunchRequest;
  options: LaunchOptions;
  group: ProcessGroup;
  world: World;
  stopped: AbortSignal;
  begin: (state: Pick<RunState, 'address' | 'ports' | 'addresses' | 'databaseUrl'>) => void;
  ready: () => void;
}

const RANK = { database: 0, outside: 1, services: 2 };
const READY_WITHIN_MS = 60_000;

export async function bringUp({ request, options, group, world, stopped, begin, ready }: Context): Promise<void> {
  const { root, dataDir } = options;
  const { say } = request;
  const gateway = await choosePort(options, world.mayMove, say);
  const chosen = await freePorts<string>(['postgres', ...WORKERS, ...world.ports], readPorts(dataDir));
  const ports = { gateway, ...(chosen as Record<'postgres' | (typeof WORKERS)[number], number>) };
  const address = request.env.PUBLIC_URL && options.mode === 'start' ? request.env.PUBLIC_URL : `http://127.0.0.1:${gateway}`;
  const env: Environment = {
    ...withoutNpm(request.env),
    EVENT_BUS: request.env.EVENT_BUS || 'postgres',
    OBJECT_STORE: request.env.OBJECT_STORE || 'local',
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    LOG_DIR: path.join(dataDir, 'logs'),
    PUBLIC_URL: address,
  };
  const settings = { ...env, ...world.environment(env, ports) };
  writePorts(dataDir, ports);
  const database = request.env.DATABASE_URL ? null : await preparePostgres({ root, dataDir, port: ports.postgres, say });
  const databaseUrl = request.env.DATABASE_URL || (database?.url ?? '');
  begin({ address, ports, addresses: world.addresses(ports), databaseUrl });
  if (database !== null) group.start(RANK.database, database.process);
  const consoleFolder = buildConsole(root, say, stopped);
  const outside = world.start({ root, dataDir, env: settings, ports, group });
  // the first failure is the one that is told; the others must not end the process as unhandled
  await Promise.all([outside, consoleFolder, fillDatabase(databaseUrl, world, stopped)]);
  const common = { ...settings, DATABASE_URL: databaseUrl, CONSOLE_DIR: await consoleFolder };
  say('Starting the services.');
  const started = SERVICES.map((name) => {
    const own = name === 'gateway' ? { PORT: String(gateway) } : { METRICS_PORT: String(ports[name]) };
    return group.start(RANK.services, nodeProcess(root, name, `apps/${name}`, { ...common, ...own }));
  });
  await Promise.all(
    started.map((service) => {
      const name = service.spec.name as (typeof SERVICES)[number];
      return waitUntilOk(name, `http://127.0.0.1:${ports[name]}/readyz`, READY_WITHIN_MS, () => neverComesUp(service, dataDir));
    }),
  );
  ready();
  say(world.welcome(address, common));
}

const fillDatabase = (url: string, world: World, stopped: AbortSignal): Promise<void> =>
  withDatabase(url, stopped, async (database) => {
    await migrate(database);
    await world.seed(database);
  });

/** A program that ends again and again before it was ever ready will not become so by waiting. */
function neverComesUp(service: SupervisedProcess, dataDir: string): string | null {
  if (service.restarts < 3) return null;
  const words = service.lastLines.trim().split('\n').slice(-8).join('\n');
  return `${service.spec.name} does not start:\n${words}\nAll of its words are in ${path.join(dataDir, 'logs')}.`;
}

async function choosePort({ port, mode }: LaunchOptions, mayMove: boolean, say: (text: string) => void): Promise<number> {
  const wanted = port ?? DEFAULT_PORT;
  if (await isPortFree(wanted)) return wanted;
  if (port !== null || !mayMove) {
    throw new PlainStop(`Port ${wanted} is taken by another program: end that one, or choose another port with PORT=3001 npm run ${mode}.`);
  }
  const next = await nextFreePort(wanted + 1);
  say(`Port ${wanted} is taken by another program, so ${next} is used this time (PORT chooses another).`);
  return next;
}

const withoutNpm = (env: Environment): Environment =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !/^npm_/i.test(name) && name !== 'NODE_OPTIONS'));
