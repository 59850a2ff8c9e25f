import { allTopics, type Envelope } from '@autoposter/contracts';
import { MemoryBroker, MemoryBus, type OutgoingMessage } from '@autoposter/messaging';
import { eventually, inFreshDatabases, type FreshDatabase } from '@autoposter/testkit';
import { v7 as uuidv7 } from 'uuid';
import { GROUPS } from './stage-host';
import { OutboxRelay } from './outbox-relay';

jest.setTimeout(30_000);

const TOPIC = 'pipeline.facts.v1';

const message = (): { topic: string; key: string; envelope: Envelope } => {
  const id = uuidv7();
  return {
    topic: TOPIC,
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
  const sent = (): string[] => (broker.topics.get(TOPIC) ?? []).map(({ text }) => (JSON.parse(text) as Envelope).id);

  inFreshDatabases('embedded', async (made) => {
    fresh = made;
    broker = new MemoryBroker();
    await new MemoryBus(broker).ensureTopics(allTopics, GROUPS);
  });

  it('sends exactly the unsent rows, once each, with four relays and writers at work', async () => {
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
            await uow.outbox.add(messages);
            if (!kept) throw new Error('rolled back');
          })
          .catch(() => undefined);
        if (kept) written.push(...messages.map(({ envelope }) => envelope.id));
      }
    };
    await Promise.all([0, 1, 2, 3].map(writer));
    await eventually(async () => (await fresh.database.read.outbox.countUnsent()) === 0);
    await Promise.all(relays.map((relay) => relay.stop()));
    expect(sent().sort()).toEqual(written.sort());
    expect(written).toHaveLength(4 * 16 * 3);
  });

  it('sends right after a commit of its own process, without waiting for the beat', async () => {
    const relay = new OutboxRelay({ database: fresh.database, bus: new MemoryBus(broker), sweepMs: 60_000 });
    relay.start();
    await fresh.database.unitOfWork((uow) => uow.outbox.add([message()]));
    await eventually(() => sent().length === 1, 3000);
    await relay.stop();
  });

  it('loses nothing where the bus refuses or the mark fails, and sends again', async () => {
    class MoodyBus extends MemoryBus {
      mood: 'refuses' | 'takes and breaks' | 'works' = 'refuses';
      override async publish(messages: readonly OutgoingMessage[]): Promise<void> {
        if (this.mood === 'refuses') throw new Error('the broker is away');
        await super.publish(messages);
        if (this.mood === 'takes and breaks') throw new Error('the answer was lost');
      }
    }
    const bus = new MoodyBus(broker);
    const relay = new OutboxRelay({ database: fresh.database, bus, sweepMs: 20 });
    const one = message();
    await fresh.database.unitOfWork((uow) => uow.outbox.add([one]));
    await expect(relay.sendBatch()).rejects.toThrow('away');
    bus.mood = 'takes and breaks';
    await expect(relay.sendBatch()).rejects.toThrow('lost');
    expect(await fresh.database.read.outbox.countUnsent()).toBe(1);
    bus.mood = 'works';
    relay.start();
    await eventually(async () => (await fresh.database.read.outbox.countUnsent()) === 0);
    await relay.stop();
    // at least once: the message whose answer was lost is there twice
    expect(sent()).toEqual([one.envelope.id, one.envelope.id]);
  });
});
