import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readProcessSettings } from '@autoposter/config';
import { GenericContainer, Wait } from 'testcontainers';
import type { Addresses } from '../cluster/signed-in-admin';
import { run } from '../cluster/kubernetes';
import { freePort } from '../product/free-port';
import { startBroker } from '../rebalance/broker';
import { ROOT, tell } from '../trial';
import { LaunchedProduct } from './launched-product';

/** A product that runs, and where to find it. */
export interface Standing extends Addresses {
  control: string;
  stop(): Promise<void>;
}

/** One way to run the product. */
export interface Column {
  name: string;
  needsEngine: boolean;
  start(folder: string): Promise<Standing>;
}

export const COLUMNS: readonly Column[] = [
  {
    name: 'postgres bus, local folder',
    needsEngine: false,
    start: (folder) => launched(folder, { EVENT_BUS: 'postgres', OBJECT_STORE: 'local' }),
  },
  { name: 'Kafka, MinIO', needsEngine: true, start: onKafkaAndMinio },
];
export const COMPOSE: Column = { name: 'compose stack', needsEngine: true, start: composed };

async function launched(folder: string, env: Record<string, string>): Promise<Standing> {
  const product = await LaunchedProduct.start(folder, env);
  const { address, addresses } = product.state;
  return {
    gateway: address,
    google: new URL(addresses.GOOGLE_AUTHORIZATION_URL ?? '').origin,
    control: addresses.control ?? '',
    stop: () => product.stop(),
  };
}

async function onKafkaAndMinio(folder: string): Promise<Standing> {
  const accessKey = 'trial-access';
  const secretKey = 'trial-secret-key';
  const [broker, minio] = await Promise.all([
    startBroker(),
    new GenericContainer(imageNamed('MINIO_IMAGE'))
      .withCommand(['server', '/data'])
      .withEnvironment({ MINIO_ROOT_USER: accessKey, MINIO_ROOT_PASSWORD: secretKey })
      .withExposedPorts(9000)
      .withWaitStrategy(Wait.forHttp('/minio/health/live', 9000))
      .start(),
  ]);
  tell('   Kafka and MinIO are up');
  const stopContainers = async (): Promise<void> => void (await Promise.all([broker.stop(), minio.stop()]));
  try {
    const standing = await launched(folder, {
      EVENT_BUS: 'kafka',
      KAFKA_BROKERS: broker.address,
      OBJECT_STORE: 'minio',
      MINIO_ENDPOINT: `http://127.0.0.1:${minio.getMappedPort(9000)}`,
      MINIO_ACCESS_KEY: accessKey,
      MINIO_SECRET_KEY: secretKey,
    });
    return { ...standing, stop: () => standing.stop().finally(stopContainers) };
  } catch (error) {
    await stopContainers();
    throw error;
  }
}

/** The images as they are now, in a project of its own that leaves nothing behind. */
async function composed(): Promise<Standing> {
  const [gateway, control, google] = [await freePort(), await freePort(), await freePort()];
  const settings = {
    JWT_SECRET: randomBytes(36).toString('base64url'),
    GATEWAY_PORT: gateway,
    SIMULATED_CONTROL_PORT: control,
    SIMULATED_GOOGLE_PORT: google,
  };
  const files = ['--env-file', 'docker/images.env', '-f', 'docker/compose.yaml', '-f', 'docker/compose.demo.yaml'];
  const words = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  const compose = (...args: string[]): Promise<string> =>
    run('env', ...words, 'docker', 'compose', '--project-name', `autoposter-trial-${gateway}`, ...files, ...args);
  const down = async (): Promise<void> => void (await compose('down', '--volumes', '--timeout', '20'));
  await run(process.execPath, path.join(ROOT, 'docker/build.mjs'));
  tell('   the images are built');
  try {
    await compose('up', '--no-build', '--detach', '--wait', '--wait-timeout', '300');
  } catch (error) {
    await down();
    throw error;
  }
  const at = (port: number): string => `http://127.0.0.1:${port}`;
  return { gateway: at(gateway), google: at(google), control: at(control), stop: down };
}

/** Why no container can be started, in a sentence; `null` where one can. */
export function noEngineReason(): string | null {
  try {
    execFileSync('docker', ['info', '--format', '{{.ServerVersion}}'], { stdio: ['ignore', 'pipe', 'pipe'], timeout: 15_000 });
    return null;
  } catch {
    return 'there is no container engine';
  }
}

/** A missing engine is a skipped part on a person's machine and a failure where nobody looks. */
export const engineIsDemanded = (): boolean => readProcessSettings().ci;

function imageNamed(name: string): string {
  const image = new RegExp(`^${name}=(.+)$`, 'mu').exec(readFileSync(path.join(ROOT, 'docker/images.env'), 'utf8'))?.[1]?.trim();
  if (!image) throw new Error(`docker/images.env names no ${name}`);
  return image;
}
