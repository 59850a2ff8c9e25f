import { mdiAlertCircle, mdiCheckCircle, mdiClose } from '@mdi/js';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Portal from '@mui/material/Portal';
import Stack from '@mui/material/Stack';
import { useEffect, useState, useCallback } from 'react';
import { usePreferences } from '../../preferences/preferences';
import { UNDO_TEXT } from '../../text/shell.text';
import { Icon } from '../../ui/icon';
import { hideNotification, UNDO_MS, useNotifications, type NotificationEntry, setUndoState, notify } from '../../ui/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { runUndo } from '../../data/undo/undo';

function NotificationCard({ notice }: { notice: NotificationEntry }) {
  const [held, setHeld] = useState(false);
  const { noticeSeconds } = usePreferences();
  const undo = useUndo();
  useEffect(() => {
    if (held || noticeSeconds === 0) return;
    const spell = notice.undo === undefined ? noticeSeconds * 1000 : Math.max(UNDO_MS, noticeSeconds * 1000);
    const timer = setTimeout(() => hideNotification(notice.id), spell);
    return () => clearTimeout(timer);
  }, [held, notice.id, notice.undo, noticeSeconds]);
  const hold = {
    onMouseEnter: () => setHeld(true),
    onMouseLeave: () => setHeld(false),
    onFocus: () => setHeld(true),
    onBlur: () => setHeld(false),
  };
  return (
    <Box
      {...hold}
      role={notice.tone === 'red' ? 'alert' : 'status'}
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 2.5,
        pl: 4,
        pr: 1.5,
        py: 1.5,
        borderRadius: 2.5,
        border: 1,
        borderColor: 'line.main',
        bgcolor: 'background.paper',
        boxShadow: 6,
        fontSize: 13,
        overflowWrap: 'anywhere',
      }}
    >
      <Icon path={notice.tone === 'red' ? mdiAlertCircle : mdiCheckCircle} sx={{ color: `status.${notice.tone}.dot` }} />
      <Box sx={{ flex: 1, minWidth: 0 }}>{notice.text}</Box>
      {notice.undo === undefined ? null : (
        <Button size="small" variant="outlined" loading={notice.undo.state === 'running'} onClick={() => undo(notice)}>
          {UNDO_TEXT.undo}
        </Button>
      )}
      <IconButton size="small" aria-label="Close notice" onClick={() => hideNotification(notice.id)}>
        <Icon path={mdiClose} />
      </IconButton>
    </Box>
  );
}

/** A dialog that opens hides from screen readers whatever stands beside it; notices are to be read out all the same. */
function keepReadable(stack: HTMLElement | null): (() => void) | undefined {
  if (stack === null) return undefined;
  const observer = new MutationObserver(() => stack.removeAttribute('aria-hidden'));
  observer.observe(stack, { attributes: true, attributeFilter: ['aria-hidden'] });
  return () => observer.disconnect();
}

/**
 * Notices of the last seconds, above the runs; they wait while hovered or focused. They come beside the page and not into it, for what is in
 * the page is not read out while a dialog is open.
 */
export function NotificationStack() {
  const shown = useNotifications().filter((notice) => notice.shown);
  if (shown.length === 0) return null;
  return (
    <Portal>
      <Stack
        ref={keepReadable}
        sx={{
          position: 'fixed',
          right: { xs: 16, md: 24 },
          bottom: 72,
          left: { xs: 16, sm: 'auto' },
          zIndex: 1500,
          width: { sm: 380 },
          gap: 2,
          pointerEvents: 'none',
          '& > *': { pointerEvents: 'auto' },
        }}
      >
        {shown.map((notice) => (
          <NotificationCard key={notice.id} notice={notice} />
        ))}
      </Stack>
    </Portal>
  );
}

/** Takes a change back by its reverse calls and says whether that worked. */
export function useUndo(): (notice: NotificationEntry) => void {
  const client = useQueryClient();
  return useCallback(
    (notice) => {
      const { undo } = notice;
      if (undo === undefined || undo.state === 'running') return;
      setUndoState(notice.id, 'running');
      void runUndo(undo.steps).then((failures) => {
        if (failures.size === 0) notify.success(`${UNDO_TEXT.undone}: ${notice.text}`);
        for (const message of failures) notify.failure(UNDO_TEXT.failed(message));
        setUndoState(notice.id, null);
        hideNotification(notice.id);
        for (const root of undo.refresh) void client.invalidateQueries({ queryKey: [root] });
      });
    },
    [client],
  );
}
