import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { readProcessSettings } from '@autoposter/config';
import { freePort, RunningProduct, startKafka, startMinio } from '@autoposter/testkit';
import { run } from '../cluster/kubernetes';
import type { Addresses } from '../product/signed-in-admin';
import { ROOT, progress } from '../trial';

const READY_WITHIN_MS = 300_000;

/** A running product with its origins. */
interface Deployed extends Addresses {
  control: string;
  stop(): Promise<void>;
}

/** A way to run the product. */
export interface Deployment {
  name: string;
  needsContainers: boolean;
  start(folder: string): Promise<Deployed>;
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

/** The demo as started by `npm run demo`; stopping it throws on anything but an orderly end. */
async function launched(folder: string, env: Record<string, string>): Promise<Deployed> {
  const { environment } = readProcessSettings();
  const product = await RunningProduct.start(folder, { ...environment, ...env, DATABASE_URL: '' }, { withinMs: READY_WITHIN_MS });
  const { address, addresses } = product.state;
  return {
    gateway: address,
    google: new URL(addresses.GOOGLE_AUTHORIZATION_URL ?? '').origin,
    control: addresses.control ?? '',
    stop: async () => {
      const early = product.hasEnded ? ' before the end of the trial' : '';
      const { code, running } = await product.stop();
      if (early || code !== 0 || running.length > 0)
        throw new Error(
          `the demo exited${early} with code ${code}, left ${running.join(', ') || 'nothing'}: ${product.output.slice(-2000)}`,
        );
    },
  };
}

async function onKafkaAndMinio(folder: string): Promise<Deployed> {
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
async function composed(): Promise<Deployed> {
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
