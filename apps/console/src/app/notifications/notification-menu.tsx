import type { FailureEntry } from '@autoposter/contracts';
import { mdiBellOutline } from '@mdi/js';
import Badge from '@mui/material/Badge';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Popover from '@mui/material/Popover';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router-dom';
import { useFailures, useMarkFailuresSeen } from '../../data/status/use-status';
import { SHELL_TEXT } from '../../text/shell.text';
import { timeAgo } from '../../ui/format';
import { Icon } from '../../ui/icon';
import { useNotifications } from '../../ui/notifications';
import { useNow } from '../../ui/use-now';
import { UndoButton } from './notification-stack';

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
      <Typography variant="caption" className="tabular" sx={{ color: 'text.secondary', whiteSpace: 'nowrap' }}>
        {when}
      </Typography>
    </Stack>
  );
}

/** A failed item links to its page. */
function FailureTitle({ entry, onOpen }: { entry: FailureEntry; onOpen: () => void }) {
  if (entry.kind !== 'item') return entry.title;
  return (
    <Link to={`/admin/items/${entry.id}`} onClick={onOpen}>
      {entry.title}
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

/** Unseen failures and the notifications of this session. */
export function NotificationMenu() {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const { data } = useFailures();
  const seen = useMarkFailuresSeen();
  const notifications = useNotifications();
  const now = useNow();
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
        {data === undefined || data.failures.length === 0 ? <Empty>{SHELL_TEXT.noFailures}</Empty> : null}
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
            <Button size="small" variant="outlined" disabled={seen.isPending} onClick={() => seen.mutate(undefined)}>
              {SHELL_TEXT.markSeen}
            </Button>
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
                when={timeAgo(notification.at, now)}
                action={notification.undo === undefined ? undefined : <UndoButton notification={notification} />}
              />
            ))}
          </Box>
        </Box>
      </Popover>
    </>
  );
}
