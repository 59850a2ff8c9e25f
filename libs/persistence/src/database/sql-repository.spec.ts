import { Column, DataSource, Entity, PrimaryColumn, type EntityManager } from 'typeorm';
import { ID, INTEGER, JSON_OR_NULL, SnakeNaming, TEXT } from './columns';
import { isOutage } from './database-errors';
import { assertAllowed, SqlRepository } from './sql-repository';

@Entity('animals')
class Animal {
  @PrimaryColumn(ID) id!: string;
  @Column({ ...TEXT, name: 'label' }) name!: string;
  @Column(INTEGER) legCount!: number;
  @Column(JSON_OR_NULL) traits!: string[] | null;
}

/** Makes the protected methods callable. */
class Animals extends SqlRepository<Animal> {
  protected readonly entity = Animal;
  add = (values: Partial<Animal>, onConflict?: string) => this.insert(values, onConflict);
  typed = (values: Partial<Animal>) => this.columnsOf(values);
  addMany = (many: Partial<Animal>[]) => this.insertMany(many);
  set = (values: Partial<Animal>, first: number) => this.assignments(values, first);
  all = () => this.rows('SELECT * FROM animals');
  first = () => this.row('SELECT * FROM animals');
  names = () => this.column<string>('SELECT label FROM animals');
  size = () => this.count('SELECT count(*) FROM animals');
  execute = () => this.run('DELETE FROM animals RETURNING id');
}

describe('SqlRepository', () => {
  let source: DataSource;
  let answer: object[];
  let isReleased: boolean;
  let sent: { text: string; parameters: unknown[] }[];
  let animals: Animals;

  beforeAll(async () => {
    source = new DataSource({ type: 'postgres', entities: [Animal], namingStrategy: new SnakeNaming() });
    // reads the decorators without a connection
    await (source as unknown as { buildMetadatas(): Promise<void> }).buildMetadatas();
  });
  beforeEach(() => {
    answer = [];
    sent = [];
    isReleased = false;
    const query = (text: string, parameters: unknown[]) => {
      sent.push({ text, parameters });
      return Promise.resolve({ rows: answer, rowCount: answer.length });
    };
    const release = (): void => void (isReleased = true);
    const runner = () => ({ connect: () => Promise.resolve({ query }), release, isReleased: false });
    animals = new Animals({ dataSource: Object.assign(source, { createQueryRunner: runner }) } as unknown as EntityManager);
  });

  it('maps columns to properties by the decorators of the entity', async () => {
    answer = [{ id: '1', label: 'cat', leg_count: 4, traits: ['soft'], not_mapped: 1 }];
    expect(await animals.all()).toEqual([{ id: '1', name: 'cat', legCount: 4, traits: ['soft'] }]);
    expect(await animals.first()).toBeInstanceOf(Animal);
  });

  it('returns null without a row', async () => {
    expect(await animals.first()).toBeNull();
    expect(await animals.size()).toBe(0);
  });

  it('returns single columns and counts', async () => {
    answer = [{ label: 'cat' }, { label: 'dog' }];
    expect(await animals.names()).toEqual(['cat', 'dog']);
    answer = [{ count: 3 }];
    expect(await animals.size()).toBe(3);
  });

  it('returns rows and their number, and its connection to the pool', async () => {
    answer = [{ id: '1' }, { id: '2' }];
    expect(await animals.execute()).toEqual({ rows: answer, count: 2 });
    expect(isReleased).toBe(true);
  });

  it('refuses a statement of a unit of work that has ended', async () => {
    const queryRunner = { isReleased: true, data: {} };
    await expect(new Animals({ dataSource: source, queryRunner } as unknown as EntityManager).names()).rejects.toThrow('was not awaited');
    expect(sent).toEqual([]);
  });

  it('reports an outage when the connection is lost between two statements of a unit of work', async () => {
    const queryRunner = { isReleased: true, isTransactionActive: true, data: {} };
    const names = new Animals({ dataSource: source, queryRunner } as unknown as EntityManager).names();
    expect(isOutage(await names.catch((error: unknown) => error))).toBe(true);
    expect(sent).toEqual([]);
  });

  it('inserts the given values, JSON as text, and leaves the others to their defaults', async () => {
    await animals.add({ id: '1', name: 'cat', legCount: undefined, traits: ['soft'] }, 'ON CONFLICT DO NOTHING');
    expect(sent).toEqual([
      {
        text: 'INSERT INTO animals (id, label, traits) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING *',
        parameters: ['1', 'cat', '["soft"]'],
      },
    ]);
  });

  it('names column and type of each value that is not undefined', () => {
    expect(animals.typed({ legCount: 2, traits: ['soft'], name: undefined } as Partial<Animal>)).toEqual([
      { name: 'leg_count', type: 'integer', value: 2 },
      { name: 'traits', type: 'jsonb', value: ['soft'] },
    ]);
    expect(() => animals.typed({ wings: 2 } as never)).toThrow('animals has no column for wings');
  });

  it('inserts many rows with one statement and DEFAULT for missing values', async () => {
    await animals.addMany([]);
    await animals.addMany([
      { id: '1', name: 'cat' },
      { id: '2', legCount: 2 },
    ]);
    expect(sent).toEqual([
      { text: 'INSERT INTO animals (id, label, leg_count) VALUES ($1, $2, DEFAULT), ($3, DEFAULT, $4)', parameters: ['1', 'cat', '2', 2] },
    ]);
  });

  it('numbers assignments from the given placeholder', () => {
    expect(animals.set({ name: 'dog', legCount: 4 }, 3)).toEqual({ text: 'label = $3, leg_count = $4', parameters: ['dog', 4] });
  });

  it('refuses a property without a column', () => {
    expect(() => animals.set({ wings: 2 } as Partial<Animal>, 1)).toThrow('animals has no column for wings');
  });
});

describe('assertAllowed', () => {
  const table = { open: ['closed'], closed: [] } as const;

  it('accepts the same state and the transitions of the table', () => {
    expect(() => assertAllowed('An account', table, 'open', 'open')).not.toThrow();
    expect(() => assertAllowed('An account', table, 'open', 'closed')).not.toThrow();
  });

  it('throws for any other transition', () => {
    expect(() => assertAllowed('An account', table, 'closed', 'open')).toThrow('An account cannot go from closed to open');
  });
});
