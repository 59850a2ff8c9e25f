/** A status table: from each status the statuses that may follow. A status without successors is terminal. */
export type TransitionTable<S extends string> = Readonly<Record<S, readonly S[]>>;

export const canTransition = <S extends string>(table: TransitionTable<S>, from: S, to: S): boolean => table[from].includes(to);

/** Every status that cannot be reached from the initial ones; the checks demand an empty list. */
export function unreachableStatuses<S extends string>(table: TransitionTable<S>, initial: readonly S[]): S[] {
  const reached = new Set<S>(initial);
  const open = [...initial];
  for (let from = open.pop(); from !== undefined; from = open.pop()) {
    for (const to of table[from]) {
      if (!reached.has(to)) {
        reached.add(to);
        open.push(to);
      }
    }
  }
  return (Object.keys(table) as S[]).filter((status) => !reached.has(status));
}
