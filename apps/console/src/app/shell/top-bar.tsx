import { useQueryClient } from '@tanstack/react-query';
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import { useEffect, useState } from 'react';
import { useConnectionState } from '../../data/live/use-live-updates';
import { useSession } from '../../data/session/use-session';
import { SHELL_TEXT } from '../../text/shell.text';
import type { StatusTone } from '../../theme/tokens';
import { duration } from '../../ui/format';
import { mdiPause, mdiPlay, mdiMagnify, mdiMenu, mdiRefresh } from '@mdi/js';
import Button from '@mui/material/Button';
import { errorText } from '../../data/http/client';
import { usePublishing, useSetPublishing } from '../../data/publishing/use-publishing';
import { useConfirm } from '../../ui/confirm-dialog';
import { Icon } from '../../ui/icon';
import { notify } from '../../ui/notifications';
import IconButton from '@mui/material/IconButton';
import { NotificationMenu } from '../notifications/notification-menu';
import { useRefresh } from './global-shortcuts';
import { ThemeMenu, ZoneMenu } from './top-bar-menus';

const TICK_MS = 1_000;

const CONNECTION_TONE: Record<keyof typeof SHELL_TEXT.link, StatusTone> = {
  live: 'green',
  connecting: 'grey',
  reconnecting: 'orange',
  off: 'grey',
  ended: 'red',
};

/** Seconds since something on the screen was last read, or `null` before anything was. */
function useSecondsSinceRead(): number | null {
  const client = useQueryClient();
  const [seconds, setSeconds] = useState<number | null>(null);
  useEffect(() => {
    const look = () => {
      const shown = client
        .getQueryCache()
        .getAll()
        .filter((query) => query.isActive());
      const last = Math.max(0, ...shown.map((query) => query.state.dataUpdatedAt));
      setSeconds(last === 0 ? null : Math.max(0, Math.floor((Date.now() - last) / 1000)));
    };
    look();
    const timer = setInterval(look, TICK_MS);
    return () => clearInterval(timer);
  }, [client]);
  return seconds;
}

/** Whether changes appear by themselves, and how old what is on the screen may be. */
export function ConnectionStatus() {
  const link = useConnectionState();
  const { ended } = useSession();
  const state = ended ? 'ended' : link;
  const seconds = useSecondsSinceRead();
  return (
    <Stack
      direction="row"
      title={SHELL_TEXT.linkHint[state]}
      sx={{ alignItems: 'center', gap: 2, fontSize: 12, color: 'text.secondary', px: 1, minWidth: 0 }}
    >
      <Box sx={{ width: 8, height: 8, borderRadius: 999, flexShrink: 0, bgcolor: `status.${CONNECTION_TONE[state]}.dot` }} />
      <Box component="span" role="status" sx={{ whiteSpace: 'nowrap', overflow: 'hidden', textOverflow: 'ellipsis' }}>
        {SHELL_TEXT.link[state]}
      </Box>
      {seconds === null ? null : (
        <Box component="span" className="tabular" sx={{ display: { xs: 'none', sm: 'inline' }, whiteSpace: 'nowrap' }}>
          {SHELL_TEXT.updated(duration(seconds))}
        </Box>
      )}
    </Stack>
  );
}

/** The one switch that stops all publishing, Post Now included. */
export function PublishingSwitch() {
  const { data } = usePublishing();
  const change = useSetPublishing();
  const { confirm, dialog } = useConfirm();
  if (data === undefined) return null;
  const { paused } = data;
  const flip = () => change.mutate(!paused, { onError: (error) => notify.failure(errorText(error)) });
  const label = paused ? SHELL_TEXT.resume : SHELL_TEXT.pause;
  const ask = paused
    ? { question: SHELL_TEXT.resumeQuestion, detail: SHELL_TEXT.resumeDetail, confirm: label }
    : { question: SHELL_TEXT.pauseQuestion, detail: SHELL_TEXT.pauseDetail, confirm: label };
  return (
    <>
      <Button
        size="small"
        variant={paused ? 'contained' : 'outlined'}
        disabled={change.isPending}
        aria-label={label}
        onClick={() => confirm(ask, flip)}
        startIcon={<Icon path={paused ? mdiPlay : mdiPause} />}
        sx={{ '& .MuiButton-startIcon': { mr: { xs: 0, sm: 1.5 } }, minWidth: { xs: 36, sm: 64 } }}
      >
        <Box component="span" sx={{ display: { xs: 'none', sm: 'inline' } }}>
          {label}
        </Box>
      </Button>
      {dialog}
    </>
  );
}

interface TopBarProps {
  onOpenNavigation: () => void;
  onOpenPalette: () => void;
}

/** What is true on every screen: how fresh it is, the publishing switch, failures, zone and colours. A phone finds the last two in Settings. */
export function TopBar({ onOpenNavigation, onOpenPalette }: TopBarProps) {
  const refresh = useRefresh();
  return (
    <Stack
      component="header"
      direction="row"
      sx={{
        position: 'sticky',
        top: 0,
        zIndex: 1100,
        height: 56,
        flexShrink: 0,
        px: { xs: 2, sm: 6, lg: 8 },
        alignItems: 'center',
        gap: { xs: 0.5, sm: 2 },
        bgcolor: 'background.default',
        borderBottom: 1,
        borderColor: 'line.main',
      }}
    >
      <IconButton aria-label={SHELL_TEXT.openNavigation} onClick={onOpenNavigation} sx={{ display: { md: 'none' } }}>
        <Icon path={mdiMenu} />
      </IconButton>
      <ConnectionStatus />
      <Box sx={{ flex: 1 }} />
      <IconButton
        aria-label={SHELL_TEXT.refresh}
        title={SHELL_TEXT.refresh}
        onClick={refresh}
        sx={{ display: { xs: 'none', sm: 'inline-flex' } }}
      >
        <Icon path={mdiRefresh} />
      </IconButton>
      <IconButton aria-label={SHELL_TEXT.palette} title={`${SHELL_TEXT.palette} (Ctrl K)`} aria-haspopup="dialog" onClick={onOpenPalette}>
        <Icon path={mdiMagnify} />
      </IconButton>
      <PublishingSwitch />
      <NotificationMenu />
      <Box sx={{ display: { xs: 'none', sm: 'flex' }, alignItems: 'center', gap: 1 }}>
        <ZoneMenu />
        <ThemeMenu />
      </Box>
    </Stack>
  );
}
