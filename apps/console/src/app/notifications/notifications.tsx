import { mdiAlertCircle, mdiBellOutline, mdiCheckCircle, mdiClose } from '@mdi/js';
import type { FailureEntry } from '@autoposter/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { invalidate } from '../../data/http/cache';
import { useFailures, useMarkFailuresSeen } from '../../data/status/use-status';
import { runUndo } from '../../data/undo/undo';
import { usePreferences } from '../../preferences/preferences';
import { SHELL_TEXT, UNDO_TEXT } from '../../text/shell.text';
import { ActionButton } from '../../ui/actions';
import { timeAgo, titleText } from '../../ui/format';
import { Icon } from '../../ui/icons';
import { Popover } from '../../ui/back-button';
import { Badge, Box, IconButton, Portal, Stack, Typography } from '../../ui/mui';
import { hideNotification, type NotificationEntry, notify, setUndoState, UNDO_MS, useNotifications } from '../../ui/notifications';
import { useLocalNow, useNow } from '../../ui/timers';

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
function UndoButton({ notification }: { notification: NotificationEntry }) {
  const undo = useUndo();
  if (notification.undo === undefined) return null;
  return <ActionButton small label={UNDO_TEXT.undo} loading={notification.undo.state === 'running'} onClick={() => undo(notification)} />;
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

interface LineProps {
  title?: ReactNode;
  text: string;
  hint?: string | null;
  when: string;
  tone: 'red' | 'green';
  action?: ReactNode;
}

function Line({ title, text, hint, when, tone, action }: LineProps) {
  return (
    <Stack component="li" direction="row" sx={{ gap: 2.5, px: 4, py: 2.5, fontSize: 13 }}>
      <Box sx={{ width: 8, height: 8, mt: 1.5, borderRadius: 999, flexShrink: 0, bgcolor: `status.${tone}.dot` }} />
      <Box sx={{ minWidth: 0, flex: 1, overflowWrap: 'anywhere' }}>
        {title === undefined ? null : <Box sx={{ fontWeight: 580 }}>{title}</Box>}
        {text}
        {hint === undefined || hint === null ? null : <Box sx={{ color: 'text.secondary' }}>{hint}</Box>}
        {action === undefined ? null : <Box sx={{ mt: 1 }}>{action}</Box>}
      </Box>
      <Typography variant="caption" sx={{ color: 'text.secondary', whiteSpace: 'nowrap' }}>
        {when}
      </Typography>
    </Stack>
  );
}

function FailureTitle({ entry, onOpen }: { entry: FailureEntry; onOpen: () => void }) {
  if (entry.kind !== 'item') return entry.title;
  return (
    <Link to={`/admin/items/${entry.id}`} onClick={onOpen}>
      {titleText(entry.title)}
    </Link>
  );
}

const Heading = ({ children }: { children: string }) => (
  <Typography variant="h3" component="h2" sx={{ px: 4, pt: 4, pb: 1 }}>
    {children}
  </Typography>
);

const Empty = ({ children }: { children: string }) => (
  <Typography variant="body2" sx={{ color: 'text.secondary', px: 4, pb: 3 }}>
    {children}
  </Typography>
);

const MAX_BADGE = 99;

export function NotificationMenu() {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const { data, isError } = useFailures();
  const seen = useMarkFailuresSeen();
  const notifications = useNotifications();
  const now = useNow();
  const localNow = useLocalNow();
  const unseen = data?.unseen ?? 0;
  const list = { listStyle: 'none', m: 0, p: 0 };
  return (
    <>
      <IconButton
        aria-label={SHELL_TEXT.notificationMenuWith(unseen > MAX_BADGE ? `${MAX_BADGE}+` : String(unseen))}
        aria-haspopup="dialog"
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <Badge
          badgeContent={unseen}
          color="error"
          max={MAX_BADGE}
          // "99+" must fit on the narrowest screen.
          sx={{ '& .MuiBadge-badge': { right: 7, px: 1, minWidth: 18, height: 18, fontSize: 11 } }}
        >
          <Icon path={mdiBellOutline} />
        </Badge>
      </IconButton>
      <Popover
        open={anchor !== null}
        anchorEl={anchor}
        onClose={() => setAnchor(null)}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
        transformOrigin={{ vertical: 'top', horizontal: 'right' }}
        slotProps={{
          paper: {
            role: 'dialog',
            'aria-label': SHELL_TEXT.notificationMenu,
            sx: { width: 400, maxWidth: 'calc(100vw - 32px)', border: 1, borderColor: 'line.main' },
          },
        }}
      >
        <Heading>{SHELL_TEXT.failures}</Heading>
        {data === undefined && isError ? <Empty>{SHELL_TEXT.unknownFailures}</Empty> : null}
        {data?.failures.length === 0 ? <Empty>{SHELL_TEXT.noFailures}</Empty> : null}
        <Box component="ul" sx={list}>
          {data?.failures.map((entry) => (
            <Line
              key={entry.id}
              tone="red"
              title={<FailureTitle entry={entry} onOpen={() => setAnchor(null)} />}
              text={entry.message}
              hint={entry.nextAction}
              when={timeAgo(entry.occurredAt, now)}
            />
          ))}
        </Box>
        {unseen > 0 ? (
          <Box sx={{ px: 4, py: 2 }}>
            <ActionButton small label={SHELL_TEXT.markSeen} disabled={seen.isPending} onClick={() => seen.mutate(undefined)} />
          </Box>
        ) : null}
        <Box sx={{ borderTop: 1, borderColor: 'line.main' }}>
          <Heading>{SHELL_TEXT.notifications}</Heading>
          {notifications.length === 0 ? <Empty>{SHELL_TEXT.noNotifications}</Empty> : null}
          <Box component="ul" sx={{ ...list, pb: 2 }}>
            {notifications.map((notification) => (
              <Line
                key={notification.id}
                tone={notification.tone}
                text={notification.text}
                when={timeAgo(notification.at, localNow)}
                action={notification.undo === undefined ? undefined : <UndoButton notification={notification} />}
              />
            ))}
          </Box>
        </Box>
      </Popover>
    </>
  );
}
