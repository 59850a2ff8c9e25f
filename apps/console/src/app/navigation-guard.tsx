import { useEffect, useState } from 'react';
import { useBlocker } from 'react-router-dom';
import { Store, useStore } from '../store/store';
import { SHELL_TEXT as TEXT } from '../text/shell.text';
import { overlays } from '../ui/back-button';
import { ConfirmDialog } from '../ui/dialogs';

/** Number of mounted editors with unsaved text. */
const unsaved = new Store(0);

/** While mounted, asks for confirmation before navigation or closing the page discards unsaved text. */
export function UnsavedText() {
  useEffect(() => {
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    unsaved.set(unsaved.get() + 1);
    window.addEventListener('beforeunload', onUnload);
    return () => {
      unsaved.set(unsaved.get() - 1);
      window.removeEventListener('beforeunload', onUnload);
    };
  }, []);
  return null;
}

interface Closing {
  close: () => void;
  /** The router has gone forward to the entry that Back has left; a change of the address before would change the wrong one. */
  returned: Promise<unknown>;
}

function Blocker() {
  /** What Back closes; `null` while a navigation is blocked for unsaved text. */
  const [closing, setClosing] = useState<Closing | null>(null);
  const blocker = useBlocker(({ currentLocation: from, nextLocation: to, historyAction }) => {
    const close = historyAction === 'POP' ? overlays.get().at(-1) : undefined;
    if (close !== undefined)
      setClosing({ close, returned: new Promise((resolve) => window.addEventListener('popstate', resolve, { once: true })) });
    else if (unsaved.get() > 0 && (from.pathname !== to.pathname || from.search !== to.search)) setClosing(null);
    else return false;
    return true;
  });
  useEffect(() => {
    if (blocker.state !== 'blocked' || closing === null) return;
    blocker.reset();
    void closing.returned.then(() => overlays.get().includes(closing.close) && closing.close());
  }, [blocker, closing]);
  if (blocker.state !== 'blocked' || closing !== null) return null;
  const question = { question: TEXT.leaveQuestion, confirm: TEXT.leave, danger: true };
  return <ConfirmDialog ask={question} onAnswer={(yes) => (yes ? blocker.proceed() : blocker.reset())} />;
}

/** A router takes one blocker, and only entries of its own can be blocked: it exists only while something is open or unsaved. */
export function NavigationGuard() {
  const isNeeded = [useStore(overlays).length, useStore(unsaved)].some((count) => count > 0);
  return isNeeded ? <Blocker /> : null;
}
