import { ITEM_TRANSITIONS, storableText, type ItemState } from '@autoposter/domain';
import {
  anItem,
  claimJob,
  endJob,
  type FreshDatabase,
  pollUntil,
  postgresKinds,
  type PostgresServer,
  useFreshDatabases,
  withWrongClock,
} from '@autoposter/testkit';
import { v7 as uuidv7 } from 'uuid';
import { MIGRATIONS } from '../migrations/migrations';
import { Database } from './database';

describe.each(postgresKinds())('Database on PostgreSQL (%s)', (kind) => {
  let server: PostgresServer;
  let fresh: FreshDatabase;
  let database: Database;

  useFreshDatabases(
    kind,
    (made, started) => {
      fresh = made;
      server = started;
      database = fresh.database;
    },
    { publishing: { requests: true, facts: true } },
  );

  it('applies each migration once when many processes migrate concurrently', async () => {
    const empty = await Database.connect({ url: server.url, poolSize: 1 });
    const name = `empty_${Date.now()}`;
    await empty.sql.query(`CREATE DATABASE ${name}`);
    const url = new URL(server.url);
    url.pathname = `/${name}`;
    const many = await Promise.all(Array.from({ length: 3 }, () => Database.connect({ url: url.toString(), poolSize: 2 })));
    expect(await many[0]?.schemaState()).toMatchObject({ version: null, serves: false });
    const results = await Promise.all(many.map((one) => one.migrate()));
    expect(results.map(({ applied }) => applied.length).sort()).toEqual([0, 0, MIGRATIONS.length]);
    expect((await many[0]?.schemaState())?.serves).toBe(true);
    await Promise.all(many.map((one) => one.close()));
    await empty.sql.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await empty.close();
  });

  it('commits one of many concurrent transitions', async () => {
    const item = await database.unitOfWork((uow) => anItem(uow, { state: 'downloaded' }));
    const move = () =>
      database.unitOfWork((uow) => uow.items.transition(item.id, { fromVersion: item.version, from: 'downloaded', to: 'protecting' }));
    const results = await Promise.all(Array.from({ length: 8 }, move));
    expect(results.filter(Boolean)).toHaveLength(1);
    expect(await database.read.items.find(item.id)).toMatchObject({ state: 'protecting', version: item.version + 1 });
  });

  it('refuses item transitions that the transition table does not contain', async () => {
    const item = await database.unitOfWork((uow) => anItem(uow, { state: 'posted' }));
    const forbidden = (Object.keys(ITEM_TRANSITIONS) as ItemState[]).filter(
      (to) => to !== 'posted' && !ITEM_TRANSITIONS.posted.includes(to),
    );
    for (const to of forbidden) {
      await expect(database.read.items.transition(item.id, { fromVersion: 1, from: 'posted', to })).rejects.toThrow(/cannot go/);
    }
    expect((await database.read.items.find(item.id))?.state).toBe('posted');
  });

  it('rolls back history and outbox together with the rest', async () => {
    const attempt = database.unitOfWork(async (uow) => {
      const item = await anItem(uow);
      uow.history.append({ type: 'item.edited', subjectId: item.id });
      throw new Error('on purpose');
    });
    await expect(attempt).rejects.toThrow('on purpose');
    expect(await database.read.items.list()).toEqual([]);
    expect(await database.read.history.range()).toEqual({ first: 0, last: 0 });
    expect((await database.read.outbox.backlog()).waiting).toBe(0);
  });

  it.each([
    ['U+0000', 'a\0b'],
    ['a lone surrogate', 'a\ud83db'],
    ['an emoji across the cut at 300', `${'x'.repeat(299)}😀`],
  ])('commits a transaction whose text contains %s', async (_what, hostile) => {
    const failure = { kind: 'internal', side: 'ours', message: hostile, nextAction: hostile, detail: { [hostile]: [hostile] } } as const;
    const item = await database.unitOfWork(async (uow) => {
      const made = await anItem(uow, {
        title: hostile,
        author: hostile,
        topComments: [{ id: 'c', author: hostile, body: hostile, score: 1, replies: 0 }],
      });
      await uow.items.addError(made.id, { stage: 'dmca', message: hostile, timestamp: '2026-11-21T00:00:00Z', nextAction: hostile });
      await uow.jobs.create({ ...jobOf(made.id), options: { note: hostile } });
      const job = await claimJob(fresh.database, (await uow.jobs.findOpen('dmca', made.id))?.id ?? '', { jobs: uow.jobs, owner: hostile });
      if (job === null) throw new Error('the job was not claimed');
      await uow.jobs.journal(job, 'step', { said: hostile });
      await endJob(uow.jobs, job, { state: 'waiting', inSeconds: 1, reason: hostile });
      uow.history.append({ type: 'item.edited', subjectId: made.id, itemId: made.id, reason: hostile });
      await uow.settings.set('note', { failure });
      return made;
    });
    await database.read.quarantine.add({ topic: 't', partition: null, messageOffset: null, body: `{"a":"${hostile}"}`, reason: hostile });
    await database.read.browserLogs.add([{ level: 'info', message: hostile, source: hostile, loggedAt: new Date() }]);
    const clean = storableText(hostile);
    expect(await database.read.items.find(item.id)).toMatchObject({ title: clean, topComments: [{ body: clean }] });
    expect(await database.read.jobs.findOpen('dmca', item.id)).toMatchObject({
      options: { note: clean },
      journal: { step: { said: clean } },
    });
    const [event] = await database.read.history.ofItem(item.id);
    expect(event?.reason).toBe(clean.length > 300 ? 'x'.repeat(299) : clean);
    expect(await database.read.settings.get('note')).toEqual({
      failure: { ...failure, message: clean, nextAction: clean, detail: { [clean]: [clean] } },
    });
  });

  it.each([
    ['an hour behind', -3_600_000],
    ['an hour ahead', 3_600_000],
  ])('dates events by the database clock if the process clock is %s', async (_what, ms) => {
    const itemId = uuidv7();
    await withWrongClock(ms, () =>
      database.unitOfWork(async (uow) => void uow.history.append({ type: 'item.edited', subjectId: itemId, itemId })),
    );
    const [event] = await database.sql.query<{ seconds: number; stated: boolean }>(
      `SELECT abs(extract(epoch FROM clock_timestamp() - e.occurred_at))::float AS seconds,
              o.envelope ->> 'occurredAt' ~ '^[-0-9]{10}T[:0-9]{8}[.][0-9]{3}Z$' AND (o.envelope ->> 'occurredAt')::timestamptz = e.occurred_at AS stated
       FROM event_history e JOIN outbox o ON o.id = e.id WHERE e.item_id = $1`,
      [itemId],
    );
    expect(event).toEqual({ seconds: expect.any(Number), stated: true });
    expect(event?.seconds).toBeLessThan(600);
  });

  it('refuses an event outside of a unit of work', () => {
    expect(() => database.read.history.append({ type: 'item.edited', subjectId: uuidv7() })).toThrow(/unit of work/);
  });

  it('never shows an event before all smaller numbers are visible', async () => {
    let seen = 0;
    let reading = true;
    const gaps: string[] = [];
    const reader = (async () => {
      while (reading) {
        for (const event of await database.read.history.after(seen, 1000)) {
          if (event.seq !== seen + 1) gaps.push(`${seen} then ${event.seq}`);
          seen = event.seq;
        }
      }
    })();
    const writer = async (index: number): Promise<void> => {
      for (let round = 0; round < 25; round += 1) {
        await database.unitOfWork(async (uow) => {
          for (let event = 0; event <= index % 3; event += 1) uow.history.append({ type: 'item.edited', subjectId: uuidv7() });
          // some transactions are slower to commit than others
          if ((index + round) % 4 === 0) await uow.settings.set(`slow ${index}`, round);
        });
      }
    };
    await Promise.all([0, 1, 2, 3, 4, 5].map(writer));
    await pollUntil(async () => seen === (await database.read.history.range()).last);
    reading = false;
    await reader;
    expect(gaps).toEqual([]);
    expect(seen).toBe(25 * (1 + 2 + 3 + 1 + 2 + 3));
  });

  it('retries a transaction after a deadlock', async () => {
    const [a, b] = await database.unitOfWork(async (uow) => [await anItem(uow), await anItem(uow)]);
    let holders = 0;
    const inOrder = (first: string, second: string) => {
      let calls = 0;
      return database.unitOfWork(async (uow) => {
        calls += 1;
        await uow.items.patch(first, { title: 'touched' });
        holders += 1;
        // at the first call each holds its first row before either asks for the second
        if (calls === 1) await pollUntil(() => (holders >= 2 ? true : null));
        await uow.items.patch(second, { title: 'touched' });
        return calls;
      });
    };
    const calls = await Promise.all([inOrder(a.id, b.id), inOrder(b.id, a.id)]);
    expect(Math.max(...calls)).toBeGreaterThan(1);
  });

  it('notifies listeners of events, with fewer notifications than commits', async () => {
    let woken = 0;
    const stop = await database.onEvents(() => (woken += 1));
    await Promise.all(
      Array.from({ length: 30 }, () =>
        database.unitOfWork(async (uow) => void uow.history.append({ type: 'item.edited', subjectId: uuidv7() })),
      ),
    );
    await pollUntil(() => woken > 0);
    expect(woken).toBeLessThan(30);
    await stop();
  });

  it('reconnects automatically after the server ended its connections', async () => {
    let woken = 0;
    const stop = await database.onEvents(() => (woken += 1));
    const other = await fresh.connectAgain(1);
    await other.sql.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    await pollUntil(async () => (await database.health()).ok);
    // the listening connection calls once after it has reconnected
    await pollUntil(() => woken > 0);
    await stop();
  });
  it('reports an outage when the server ends the connection between two statements of a unit of work', async () => {
    const other = await fresh.connectAgain(1);
    const lost = database.unitOfWork(async (uow) => {
      await uow.now();
      await other.sql.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
      );
      await new Promise((resolve) => setTimeout(resolve, 200));
      await uow.now();
    });
    expect(database.isOutage(await lost.catch((error: unknown) => error))).toBe(true);
    await pollUntil(async () => (await database.health()).ok);
  });
});

const jobOf = (subjectId: string) =>
  ({ stage: 'dmca', subjectId, itemId: subjectId, messageKey: subjectId, maxAttempts: 3, correlationId: uuidv7() }) as const;
