import type { Database } from '@autoposter/persistence';

export interface Listed {
  rows: number;
  total: number;
}

export const POSITIONS = ['first', 'middle', 'last'] as const;
export type Position = (typeof POSITIONS)[number];

export interface ListCase {
  list: string;
  name: string;
  position: Position;
  /** Held to be flat: as fast at the greater number of rows. The others have a bound. */
  flat: boolean;
  /** Asks for the page; `total` is what is there with these filters. */
  ask(database: Database, total: number): Promise<Listed>;
}

/** The middle is a page that is far from either end. */
export function pageAt(position: Position, total: number, limit: number): number {
  const last = Math.max(1, Math.ceil(total / limit));
  return position === 'first' ? 1 : position === 'last' ? last : Math.max(1, Math.round(last * 0.618));
}
