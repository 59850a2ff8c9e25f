import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { type ReactNode, useSyncExternalStore } from 'react';
import { SELECTION_TEXT as TEXT } from '../../text/selection.text';

/** The selected items. Each card and row subscribes on its own, so that a click renders only the affected ones. */
export class Selection {
  private ids: ReadonlySet<string> = new Set();
  private anchor: string | null = null;
  private readonly listeners = new Set<() => void>();

  has = (id: string): boolean => this.ids.has(id);
  read = (): ReadonlySet<string> => this.ids;
  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  toggle(id: string): void {
    const next = new Set(this.ids);
    if (!next.delete(id)) next.add(id);
    this.anchor = id;
    this.set(next);
  }

  /** Selects the range from the last toggled item to this one, in display order. */
  extendTo(id: string, order: readonly string[]): void {
    const [from, to] = [order.indexOf(this.anchor ?? id), order.indexOf(id)];
    if (from < 0 || to < 0) return this.toggle(id);
    this.set(new Set([...this.ids, ...order.slice(Math.min(from, to), Math.max(from, to) + 1)]));
  }

  all(ids: Iterable<string>): void {
    this.set(new Set(ids));
  }

  clear(): void {
    this.anchor = null;
    if (this.ids.size > 0) this.set(new Set());
  }

  private set(ids: ReadonlySet<string>): void {
    this.ids = ids;
    for (const listener of this.listeners) listener();
  }
}

export const useIsSelected = (selection: Selection, id: string): boolean =>
  useSyncExternalStore(selection.subscribe, () => selection.has(id));

export const useSelected = (selection: Selection): ReadonlySet<string> => useSyncExternalStore(selection.subscribe, selection.read);

interface BulkBarProps {
  selected: number;
  onClear: () => void;
  /** The bulk actions. */
  children: ReactNode;
}

/** The number of selected items and the bulk actions, sticky at the bottom. */
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
      <Box role="status" className="tabular" sx={{ fontWeight: 580, mr: 2 }}>
        {TEXT.selected(selected)}
      </Box>
      {children}
      <Button size="small" variant="text" onClick={onClear}>
        {TEXT.none}
      </Button>
    </Box>
  );
}
