import { errorText } from '../../data/http/client';
import type { Undo } from '../../data/undo/undo';
import { notify } from '../../ui/notifications';

type Texts<T> = string | ((result: T) => string) | null;

/**
 * Notifies of the end of a change and resolves to whether it succeeded. Reads the promise, because callbacks given to `mutate` do not run
 * after the component was unmounted, as a deleted row is.
 */
export const notifyResult = <T>(change: Promise<T>, done: Texts<T>, failed: (message: string) => string, undo?: Undo): Promise<boolean> =>
  change.then(
    (result) => {
      const text = typeof done === 'function' ? done(result) : done;
      if (text !== null && undo !== undefined) notify.undoable(text, undo);
      else if (text !== null) notify.success(text);
      return true;
    },
    (error: unknown) => {
      notify.failure(failed(errorText(error)));
      return false;
    },
  );
