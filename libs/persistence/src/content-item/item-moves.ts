import type { ItemState } from '@autoposter/domain';
import type { ColumnValue } from '../database/sql-repository';
import type { Statement } from '../database/transaction';

/** A compare-and-set of an item: only the row with this version and state is written. */
export interface ItemMove {
  id: string;
  fromVersion: number;
  from: ItemState;
  to: ItemState;
  set: readonly ColumnValue[];
}

/** A new item, unless its source post is known. */
export interface ItemInsertion {
  id: string;
  insert: readonly ColumnValue[];
}

export type ItemWrite = ItemMove | ItemInsertion;

/** A deferred move found its item changed, or the stage of its job open. The unit of work rolls back; move by move it can succeed. */
export class RefusedMoves extends Error {
  override readonly name = 'RefusedMoves';

  constructor(expected: number, moved: number) {
    super(`${expected - moved} of ${expected} moves of items were refused`);
  }
}

export interface WriteWithJob {
  item: ItemWrite;
  job: readonly ColumnValue[];
}

/** One statement per set of columns. */
export function moveStatements(moves: readonly ItemMove[]): (Statement & { size: number })[] {
  return statements(moves.map((item) => ({ item, job: [] })));
}

/** Writes items, each with a new job if it has none of its stage; the count is that of the jobs. */
export const statementsWithJobs = (writes: readonly WriteWithJob[]): (Statement & { size: number })[] => statements(writes);

const namesOf = (values: readonly ColumnValue[]): string => values.map(({ name }) => name).join();

const columnsOf = ({ item }: WriteWithJob): readonly ColumnValue[] => ('insert' in item ? item.insert : item.set);

function statements(writes: readonly WriteWithJob[]) {
  const shapes = new Map<string, WriteWithJob[]>();
  for (const one of writes) {
    const shape = `${'insert' in one.item}|${namesOf(columnsOf(one))}|${namesOf(one.job)}`;
    const same = shapes.get(shape);
    if (same === undefined) shapes.set(shape, [one]);
    else same.push(one);
  }
  return [...shapes].map(([shape, same]) => ({
    text: textOf(shape, same[0] as WriteWithJob),
    values: [JSON.stringify(same.map(recordOf))],
    size: same.length,
  }));
}

function recordOf(write: WriteWithJob): Record<string, unknown> {
  const { item, job } = write;
  const record: Record<string, unknown> =
    'insert' in item ? { item: item.id } : { item: item.id, version: item.fromVersion, from: item.from, to: item.to };
  for (const { name, value } of columnsOf(write)) record[`set_${name}`] = value;
  for (const { name, value } of job) record[`job_${name}`] = value;
  return record;
}

const texts = new Map<string, string>();

function textOf(shape: string, write: WriteWithJob): string {
  let text = texts.get(shape);
  if (text === undefined) texts.set(shape, (text = write.job.length === 0 ? `${wanted(write)} ${moveText(write)}` : withJob(write)));
  return text;
}

const wanted = (write: WriteWithJob): string => {
  const columns = [
    ...columnsOf(write).map(({ name, type }) => `, set_${name} ${type}`),
    ...write.job.map(({ name, type }) => `, job_${name} ${type}`),
  ].join('');
  return `
  WITH wanted AS MATERIALIZED (
    SELECT * FROM json_to_recordset($1::json) AS w (item uuid, version integer, "from" text, "to" text${columns})
  )`;
};

/** As an array, the ids are looked up in the index: PostgreSQL expects a hundred moves, and would join them with the whole table of some ten thousand items. */
const moveText = (write: WriteWithJob): string => `
  UPDATE content_items i SET version = i.version + 1, updated_at = now(), state = w."to"${columnsOf(write)
    .map(({ name }) => `, ${name} = w.set_${name}`)
    .join('')}
  FROM wanted w WHERE i.id = ANY(ARRAY(SELECT item FROM wanted)) AND i.id = w.item AND i.version = w.version AND i.state = w."from"`;

const insertText = (write: WriteWithJob): string => `
  INSERT INTO content_items (${namesOf(columnsOf(write))}) SELECT ${columnsOf(write)
    .map(({ name }) => `w.set_${name}`)
    .join()} FROM wanted w
  ON CONFLICT (platform, source_id) DO NOTHING RETURNING id`;

/**
 * `OFFSET 0` looks up the open job of each item. In a large table statistics know no open job, and PostgreSQL would otherwise join the items with all
 * open jobs, however many wait.
 */
const moveWithoutOpenJob = (write: WriteWithJob): string => `${moveText(write)}
    AND NOT EXISTS (SELECT 1 FROM stage_jobs j WHERE j.stage = w.job_stage AND j.subject_id = w.item AND j.state IN ('requested','running','waiting','retrying') OFFSET 0)
  RETURNING i.id`;

const withJob = (write: WriteWithJob): string => `${wanted(write)}, written AS (
  ${'insert' in write.item ? insertText(write) : moveWithoutOpenJob(write)})
  INSERT INTO stage_jobs (${namesOf(write.job)})
  SELECT ${write.job.map(({ name }) => `w.job_${name}`).join()} FROM wanted w JOIN written ON written.id = w.item
  RETURNING id`;
