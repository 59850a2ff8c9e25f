import { useEffect } from 'react';
import { useBlocker } from 'react-router-dom';
import { PROCESSED_TEXT as TEXT } from '../../text/processed.text';
import { ConfirmDialog } from '../../ui/confirm-dialog';

/** There while something is typed and not saved: asks before another screen, post or dialog takes its place, or the page goes. */
export function LeaveGuard() {
  const blocker = useBlocker(({ currentLocation: from, nextLocation: to }) => from.pathname !== to.pathname || from.search !== to.search);
  useEffect(() => {
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', onUnload);
    return () => window.removeEventListener('beforeunload', onUnload);
  }, []);
  const asked = blocker.state === 'blocked' ? { question: TEXT.leaveQuestion, confirm: TEXT.leave, danger: true } : null;
  return <ConfirmDialog ask={asked} onAnswer={(yes) => (yes ? blocker.proceed?.() : blocker.reset?.())} />;
}
