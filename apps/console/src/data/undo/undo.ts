import type { Route } from '@autoposter/contracts';
import type { KeyRoot } from '../http/cache';
import { call, CallError, errorText } from '../http/client';

/** Placeholder in the `params` of a step: the `_id` of what the previous step created. */
export const CREATED_ID = ':made';

/** A request as plain data, because the undo list survives a reload in the session storage. */
export interface UndoStep {
  route: Pick<Route, 'method' | 'path'>;
  params?: Record<string, string>;
  body?: unknown;
}

export interface Undo {
  /** Requests that revert the change, in order. */
  steps: readonly UndoStep[];
  /** Query roots that are invalidated afterwards. */
  refresh: readonly KeyRoot[];
}

const needsCreatedId = ({ params = {} }: UndoStep): boolean => Object.values(params).includes(CREATED_ID);

function send({ route, params = {}, body }: UndoStep, previous: unknown): Promise<unknown> {
  const createdId = (previous as { data?: { _id?: string } } | null)?.data?._id ?? '';
  const filled = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, value === CREATED_ID ? createdId : value]));
  return call({ ...route, access: 'admin', summary: '' }, { params: filled, ...(body === undefined ? {} : { body: body as never }) });
}

/** Runs all steps, also after a failed one: a bulk undo restores what it can. Resolves to the distinct error messages. */
export async function runUndo(steps: readonly UndoStep[]): Promise<ReadonlySet<string>> {
  const errors = new Set<string>();
  let response: unknown = null;
  let failed = false;
  for (const step of steps) {
    if (failed && needsCreatedId(step)) continue;
    try {
      response = await send(step, response);
      failed = false;
    } catch (error) {
      errors.add(errorText(error));
      // An unreachable server would let each remaining step time out.
      if (error instanceof CallError && error.status === 0) break;
      failed = true;
    }
  }
  return errors;
}
