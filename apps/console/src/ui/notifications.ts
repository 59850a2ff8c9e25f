import { useSyncExternalStore } from 'react';
import type { Undo } from '../data/undo/undo';

export interface NotificationEntry {
  id: number;
  tone: 'green' | 'red';
  text: string;
  /** ISO text. */
  at: string;
  /** Still on the screen; afterwards it stays in the list behind the bell. */
  shown: boolean;
  undo?: Undo & { state: 'open' | 'running' };
}

/** Milliseconds for which a change can be taken back from the notice itself. */
export const UNDO_MS = 10_000;
const KEPT = 50;
const KEY = 'autoposter.undo';
const listeners = new Set<() => void>();

/** Changes that can still be taken back outlive a reload of the page. */
function restored(): readonly NotificationEntry[] {
  try {
    const stored = JSON.parse(sessionStorage.getItem(KEY) ?? '[]') as NotificationEntry[];
    return stored.filter(({ at }) => Date.now() - Date.parse(at) < UNDO_MS).map((notice) => ({ ...notice, shown: true }));
  } catch {
    return [];
  }
}

let notices: readonly NotificationEntry[] = restored();
let last = Math.max(0, ...notices.map(({ id }) => id));

const change = (next: readonly NotificationEntry[]): void => {
  notices = next;
  try {
    const open = next.filter(({ undo }) => undo?.state === 'open');
    sessionStorage.setItem(KEY, JSON.stringify(open));
  } catch {
    // Without storage a reload takes the way back with it; the list behind the bell says what happened until then.
  }
  for (const listener of listeners) listener();
};

const add = (tone: NotificationEntry['tone'], text: string, undo?: Undo): void => {
  last += 1;
  const said: NotificationEntry = { id: last, tone, text, at: new Date().toISOString(), shown: true };
  const notice: NotificationEntry = undo === undefined ? said : { ...said, undo: { ...undo, state: 'open' } };
  change([notice, ...notices].slice(0, KEPT));
};

/**
 * Tells what happened, for a few seconds on the screen and then in the list behind the bell. `undoable` is told after the server made the
 * change; it offers the calls that take it back.
 */
export const notify = {
  success: (text: string) => add('green', text),
  failure: (text: string) => add('red', text),
  undoable: (text: string, undo: Undo) => add('green', text, undo),
};

export const hideNotification = (id: number): void =>
  change(notices.map((notice) => (notice.id === id ? { ...notice, shown: false } : notice)));

/** Marks a way back as being taken; `null` removes it, because it was taken or is closed. */
export const setUndoState = (id: number, state: 'running' | null): void =>
  change(
    notices.map((notice): NotificationEntry => {
      if (notice.id !== id || notice.undo === undefined) return notice;
      const { undo, ...rest } = notice;
      return state === null ? rest : { ...rest, undo: { ...undo, state } };
    }),
  );

/** The newest notice on the screen that can be taken back. */
export const lastUndoable = (): NotificationEntry | undefined => notices.find(({ shown, undo }) => shown && undo?.state === 'open');

export const clearNotifications = (): void => change([]);

/** Takes up again what the tab kept, as loading the page does. */
export const restoreNotifications = (): void => change(restored());

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useNotifications = (): readonly NotificationEntry[] => useSyncExternalStore(subscribe, () => notices);
