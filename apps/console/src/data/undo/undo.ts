import type { Route } from '@autoposter/contracts';
import type { KeyRoot } from '../http/cache';

/** In the `params` of a step: the `_id` that the answer of the step before it names. */
export const CREATED_ID = ':made';

/** One call that takes something back. It is data, so that it can wait in the tab's storage while the page is loaded again. */
export interface UndoStep {
  route: Pick<Route, 'method' | 'path'>;
  params?: Record<string, string>;
  body?: unknown;
}

export interface Undo {
  /** The reverse calls, in the order in which they are made. */
  steps: readonly UndoStep[];
  /** What is read anew afterwards. */
  refresh: readonly KeyRoot[];
}
