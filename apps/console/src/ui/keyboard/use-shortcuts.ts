import { readPreferences } from '../../preferences/preferences';
import { useEffect, useRef, useState } from 'react';

/**
 * A key and what it does. `keys` is a key as `KeyboardEvent.key` names it ("r", "?", "ArrowDown"), two keys one after the other ("g d"),
 * or a key with Ctrl or Cmd ("mod+k"). `label` is shown on the help sheet.
 */
export interface Shortcut {
  keys: string;
  label: string;
  run: (event: KeyboardEvent) => void;
}

export interface ShortcutScope {
  /** Heading on the help sheet. */
  name: string;
  /** Works while a dialog is open too, for the keys of that dialog. */
  inDialog: boolean;
  /** What is further in is drawn later and has the higher number. */
  order: number;
  shortcuts: () => readonly Shortcut[];
}

/** Milliseconds that the first key of two waits for the second. */
const SECOND_KEY_MS = 1_200;
const TYPING =
  'input:not([type=checkbox]):not([type=radio]):not([type=button]), textarea, select, [contenteditable="true"], [role=combobox]';
const OPEN = '[role=dialog], [role=alertdialog], [role=menu], [role=listbox]';
/** Keys that the control in focus needs for itself. */
const PRESSED_BY = 'button, a[href], [role=button], [role=tab], [role=menuitem], summary, video, input';

const scopes: ShortcutScope[] = [];
let drawn = 0;
let first: { key: string; at: number } | null = null;

/** The scopes that are on the screen, the outermost first. */
export const activeScopes = (): readonly ShortcutScope[] => scopes;

export const nextOrder = (): number => (drawn += 1);

const within = (event: KeyboardEvent, selector: string): boolean =>
  event.target instanceof Element && event.target.closest(selector) !== null;

function named(event: KeyboardEvent): string | null {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (event.altKey) return null;
  if (event.ctrlKey || event.metaKey) return `mod+${key}`;
  return event.shiftKey && event.key.length > 1 ? `shift+${key}` : key;
}

const find = (keys: string, dialogOpen: boolean): Shortcut | undefined =>
  scopes
    .filter(({ inDialog }) => inDialog || !dialogOpen)
    .toReversed()
    .flatMap(({ shortcuts }) => shortcuts())
    .find((shortcut) => shortcut.keys === keys);

const startsTwo = (key: string): boolean => scopes.some(({ shortcuts }) => shortcuts().some(({ keys }) => keys.startsWith(`${key} `)));

function onKey(event: KeyboardEvent): void {
  const key = named(event);
  if (key === null || event.defaultPrevented || event.isComposing || within(event, TYPING)) {
    // A palette opens from a field too; everything else belongs to the field.
    if (key !== 'mod+k' || event.defaultPrevented) return;
  }
  const plain = !key.startsWith('mod+');
  if (plain && !readPreferences().shortcuts && key.length === 1) return;
  if ((key === 'Enter' || key === ' ') && within(event, PRESSED_BY)) return;
  const waited = first !== null && event.timeStamp - first.at <= SECOND_KEY_MS ? first.key : null;
  first = null;
  const dialogOpen = document.querySelector(OPEN) !== null;
  const shortcut = (waited === null ? undefined : find(`${waited} ${key}`, dialogOpen)) ?? find(key, dialogOpen);
  if (shortcut !== undefined) {
    event.preventDefault();
    shortcut.run(event);
  } else if (plain && !dialogOpen && startsTwo(key)) {
    first = { key, at: event.timeStamp };
  }
}

/** Adds keys until the returned function is called. Keys of the innermost scope win. */
export function addScope(scope: ShortcutScope): () => void {
  if (scopes.length === 0) window.addEventListener('keydown', onKey);
  scopes.push(scope);
  scopes.sort((a, b) => a.order - b.order);
  return () => {
    scopes.splice(scopes.indexOf(scope), 1);
    if (scopes.length === 0) window.removeEventListener('keydown', onKey);
  };
}

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
