import { useEffect, useRef, useState } from 'react';
import { addScope, nextOrder, type Shortcut } from './shortcuts';

/**
 * Keys of a screen or of a part of it, for as long as it is shown. They rest while somebody types or a dialog is open (`inDialog` lifts the
 * second), and one-letter keys also where a person switched them off.
 */
export function useShortcuts(name: string, shortcuts: readonly Shortcut[], options: { inDialog?: boolean } = {}): void {
  const latest = useRef(shortcuts);
  const [order] = useState(nextOrder);
  const inDialog = options.inDialog === true;
  useEffect(() => {
    latest.current = shortcuts;
  });
  useEffect(() => addScope({ name, inDialog, order, shortcuts: () => latest.current }), [name, inDialog, order]);
}
