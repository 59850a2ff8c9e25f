import { type ReactNode, useSyncExternalStore } from 'react';
import { Store, useStore } from '../../store/store';
import { SELECTION_TEXT as TEXT } from '../../text/shell.text';
import { ActionButton } from '../../ui/actions';
import { Box } from '../../ui/mui';

/** The selected items. Each card and row subscribes on its own, so that a click renders only the affected ones. */
export class Selection {
  readonly ids = new Store<ReadonlySet<string>>(new Set());
  private anchor: string | null = null;

  has = (id: string): boolean => this.ids.get().has(id);
  read = (): ReadonlySet<string> => this.ids.get();

  toggle(id: string): void {
    const next = new Set(this.ids.get());
    if (!next.delete(id)) next.add(id);
    this.anchor = id;
    this.ids.set(next);
  }

  /** Selects the range from the last toggled item to this one, in display order. */
  extendTo(id: string, order: readonly string[]): void {
    const [from, to] = [order.indexOf(this.anchor ?? id), order.indexOf(id)];
    if (from < 0 || to < 0) return this.toggle(id);
    this.ids.set(new Set([...this.ids.get(), ...order.slice(Math.min(from, to), Math.max(from, to) + 1)]));
  }

  all(ids: Iterable<string>): void {
    this.ids.set(new Set(ids));
  }

  clear(): void {
    this.anchor = null;
    if (this.ids.get().size > 0) this.ids.set(new Set());
  }
}

export const useIsSelected = (selection: Selection, id: string): boolean =>
  useSyncExternalStore(selection.ids.subscribe, () => selection.has(id));

export const useSelected = (selection: Selection): ReadonlySet<string> => useStore(selection.ids);

interface BulkBarProps {
  selected: number;
  onClear: () => void;
  children: ReactNode;
}

export function BulkBar({ selected, onClear, children }: BulkBarProps) {
  return (
    <Box
      role="region"
      aria-label={TEXT.selected(selected)}
      sx={{
        position: 'sticky',
        bottom: 16,
        zIndex: 5,
        mt: 4,
        mx: 'auto',
        width: 'fit-content',
        maxWidth: 1,
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: 2,
        px: 4,
        py: 2.5,
        bgcolor: 'background.paper',
        border: 1,
        borderColor: 'line.strong',
        borderRadius: 2.5,
        boxShadow: 6,
      }}
    >
      <Box role="status" sx={{ fontWeight: 580, mr: 2 }}>
        {TEXT.selected(selected)}
      </Box>
      {children}
      <ActionButton small label={TEXT.none} variant="text" onClick={onClear} />
    </Box>
  );
}
