import { canTransition, type TransitionTable } from '@autoposter/domain';

/** A compare-and-set: only a row with this version and status is written. */
export interface Transition<State extends string, Row> {
  fromVersion: number;
  from: State;
  to: State;
  patch?: Partial<Row>;
}

/** Throws where the status table does not allow the step: that is a mistake in the program, not a lost race. */
export function assertAllowed<State extends string>(subject: string, table: TransitionTable<State>, from: State, to: State): void {
  if (from !== to && !canTransition(table, from, to)) throw new Error(`${subject} cannot go from ${from} to ${to}`);
}
