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

/** A deferred move found its item changed, or the stage of its job open. The unit of work rolls back; move by move it can succeed. */
export class RefusedMoves extends Error {
  override readonly name = 'RefusedMoves';

  constructor(expected: number, moved: number) {
    super(`${expected - moved} of ${expected} moves of items were refused`);
  }
}

export interface MoveWithJob {
  move: ItemMove;
  job: readonly ColumnValue[];
}

/** One statement per set of columns. */
export function moveStatements(moves: readonly ItemMove[]): (Statement & { size: number })[] {
  return statements(moves.map((move) => ({ move, job: [] })));
}

/** As `moveStatements`, with a new job for each item that has none of its stage; returns the jobs. */
export const statementsWithJobs = (moves: readonly MoveWithJob[]): (Statement & { size: number })[] => statements(moves);

const namesOf = (values: readonly ColumnValue[]): string => values.map(({ name }) => name).join();

function statements(moves: readonly MoveWithJob[]) {
  const shapes = new Map<string, MoveWithJob[]>();
  for (const one of moves) {
    const shape = `${namesOf(one.move.set)}|${namesOf(one.job)}`;
    const same = shapes.get(shape);
    if (same === undefined) shapes.set(shape, [one]);
    else same.push(one);
  }
  return [...shapes].map(([shape, same]) => ({
    text: textOf(shape, same[0] as MoveWithJob),
    values: [JSON.stringify(same.map(recordOf))],
    size: same.length,
  }));
}

const recordOf = ({ move: { id, fromVersion, from, to, set }, job }: MoveWithJob) => ({
  item: id,
  version: fromVersion,
  from,
  to,
  ...Object.fromEntries(set.map(({ name, value }) => [`set_${name}`, value])),
  ...Object.fromEntries(job.map(({ name, value }) => [`job_${name}`, value])),
});

const texts = new Map<string, string>();

function textOf(shape: string, { move: { set }, job }: MoveWithJob): string {
  let text = texts.get(shape);
  if (text === undefined) texts.set(shape, (text = job.length === 0 ? moveText(set, []) : moveAndRequest(set, job)));
  return text;
}

const moveText = (set: readonly ColumnValue[], job: readonly ColumnValue[]): string => {
  const columns = [...set.map(({ name, type }) => `, set_${name} ${type}`), ...job.map(({ name, type }) => `, job_${name} ${type}`)].join(
    '',
  );
  return `
  WITH wanted AS MATERIALIZED (
    SELECT * FROM json_to_recordset($1::json) AS w (item uuid, version integer, "from" text, "to" text${columns})
  )${job.length === 0 ? '' : ', moved AS ('}
  UPDATE content_items i SET version = i.version + 1, updated_at = now(), state = w."to"${set.map(({ name }) => `, ${name} = w.set_${name}`).join('')}
  FROM wanted w WHERE i.id = w.item AND i.version = w.version AND i.state = w."from"`;
};

const moveAndRequest = (set: readonly ColumnValue[], job: readonly ColumnValue[]): string => `${moveText(set, job)}
    AND NOT EXISTS (SELECT 1 FROM stage_jobs j WHERE j.stage = w.job_stage AND j.subject_id = w.item AND j.state IN ('requested','running','waiting','retrying'))
  RETURNING i.id)
  INSERT INTO stage_jobs (${namesOf(job)}) SELECT ${job.map(({ name }) => `w.job_${name}`).join()} FROM wanted w JOIN moved ON moved.id = w.item
  RETURNING *`;
