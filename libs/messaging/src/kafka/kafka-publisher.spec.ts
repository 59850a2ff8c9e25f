import type { Kafka, ProducerBatch, ProducerConfig } from 'kafkajs';
import { silentLogger } from '@autoposter/observability';
import type { OutgoingMessage } from '../event-bus.port';
import { KafkaPublisher } from './kafka-publisher';

const message = (topic: string, key: string): OutgoingMessage => ({
  topic,
  key,
  envelope: {
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

const tooLarge = () =>
  Promise.reject(
    new Error('wrapped', {
      cause: Object.assign(new Error('The request included a message larger than the max message size'), { type: 'MESSAGE_TOO_LARGE' }),
    }),
  );
const noSuchPartition = () => Promise.reject(new Error('This server does not host this topic-partition'));
const noAnswer = () => new Promise<never>(() => undefined);
const ONLY_PARTITION = { partitionId: 0, partitionErrorCode: 0, leader: 1, replicas: [1], isr: [1] };
const SKIPPED = new Error('not sent');
/** Until everything that waits for no timer is done. */
const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};
const TIMEOUT_MS = 2_000;

describe('KafkaPublisher', () => {
  /** What each topic holds, as the keys of its messages. */
  let log: Map<string, string>;
  let sent: { producer: number; batch: ProducerBatch }[];
  let refusals: Map<string, (batch: ProducerBatch) => Promise<unknown>>;
  let made: ProducerConfig[];
  let left: number;
  let connect: () => Promise<void>;
  let publisher: KafkaPublisher;

  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    [log, sent, refusals, made, left, connect] = [new Map(), [], new Map(), [], 0, () => Promise.resolve()];
    const producer = (config: ProducerConfig) => {
      const number = made.push(config);
      return {
        connect: () => connect(),
        disconnect: async () => void (left += 1),
        // as brokers do: a topic that refuses its part does not keep the others from appending theirs
        sendBatch: async (batch: ProducerBatch) => {
          sent.push({ producer: number, batch });
          const choose = config.createPartitioner!();
          const answers: { topicName: string; partition: number }[] = [];
          const failures: unknown[] = [];
          for (const { topic, messages } of batch.topicMessages ?? []) {
            for (const one of messages) choose({ topic, partitionMetadata: [ONLY_PARTITION], message: one });
            try {
              await refusals.get(topic)?.(batch);
              log.set(topic, (log.get(topic) ?? '') + messages.map(({ key }) => String(key)).join(''));
              answers.push({ topicName: topic, partition: 0 });
            } catch (error) {
              failures.push(error);
            }
          }
          if (failures.length > 0 && failures[0] !== SKIPPED) throw failures[0];
          return answers;
        },
      };
    };
    publisher = new KafkaPublisher({ producer } as unknown as Kafka, TIMEOUT_MS, silentLogger, () => undefined);
  });
  afterEach(async () => {
    await publisher.close();
    jest.useRealTimers();
  });

  const publish = (...messages: OutgoingMessage[]): Promise<void> => publisher.publish(messages);
  const publishApart = (...messages: OutgoingMessage[]): Promise<void> => publisher.publish(messages, true);
  const transient = { failure: { kind: 'transient' } };
  const topicsOf = ({ batch }: { batch: ProducerBatch }) => (batch.topicMessages ?? []).map(({ topic }) => topic);

  it('sends the messages of all topics as one request', async () => {
    await publish(message('one', 'a'), message('two', 'b'), message('one', 'c'));
    expect(sent.map(topicsOf)).toEqual([['one', 'two']]);
    expect([...log]).toEqual([
      ['one', 'ac'],
      ['two', 'b'],
    ]);
  });

  it('sends one request after the other, in the order of the calls, also after a failed one', async () => {
    let answer: () => void = () => undefined;
    refusals.set('t', () => (sent.length === 1 ? new Promise<void>((resolve) => (answer = resolve)) : noSuchPartition()));
    const first = publish(message('t', 'a'));
    const second = expect(publish(message('t', 'b'))).rejects.toMatchObject(transient);
    const third = publish(message('other', 'c'));
    await settled();
    expect(sent).toHaveLength(1);
    answer();
    await Promise.all([first, second, third]);
    expect(sent.map(topicsOf)).toEqual([['t'], ['t'], ['other']]);
  });

  it('rejects when one topic refuses, and publishes to it apart from the others', async () => {
    refusals.set('bad', noSuchPartition);
    await expect(publish(message('good', 'a'), message('bad', 'b'))).rejects.toMatchObject(transient);
    await expect(publishApart(message('bad', 'b'))).rejects.toMatchObject(transient);
    await publish(message('good', 'c'));
    refusals.clear();
    await publishApart(message('bad', 'd'));
    expect([...log]).toEqual([
      ['good', 'ac'],
      ['bad', 'd'],
    ]);
  });

  it('publishes to the other topics while one that is published to apart does not answer', async () => {
    refusals.set('bad', noAnswer);
    const refused = expect(publishApart(message('bad', 'a'))).rejects.toMatchObject(transient);
    await settled();
    await publish(message('good', 'b'));
    refusals.clear();
    await publishApart(message('bad', 'c'));
    expect([log.get('good'), log.get('bad')]).toEqual(['b', 'c']);
    await jest.advanceTimersByTimeAsync(TIMEOUT_MS);
    await refused;
  });

  it('names the refusal of a message, whose topic accepts others', async () => {
    refusals.set('small', (batch) => (JSON.stringify(batch).includes('large') ? tooLarge() : Promise.resolve()));
    const refused = { failure: { kind: 'too_large', detail: { topic: 'small', code: 'MESSAGE_TOO_LARGE' } } };
    await expect(publish(message('small', 'large'))).rejects.toMatchObject(refused);
    await expect(publishApart(message('small', 'large'))).rejects.toMatchObject(refused);
    await publish(message('small', 'b'));
  });

  it('keeps the shared producer until it fails, disconnects the others after their request, and bounds retries', async () => {
    await publish(message('good', 'a'));
    await publish(message('good', 'b'));
    await publishApart(message('bad', 'c'));
    await settled();
    expect([made.length, left]).toEqual([2, 1]);
    refusals.set('bad', noSuchPartition);
    await expect(publish(message('bad', 'd'))).rejects.toMatchObject(transient);
    await expect(publishApart(message('bad', 'e'))).rejects.toMatchObject(transient);
    await publish(message('good', 'f'));
    expect(sent.map(({ producer }) => producer)).toEqual([1, 1, 2, 1, 3, 4]);
    expect([made.length, left]).toEqual([4, 3]);
    expect(Math.max(...made.map(({ retry }) => retry?.retries ?? Infinity))).toBeLessThanOrEqual(5);
  });

  it('rejects what kafkajs left out of a request that succeeded', async () => {
    refusals.set('moved', () => Promise.reject(SKIPPED));
    await expect(publish(message('good', 'a'), message('moved', 'b'))).rejects.toMatchObject(transient);
    refusals.clear();
    await publish(message('good', 'c'));
  });

  it('waits for all in-sync replicas, appends a retried message once, and creates no topic', async () => {
    await publish(message('t', 'a'));
    await publishApart(message('t', 'b'));
    expect(sent.map(({ batch }) => batch.acks)).toEqual([-1, -1]);
    for (const config of made) expect(config).toMatchObject({ idempotent: true, maxInFlightRequests: 1, allowAutoTopicCreation: false });
  });

  it('does not send a message after its caller got the rejection', async () => {
    let connected: () => void = () => undefined;
    connect = () => new Promise((resolve) => (connected = resolve));
    const first = expect(publish(message('t', 'a'))).rejects.toMatchObject(transient);
    await jest.advanceTimersByTimeAsync(TIMEOUT_MS / 2);
    await first;
    connected();
    connect = () => Promise.resolve();
    await publish(message('t', 'b'));
    expect(log.get('t')).toBe('b');
  });

  it('rejects waiting and later messages once it is closed, without another connection', async () => {
    refusals.set('t', noAnswer);
    const closed = { failure: { code: 'bus_closed' } };
    const first = expect(publish(message('t', 'a'))).rejects.toMatchObject(transient);
    await settled();
    const waiting = expect(publish(message('t', 'b'))).rejects.toMatchObject(closed);
    await publisher.close();
    await expect(publishApart(message('t', 'c'))).rejects.toMatchObject(closed);
    await jest.advanceTimersByTimeAsync(TIMEOUT_MS);
    await Promise.all([first, waiting]);
    await expect(publish(message('t', 'd'))).rejects.toMatchObject(closed);
    expect([made.length, sent.length]).toEqual([1, 1]);
  });
});
