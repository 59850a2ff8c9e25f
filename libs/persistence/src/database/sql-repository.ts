import { canTransition, type TransitionTable } from '@autoposter/domain';
import type { EntityManager, EntityMetadata } from 'typeorm';
import { type DeferredWrites, deferredWritesOf } from './deferred-writes';
import type { PreparedClient } from './prepared-client';

export interface Result<R = Record<string, unknown>> {
  rows: R[];
  /** Rows written; for a reading statement the rows read. */
  count: number;
}

/**
 * Sends a statement over the connection of the unit of work, or over one of the pool. Not through `EntityManager.query`, which
 * has hooks that are not used, returns counts only for some commands, and keeps the parameters in its errors.
 */
export async function sendStatement<R>(
  { queryRunner, dataSource }: EntityManager,
  text: string,
  parameters: readonly unknown[],
): Promise<Result<R>> {
  const runner = queryRunner ?? dataSource.createQueryRunner();
  if (runner.isReleased) {
    // TypeORM releases a lost connection while its transaction is still active
    const isLost = runner.isTransactionActive;
    if (isLost) throw Object.assign(new Error('connection terminated during a transaction'), { code: 'ECONNRESET' });
    throw new Error('the unit of work has ended; its statement was not awaited');
  }
  try {
    const client = (await runner.connect()) as PreparedClient;
    const { rows, rowCount } = await client.query<R & object>(text, [...parameters]);
    return { rows, count: rowCount ?? rows.length };
  } finally {
    if (queryRunner === undefined) await runner.release();
  }
}

/** A column with the name and type of its PostgreSQL column. */
export interface ColumnValue {
  name: string;
  type: string;
  value: unknown;
}

/** A compare-and-set: only a row with this version and status is written. */
export interface Transition<State extends string, Row> {
  fromVersion: number;
  from: State;
  to: State;
  patch?: Partial<Row>;
}

/** Throws if the transition table does not allow the transition: a programming error, not a lost race. */
export function assertAllowed<State extends string>(subject: string, table: TransitionTable<State>, from: State, to: State): void {
  if (from !== to && !canTransition(table, from, to)) throw new Error(`${subject} cannot go from ${from} to ${to}`);
}

/** Collects the calls of one turn of the event loop into one statement, whose result all of them get. */
class Batch<Entry, R> {
  private open: { entries: Entry[]; result: Promise<R> } | null = null;

  constructor(private readonly run: (entries: readonly Entry[]) => Promise<R>) {}

  add(entry: Entry): Promise<R> {
    this.open ??= { entries: [], result: Promise.resolve().then(() => this.flush()) };
    this.open.entries.push(entry);
    return this.open.result;
  }

  private flush(): Promise<R> {
    const entries = this.open?.entries ?? [];
    this.open = null;
    return this.run(entries);
  }
}

/** SQL over one connection or pool; parameters are `$1`, `$2`, … */
export abstract class SqlQueries {
  /** `undefined` outside of a unit of work. */
  protected readonly deferred: DeferredWrites | undefined;

  constructor(protected readonly manager: EntityManager) {
    this.deferred = deferredWritesOf(manager);
  }

  /** Runs a statement after all deferred writes. */
  protected async run<R = Record<string, unknown>>(text: string, parameters: readonly unknown[] = []): Promise<Result<R>> {
    await this.deferred?.flush();
    return this.send<R>(text, parameters);
  }

  /** Runs a statement that is itself a deferred write. */
  protected send<R = Record<string, unknown>>(text: string, parameters: readonly unknown[] = []): Promise<Result<R>> {
    return sendStatement<R>(this.manager, text, parameters);
  }

  protected async select<R>(text: string, parameters: readonly unknown[] = []): Promise<R[]> {
    return (await this.run<R>(text, parameters)).rows;
  }

  protected async selectFirst<R>(text: string, parameters: readonly unknown[] = []): Promise<R | null> {
    return (await this.select<R>(text, parameters))[0] ?? null;
  }

  /** The result of a statement that always has one row. */
  protected async selectOne<R>(text: string, parameters: readonly unknown[] = []): Promise<R> {
    return (await this.select<R>(text, parameters))[0] as R;
  }

  /** Whether the statement wrote a row, or a reading one found one. */
  protected async affectsRow(text: string, parameters: readonly unknown[] = []): Promise<boolean> {
    return (await this.run(text, parameters)).count > 0;
  }

  /** The first column of each row. */
  protected async column<T>(text: string, parameters: readonly unknown[] = []): Promise<T[]> {
    return (await this.select<object>(text, parameters)).map((row) => Object.values(row)[0] as T);
  }

  /** The first column of the first row; `null` without a row. */
  protected async value<T>(text: string, parameters: readonly unknown[] = []): Promise<T | null> {
    return (await this.column<T>(text, parameters))[0] ?? null;
  }

  /** The result of a statement that selects one count. */
  protected async count(text: string, parameters: readonly unknown[] = []): Promise<number> {
    return (await this.value<number>(text, parameters)) ?? 0;
  }
}

/**
 * Statements in SQL, rows as entities. The decorators of the entity are the only mapping between columns and properties; what each
 * statement does is written out, because nearly every write is conditional and returns its row. ADR 0013 has the comparison with TypeORM's
 * own repositories and query builder.
 */
export abstract class SqlRepository<Entity extends object> extends SqlQueries {
  protected abstract readonly entity: new () => Entity;

  /** Runs a statement that returns whole rows of this table. */
  protected async rows(text: string, parameters: readonly unknown[] = []): Promise<Entity[]> {
    return (await this.run(text, parameters)).rows.map((row) => this.toEntity(row));
  }

  protected async row(text: string, parameters: readonly unknown[] = []): Promise<Entity | null> {
    return (await this.rows(text, parameters))[0] ?? null;
  }

  protected toEntity(raw: Record<string, unknown>): Entity {
    const entity = new this.entity() as Record<string, unknown>;
    for (const { propertyName, databaseName } of this.metadata.columns) entity[propertyName] = raw[databaseName];
    return entity as Entity;
  }

  /**
   * Inserts one row; missing values take the column's default. `onConflict` is the rest of the statement (`ON CONFLICT …`). Returns
   * `null` if the conflict clause skipped the insert.
   */
  protected insert(values: Partial<Entity>, onConflict = ''): Promise<Entity | null> {
    const { names, places, parameters } = this.insertion(values, 1);
    return this.row(`INSERT INTO ${this.metadata.tableName} (${names}) VALUES (${places}) ${onConflict} RETURNING *`, parameters);
  }

  /**
   * Inserts rows with one statement; a value that only some rows have takes the column's default in the others. `rest` is the rest of the
   * statement (`ON CONFLICT …`, `RETURNING …`).
   */
  protected async insertMany(many: readonly Partial<Entity>[], rest = ''): Promise<Result> {
    if (many.length === 0) return { rows: [], count: 0 };
    const rows = many.map((values) => new Map(this.columnValues(values)));
    const names = [...new Set(rows.flatMap((row) => [...row.keys()]))];
    const parameters: unknown[] = [];
    const places = rows.map((row) => names.map((name) => (row.has(name) ? `$${parameters.push(row.get(name))}` : 'DEFAULT')).join(', '));
    const text = `INSERT INTO ${this.metadata.tableName} (${names.join(', ')}) VALUES (${places.join('), (')}) ${rest}`;
    return this.run(text.trimEnd(), parameters);
  }

  /** `SET` list for `values`, its placeholders numbered from `first`. */
  protected assignments(values: Partial<Entity>, first: number): { text: string; parameters: unknown[] } {
    const columns = this.columnValues(values);
    return {
      text: columns.map(([name], index) => `${name} = $${first + index}`).join(', '),
      parameters: columns.map(([, value]) => value),
    };
  }

  private insertion(values: Partial<Entity>, first: number) {
    const columns = this.columnValues(values);
    return {
      names: columns.map(([name]) => name).join(', '),
      places: columns.map((_, index) => `$${first + index}`).join(', '),
      parameters: columns.map(([, value]) => value),
    };
  }

  /** The columns of these values, for a statement that receives them as JSON. */
  protected columnsOf(values: Partial<Entity>): ColumnValue[] {
    return Object.entries(values)
      .filter(([, value]) => value !== undefined)
      .map(([property, value]) => {
        const column = this.metadata.findColumnWithPropertyName(property);
        if (!column) throw new Error(`${this.metadata.tableName} has no column for ${property}`);
        return { name: column.databaseName, type: `${String(column.type)}${column.isArray ? '[]' : ''}`, value };
      });
  }

  private columnValues(values: Partial<Entity>): [name: string, value: unknown][] {
    // the driver would send an array as a PostgreSQL array
    return this.columnsOf(values).map(({ name, type, value }) => [
      name,
      type === 'jsonb' && value !== null ? JSON.stringify(value) : value,
    ]);
  }

  protected get metadata(): EntityMetadata {
    return this.manager.dataSource.getMetadata(this.entity);
  }
}

/** A table with the column `id`. */
export abstract class IdRepository<Entity extends { id: string }> extends SqlRepository<Entity> {
  private readonly reads = new Batch(async (ids: readonly string[]) => {
    const rows = await this.rows(`SELECT * FROM ${this.metadata.tableName} WHERE id = ANY($1::uuid[])`, [ids]);
    return new Map(rows.map((row) => [row.id, row]));
  });

  /** Rows that are wanted in the same turn of the event loop are read with one statement. */
  async find(id: string): Promise<Entity | null> {
    return (await this.reads.add(id)).get(id) ?? null;
  }

  /** The row, locked until the transaction ends. */
  findForUpdate(id: string): Promise<Entity | null> {
    return this.row(`SELECT * FROM ${this.metadata.tableName} WHERE id = $1 FOR UPDATE`, [id]);
  }

  /** As `findForUpdate`, for a row that exists. */
  async lock(id: string): Promise<Entity> {
    const row = await this.findForUpdate(id);
    if (row === null) throw new Error(`${this.metadata.tableName} has no row ${id}`);
    return row;
  }
}
