import { BULK_LIMITS, Database } from '@autoposter/persistence';

/** The skipped milliseconds are the value of a sequence, which every session sees immediately, also inside a transaction. */
const SKIPPED = [
  'CREATE SEQUENCE public.skipped_ms MINVALUE 0 START 0',
  `SELECT setval('public.skipped_ms', 0)`,
  ...['now', 'clock_timestamp'].map(
    (name) => `CREATE FUNCTION public.${name}() RETURNS timestamptz LANGUAGE sql STABLE AS
      $$SELECT pg_catalog.${name}() + pg_catalog.pg_sequence_last_value('public.skipped_ms'::regclass) * interval '1 millisecond'$$`,
  ),
];

/**
 * The clock of this process and of a database. It runs in real time while there is work, and skips the time in which there is none. The database uses
 * the functions above instead of its own, because the search path names `pg_catalog` last.
 */
export class SkippingClock {
  private skippedMs = 0;
  private readonly real = { date: Date.now, monotonic: performance.now.bind(performance) };

  private constructor(
    private readonly url: string,
    private readonly database: Database,
  ) {
    Date.now = () => this.nowMs;
    performance.now = () => this.real.monotonic() + this.skippedMs;
  }

  /** Prepares an empty database, with the product's schema. */
  static async over(url: string): Promise<SkippingClock> {
    const first = await Database.connect({ url, poolSize: 1 });
    await first.sql.query(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET search_path = public, pg_catalog`);
    await first.close();
    const database = await Database.connect({ url, poolSize: 2, limits: BULK_LIMITS });
    for (const statement of SKIPPED) await database.sql.query(statement);
    await database.migrate();
    return new SkippingClock(url, database);
  }

  get nowMs(): number {
    return this.real.date() + this.skippedMs;
  }

  /** The database without a process of its own. */
  get observer(): Database {
    return this.database;
  }

  connect(): Promise<Database> {
    return Database.connect({ url: this.url, poolSize: 4 });
  }

  /** Leases are renewed in the skipped time, as the processes that hold them would. */
  async skip(ms: number, renewed: readonly string[]): Promise<void> {
    if (ms <= 0) return;
    this.skippedMs += Math.ceil(ms);
    await this.database.sql.query(`SELECT setval('public.skipped_ms', $1)`, [this.skippedMs]);
    await this.database.sql.query(`UPDATE leases SET until = until + $1 * interval '1 millisecond' WHERE owner = ANY($2::text[])`, [
      Math.ceil(ms),
      renewed,
    ]);
  }

  async close(): Promise<void> {
    Date.now = this.real.date;
    performance.now = this.real.monotonic;
    await this.database.close();
  }
}
