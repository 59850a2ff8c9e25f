import { mdiAlertCircle, mdiCheckCircle, mdiClose } from '@mdi/js';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Portal from '@mui/material/Portal';
import Stack from '@mui/material/Stack';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { invalidate } from '../../data/http/cache';
import { runUndo } from '../../data/undo/undo';
import { usePreferences } from '../../preferences/preferences';
import { UNDO_TEXT } from '../../text/shell.text';
import { Icon } from '../../ui/icon';
import { hideNotification, type NotificationEntry, notify, setUndoState, UNDO_MS, useNotifications } from '../../ui/notifications';

/** Reverts a change and shows the result. */
export function useUndo(): (notification: NotificationEntry) => void {
  const client = useQueryClient();
  return useCallback(
    (notification) => {
      const { undo } = notification;
      if (undo === undefined || undo.state === 'running') return;
      setUndoState(notification.id, 'running');
      void runUndo(undo.steps).then((errors) => {
        if (errors.size === 0) notify.success(`${UNDO_TEXT.undone}: ${notification.text}`);
        for (const message of errors) notify.failure(UNDO_TEXT.failed(message));
        setUndoState(notification.id, null);
        hideNotification(notification.id);
        void invalidate(client, undo.refresh);
      });
    },
    [client],
  );
}

/** Also shown in the notification menu after the notification has disappeared; the server rejects an undo that is too late. */
export function UndoButton({ notification }: { notification: NotificationEntry }) {
  const undo = useUndo();
  if (notification.undo === undefined) return null;
  return (
    <Button size="small" variant="outlined" loading={notification.undo.state === 'running'} onClick={() => undo(notification)}>
      {UNDO_TEXT.undo}
    </Button>
  );
}

function NotificationCard({ notification }: { notification: NotificationEntry }) {
  const [hovered, setHovered] = useState(false);
  const { noticeSeconds } = usePreferences();
  useEffect(() => {
    if (hovered || noticeSeconds === 0) return;
    const durationMs = Math.max(notification.undo === undefined ? 0 : UNDO_MS, noticeSeconds * 1000);
    const timer = setTimeout(() => hideNotification(notification.id), durationMs);
    return () => clearTimeout(timer);
  }, [hovered, notification.id, notification.undo, noticeSeconds]);
  const pause = {
    onMouseEnter: () => setHovered(true),
    onMouseLeave: () => setHovered(false),
    onFocus: () => setHovered(true),
    onBlur: () => setHovered(false),
  };
  return (
    <Box
      {...pause}
      role={notification.tone === 'red' ? 'alert' : 'status'}
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
      <Icon path={notification.tone === 'red' ? mdiAlertCircle : mdiCheckCircle} sx={{ color: `status.${notification.tone}.dot` }} />
      <Box sx={{ flex: 1, minWidth: 0 }}>{notification.text}</Box>
      <UndoButton notification={notification} />
      <IconButton size="small" aria-label="Close notice" onClick={() => hideNotification(notification.id)}>
        <Icon path={mdiClose} />
      </IconButton>
    </Box>
  );
}

/** MUI hides the siblings of an open dialog from screen readers; notifications must stay audible. */
function preventAriaHidden(stack: HTMLElement | null): (() => void) | undefined {
  if (stack === null) return undefined;
  const observer = new MutationObserver(() => stack.removeAttribute('aria-hidden'));
  observer.observe(stack, { attributes: true, attributeFilter: ['aria-hidden'] });
  return () => observer.disconnect();
}

/** Recent notifications above the run bar; hover or focus keeps them visible. A portal, because an open dialog silences the page. */
export function NotificationStack() {
  const visible = useNotifications().filter(({ shown }) => shown);
  if (visible.length === 0) return null;
  return (
    <Portal>
      <Stack
        ref={preventAriaHidden}
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
        {visible.map((notification) => (
          <NotificationCard key={notification.id} notification={notification} />
        ))}
      </Stack>
    </Portal>
  );
}
