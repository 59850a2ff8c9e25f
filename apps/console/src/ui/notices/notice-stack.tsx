import { mdiAlertCircle, mdiCheckCircle, mdiClose } from '@mdi/js';
import { LIMITS } from '@autoposter/contracts';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Stack from '@mui/material/Stack';
import { useEffect, useState } from 'react';
import { Icon } from '../icon';
import { hideNotice, useNotices, type Notice } from './notice-store';

function NoticeCard({ notice }: { notice: Notice }) {
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(() => hideNotice(notice.id), LIMITS.polling.noticeMs);
    return () => clearTimeout(timer);
  }, [held, notice.id]);
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
      <Box sx={{ flex: 1 }}>{notice.text}</Box>
      <IconButton size="small" aria-label="Close notice" onClick={() => hideNotice(notice.id)}>
        <Icon path={mdiClose} />
      </IconButton>
    </Box>
  );
}

/** Notices of the last seconds; they wait while hovered or focused. */
export function NoticeStack() {
  const shown = useNotices().filter((notice) => notice.shown);
  return (
    <Stack
      sx={{
        position: 'fixed',
        right: { xs: 16, md: 24 },
        bottom: 24,
        left: { xs: 16, sm: 'auto' },
        zIndex: 1500,
        width: { sm: 380 },
        gap: 2,
      }}
    >
      {shown.map((notice) => (
        <NoticeCard key={notice.id} notice={notice} />
      ))}
    </Stack>
  );
}
