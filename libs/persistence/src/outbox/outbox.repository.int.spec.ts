import { type FreshDatabase, useFreshDatabases } from '@autoposter/testkit';
import { v7 as uuidv7 } from 'uuid';
import type { OutboxRepository } from './outbox.repository';

describe('OutboxRepository', () => {
  let fresh: FreshDatabase;
  let outbox: OutboxRepository;

  useFreshDatabases('embedded', (made) => {
    fresh = made;
    outbox = fresh.database.read.outbox;
  });

  const aMessage = async (topic = 't'): Promise<string> => {
    const id = uuidv7();
    await fresh.database.sql.query(`INSERT INTO outbox (id, topic, key, envelope) VALUES ($1, $2, 'k', '{}')`, [id, topic]);
    return id;
  };
  const park = (id: string, failure = 'transient', firstPauseMs = 60_000) => outbox.park([id], { failure, firstPauseMs, doublings: 3 });
  const dueIds = async (...topics: string[]): Promise<string[]> => (await outbox.lockDue(topics, 10)).map(({ id }) => id);
  const refuseSince = (id: string, seconds: number) =>
    fresh.database.sql.query('UPDATE outbox SET refused_at = now() - make_interval(secs => $2) WHERE id = $1', [id, seconds]);

  it('skips the rows that another relay holds, without waiting for it', async () => {
    const [first, second] = [await aMessage(), await aMessage()];
    await fresh.database.unitOfWork(async (uow) => {
      expect((await uow.outbox.lockDue(['t'], 1)).map(({ id }) => id)).toEqual([first]);
      expect(await dueIds('t')).toEqual([second]);
    });
    expect(await dueIds('t')).toEqual([first, second]);
  });

  it('sends a parked message only after its pause', async () => {
    const [parked, other] = [await aMessage(), await aMessage()];
    await park(parked);
    expect(await dueIds('t')).toEqual([other]);
    await fresh.database.sql.query('UPDATE outbox SET due_at = to_timestamp(0)');
    expect(await dueIds('t')).toHaveLength(2);
  });

  it('makes the messages of a topic due when it accepts messages again, except those that it cannot take', async () => {
    const [delayed, tooLarge, elsewhere] = [await aMessage(), await aMessage(), await aMessage('other')];
    await park(delayed);
    await park(tooLarge, 'too_large');
    await park(elsewhere);
    await outbox.release('t', ['too_large']);
    expect(await dueIds('t', 'other')).toEqual([delayed]);
  });

  it('reports refusals from a threshold on, by topic, and each message that its topic cannot take on its own', async () => {
    const [first, second, large, larger, recent] = [
      await aMessage(),
      await aMessage(),
      await aMessage(),
      await aMessage(),
      await aMessage('new'),
    ];
    for (const id of [first, second, recent]) await park(id);
    for (const id of [large, larger]) await park(id, 'too_large');
    await refuseSince(first, 400);
    await refuseSince(second, 310);
    await refuseSince(large, 390);
    await refuseSince(larger, 320);
    const refused = await outbox.refused(300, ['too_large']);
    expect(refused.map(({ id, topic, failure, count }) => [id, topic, failure, count])).toEqual([
      [larger, 't', 'too_large', 1],
      [large, 't', 'too_large', 1],
      [first, 't', 'transient', 2],
    ]);
  });

  it('keeps the time of the first refusal', async () => {
    const id = await aMessage();
    await park(id);
    await refuseSince(id, 400);
    await park(id);
    expect(await outbox.refused(300, [])).toMatchObject([{ id }]);
    expect(await outbox.backlog()).toMatchObject({ waiting: 1, parked: 1 });
  });
});
