import type { Kafka, ProducerBatch, ProducerConfig } from 'kafkajs';
import { silentLogger } from '@autoposter/observability';
import type { OutgoingMessage } from '../event-bus.port';
import { KafkaPublisher } from './kafka-publisher';

const message = (topic: string, key: string): OutgoingMessage & { topic: string } => ({
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

  /** Rejects after each topic has answered. */
  const publish = async (messages: readonly (OutgoingMessage & { topic: string })[]): Promise<void> => {
    const topics = [...new Set(messages.map(({ topic }) => topic))];
    const ofTopic = (topic: string) => messages.filter((one) => one.topic === topic);
    const outcomes = await Promise.allSettled(topics.map((topic) => publisher.publish(topic, ofTopic(topic))));
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  };
  const transient = { failure: { kind: 'transient' } };
  const topicsOf = ({ batch }: { batch: ProducerBatch }) => (batch.topicMessages ?? []).map(({ topic }) => topic);

  it('sends what several callers publish at the same time as one request', async () => {
    await Promise.all([publish([message('one', 'a')]), publish([message('two', 'b'), message('one', 'c')])]);
    expect(sent.map(topicsOf)).toEqual([['one', 'two']]);
    expect([...log]).toEqual([
      ['one', 'ac'],
      ['two', 'b'],
    ]);
  });

  it('sends the other topics again when one refuses, and keeps it apart from them until it accepts messages', async () => {
    refusals.set('bad', noSuchPartition);
    await expect(publish([message('good', 'a'), message('bad', 'b')])).rejects.toMatchObject(transient);
    // the request with both appended it before
    expect(log.get('good')).toBe('aa');
    for (const key of ['c', 'd', 'e']) await expect(publish([message('good', key), message('bad', key)])).rejects.toMatchObject(transient);
    expect(log.get('good')).toBe('aacde');
    refusals.clear();
    await publish([message('good', 'f'), message('bad', 'g')]);
    await publish([message('good', 'h'), message('bad', 'i')]);
    expect([...log]).toEqual([
      ['good', 'aacdefh'],
      ['bad', 'gi'],
    ]);
    expect(topicsOf(sent.at(-1)!)).toEqual(['good', 'bad']);
  });

  it('publishes to the other topics while one does not answer', async () => {
    refusals.set('bad', noAnswer);
    const refused = expect(publish([message('bad', 'a'), message('good', 'b')])).rejects.toMatchObject(transient);
    await settled();
    const good = publish([message('good', 'c')]);
    await jest.advanceTimersByTimeAsync(TIMEOUT_MS / 2);
    await good;
    const later = expect(publish([message('bad', 'd'), message('good', 'e')])).rejects.toMatchObject(transient);
    await settled();
    expect(log.get('good')).toBe('bce');
    await jest.advanceTimersByTimeAsync(TIMEOUT_MS);
    await Promise.all([refused, later]);
  });

  it('sends the messages of a topic in order when it is isolated and when it is not any more', async () => {
    let refuse: (error: Error) => void = () => undefined;
    refusals.set('bad', () => (sent.length === 1 ? new Promise((_resolve, reject) => (refuse = reject)) : Promise.resolve()));
    const publishKeys = (...keys: string[]) => keys.map((key) => publish([message('bad', key)]));
    const first = publishKeys('a', 'b');
    await settled();
    const meanwhile = publishKeys('c', 'd');
    refuse(new Error('This server does not host this topic-partition'));
    await Promise.all([...first, ...meanwhile, ...publishKeys('e')]);
    await Promise.all(publishKeys('f', 'g'));
    expect(log.get('bad')).toBe('abcdefg');
  });

  it('keeps a topic that refused a message apart from the others, because the message is sent again', async () => {
    refusals.set('small', (batch) => (JSON.stringify(batch).includes('large') ? tooLarge() : Promise.resolve()));
    const refused = { failure: { kind: 'too_large', detail: { topic: 'small', code: 'MESSAGE_TOO_LARGE' } } };
    await expect(publish([message('good', 'a'), message('small', 'large')])).rejects.toMatchObject(refused);
    await publish([message('small', 'b')]);
    await expect(publish([message('good', 'c'), message('small', 'large')])).rejects.toMatchObject(refused);
    expect(log.get('good')).toBe('aac');
    await jest.advanceTimersByTimeAsync(600_000);
    await publish([message('small', 'd')]);
    await publish([message('good', 'e'), message('small', 'f')]);
    expect(topicsOf(sent.at(-1)!)).toEqual(['good', 'small']);
  });

  it('recreates failed producers, disconnects those of topics that accept messages again, and bounds retries', async () => {
    refusals.set('bad', noSuchPartition);
    await expect(publish([message('good', 'a'), message('bad', 'b')])).rejects.toMatchObject(transient);
    refusals.clear();
    await publish([message('good', 'c'), message('bad', 'd')]);
    // the shared one and its successor, and one for each topic and the successor of the failed one
    expect(new Set(sent.map(({ producer }) => producer)).size).toBe(5);
    expect([made.length, left]).toEqual([5, 4]);
    expect(Math.max(...made.map(({ retry }) => retry?.retries ?? Infinity))).toBeLessThanOrEqual(5);
  });

  it('sends again what kafkajs left out of a request that succeeded', async () => {
    refusals.set('moved', () => (sent.length === 1 ? Promise.reject(SKIPPED) : Promise.resolve()));
    await publish([message('good', 'a'), message('moved', 'b')]);
    expect(log.get('moved')).toBe('b');
  });

  it('batches messages published meanwhile into one request', async () => {
    let answer: () => void = () => undefined;
    refusals.set('t', () => new Promise<void>((resolve) => (answer = resolve)));
    const first = publish([message('t', 'a')]);
    await settled();
    const later = Promise.all([publish([message('t', 'b')]), publish([message('t', 'c')])]);
    refusals.clear();
    answer();
    await Promise.all([first, later]);
    expect(sent.map(({ batch }) => batch.topicMessages?.[0]?.messages.length)).toEqual([1, 2]);
  });

  it('waits for all in-sync replicas, appends a retried message once, and creates no topic', async () => {
    refusals.set('t', () => (sent.length === 1 ? noSuchPartition() : Promise.resolve()));
    await publish([message('t', 'a')]);
    expect(sent.map(({ batch }) => batch.acks)).toEqual([-1, -1]);
    for (const config of made) expect(config).toMatchObject({ idempotent: true, maxInFlightRequests: 1, allowAutoTopicCreation: false });
  });

  it('does not send a message after its caller got the rejection', async () => {
    refusals.set('t', noAnswer);
    const first = expect(publish([message('t', 'a')])).rejects.toMatchObject(transient);
    await settled();
    // the first request of the isolated topic has to wait for its connection
    let connected: () => void = () => undefined;
    connect = () => new Promise((resolve) => (connected = resolve));
    await jest.advanceTimersByTimeAsync(TIMEOUT_MS / 2);
    await settled();
    const second = expect(publish([message('t', 'b')])).rejects.toMatchObject(transient);
    await jest.advanceTimersByTimeAsync(TIMEOUT_MS / 2);
    await first;
    connected();
    await jest.advanceTimersByTimeAsync(TIMEOUT_MS / 2);
    await second;
    const third = publish([message('t', 'c')]);
    refusals.clear();
    connect = () => Promise.resolve();
    await jest.advanceTimersByTimeAsync(TIMEOUT_MS / 2);
    await third;
    expect(log.get('t')).toBe('c');
  });

  it('does not send a message again whose caller got the rejection during the request', async () => {
    for (const topic of ['bad', 't']) refusals.set(topic, noAnswer);
    let connected: () => void = () => undefined;
    connect = () => new Promise((resolve) => (connected = resolve));
    const first = expect(publish([message('bad', 'a')])).rejects.toMatchObject(transient);
    await jest.advanceTimersByTimeAsync(0.2 * TIMEOUT_MS);
    // most of its time passes while it waits for the request before
    const second = expect(publish([message('t', 'b')])).rejects.toMatchObject(transient);
    await jest.advanceTimersByTimeAsync(0.2 * TIMEOUT_MS);
    connect = () => Promise.resolve();
    connected();
    await jest.advanceTimersByTimeAsync(0.5 * TIMEOUT_MS);
    await settled();
    expect(sent.map(topicsOf)).toContainEqual(['t']);
    await jest.advanceTimersByTimeAsync(2 * TIMEOUT_MS);
    await Promise.all([first, second]);
    expect(sent.map(topicsOf).filter(([topic]) => topic === 't')).toHaveLength(1);
  });

  it('rejects waiting and later messages once it is closed, without another connection', async () => {
    refusals.set('t', noAnswer);
    const closed = { failure: { code: 'bus_closed' } };
    const first = expect(publish([message('t', 'a')])).rejects.toThrow();
    await settled();
    const waiting = publish([message('t', 'b')]).catch((error: unknown) => error);
    await publisher.close();
    expect(await Promise.race([waiting, settled()])).toMatchObject(closed);
    await expect(publish([message('t', 'c'), message('other', 'd')])).rejects.toMatchObject(closed);
    await jest.advanceTimersByTimeAsync(TIMEOUT_MS);
    await first;
    expect(made).toHaveLength(1);
  });
});
