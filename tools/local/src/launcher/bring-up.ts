import path from 'node:path';
import { serviceEnvironment, SERVICES, type Service } from '@autoposter/config';
import { PlainStop } from '../plain-stop';
import { preparePostgres } from '../postgres/embedded-postgres';
import { freePorts, freeRange, isPortFree, nextFreePort } from '../processes/free-port';
import type { SupervisedProcess } from '../processes/supervised-process';
import { buildConsole } from './console-build';
import { fillDatabase } from './fill-database';
import { DEFAULT_PORT, type Environment, type LaunchOptions, type LaunchRequest } from './options';
import type { ProcessGroup } from './process-group';
import { waitUntilOk } from './readiness';
import { readPorts, type RunState, writePorts } from './run-state';
import { nodeProcess, WORKERS } from './services';

/** What differs between the demo and the real product: the outside systems, the first content, the words at the end. */
export interface World {
  /** Throws a `PlainStop` that names everything wrong at once; nothing has been started yet. */
  check(env: Environment): void;
  /** Starts programs of its own; resolves when they answer, with what the services have to know of them. */
  start(context: WorldContext): Promise<Outside>;
  /** Whether a database without any content gets a first one. */
  seeds: boolean;
  welcome(address: string, env: Environment): string;
  /** Whether a busy default port may be answered by taking the next one. */
  mayMove: boolean;
}

export interface WorldContext {
  root: string;
  dataDir: string;
  env: Environment;
  ports: Record<string, number>;
  group: ProcessGroup;
  say: (text: string) => void;
}

export interface Outside {
  env: Environment;
  /** Of programs that people and tools may want to look at, by name. */
  addresses: Record<string, string>;
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

export const RANK = { database: 0, outside: 1, services: 2 };
/** The control server and one port for each simulated origin, side by side. */
const SIMULATOR_PORTS = 16;
const READY_WITHIN_MS = 60_000;

export async function bringUp(context: Context): Promise<void> {
  const { request, options, group, world, stopped, begin, ready } = context;
  const { root, dataDir } = options;
  const { say } = request;
  const ports = await choosePorts(context);
  const address = request.env.PUBLIC_URL && options.mode === 'start' ? request.env.PUBLIC_URL : `http://127.0.0.1:${ports.gateway}`;
  const env = ownEnvironment(request.env, dataDir, address);
  const database = env.DATABASE_URL ? null : await preparePostgres({ root, dataDir, port: ports.postgres, say });
  const databaseUrl = env.DATABASE_URL || (database?.url ?? '');
  begin({ address, ports, addresses: {}, databaseUrl });
  if (database !== null) group.start(RANK.database, database.process);
  const [outside, consoleFolder] = await Promise.all([
    world.start({ root, dataDir, env, ports, group, say }),
    buildConsole(root, request.env, say, stopped),
    fillDatabase({ root, url: databaseUrl, seed: world.seeds, given: database === null, stopped }),
  ]);
  begin({ address, ports, addresses: outside.addresses, databaseUrl });
  const common = { ...env, ...outside.env, DATABASE_URL: databaseUrl, CONSOLE_DIR: consoleFolder };
  say('Starting the services.');
  const started = SERVICES.map((name) => {
    const own = { METRICS_PORT: String(ports[managementPort(name)]), ...(name === 'gateway' ? { PORT: String(ports.gateway) } : {}) };
    return group.start(RANK.services, nodeProcess(root, name, `apps/${name}`, serviceEnvironment(name, { ...common, ...own })));
  });
  await Promise.all(
    started.map((service) => {
      const name = service.spec.name as (typeof SERVICES)[number];
      const hopeless = (): string | null => neverComesUp(service, dataDir);
      return waitUntilOk(name, `http://127.0.0.1:${ports[managementPort(name)]}/readyz`, { ms: READY_WITHIN_MS, hopeless, stopped });
    }),
  );
  ready();
  say(world.welcome(address, common));
}

/** Name of the port, in `state.json` too, on which a service answers probes; a worker has no other. */
const managementPort = <Name extends Service>(name: Name) =>
  (name === 'gateway' ? 'gateway-management' : name) as Name extends 'gateway' ? 'gateway-management' : Name;

/** What every service is told, whatever the outside is. Names of npm's own stay out: they are no settings of the product. */
function ownEnvironment(given: Environment, dataDir: string, address: string): Environment {
  const kept = Object.entries(given).filter(([name]) => !/^npm_/i.test(name) && name !== 'NODE_OPTIONS');
  return {
    ...Object.fromEntries(kept),
    EVENT_BUS: given.EVENT_BUS || 'postgres',
    OBJECT_STORE: given.OBJECT_STORE || 'local',
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    LOG_DIR: path.join(dataDir, 'logs'),
    PUBLIC_URL: address,
  };
}

async function choosePorts({ request, options, world }: Context) {
  const gateway = await choosePort(options, world.mayMove, request.say);
  const before = readPorts(options.dataDir);
  const own = await freePorts(['postgres', managementPort('gateway'), ...WORKERS], before);
  const ports = { gateway, ...own, simulators: options.mode === 'demo' ? await freeRange(SIMULATOR_PORTS, before.simulators) : 0 };
  writePorts(options.dataDir, ports);
  return ports;
}

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
    const choose = `choose another port with PORT=3001 npm run ${mode}`;
    if (wanted < 1024 && process.getuid?.() !== 0) throw new PlainStop(`Port ${wanted} is taken, or only root may open it: ${choose}.`);
    throw new PlainStop(`Port ${wanted} is taken by another program: end that one, or ${choose}.`);
  }
  const next = await nextFreePort(wanted + 1);
  say(`Port ${wanted} is taken by another program, so ${next} is used this time (PORT chooses another).`);
  return next;
}
