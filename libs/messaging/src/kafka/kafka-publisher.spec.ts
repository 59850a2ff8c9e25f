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
  let sent: ProducerRecord[];
  let refusals: Map<string, () => Promise<unknown>>;
  let made: ProducerConfig[];
  let publisher: KafkaPublisher;

  beforeEach(() => {
    [log, sent, refusals, made] = [[], [], new Map(), []];
    const producer = (config: ProducerConfig) => {
      made.push(config);
      return {
        connect: async () => undefined,
        disconnect: async () => undefined,
        send: async (record: ProducerRecord) => {
          const { topic, messages } = record;
          sent.push(record);
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
    refusals.set('t', () => new Promise<void>((resolve) => (answer = resolve)));
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

  it('waits for all in-sync replicas, appends a retried message once, and creates no topic', async () => {
    await publisher.publish([message('t', 'a')]);
    expect(sent).toMatchObject([{ topic: 't', acks: -1 }]);
    expect(made).toMatchObject([{ idempotent: true, maxInFlightRequests: 1, allowAutoTopicCreation: false }]);
  });

  it('does not send a message after its caller got the rejection', async () => {
    refusals.set('t', () => (sent.length === 1 ? new Promise(() => undefined) : Promise.resolve()));
    const rejected = { failure: { kind: 'transient' } };
    await Promise.all([
      expect(publisher.publish([message('t', 'a')])).rejects.toMatchObject(rejected),
      expect(publisher.publish([message('t', 'b')])).rejects.toMatchObject(rejected),
    ]);
    await publisher.publish([message('t', 'c')]);
    expect(log).toEqual([{ topic: 't', keys: ['c'] }]);
  });

  it('rejects waiting and later messages once it is closed, without another connection', async () => {
    refusals.set('t', () => new Promise(() => undefined));
    const closed = { failure: { code: 'bus_closed' } };
    const first = expect(publisher.publish([message('t', 'a')])).rejects.toThrow();
    const waiting = expect(publisher.publish([message('t', 'b')])).rejects.toMatchObject(closed);
    await publisher.close();
    await expect(publisher.publish([message('t', 'c'), message('other', 'd')])).rejects.toMatchObject(closed);
    await Promise.all([first, waiting]);
    expect(made.length).toBeLessThanOrEqual(1);
  });
});
