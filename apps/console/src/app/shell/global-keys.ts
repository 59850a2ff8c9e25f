import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router-dom';
import { KEYS_TEXT as TEXT } from '../../text/keys.text';
import { focusSearch, moveRow, openRow, selectRow } from '../../ui/keyboard/row-keys';
import { useShortcuts } from '../../ui/keyboard/use-shortcuts';
import { lastUndoable } from '../../ui/notices/notice-store';
import { useUndo } from '../notices/use-undo';
import { ALL_SCREENS } from '../paths';

export type Overlay = 'palette' | 'keys';

/** Reads everything again that is on the screen. */
export function useRefresh(): () => void {
  const client = useQueryClient();
  return () => void client.invalidateQueries({ type: 'active' });
}

/** Keys that work on every screen. */
export function useGlobalKeys(open: (overlay: Overlay) => void): void {
  const navigate = useNavigate();
  const refresh = useRefresh();
  const undo = useUndo();
  const takeBack = () => {
    const notice = lastUndoable();
    if (notice !== undefined) undo(notice);
  };
  useShortcuts(TEXT.everywhere, [
    { keys: 'mod+k', label: TEXT.palette, run: () => open('palette') },
    ...ALL_SCREENS.map(({ key, label, path }) => ({ keys: `g ${key}`, label: TEXT.goTo(label), run: () => void navigate(path) })),
    { keys: '/', label: TEXT.search, run: () => void (focusSearch() || open('palette')) },
    { keys: 'r', label: TEXT.refresh, run: refresh },
    { keys: 'j', label: TEXT.next, run: () => moveRow(1) },
    { keys: 'k', label: TEXT.previous, run: () => moveRow(-1) },
    { keys: 'x', label: TEXT.select, run: selectRow },
    { keys: 'Enter', label: TEXT.open, run: openRow },
    { keys: 'mod+z', label: TEXT.undo, run: takeBack },
    { keys: '?', label: TEXT.help, run: () => open('keys') },
  ]);
}
