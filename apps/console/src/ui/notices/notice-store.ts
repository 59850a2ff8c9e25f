import { useSyncExternalStore } from 'react';

export interface Notice {
  id: number;
  tone: 'green' | 'red';
  text: string;
  at: string;
  /** Still on the screen; afterwards it stays in the list behind the bell. */
  shown: boolean;
}

const KEPT = 50;
let notices: readonly Notice[] = [];
let last = 0;
const listeners = new Set<() => void>();

const change = (next: readonly Notice[]): void => {
  notices = next;
  for (const listener of listeners) listener();
};

const add = (tone: Notice['tone'], text: string): void => {
  last += 1;
  change([{ id: last, tone, text, at: new Date().toISOString(), shown: true }, ...notices].slice(0, KEPT));
};

/** Tells what happened, for a few seconds on the screen and then in the list behind the bell. */
export const notify = { success: (text: string) => add('green', text), failure: (text: string) => add('red', text) };

export const hideNotice = (id: number): void => change(notices.map((notice) => (notice.id === id ? { ...notice, shown: false } : notice)));

export const clearNotices = (): void => change([]);

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useNotices = (): readonly Notice[] => useSyncExternalStore(subscribe, () => notices);
