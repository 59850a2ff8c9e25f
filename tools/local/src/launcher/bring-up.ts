import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { serviceEnvironment, type Service } from '@autoposter/config';
import { preparePostgres } from '@autoposter/embedded-postgres';
import { CommandError } from '../../prepare/command-line.mjs';
import { freePorts, freeRange, isPortFree, nextFreePort } from '../processes/free-port';
import { nodeProcess, type ProcessGroup, RANK } from '../processes/process-group';
import type { SupervisedProcess } from '../processes/supervised-process';
import { buildConsole } from './build-console';
import { databaseProcess, fillDatabase } from './database';
import { INSPECT_PORTS, startVite, watchSources } from './development';
import { DEFAULT_PORT, type Environment, type LaunchOptions, type LaunchRequest } from './options';
import { readPorts, type RunState, writePorts } from './run-state';

/** What differs between the demo and the real product: the external systems, the initial content, the welcome text. */
export interface LaunchProfile {
  /** Throws a `CommandError` that lists every wrong variable; runs before anything is started. */
  check(env: Environment): void;
  /** Starts the profile's own programs; resolves when they answer, with the variables that the services need. */
  start(context: ProfileContext): Promise<ExternalSystems>;
  /** Whether an empty database gets initial content. */
  seeds: boolean;
  /** What a person reads once everything that was asked for runs. */
  welcome(address: string, env: Environment, started: Pick<LaunchOptions, 'services' | 'console'>): string;
  /** Whether the next free port replaces a busy default port. */
  acceptsOtherPort: boolean;
}

export interface ProfileContext {
  root: string;
  dataDir: string;
  env: Environment;
  ports: Record<string, number>;
  group: ProcessGroup;
  print: (text: string) => void;
}

export interface ExternalSystems {
  env: Environment;
  /** Addresses of the profile's own programs by name, for people and tools. */
  addresses: Record<string, string>;
}

interface BringUpContext {
  request: LaunchRequest;
  options: LaunchOptions;
  group: ProcessGroup;
  profile: LaunchProfile;
  stopped: AbortSignal;
  recordStart: (state: Pick<RunState, 'address' | 'ports' | 'addresses' | 'databaseUrl'>) => void;
  recordReady: () => void;
}

/** The control server and one port for each simulated origin. */
const SIMULATOR_PORTS = 16;
const READY_POLL_MS = 150;

export async function bringUp(context: BringUpContext): Promise<void> {
  const { request, options, group, profile, stopped, recordStart, recordReady } = context;
  const { root, dataDir } = options;
  const { print } = request;
  const ports = await choosePorts(context);
  const address = request.env.PUBLIC_URL && options.mode === 'start' ? request.env.PUBLIC_URL : `http://127.0.0.1:${ports.public}`;
  const env = baseEnvironment(request.env, dataDir, address);
  const database = env.DATABASE_URL ? null : await preparePostgres({ root, dataDir, port: ports.postgres, print });
  const databaseUrl = env.DATABASE_URL || (database?.url ?? '');
  recordStart({ address, ports, addresses: {}, databaseUrl });
  if (database !== null) group.start(RANK.database, databaseProcess(database));
  const builds = options.console && options.mode !== 'dev';
  const [external, consoleFolder] = await Promise.all([
    profile.start({ root, dataDir, env, ports, group, print }),
    builds ? buildConsole(root, request.env, print, stopped) : '',
    fillDatabase({ root, url: databaseUrl, seed: profile.seeds, isOwn: database !== null, stopped }),
  ]);
  recordStart({ address, ports, addresses: external.addresses, databaseUrl });
  const common = { ...env, ...external.env, DATABASE_URL: databaseUrl, CONSOLE_DIR: consoleFolder };
  print('Starting the services.');
  const started = options.services.map((name) => {
    const own = { METRICS_PORT: String(ports[managementPort(name)]), ...(name === 'gateway' ? { PORT: String(ports.gateway) } : {}) };
    const inspectPort = options.mode === 'dev' ? INSPECT_PORTS[name] : undefined;
    const spec = { name, place: `apps/${name}`, env: serviceEnvironment(name, { ...common, ...own }), inspectPort };
    return { name, process: group.start(RANK.services, nodeProcess(root, spec)) };
  });
  const development = options.mode === 'dev' ? startDevelopment(context, ports, started) : [];
  await Promise.all([
    ...started.map(({ name, process }) => untilOk(process, `http://127.0.0.1:${ports[managementPort(name)]}/readyz`, context)),
    ...development.map((vite) => untilOk(vite, address, context)),
  ]);
  recordReady();
  print(profile.welcome(address, common, options));
}

/** The processes that `npm run dev` adds; returns those that must become ready too. */
function startDevelopment(
  { request, options, group }: BringUpContext,
  ports: Ports,
  services: readonly { name: Service; process: SupervisedProcess }[],
): SupervisedProcess[] {
  const { root } = options;
  const { env, print } = request;
  watchSources({ root, env, services, group, print });
  return options.console ? [startVite({ root, env, port: ports.public, gatewayPort: ports.gateway, group })] : [];
}

/** Waits until the address of a process answers 2xx. */
async function untilOk(process: SupervisedProcess, url: string, { options, stopped }: BringUpContext): Promise<void> {
  let last = 'no answer yet';
  const answersOk = async (ended: AbortSignal): Promise<void> => {
    const signal = AbortSignal.any([ended, stopped]);
    for (;;) {
      const failure = failedStarts(process, options.dataDir);
      if (failure !== null) throw new CommandError(failure);
      try {
        const answer = await fetch(url, { signal: AbortSignal.any([AbortSignal.timeout(3_000), signal]) });
        if (answer.ok) return;
        last = `${answer.status} ${(await answer.text()).slice(0, 300)}`;
      } catch (error) {
        last = (error as Error).message;
      }
      await pause(READY_POLL_MS, undefined, { signal });
    }
  };
  await process.becomesReady(answersOk, { detail: () => last });
}

/** Name of the port, in `state.json` too, on which a service answers probes; a worker has no other port. */
const managementPort = <Name extends Service>(name: Name) =>
  (name === 'gateway' ? 'gateway-management' : name) as Name extends 'gateway' ? 'gateway-management' : Name;

/** The variables of every service in any profile. Variables of npm are not settings of the product. */
function baseEnvironment(given: Environment, dataDir: string, address: string): Environment {
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

type Ports = Record<'public' | 'gateway' | 'postgres' | 'simulators', number> & Record<string, number>;

/** `public` is the address in the browser: the gateway's own port, or Vite's in front of it. */
async function choosePorts({ request, options, profile }: BringUpContext): Promise<Ports> {
  const publicPort = await choosePort(options, profile.acceptsOtherPort, request.print);
  const before = readPorts(options.dataDir);
  const viteIsInFront = options.mode === 'dev' && options.console;
  const names: string[] = [...options.services.map(managementPort), ...(viteIsInFront ? ['gateway'] : [])];
  // without Vite the gateway had the public port, so a remembered port may be that one
  const { postgres, ...own } = await freePorts(['public', 'postgres', ...names], { ...before, public: publicPort });
  const simulators = options.mode === 'start' ? 0 : await freeRange(SIMULATOR_PORTS, before.simulators);
  const ports: Ports = { gateway: publicPort, ...own, public: publicPort, postgres: postgres ?? 0, simulators };
  writePorts(options.dataDir, ports);
  return ports;
}

/** Waiting does not help a program that repeatedly ends before it is ready. */
function failedStarts(service: SupervisedProcess, dataDir: string): string | null {
  if (service.restarts < 3) return null;
  const output = service.lastLines.trim().split('\n').slice(-8).join('\n');
  return `${service.spec.name} does not start:\n${output}\nIts whole output is in ${path.join(dataDir, 'logs')}.`;
}

async function choosePort({ port, mode }: LaunchOptions, acceptsOther: boolean, print: (text: string) => void): Promise<number> {
  const wanted = port ?? DEFAULT_PORT;
  if (await isPortFree(wanted)) return wanted;
  if (port !== null || !acceptsOther) {
    const choose = `choose another port with PORT=3001 npm run ${mode}`;
    if (wanted < 1024 && process.getuid?.() !== 0) throw new CommandError(`Port ${wanted} is taken, or only root may open it: ${choose}.`);
    throw new CommandError(`Port ${wanted} is taken by another program: end that one, or ${choose}.`);
  }
  const next = await nextFreePort(wanted + 1);
  print(`Port ${wanted} is taken by another program, so ${next} is used this time (PORT chooses another).`);
  return next;
}
