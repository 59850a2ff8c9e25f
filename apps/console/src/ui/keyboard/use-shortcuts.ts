import { useEffect, useRef, useState } from 'react';
import { readPreferences } from '../../preferences/preferences';

interface Shortcut {
  /** A `KeyboardEvent.key` ("r", "?", "ArrowDown"), a sequence of two ("g d"), or one with Ctrl or Cmd ("mod+k"). */
  keys: string;
  label: string;
  run: (event: KeyboardEvent) => void;
}

interface ShortcutScope {
  /** Heading in the shortcuts dialog. */
  name: string;
  /** Also active while a dialog is open, for the dialog's own shortcuts. */
  inDialog: boolean;
  /** Nested components render later and have a higher number. */
  order: number;
  shortcuts: () => readonly Shortcut[];
}

const SEQUENCE_TIMEOUT_MS = 1_200;
const TEXT_INPUT =
  'input:not([type=checkbox]):not([type=radio]):not([type=button]), textarea, select, [contenteditable="true"], [role=combobox]';
const OVERLAY = '[role=dialog], [role=alertdialog], [role=menu], [role=listbox]';
/** Controls that handle Enter and Space themselves. */
const ACTIVATABLE = 'button, a[href], [role=button], [role=tab], [role=menuitem], summary, video, input';

const scopes: ShortcutScope[] = [];
let lastOrder = 0;
let first: { key: string; at: number } | null = null;

/** Mounted scopes, outermost first. */
export const activeScopes = (): readonly ShortcutScope[] => scopes;

const nextOrder = (): number => (lastOrder += 1);

const within = (event: KeyboardEvent, selector: string): boolean =>
  event.target instanceof Element && event.target.closest(selector) !== null;

function keyNameOf(event: KeyboardEvent): string | null {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (event.altKey) return null;
  if (event.ctrlKey || event.metaKey) return `mod+${event.shiftKey ? 'shift+' : ''}${key}`;
  return event.shiftKey && event.key.length > 1 ? `shift+${key}` : key;
}

const find = (keys: string, dialogOpen: boolean): Shortcut | undefined =>
  scopes
    .filter(({ inDialog }) => inDialog || !dialogOpen)
    .toReversed()
    .flatMap(({ shortcuts }) => shortcuts())
    .find((shortcut) => shortcut.keys === keys);

const startsSequence = (key: string): boolean => scopes.some(({ shortcuts }) => shortcuts().some(({ keys }) => keys.startsWith(`${key} `)));

function onKey(event: KeyboardEvent): void {
  const key = keyNameOf(event);
  if (key === null || event.defaultPrevented || event.isComposing || within(event, TEXT_INPUT)) {
    // Only the command palette opens from a text field.
    if (key !== 'mod+k' || event.defaultPrevented) return;
  }
  const isPlain = !key.startsWith('mod+');
  if (isPlain && !readPreferences().shortcuts && key.length === 1) return;
  if ((key === 'Enter' || key === ' ') && within(event, ACTIVATABLE)) return;
  const prefix = first !== null && event.timeStamp - first.at <= SEQUENCE_TIMEOUT_MS ? first.key : null;
  first = null;
  const dialogOpen = document.querySelector(OVERLAY) !== null;
  const shortcut = (prefix === null ? undefined : find(`${prefix} ${key}`, dialogOpen)) ?? find(key, dialogOpen);
  if (shortcut !== undefined) {
    event.preventDefault();
    shortcut.run(event);
  } else if (isPlain && !dialogOpen && startsSequence(key)) {
    first = { key, at: event.timeStamp };
  }
}

/** Returns a function that removes the scope. The innermost scope takes precedence. */
function addScope(scope: ShortcutScope): () => void {
  if (scopes.length === 0) window.addEventListener('keydown', onKey);
  scopes.push(scope);
  scopes.sort((a, b) => a.order - b.order);
  return () => {
    scopes.splice(scopes.indexOf(scope), 1);
    if (scopes.length === 0) window.removeEventListener('keydown', onKey);
  };
}

/**
 * Shortcuts of a component while it is mounted. They are inactive while the user types or, unless `inDialog` is set, while a dialog is open.
 * Single-letter shortcuts can be switched off in the preferences.
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
