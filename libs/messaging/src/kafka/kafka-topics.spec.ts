import type { Kafka } from 'kafkajs';
import { silentLogger } from '@autoposter/observability';
import { z } from 'zod';
import { KAFKA_DEFAULTS } from './kafka-client';
import { KafkaTopics } from './kafka-topics';

describe('KafkaTopics', () => {
  const lagOf = (ends: { low: string; high: string }[], committed: string[]): Promise<number> => {
    const admin = {
      connect: () => Promise.resolve(),
      fetchTopicOffsets: () => Promise.resolve(ends.map((end, partition) => ({ partition, ...end }))),
      fetchOffsets: () => Promise.resolve([{ partitions: committed.map((offset, partition) => ({ partition, offset })) }]),
    };
    const kafka = { admin: () => admin } as unknown as Kafka;
    return new KafkaTopics(kafka, { ...KAFKA_DEFAULTS, brokers: [], clientId: 'c' }, silentLogger).lag('g', 't');
  };

  it('sums the messages after the commits of all partitions', async () => {
    const ends = { low: '0', high: '10' };
    expect(await lagOf([ends, ends, ends], ['4', '10', '9'])).toBe(7);
  });

  it('counts from the earliest message where the group has no commit', async () => {
    const ends = { low: '3', high: '10' };
    expect(await lagOf([ends, ends], ['-1'])).toBe(14);
  });

  it('counts no message that the retention deleted', async () => {
    expect(await lagOf([{ low: '8', high: '10' }], ['2'])).toBe(2);
  });

  it('is never negative, so that a recreated topic hides no lag of another partition', async () => {
    expect(
      await lagOf(
        [
          { low: '0', high: '1' },
          { low: '0', high: '5' },
        ],
        ['90', '0'],
      ),
    ).toBe(5);
  });

  it('declares a topic again that the brokers do not list yet', async () => {
    const answers = [[], [], ['t']];
    const createTopics = jest.fn(() => Promise.resolve(true));
    const admin = {
      connect: () => Promise.resolve(),
      listTopics: () => Promise.resolve(answers.shift() ?? ['t']),
      createTopics,
      // a group with members gets no first offsets
      describeGroups: () => Promise.resolve({ groups: [{ members: [{}] }] }),
    };
    const kafka = { admin: () => admin } as unknown as Kafka;
    const topics = new KafkaTopics(kafka, { ...KAFKA_DEFAULTS, brokers: [], clientId: 'c' }, silentLogger);
    await topics.ensure(
      [{ name: 't', key: 'itemId', schema: z.any(), stage: null, partitions: 1, retentionMs: 1 }],
      [{ group: 'g', topic: 't' }],
    );
    expect(createTopics).toHaveBeenCalledTimes(1);
  });
});
