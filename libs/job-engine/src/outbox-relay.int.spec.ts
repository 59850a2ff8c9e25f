import { v7 as uuidv7 } from 'uuid';
import { allTopics, type Envelope, topics } from '@autoposter/contracts';
import { PipelineError } from '@autoposter/domain';
import { byTopic, type OutgoingMessage } from '@autoposter/messaging';
import { MemoryBroker, MemoryBus, pollUntil, type FreshDatabase, useFreshDatabases } from '@autoposter/testkit';
import { CONSUMER_GROUPS } from './job-bus';
import { OutboxRelay } from './outbox-relay';

const TOPIC = 'pipeline.facts.v1';

const message = (topic = TOPIC): { topic: string; key: string; envelope: Envelope } => {
  const id = uuidv7();
  return {
    topic,
    key: id,
    envelope: {
      id,
      type: 'item.edited',
      occurredAt: new Date().toISOString(),
      subjectId: id,
      correlationId: id,
      causationId: null,
      traceparent: null,
      payload: {},
    },
  };
};

describe('OutboxRelay', () => {
  let fresh: FreshDatabase;
  let broker: MemoryBroker;
  const sent = (topic = TOPIC): string[] => (broker.topics.get(topic) ?? []).map(({ text }) => (JSON.parse(text) as Envelope).id);

  useFreshDatabases('embedded', async (made) => {
    fresh = made;
    broker = new MemoryBroker();
    await new MemoryBus(broker).ensureTopics(allTopics, CONSUMER_GROUPS);
  });

  it('sends each unsent row exactly once with four relays and concurrent writers', async () => {
    const databases = await Promise.all([0, 1, 2, 3].map(() => fresh.connectAgain(3)));
    const relays = databases.map((database) => new OutboxRelay({ database, bus: new MemoryBus(broker), batch: 7, sweepMs: 20 }));
    for (const relay of relays) relay.start();
    const written: string[] = [];
    const writer = async (index: number): Promise<void> => {
      for (let round = 0; round < 20; round += 1) {
        const messages = [message(), message(), message()];
        const kept = round % 5 !== 4;
        await databases[index]
          ?.unitOfWork(async (uow) => {
            uow.outbox.add(messages);
            if (!kept) throw new Error('rolled back');
          })
          .catch(() => undefined);
        if (kept) written.push(...messages.map(({ envelope }) => envelope.id));
      }
    };
    await Promise.all([0, 1, 2, 3].map(writer));
    await pollUntil(async () => (await fresh.database.read.outbox.backlog()).waiting === 0);
    await Promise.all(relays.map((relay) => relay.stop()));
    expect(sent().sort()).toEqual(written.sort());
    expect(written).toHaveLength(4 * 16 * 3);
  });

  it('sends right after a commit of its own process, without waiting for the sweep', async () => {
    const relay = new OutboxRelay({ database: fresh.database, bus: new MemoryBus(broker), sweepMs: 60_000 });
    relay.start();
    await fresh.database.unitOfWork(async (uow) => uow.outbox.add([message()]));
    await pollUntil(() => sent().length === 1);
    await relay.stop();
  });

  it('collects longer after it sent many messages', async () => {
    const sentAt: number[] = [];
    class TimedBus extends MemoryBus {
      override publish(messages: readonly OutgoingMessage[]): Promise<void> {
        sentAt.push(performance.now());
        return super.publish(messages);
      }
    }
    const relay = new OutboxRelay({ database: fresh.database, bus: new TimedBus(broker), sweepMs: 60_000 });
    relay.start();
    const add = (count: number) => fresh.database.unitOfWork(async (uow) => uow.outbox.add(Array.from({ length: count }, () => message())));
    await add(20);
    await pollUntil(() => sent().length === 20);
    await add(1);
    await pollUntil(() => sent().length === 21);
    await relay.stop();
    const [first = 0, second = 0] = sentAt;
    expect(second - first).toBeGreaterThanOrEqual(240);
  });

  it('sends again after the bus refused or marking failed, and loses nothing', async () => {
    class MoodyBus extends MemoryBus {
      mood: 'refuses' | 'takes and breaks' | 'works' = 'refuses';
      override async publish(messages: readonly OutgoingMessage[]): Promise<void> {
        if (this.mood === 'refuses') throw new Error('the broker is away');
        await super.publish(messages);
        if (this.mood === 'takes and breaks') throw new Error('the answer was lost');
      }
    }
    const bus = new MoodyBus(broker);
    const relay = new OutboxRelay({ database: fresh.database, bus, sweepMs: 20, parkMs: 0 });
    const one = message();
    await fresh.database.unitOfWork(async (uow) => uow.outbox.add([one]));
    await expect(relay.sendBatch()).rejects.toThrow('away');
    bus.mood = 'takes and breaks';
    await expect(new OutboxRelay({ database: fresh.database, bus, parkMs: 0 }).sendBatch()).rejects.toThrow('lost');
    expect((await fresh.database.read.outbox.backlog()).waiting).toBe(1);
    bus.mood = 'works';
    relay.start();
    await pollUntil(async () => (await fresh.database.read.outbox.backlog()).waiting === 0);
    await relay.stop();
    // at least once: a message whose answers are lost arrives again, here with the others, apart from them, and in the next batch
    expect(sent()).toEqual([one.envelope.id, one.envelope.id, one.envelope.id]);
  });

  describe('with a topic that refuses messages', () => {
    const BAD = topics.requested.ai.name;
    class PartlyAway extends MemoryBus {
      refuse: ((messages: readonly OutgoingMessage[]) => Promise<void>) | null = () => Promise.reject(new Error('no such partition'));
      /** Topics of each request, and whether it was sent apart. */
      readonly requests: [topics: string[], apart: boolean][] = [];
      override async publish(messages: readonly OutgoingMessage[], apart = false): Promise<void> {
        this.requests.push([[...byTopic(messages).keys()], apart]);
        if (messages.some(({ topic }) => topic === BAD)) await this.refuse?.(messages);
        await super.publish(messages);
      }
    }
    let bus: PartlyAway;
    let relay: OutboxRelay;
    const add = (count: number, topic = TOPIC) =>
      fresh.database.unitOfWork(async (uow) => uow.outbox.add(Array.from({ length: count }, () => message(topic))));

    beforeEach(() => {
      bus = new PartlyAway(broker);
      relay = new OutboxRelay({ database: fresh.database, bus, batch: 3, sweepMs: 20, parkMs: 20 });
    });
    afterEach(() => relay.stop());

    it('parks its messages, continues with the other topics, and sends the parked ones once it accepts messages again', async () => {
      await add(7, BAD);
      await add(5);
      relay.start();
      await pollUntil(() => sent().length === 5);
      await pollUntil(async () => (await fresh.database.read.outbox.backlog()).parked === 7);
      expect(await fresh.database.read.outbox.backlog()).toMatchObject({ waiting: 7, parked: 7 });
      await add(1);
      await pollUntil(() => sent().length === 6);
      const delayed = await fresh.database.sql.query('SELECT id FROM outbox WHERE topic = $1 AND attempts > 0', [TOPIC]);
      expect(delayed).toEqual([]);
      // the others need not wait for their pause once one was accepted
      const later = `due_at = now() + interval '1 hour' WHERE id <> (SELECT id FROM outbox ORDER BY id LIMIT 1)`;
      await fresh.database.sql.query(`UPDATE outbox SET ${later}`);
      bus.refuse = null;
      await pollUntil(() => sent(BAD).length === 7);
      await pollUntil(async () => (await fresh.database.read.outbox.backlog()).waiting === 0);
      expect((await fresh.database.read.outbox.backlog()).parked).toBe(0);
    });

    it('sends to the other topics while it does not answer', async () => {
      await add(4, BAD);
      await expect(relay.sendBatch()).rejects.toThrow('no such partition');
      let asked = false;
      let answer: () => void = () => undefined;
      const answered = new Promise<void>((resolve) => (answer = resolve));
      bus.refuse = () => ((asked = true), answered);
      relay.start();
      await pollUntil(() => asked);
      await add(4);
      await pollUntil(() => sent().length === 4);
      expect(sent(BAD)).toEqual([]);
      answer();
      await pollUntil(() => sent(BAD).length === 4);
    });

    it('parks a single refused message and sends the rest of its topic', async () => {
      const [poison, ...rest] = Array.from({ length: 5 }, () => message(BAD));
      const tooLarge = {
        code: 'bus_message_refused',
        kind: 'too_large',
        message: 'Too large.',
        side: 'ours',
        nextAction: 'Raise the limit.',
      } as const;
      bus.refuse = async (messages) => {
        if (messages.some(({ envelope }) => envelope.id === poison?.envelope.id)) throw new PipelineError(tooLarge);
      };
      await fresh.database.unitOfWork(async (uow) => uow.outbox.add([...(poison ? [poison] : []), ...rest]));
      // the first batch of three contains it
      expect(await relay.sendBatch()).toMatchObject({ sent: 2, mayHaveMore: true });
      relay.start();
      await pollUntil(() => sent(BAD).length === 4);
      await pollUntil(async () => (await fresh.database.read.outbox.backlog()).parked === 1);
      expect(sent(BAD).sort()).toEqual(rest.map(({ envelope }) => envelope.id).sort());
    });

    it('sends the messages of all topics with one request, or else those of each topic apart', async () => {
      await add(1, BAD);
      await add(1);
      await relay.sendBatch();
      expect(bus.requests.map(([topics, apart]) => [topics.sort(), apart])).toEqual([
        [[TOPIC, BAD].sort(), false],
        ...[TOPIC, BAD].sort().map((topic) => [[topic], true]),
      ]);
      expect([sent(BAD).length, sent().length]).toEqual([0, 1]);
      bus.requests.length = 0;
      relay.start();
      await pollUntil(() => bus.requests.length >= 2);
      expect(bus.requests.every(([topics, apart]) => topics.join() === BAD && apart)).toBe(true);
    });

    it('sends a refused message apart, so that it does not make the request of the others fail again', async () => {
      bus.refuse = null;
      await add(1, BAD);
      await add(1);
      await fresh.database.sql.query("UPDATE outbox SET failure = 'too_large', attempts = 1 WHERE topic = $1", [BAD]);
      await relay.sendBatch();
      expect(bus.requests.sort()).toEqual(
        [
          [[TOPIC], false],
          [[BAD], true],
        ].sort(),
      );
    });

    it('gives each topic its own batch, so that a backlog delays no other topic', async () => {
      bus.refuse = null;
      await add(9, BAD);
      await add(1);
      await relay.sendBatch();
      expect([sent(BAD).length, sent().length]).toEqual([3, 1]);
    });

    it('doubles the pause after each refusal, by the database clock', async () => {
      await add(1, BAD);
      const pauses: number[] = [];
      for (let refusal = 0; refusal < 5; refusal += 1) {
        await fresh.database.sql.query('UPDATE outbox SET due_at = now()');
        await expect(new OutboxRelay({ database: fresh.database, bus, parkMs: 60_000 }).sendBatch()).rejects.toThrow();
        const [row] = await fresh.database.sql.query<{ minutes: number }>(
          'SELECT round(extract(epoch FROM due_at - now()) / 60)::int AS minutes FROM outbox',
        );
        pauses.push(row?.minutes ?? 0);
      }
      expect(pauses).toEqual([1, 2, 4, 8, 8]);
    });
  });
});
