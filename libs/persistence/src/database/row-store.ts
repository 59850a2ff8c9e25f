import type { EntityManager, EntityMetadata } from 'typeorm';
import type { Statement } from './transaction';

type ColumnMetadata = EntityMetadata['columns'][number];

export interface Outcome<R> {
  rows: R[];
  /** Rows written; for a reading statement the rows read. */
  count: number;
}

/**
 * Plain SQL that knows the columns of one entity. TypeORM supplies the connection, the transaction and the mapping of names and values;
 * the statements are ours, because nearly every write here is conditional.
 */
export abstract class RowStore<Row extends object> {
  constructor(
    protected readonly manager: EntityManager,
    private readonly rowType: new () => Row,
  ) {}

  /** Runs a statement; parameters are `$1`, `$2`, … */
  protected async run<R = Record<string, unknown>>(text: string, parameters: readonly unknown[] = []): Promise<Outcome<R>> {
    const raw: unknown = await this.manager.query(text, [...parameters]);
    // For UPDATE and DELETE the driver answers [rows, count], for all else the rows.
    if (Array.isArray(raw) && raw.length === 2 && Array.isArray(raw[0]) && typeof raw[1] === 'number') {
      return { rows: raw[0] as R[], count: raw[1] };
    }
    const rows = (raw ?? []) as R[];
    return { rows, count: rows.length };
  }

  /** Runs a statement that gives whole rows of this table. */
  protected async rows(text: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    return (await this.run(text, parameters)).rows.map((row) => this.hydrate(row));
  }

  protected async row(text: string, parameters: readonly unknown[] = []): Promise<Row | null> {
    return (await this.rows(text, parameters))[0] ?? null;
  }

  protected hydrate(raw: Record<string, unknown>): Row {
    const entity = new this.rowType() as Record<string, unknown>;
    for (const column of this.columns()) {
      entity[column.propertyName] = this.driver().prepareHydratedValue(raw[column.databaseName], column);
    }
    return entity as Row;
  }

  /**
   * Inserts one row; what is not given takes the column's default. `onConflict` is the rest of the statement (`ON CONFLICT …`); `null`
   * where it made the insert do nothing.
   */
  protected insert(values: Partial<Row>, onConflict = ''): Promise<Row | null> {
    const parts = this.parts(values);
    const names = parts.map(({ column }) => column.databaseName).join(', ');
    const places = parts.map((_part, index) => `$${index + 1}`).join(', ');
    const parameters = parts.map(({ value }) => value);
    return this.row(`INSERT INTO ${this.table} (${names}) VALUES (${places}) ${onConflict} RETURNING *`, parameters);
  }

  /** Inserts one row where `before`, an UPDATE or DELETE of one row, found its row; all in one statement. `null` where it did not. */
  protected insertAfter(before: Statement, values: Partial<Row>): Promise<Row | null> {
    const parts = this.parts(values);
    const names = parts.map(({ column }) => column.databaseName).join(', ');
    const places = parts.map((_part, index) => `$${before.values.length + index + 1}`).join(', ');
    return this.row(
      `WITH before AS (${before.text} RETURNING 1) INSERT INTO ${this.table} (${names}) SELECT ${places} FROM before RETURNING *`,
      [...before.values, ...parts.map(({ value }) => value)],
    );
  }

  /** Inserts rows with one statement; what one of them does not have and another has takes the column's default. */
  protected async insertMany(many: readonly Partial<Row>[]): Promise<void> {
    if (many.length === 0) return;
    const rows = many.map((values) => new Map(this.parts(values).map(({ column, value }) => [column.databaseName, value])));
    const names = [...new Set(rows.flatMap((row) => [...row.keys()]))];
    const parameters: unknown[] = [];
    const places = rows.map((row) => names.map((name) => (row.has(name) ? `$${parameters.push(row.get(name))}` : 'DEFAULT')).join(', '));
    await this.run(`INSERT INTO ${this.table} (${names.join(', ')}) VALUES (${places.join('), (')})`, parameters);
  }

  /** `SET` list for `values`, its places numbered from `first`. */
  protected assignments(values: Partial<Row>, first: number): { text: string; parameters: unknown[] } {
    const parts = this.parts(values);
    return {
      text: parts.map(({ column }, index) => `${column.databaseName} = $${first + index}`).join(', '),
      parameters: parts.map(({ value }) => value),
    };
  }

  protected get table(): string {
    return this.metadata().tableName;
  }

  private parts(values: Partial<Row>): { column: ColumnMetadata; value: unknown }[] {
    return Object.entries(values)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => {
        const column = this.metadata().findColumnWithPropertyName(name);
        if (!column) throw new Error(`${this.table} has no column for ${name}`);
        return { column, value: this.driver().preparePersistentValue(value, column) as unknown };
      });
  }

  private columns(): ColumnMetadata[] {
    return this.metadata().columns;
  }

  private metadata() {
    return this.manager.dataSource.getMetadata(this.rowType);
  }

  private driver() {
    return this.manager.dataSource.driver;
  }
}
