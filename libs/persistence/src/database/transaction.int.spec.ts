import { anItem, pollUntil, useFreshDatabases, type FreshDatabase } from '@autoposter/testkit';
import { v7 as uuidv7 } from 'uuid';
import { LOCKS } from './transaction';

describe('inTransaction', () => {
  let fresh: FreshDatabase;

  useFreshDatabases('embedded', (made) => {
    fresh = made;
  });

  const happen = () => fresh.database.unitOfWork(async (uow) => void uow.history.append({ type: 'item.edited', subjectId: uuidv7() }));
  const numbers = async (after: number) => (await fresh.database.read.history.after(after, 100)).map(({ seq }) => seq);

  it('prepares a statement again after a schema change, inside and outside of a transaction', async () => {
    const { database } = fresh;
    const item = await database.unitOfWork((uow) => anItem(uow));
    const one = await fresh.connectAgain(1);
    for (let time = 0; time < 5; time += 1) await one.read.items.find(item.id);
    const prepared = await one.sql.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM pg_prepared_statements WHERE statement LIKE '%FROM content_items WHERE id = ANY(%'`,
    );
    expect(prepared[0]?.count).toBe(1);
    await database.sql.query('ALTER TABLE content_items ADD COLUMN colour text');
    expect((await one.read.items.find(item.id))?.id).toBe(item.id);
    await database.sql.query('ALTER TABLE content_items DROP COLUMN colour');
    expect((await one.unitOfWork((uow) => uow.items.find(item.id)))?.id).toBe(item.id);
  });

  it('does not name inserts of many rows, whose text differs with each length', async () => {
    const one = await fresh.connectAgain(1);
    const lines = Array.from({ length: 20 }, (_, index) => ({ level: 'info', message: `${index}`, source: null, loggedAt: new Date() }));
    for (let time = 0; time < 5; time += 1) await one.read.browserLogs.add(lines);
    expect(await one.read.browserLogs.last(200)).toHaveLength(100);
    const prepared = await one.sql.query(`SELECT 1 FROM pg_prepared_statements WHERE statement LIKE '%INTO browser_logs%'`);
    expect(prepared).toEqual([]);
  });

  it('rolls back if the first, a middle or the last statement fails, and the connection stays usable', async () => {
    const one = await fresh.connectAgain(1);
    const item = await fresh.database.unitOfWork((uow) => anItem(uow));
    const title = async () => (await one.read.items.find(item.id))?.title;
    const before = await title();
    await expect(one.unitOfWork(async (uow) => void (await uow.items.find('no id')))).rejects.toThrow(/uuid/);
    await expect(
      one.unitOfWork(async (uow) => {
        await uow.items.patch(item.id, { title: 'new' });
        await uow.items.find('no id');
      }),
    ).rejects.toThrow(/uuid/);
    await expect(
      one.unitOfWork(async (uow) => {
        await uow.items.patch(item.id, { title: 'new' });
        uow.history.append({ type: 'item.edited', subjectId: 'no id' });
      }),
    ).rejects.toThrow(/uuid/);
    expect(await title()).toBe(before);
    await one.unitOfWork((uow) => uow.items.patch(item.id, { title: 'newer' }));
    expect(await title()).toBe('newer');
  });

  it('rejects if the failure of a statement was swallowed', async () => {
    const swallowed = fresh.database.unitOfWork(async (uow) => {
      await uow.items.find('no id').catch(() => undefined);
      return 'done';
    });
    await expect(swallowed).rejects.toThrow(/nothing was committed/);
  });

  it('skips the number of an event that was rolled back', async () => {
    await happen();
    // the second event cannot be stored, so the numbers are lost with the transaction
    const lost = fresh.database.unitOfWork(async (uow) => {
      uow.history.append({ type: 'item.edited', subjectId: uuidv7() });
      uow.history.append({ type: 'item.edited', subjectId: 'not an id' });
    });
    await expect(lost).rejects.toThrow();
    await fresh.database.sql.query(`SELECT nextval('event_history_numbers')`);
    await happen();
    const [first, second] = await numbers(0);
    expect(first).toBe(1);
    expect(second).toBeGreaterThan(2);
    expect(await fresh.database.read.history.range()).toEqual({ first, last: second });
  });

  describe('with a delayed commit that has its number', () => {
    let release: () => void;
    let number: number;
    let slow: Promise<unknown>;

    /** Another session inserts the next number first, so that the commit under test waits while it holds that number. */
    beforeEach(async () => {
      await happen();
      number = ((await numbers(0)).at(-1) ?? 0) + 1;
      const held = new Promise<void>((resolve) => (release = resolve));
      let inTheWay: () => void = () => undefined;
      const written = new Promise<void>((resolve) => (inTheWay = resolve));
      const obstacle = fresh.database.sql.transaction(async (tx) => {
        await tx.query(
          `INSERT INTO event_history (seq, id, type, subject_id, correlation_id)
           VALUES ($1, gen_random_uuid(), 'item.edited', gen_random_uuid(), gen_random_uuid())`,
          [number],
        );
        inTheWay();
        await held;
        throw new Error('rolled back');
      });
      await written;
      slow = Promise.all([obstacle.catch(() => undefined), happen()]);
      await pollUntil(async () => {
        const waiting = await fresh.database.sql.query(`SELECT 1 FROM pg_locks WHERE locktype = 'transactionid' AND NOT granted`);
        return waiting.length === 1;
      });
    });
    afterEach(async () => {
      release();
      await slow;
    });

    it('shows no event before a smaller number that is not committed yet', async () => {
      await happen();
      expect(await numbers(number - 1)).toEqual([]);
      expect((await fresh.database.read.history.range()).last).toBeLessThan(number);
      const reading = numbers(number - 1);
      release();
      await slow;
      await reading;
      expect(await numbers(number - 1)).toEqual([number, number + 1]);
      expect((await fresh.database.read.history.range()).last).toBe(number + 1);
    });

    it('delays no other commit while readers wait for the number', async () => {
      await happen();
      const readings = [fresh.database.read.history.range(), numbers(number - 1)];
      await happen();
      await happen();
      const waiting = await fresh.database.sql.query(
        `SELECT mode FROM pg_locks WHERE locktype = 'advisory' AND objid = $1 AND NOT granted`,
        [LOCKS.eventNumbers],
      );
      expect(waiting).toEqual([]);
      release();
      await slow;
      await Promise.all(readings);
      expect(await numbers(number - 1)).toEqual([number, number + 1, number + 2, number + 3]);
    });
  });
});
