import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { readProcessSettings } from '@autoposter/config';
import { freePort, pollUntil, startKafka, startMinio } from '@autoposter/testkit';
import { run } from '../cluster/kubernetes';
import type { Addresses } from '../product/signed-in-admin';
import { ROOT, progress } from '../trial';

/** A running product with its origins. */
interface RunningProduct extends Addresses {
  control: string;
  stop(): Promise<void>;
}

/** A way to run the product. */
export interface Deployment {
  name: string;
  needsContainers: boolean;
  start(folder: string): Promise<RunningProduct>;
}

export const DEPLOYMENTS: readonly Deployment[] = [
  {
    name: 'postgres bus, local folder',
    needsContainers: false,
    start: (folder) => launched(folder, { EVENT_BUS: 'postgres', OBJECT_STORE: 'local' }),
  },
  { name: 'Kafka, MinIO', needsContainers: true, start: onKafkaAndMinio },
];
export const COMPOSE: Deployment = { name: 'compose stack', needsContainers: true, start: composed };

async function launched(folder: string, env: Record<string, string>): Promise<RunningProduct> {
  const product = await LaunchedProduct.start(folder, env);
  const { address, addresses } = product.state;
  return {
    gateway: address,
    google: new URL(addresses.GOOGLE_AUTHORIZATION_URL ?? '').origin,
    control: addresses.control ?? '',
    stop: () => product.stop(),
  };
}

async function onKafkaAndMinio(folder: string): Promise<RunningProduct> {
  const [kafka, minio] = await Promise.all([startKafka(), startMinio()]);
  progress('   Kafka and MinIO are ready');
  const stopContainers = async (): Promise<void> => void (await Promise.all([kafka.stop(), minio.stop()]));
  try {
    const product = await launched(folder, {
      EVENT_BUS: 'kafka',
      KAFKA_BROKERS: kafka.brokers.join(','),
      OBJECT_STORE: 'minio',
      MINIO_ENDPOINT: minio.endpoint,
      MINIO_ACCESS_KEY: minio.accessKey,
      MINIO_SECRET_KEY: minio.secretKey,
    });
    return { ...product, stop: () => product.stop().finally(stopContainers) };
  } catch (error) {
    await stopContainers();
    throw error;
  }
}

/** The compose stack with newly built images, in a temporary compose project. */
async function composed(): Promise<RunningProduct> {
  const [gateway, control, google] = [await freePort(), await freePort(), await freePort()];
  const settings = {
    JWT_SECRET: randomBytes(36).toString('base64url'),
    GATEWAY_PORT: gateway,
    SIMULATED_CONTROL_PORT: control,
    SIMULATED_GOOGLE_PORT: google,
  };
  const files = ['--env-file', 'docker/images.env', '-f', 'docker/compose.yaml', '-f', 'docker/compose.demo.yaml'];
  const variables = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  const compose = (...args: string[]): Promise<string> =>
    run('env', ...variables, 'docker', 'compose', '--project-name', `autoposter-trial-${gateway}`, ...files, ...args);
  const down = async (): Promise<void> => void (await compose('down', '--volumes', '--timeout', '20'));
  await run(process.execPath, path.join(ROOT, 'docker/build.mjs'));
  progress('   the images are built');
  try {
    await compose('up', '--no-build', '--detach', '--wait', '--wait-timeout', '300');
  } catch (error) {
    await down();
    throw error;
  }
  const local = (port: number): string => `http://127.0.0.1:${port}`;
  return { gateway: local(gateway), google: local(google), control: local(control), stop: down };
}

interface RunState {
  readyAt: string | null;
  address: string;
  addresses: Record<string, string>;
}

const READY_WITHIN_MS = 300_000;

/** The demo as started by `npm run demo`, with its own data directory and port. */
class LaunchedProduct {
  private constructor(
    private readonly launcher: ChildProcess,
    private readonly output: () => string,
    readonly state: RunState,
  ) {}

  static async start(dataDir: string, env: Record<string, string>): Promise<LaunchedProduct> {
    const { environment } = readProcessSettings();
    const launcher = spawn(process.execPath, ['tools/local/demo.mjs', '--yes'], {
      cwd: ROOT,
      env: { ...environment, ...env, DATABASE_URL: '', DATA_DIR: dataDir, PORT: String(await freePort()) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const kill = (): void => void launcher.kill('SIGTERM');
    process.on('exit', kill);
    let output = '';
    for (const stream of [launcher.stdout, launcher.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const ready = (): Promise<RunState | null> => {
      const state = readState(dataDir);
      return Promise.resolve(state?.readyAt ? state : null);
    };
    const ended = once(launcher, 'exit').then(([code]) => Promise.reject(new Error(`the demo exited (${String(code)})`)));
    const state = await Promise.race([pollUntil(ready, READY_WITHIN_MS, 'the demo', 100), ended]).catch((error: unknown) => {
      kill();
      throw new Error(`${error instanceof Error ? error.message : String(error)}\n${output.slice(-2000)}`);
    });
    ended.catch(() => undefined);
    return new LaunchedProduct(launcher, () => output, state);
  }

  /** Stops the demo like Ctrl-C; throws on a non-zero exit code. */
  async stop(): Promise<void> {
    if (this.launcher.exitCode !== null) throw new Error(`the demo exited before the end of the trial: ${this.output().slice(-2000)}`);
    this.launcher.kill('SIGINT');
    const [code] = (await once(this.launcher, 'exit')) as [number | null];
    if (code !== 0) throw new Error(`the demo exited with code ${code}: ${this.output().slice(-2000)}`);
  }
}

function readState(dataDir: string): RunState | null {
  try {
    return JSON.parse(fs.readFileSync(path.join(dataDir, 'run/state.json'), 'utf8')) as RunState;
  } catch {
    return null;
  }
}
