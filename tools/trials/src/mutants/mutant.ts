/** A realistic defect, as a change of one place in a source file. */
export interface Mutant {
  id: string;
  file: string;
  /** Occurs exactly once in the file. */
  find: string;
  replace: string;
  /** What the change breaks, in one sentence. */
  defect: string;
  /** The specs that must fail. */
  specs: readonly string[];
  /** The one test to run of specs that take long. */
  test?: string;
  /** Why no test can fail; absent for a mutant that must be killed. */
  survives?: string;
}

type Change = Pick<Mutant, 'find' | 'replace' | 'defect' | 'test' | 'survives'>;

/** Mutants of one file by their id, all with the same specs. */
export const inFile = (file: string, specs: readonly string[], changes: Readonly<Record<string, Change>>): Mutant[] =>
  Object.entries(changes).map(([id, change]) => ({ id, file, specs, ...change }));

export type Defect = Pick<Mutant, 'id' | 'file' | 'find' | 'replace'>;

/** The source with the defect. */
export function plantDefect({ id, file, find, replace }: Defect, source: string): string {
  const parts = source.split(find);
  if (parts.length !== 2) throw new Error(`${id}: its text occurs ${parts.length - 1} times in ${file} instead of once`);
  return parts.join(replace);
}
