import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allTopics, topics } from '@autoposter/contracts';
import { KafkaBus } from '@autoposter/messaging';
import { MinioStore } from '@autoposter/object-store';
import { describeWithContainers, startKafka, startMinio } from './containers';

describeWithContainers('test containers', () => {
  it('start a Kafka broker that accepts all topics', async () => {
    const kafka = await startKafka();
    const bus = new KafkaBus({ brokers: kafka.brokers, clientId: 'test' });
    try {
      await bus.ensureTopics(allTopics, [{ group: 'test', topic: topics.facts.name }]);
      expect((await bus.health()).ok).toBe(true);
      expect(await bus.lag('test', topics.facts.name)).toBe(0);
    } finally {
      await bus.close();
      await kafka.stop();
    }
  });

  it('start an object store that stores an object', async () => {
    const minio = await startMinio();
    const scratchFolder = await mkdtemp(join(tmpdir(), 'autoposter-minio-'));
    try {
      const store = new MinioStore({
        endpoint: minio.endpoint,
        accessKey: minio.accessKey,
        secretKey: minio.secretKey,
        bucket: 'test',
        scratchFolder,
      });
      const bytes = async function* (): AsyncIterable<Uint8Array> {
        yield Promise.resolve(new Uint8Array([1, 2, 3]));
      };
      const stored = await store.put('covers', bytes() as AsyncIterable<Uint8Array>, 'image/jpeg', 'jpg');
      expect(await store.stat(stored.key)).toMatchObject({ bytes: 3 });
    } finally {
      await minio.stop();
      await rm(scratchFolder, { recursive: true, force: true });
    }
  });
});
