import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { freePort, startKafka, startMinio } from '@autoposter/testkit';
import type { Addresses } from '../product/signed-in-admin';
import { run } from '../cluster/kubernetes';
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
  const [kafka, minio] = await Promise.all([startKafka(), startMinio()]);
  tell('   Kafka and MinIO are up');
  const stopContainers = async (): Promise<void> => void (await Promise.all([kafka.stop(), minio.stop()]));
  try {
    const standing = await launched(folder, {
      EVENT_BUS: 'kafka',
      KAFKA_BROKERS: kafka.brokers.join(','),
      OBJECT_STORE: 'minio',
      MINIO_ENDPOINT: minio.endpoint,
      MINIO_ACCESS_KEY: minio.accessKey,
      MINIO_SECRET_KEY: minio.secretKey,
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
