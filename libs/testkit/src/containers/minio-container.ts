import { GenericContainer, Wait } from 'testcontainers';
import { imageNamed } from './engine';

export interface MinioServer {
  endpoint: string;
  accessKey: string;
  secretKey: string;
  stop(): Promise<void>;
}

export async function startMinio(): Promise<MinioServer> {
  const accessKey = 'test-access';
  const secretKey = 'test-secret-key';
  const container = await new GenericContainer(imageNamed('MINIO_IMAGE'))
    .withCommand(['server', '/data'])
    .withEnvironment({ MINIO_ROOT_USER: accessKey, MINIO_ROOT_PASSWORD: secretKey })
    .withExposedPorts(9000)
    .withWaitStrategy(Wait.forHttp('/minio/health/live', 9000))
    .start();
  return {
    endpoint: `http://127.0.0.1:${container.getMappedPort(9000)}`,
    accessKey,
    secretKey,
    stop: async () => void (await container.stop()),
  };
}
