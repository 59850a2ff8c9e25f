import type { Kafka, ProducerConfig, ProducerRecord } from 'kafkajs';
import { SILENT, type OutgoingMessage } from '../event-bus.port';
import { KafkaPublisher } from './kafka-publisher';

const message = (topic: string, key: string): OutgoingMessage => ({
  topic,
  key,
  value: {
    id: '01890000-0000-7000-8000-000000000001',
    type: 'trial',
    occurredAt: '2026-05-05T10:00:00.000Z',
    subjectId: '01890000-0000-7000-8000-000000000001',
    correlationId: '01890000-0000-7000-8000-000000000001',
    causationId: null,
    traceparent: null,
    payload: {},
  },
});

describe('KafkaPublisher', () => {
  let log: { topic: string; keys: string[] }[];
  let refusals: Map<string, () => Promise<never>>;
  let made: ProducerConfig[];
  let publisher: KafkaPublisher;

  beforeEach(() => {
    [log, refusals, made] = [[], new Map(), []];
    const producer = (config: ProducerConfig) => {
      made.push(config);
      return {
        connect: async () => undefined,
        disconnect: async () => undefined,
        send: async ({ topic, messages }: ProducerRecord) => {
          await refusals.get(topic)?.();
          log.push({ topic, keys: messages.map(({ key }) => String(key)) });
        },
      };
    };
    publisher = new KafkaPublisher({ producer } as unknown as Kafka, 200, SILENT);
  });
  afterEach(() => publisher.close());

  it('publishes to the other topics while one does not answer', async () => {
    refusals.set('bad', () => new Promise(() => undefined));
    const refused = expect(publisher.publish([message('bad', 'a')])).rejects.toMatchObject({ failure: { kind: 'transient' } });
    await publisher.publish([message('good', 'b')]);
    await expect(publisher.publish([message('good', 'c'), message('bad', 'd')])).rejects.toMatchObject({ failure: { kind: 'transient' } });
    await refused;
    expect(log).toEqual([
      { topic: 'good', keys: ['b'] },
      { topic: 'good', keys: ['c'] },
    ]);
  });

  it('recreates only the producer of a failed topic and stops its retries', async () => {
    refusals.set('bad', () => Promise.reject(new Error('This server does not host this topic-partition')));
    await expect(publisher.publish([message('good', 'a'), message('bad', 'b')])).rejects.toMatchObject({ failure: { kind: 'transient' } });
    refusals.clear();
    await publisher.publish([message('good', 'c'), message('bad', 'd')]);
    expect(made).toHaveLength(3);
    expect(Math.max(...made.map(({ retry }) => retry?.retries ?? Infinity))).toBeLessThanOrEqual(5);
  });

  it('reports a refused message as a failure of the message, not of the topic', async () => {
    const cause = Object.assign(new Error('The request included a message larger than the max message size'), {
      type: 'MESSAGE_TOO_LARGE',
    });
    refusals.set('small', () => Promise.reject(new Error('wrapped', { cause })));
    await expect(publisher.publish([message('small', 'a')])).rejects.toMatchObject({
      failure: { kind: 'too_large', detail: { topic: 'small', code: 'MESSAGE_TOO_LARGE' } },
    });
  });

  it('batches messages published meanwhile into one request per topic', async () => {
    let answer: () => void = () => undefined;
    refusals.set('t', (() => new Promise<void>((resolve) => (answer = resolve))) as unknown as () => Promise<never>);
    const first = publisher.publish([message('t', 'a')]);
    await new Promise((resolve) => setImmediate(resolve));
    const later = Promise.all([publisher.publish([message('t', 'b')]), publisher.publish([message('t', 'c')])]);
    refusals.clear();
    answer();
    await Promise.all([first, later]);
    expect(log).toEqual([
      { topic: 't', keys: ['a'] },
      { topic: 't', keys: ['b', 'c'] },
    ]);
  });
});
