import { randomUUID } from 'node:crypto';
import { Client, Pool } from 'pg';
import { GenericContainer, type StartedTestContainer, Wait } from 'testcontainers';
import { z } from 'zod';
import { topics } from '@autoposter/contracts';
import { type BusHarness, describeEventBus } from '../event-bus.contract';
import type { EventBus, Received, SqlPort } from '../event-bus.port';
import { describeWithContainers, imageNamed, pollUntil } from '@autoposter/testkit';
import { PostgresBus, type PostgresBusSettings } from './postgres-bus';
import { POSTGRES_BUS_SCHEMA } from './postgres-deliveries';

jest.setTimeout(120_000);

/** A port over `pg` that a test can cut: then no call reaches the database. */
class PgPort implements SqlPort {
  private readonly pool: Pool;
  private readonly listeners: Client[] = [];
  cut = false;

  constructor(private readonly url: string) {
    this.pool = new Pool({ connectionString: url, max: 4 });
    this.pool.on('error', () => undefined);
  }

  async query<R>(sql: string, params?: unknown[]): Promise<R[]> {
    if (this.cut) throw new Error('cut off');
    return (await this.pool.query(sql, params)).rows as R[];
  }

  async transaction<T>(work: (tx: SqlPort) => Promise<T>): Promise<T> {
    if (this.cut) throw new Error('cut off');
    const client = await this.pool.connect();
    // a pool does not handle errors of a checked-out client
    const ignore = (): void => undefined;
    client.on('error', ignore);
    const tx = { query: async <R>(sql: string, params?: unknown[]) => (await client.query(sql, params)).rows as R[] } as SqlPort;
    try {
      await client.query('BEGIN');
      const result = await work(tx);
      await client.query('COMMIT');
      return result;
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined);
      throw error;
    } finally {
      client.off('error', ignore);
      client.release();
    }
  }

  async listen(channel: string, onNotify: (payload: string) => void): Promise<() => Promise<void>> {
    const client = new Client({ connectionString: this.url });
    client.on('error', () => undefined);
    client.on('notification', (message) => this.cut || onNotify(message.payload ?? ''));
    await client.connect();
    await client.query(`LISTEN ${channel}`);
    this.listeners.push(client);
    return () => client.end();
  }

  async end(): Promise<void> {
    await Promise.all(this.listeners.map((client) => client.end().catch(() => undefined)));
    await this.pool.end();
  }
}

describeWithContainers('PostgresBus on PostgreSQL', () => {
  let container: StartedTestContainer;
  let url: string;
  let admin: PgPort;
  const ports = new Map<EventBus, PgPort>();

  const startPostgres = async (): Promise<void> => {
    container = await new GenericContainer(imageNamed('POSTGRES_IMAGE'))
      .withEnvironment({ POSTGRES_PASSWORD: 'trial', POSTGRES_DB: 'trial' })
      .withExposedPorts(5432)
      .withTmpFs({ '/var/lib/postgresql/data': 'rw' })
      .withWaitStrategy(Wait.forLogMessage(/ready to accept connections/, 2))
      .start();
    url = `postgres://postgres:trial@${container.getHost()}:${container.getMappedPort(5432)}/trial`;
    admin = new PgPort(url);
    // twice: a migration may run again
    await admin.query(POSTGRES_BUS_SCHEMA);
    await admin.query(POSTGRES_BUS_SCHEMA);
  };
  const stopPostgres = async (): Promise<void> => {
    for (const port of ports.values()) await port.end();
    await admin?.end();
    await container?.stop();
  };
  const openBus = (settings: Partial<PostgresBusSettings> = {}): PostgresBus => {
    const port = new PgPort(url);
    const bus = new PostgresBus(port, { leaseMs: 900, redeliverMs: 50, ...settings });
    ports.set(bus, port);
    return bus;
  };
  const envelope = (n: number) => ({
    id: randomUUID(),
    type: 'trial',
    occurredAt: new Date(0).toISOString(),
    subjectId: randomUUID(),
    correlationId: randomUUID(),
    causationId: null,
    traceparent: null,
    payload: { n },
  });

  beforeAll(startPostgres, 180_000);
  afterAll(stopPostgres);

  const makeHarness = async (): Promise<BusHarness> => ({
    open: async () => openBus(),
    kill: async (bus) => {
      ports.get(bus)!.cut = true;
      await bus.close();
    },
    inject: async (topic, key, text) => {
      await admin.query(
        `WITH m AS (INSERT INTO bus_messages (topic, key, value) VALUES ($1, $2, $3) RETURNING id)
         INSERT INTO bus_deliveries (group_name, topic, message_id, key) SELECT group_name, $1, m.id, $2 FROM m, bus_groups WHERE topic = $1`,
        [topic, key, text],
      );
    },
    close: async () => undefined,
  });
  describeEventBus('PostgresBus', makeHarness, { soonMs: 5_000, takeoverMs: 6_000, quietMs: 1_500 });

  describe('PostgresBus beyond the contract', () => {
    let topic: typeof topics.facts;
    let bus: PostgresBus;
    const group = 'trial.group';
    const opened: PostgresBus[] = [];

    const open = (settings: Partial<PostgresBusSettings> = {}): PostgresBus => {
      const one = openBus(settings);
      opened.push(one);
      return one;
    };
    beforeEach(async () => {
      topic = { ...topics.facts, name: `trial.${randomUUID().slice(0, 8)}` };
      bus = open();
      await bus.ensureTopics([topic], [{ group, topic: topic.name }]);
    });
    afterEach(async () => {
      await Promise.all(opened.splice(0).map((one) => one.close()));
    });
    const listenWith = (on: PostgresBus, handle: (message: Received) => void, asGroup = group) =>
      on.subscribe({
        group: asGroup,
        topic: topic.name,
        schema: z.any(),
        handle: async (m) => handle(m),
        onQuarantine: async () => undefined,
      });
    const publish = (...keys: string[]) => bus.publish(keys.map((key, n) => ({ topic: topic.name, key, value: envelope(n) })));

    it('wakes a consumer of another process before its poll', async () => {
      const other = open({ pollMs: 60_000 });
      const got: Received[] = [];
      await listenWith(other, (message) => void got.push(message));
      const rows = () => admin.query<{ n: number }>(`SELECT count(*)::int AS n FROM pg_stat_activity WHERE query LIKE 'LISTEN%'`);
      await pollUntil(async () => (await rows())[0]!.n > 0, 5_000, 'a listener');
      await publish('a');
      await pollUntil(() => got.length === 1, 3_000, 'the message');
    });

    it('finds messages by polling without notifications', async () => {
      const withoutListen = new PgPort(url);
      withoutListen.listen = async () => Promise.reject(new Error('no listening through this pooler'));
      const other = new PostgresBus(withoutListen, { pollMs: 50 });
      ports.set(other, withoutListen);
      opened.push(other);
      const got: Received[] = [];
      await listenWith(other, (message) => void got.push(message));
      await publish('a');
      await pollUntil(() => got.length === 1, 3_000, 'the message');
    });

    it('gives a late group all retained messages, each once under concurrent publishing', async () => {
      const publishing = Promise.all(Array.from({ length: 40 }, (_, n) => publish(`key-${n}`)));
      const late = 'trial.late';
      await open().ensureTopics([], [{ group: late, topic: topic.name }]);
      await publishing;
      expect(await bus.lag(late, topic.name)).toBe(40);
      expect(await bus.lag(group, topic.name)).toBe(40);
    });

    it('removes only old messages that all groups have settled', async () => {
      await publish('a', 'b');
      await listenWith(bus, (message) => message.key === 'a' && message.settle());
      await pollUntil(async () => (await bus.lag(group, topic.name)) === 1, 3_000, 'one settled');
      await admin.query(`UPDATE bus_messages SET published_at = now() - interval '40 days' WHERE topic = $1`, [topic.name]);
      await publish('c');
      await bus.sweep();
      const left = await admin.query<{ key: string }>('SELECT key FROM bus_messages WHERE topic = $1 ORDER BY id', [topic.name]);
      expect(left.map((row) => row.key)).toEqual(['b', 'c']);
    });

    it('removes everything past its retention in one sweep', async () => {
      await admin.query(
        `INSERT INTO bus_messages (topic, key, value, published_at) SELECT $1, n::text, '{}', now() - interval '40 days' FROM generate_series(1, 12000) n`,
        [topic.name],
      );
      await publish('young');
      await Promise.all([bus.sweep(), open().sweep()]);
      expect(await admin.query('SELECT key FROM bus_messages WHERE topic = $1', [topic.name])).toEqual([{ key: 'young' }]);
    });

    it('continues after the server ended every connection', async () => {
      const got: string[] = [];
      await listenWith(bus, (message) => {
        got.push(message.key);
        setTimeout(() => message.settle(), 30);
      });
      await publish('a');
      await admin
        .query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = 'trial'`)
        .catch(() => undefined);
      await pollUntil(
        () =>
          publish('b').then(
            () => true,
            () => false,
          ),
        5_000,
        'publishing again',
      );
      await pollUntil(() => got.includes('a') && got.includes('b'), 10_000, 'both');
      await pollUntil(async () => (await bus.lag(group, topic.name).catch(() => -1)) === 0, 10_000, 'settled');
    });

    it('renews its lease while the work runs', async () => {
      const [mine, theirs]: Received[][] = [[], []];
      await listenWith(bus, (message) => void mine!.push(message));
      await publish('a');
      await pollUntil(() => mine!.length === 1, 3_000, 'one in flight');
      await listenWith(open({ pollMs: 50 }), (message) => void theirs!.push(message));
      await new Promise((resolve) => setTimeout(resolve, 2_500));
      expect([mine!.length, theirs!.length]).toEqual([1, 0]);
    });

    it('refuses to settle a delivery that another consumer claimed', async () => {
      const [mine, theirs]: Received[][] = [[], []];
      await listenWith(bus, (message) => void mine!.push(message));
      await publish('a');
      await pollUntil(() => mine!.length === 1, 3_000, 'one in flight');
      ports.get(bus)!.cut = true;
      await listenWith(open({ pollMs: 50 }), (message) => void theirs!.push(message));
      await pollUntil(() => theirs!.length === 1, 5_000, 'the same at another');
      ports.get(bus)!.cut = false;
      mine![0]!.settle();
      await new Promise((resolve) => setTimeout(resolve, 700));
      expect(await bus.lag(group, topic.name)).toBe(1);
      theirs![0]!.settle();
      await pollUntil(async () => (await bus.lag(group, topic.name)) === 0, 3_000, 'settled');
    });

    it('keeps to its in-flight limit', async () => {
      const small = open({ maxInFlight: 4 });
      const held: Received[] = [];
      await listenWith(small, (message) => void held.push(message));
      await publish(...Array.from({ length: 12 }, (_, n) => `key-${n}`));
      await pollUntil(() => held.length === 4, 3_000, 'four');
      await new Promise((resolve) => setTimeout(resolve, 1_300));
      expect(held).toHaveLength(4);
      held.splice(0).forEach((message) => message.settle());
      await pollUntil(() => held.length === 4, 3_000, 'four more');
    });
  });
});
