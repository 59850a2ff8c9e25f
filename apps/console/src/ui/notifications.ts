import type { Undo } from '../data/undo/undo';
import { Store, useStore } from '../store/store';

export interface NotificationEntry {
  id: number;
  tone: 'green' | 'red';
  text: string;
  /** ISO text. */
  at: string;
  /** Visible on the screen; later it is listed in the notification menu only. */
  shown: boolean;
  undo?: Undo & { state: 'open' | 'running' };
}

/** How long a notification with an undo button stays on the screen, at least. */
export const UNDO_MS = 10_000;
const MAX_ENTRIES = 50;
const KEY = 'autoposter.undo';

/** Changes that can still be undone survive a reload. */
function loadUndoable(): readonly NotificationEntry[] {
  try {
    const stored = JSON.parse(sessionStorage.getItem(KEY) ?? '[]') as NotificationEntry[];
    return stored.filter(({ at }) => Date.now() - Date.parse(at) < UNDO_MS).map((entry) => ({ ...entry, shown: true }));
  } catch {
    return [];
  }
}

const entries = new Store<readonly NotificationEntry[]>(loadUndoable());
let last = Math.max(0, ...entries.get().map(({ id }) => id));

const publish = (next: readonly NotificationEntry[]): void => {
  try {
    const open = next.filter(({ undo }) => undo?.state === 'open');
    sessionStorage.setItem(KEY, JSON.stringify(open));
  } catch {
    // Storage is unavailable: a reload loses the undo buttons.
  }
  entries.set(next);
};

const add = (tone: NotificationEntry['tone'], text: string, undo?: Undo): void => {
  last += 1;
  const entry: NotificationEntry = { id: last, tone, text, at: new Date().toISOString(), shown: true };
  if (undo !== undefined) entry.undo = { ...undo, state: 'open' };
  publish([entry, ...entries.get()].slice(0, MAX_ENTRIES));
};

/** Shows a notification for a few seconds and lists it in the notification menu. `undoable` reports a completed change with an undo button. */
export const notify = {
  success: (text: string) => add('green', text),
  failure: (text: string) => add('red', text),
  undoable: (text: string, undo: Undo) => add('green', text, undo),
};

export const hideNotification = (id: number): void =>
  publish(entries.get().map((entry) => (entry.id === id ? { ...entry, shown: false } : entry)));

/** `null` removes the undo button. */
export const setUndoState = (id: number, state: 'running' | null): void =>
  publish(
    entries.get().map((entry): NotificationEntry => {
      if (entry.id !== id || entry.undo === undefined) return entry;
      const { undo, ...rest } = entry;
      return state === null ? rest : { ...rest, undo: { ...undo, state } };
    }),
  );

/** The newest visible notification with an undo button. */
export const lastUndoable = (): NotificationEntry | undefined => entries.get().find(({ shown, undo }) => shown && undo?.state === 'open');

export const clearNotifications = (): void => publish([]);

/** What a reload of the page does. */
export const restoreNotifications = (): void => publish(loadUndoable());

export const useNotifications = (): readonly NotificationEntry[] => useStore(entries);
