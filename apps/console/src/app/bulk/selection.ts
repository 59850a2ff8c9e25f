import { useSyncExternalStore } from 'react';

/** Which items are selected. Every card and row listens for itself, so that one click does not draw all of them anew. */
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

  /** From the item that was touched last to this one, in the order in which they are shown. */
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
