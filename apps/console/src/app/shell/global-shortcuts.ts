import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router-dom';
import { KEYS_TEXT as TEXT } from '../../text/shell.text';
import { useShortcuts } from '../../ui/keyboard/use-shortcuts';
import { lastUndoable } from '../../ui/notifications';
import { useUndo } from '../notifications/notifications';
import { ALL_SCREENS } from '../paths';

export type Overlay = 'palette' | 'keys';

export function useRefresh(): () => void {
  const client = useQueryClient();
  return () => void client.invalidateQueries({ type: 'active' });
}

export function useGlobalShortcuts(open: (overlay: Overlay) => void): void {
  const navigate = useNavigate();
  const refresh = useRefresh();
  const undo = useUndo();
  const undoLast = () => {
    const notification = lastUndoable();
    if (notification !== undefined) undo(notification);
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
    { keys: 'mod+z', label: TEXT.undo, run: undoLast },
    { keys: '?', label: TEXT.help, run: () => open('keys') },
  ]);
}

const ROWS = 'main :is([data-row], [role=article], article, tbody tr)';
/** Controls that open a row, in order of preference. */
const OPENERS = ['[data-open]', 'a[href]', 'button:not(:disabled)'];

const rows = (): HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>(ROWS)].filter((row) => row.parentElement?.closest('[data-row], article') === null);

const focusedIndex = (all: readonly HTMLElement[]): number => all.findIndex((row) => row.contains(document.activeElement));

/** Moves the focus to another row of the list; to the first row when none has the focus. */
function moveRow(by: 1 | -1): void {
  const all = rows();
  const at = focusedIndex(all);
  const row = all[at === -1 ? 0 : Math.min(all.length - 1, Math.max(0, at + by))];
  if (row === undefined) return;
  if (!row.hasAttribute('tabindex')) row.tabIndex = -1;
  row.focus();
  row.scrollIntoView?.({ block: 'nearest' });
}

const clickFirst = (...selectors: readonly string[]): void => {
  const all = rows();
  const row = all[focusedIndex(all)];
  const controls = selectors.map((selector) => row?.querySelector<HTMLElement>(selector));
  controls.find((control) => control)?.click();
};

const openRow = (): void => clickFirst(...OPENERS);

const selectRow = (): void => clickFirst('input[type=checkbox]');

function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>('main input[type=search], main [data-search] input, main input[data-search]');
  field?.focus();
  field?.select();
  return field !== null;
}
