import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router-dom';
import { KEYS_TEXT as TEXT } from '../../text/keys.text';
import { useShortcuts } from '../../ui/keyboard/use-shortcuts';
import { lastUndoable } from '../../ui/notifications';
import { useUndo } from '../notifications/notification-stack';
import { ALL_SCREENS } from '../paths';

export type Overlay = 'palette' | 'keys';

/** Reads everything again that is on the screen. */
export function useRefresh(): () => void {
  const client = useQueryClient();
  return () => void client.invalidateQueries({ type: 'active' });
}

/** Keys that work on every screen. */
export function useGlobalShortcuts(open: (overlay: Overlay) => void): void {
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

const ROWS = 'main :is([data-row], [role=article], article, tbody tr)';
/** The first of these in the row. */
const OPENS = ['[data-open]', 'a[href]', 'button:not(:disabled)'];

const rows = (): HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>(ROWS)].filter((row) => row.parentElement?.closest('[data-row], article') === null);

/** The row in which the focus is. */
const current = (all: readonly HTMLElement[]): number => all.findIndex((row) => row.contains(document.activeElement));

/** Moves the focus by so many rows of the list on the screen; without one in focus to the first. */
export function moveRow(by: 1 | -1): void {
  const all = rows();
  const at = current(all);
  const row = all[at === -1 ? 0 : Math.min(all.length - 1, Math.max(0, at + by))];
  if (row === undefined) return;
  if (!row.hasAttribute('tabindex')) row.tabIndex = -1;
  row.focus();
  row.scrollIntoView?.({ block: 'nearest' });
}

const press = (...selectors: readonly string[]): void => {
  const all = rows();
  const row = all[current(all)];
  const controls = selectors.map((selector) => row?.querySelector<HTMLElement>(selector));
  controls.find((control) => control)?.click();
};

/** What the row in focus opens: the control marked with `data-open`, else its first link or button. */
export const openRow = (): void => press(...OPENS);

/** Ticks the row in focus, where rows can be ticked. */
export const selectRow = (): void => press('input[type=checkbox]');

/** Puts the focus into the search field of the screen; tells whether there is one. */
export function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>('main input[type=search], main [data-search] input, main input[data-search]');
  field?.focus();
  field?.select();
  return field !== null;
}
