import { mdiMagnify, mdiMenu, mdiMonitor, mdiPause, mdiPlay, mdiRefresh, mdiWeatherNight, mdiWhiteBalanceSunny } from '@mdi/js';
import { useColorScheme } from '@mui/material/styles';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { errorText } from '../../data/http/client';
import { useConnectionState } from '../../data/live/use-live-updates';
import { usePublishing, useTogglePublishing } from '../../data/publishing/use-publishing';
import { useSession } from '../../data/session/use-session';
import { localZone, setPreferences, usePreferences } from '../../preferences/preferences';
import { SHELL_TEXT } from '../../text/shell.text';
import type { StatusTone } from '../../theme/tokens';
import { ActionButton } from '../../ui/actions';
import { useConfirm } from '../../ui/dialogs';
import { duration, shortZone } from '../../ui/format';
import { Icon } from '../../ui/icons';
import { Menu } from '../../ui/back-button';
import { Box, Button, IconButton, ListItemIcon, MenuItem, Span, Stack } from '../../ui/mui';
import { notify } from '../../ui/notifications';
import { NotificationMenu } from '../notifications/notifications';
import { useRefresh } from './global-shortcuts';

const MODES = [
  { mode: 'light', icon: mdiWhiteBalanceSunny },
  { mode: 'dark', icon: mdiWeatherNight },
  { mode: 'system', icon: mdiMonitor },
] as const;

function ThemeMenu() {
  const { mode, setMode } = useColorScheme();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const current = MODES.find((entry) => entry.mode === mode) ?? MODES[2];
  return (
    <>
      <IconButton aria-label={SHELL_TEXT.themeButton} aria-haspopup="menu" onClick={(event) => setAnchor(event.currentTarget)}>
        <Icon path={current.icon} />
      </IconButton>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
        {MODES.map((entry) => (
          <MenuItem
            key={entry.mode}
            selected={entry.mode === current.mode}
            onClick={() => {
              setMode(entry.mode);
              setAnchor(null);
            }}
          >
            <ListItemIcon>
              <Icon path={entry.icon} />
            </ListItemIcon>
            {SHELL_TEXT.theme[entry.mode]}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}

function ZoneMenu() {
  const { timeZone } = usePreferences();
  const navigate = useNavigate();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const close = () => setAnchor(null);
  const choose = (zone: string | null) => {
    setPreferences({ timeZone: zone });
    close();
  };
  const local = localZone();
  const zone = timeZone ?? local;
  const label = SHELL_TEXT.zone(shortZone(zone), zone);
  const others = [...new Set(['UTC', zone])].filter((name) => name !== local);
  return (
    <>
      <ActionButton
        small
        label={shortZone(zone)}
        variant="text"
        aria-label={label}
        aria-haspopup="menu"
        title={label}
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={{ color: 'text.secondary', minWidth: 0, px: 2 }}
      />
      <Menu anchorEl={anchor} open={anchor !== null} onClose={close}>
        <MenuItem selected={timeZone === null} onClick={() => choose(null)}>
          {SHELL_TEXT.zoneHere(local)}
        </MenuItem>
        {others.map((name) => (
          <MenuItem key={name} selected={timeZone === name} onClick={() => choose(name)}>
            {name}
          </MenuItem>
        ))}
        <MenuItem
          onClick={() => {
            close();
            void navigate('/admin/settings#preferences');
          }}
        >
          {SHELL_TEXT.zoneOther}
        </MenuItem>
      </Menu>
    </>
  );
}

const TICK_MS = 1_000;

const CONNECTION_TONE: Record<keyof typeof SHELL_TEXT.link, StatusTone> = {
  live: 'green',
  connecting: 'grey',
  reconnecting: 'orange',
  off: 'grey',
  ended: 'red',
};

/** Seconds since the last fetch of a mounted query, or `null` before the first one. */
function useSecondsSinceFetch(): number | null {
  const client = useQueryClient();
  const [seconds, setSeconds] = useState<number | null>(null);
  useEffect(() => {
    const update = () => {
      const active = client
        .getQueryCache()
        .getAll()
        .filter((query) => query.isActive());
      const last = Math.max(0, ...active.map((query) => query.state.dataUpdatedAt));
      setSeconds(last === 0 ? null : Math.max(0, Math.floor((Date.now() - last) / 1000)));
    };
    update();
    const timer = setInterval(update, TICK_MS);
    return () => clearInterval(timer);
  }, [client]);
  return seconds;
}

function ConnectionStatus() {
  const connection = useConnectionState();
  const state = useSession().ended ? 'ended' : connection;
  const seconds = useSecondsSinceFetch();
  return (
    <Stack
      direction="row"
      title={SHELL_TEXT.linkHint[state]}
      sx={{ alignItems: 'center', gap: 2, fontSize: 12, color: 'text.secondary', px: 1, minWidth: 0 }}
    >
      <Box sx={{ width: 8, height: 8, borderRadius: 999, flexShrink: 0, bgcolor: `status.${CONNECTION_TONE[state]}.dot` }} />
      <Span role="status" sx={{ whiteSpace: 'nowrap', overflow: 'hidden', textOverflow: 'ellipsis' }}>
        {SHELL_TEXT.link[state]}
      </Span>
      {seconds === null ? null : (
        <Span sx={{ display: { xs: 'none', sm: 'inline' }, whiteSpace: 'nowrap' }}>{SHELL_TEXT.updated(duration(seconds))}</Span>
      )}
    </Stack>
  );
}

/** Pauses or resumes all publishing, Post Now included. */
function PublishingSwitch() {
  const { data } = usePublishing();
  const change = useTogglePublishing();
  const { confirm, dialog } = useConfirm();
  if (data === undefined) return null;
  const { paused } = data;
  const toggle = () => change.mutate(data, { onError: (error) => notify.failure(errorText(error)) });
  const label = paused ? SHELL_TEXT.resume : SHELL_TEXT.pause;
  const question = paused
    ? {
        question: SHELL_TEXT.resumeQuestion,
        detail: data.cause === 'strikes' ? SHELL_TEXT.acknowledge : SHELL_TEXT.resumeDetail,
        confirm: label,
      }
    : { question: SHELL_TEXT.pauseQuestion, detail: SHELL_TEXT.pauseDetail, confirm: label };
  return (
    <>
      <Button
        size="small"
        variant={paused ? 'contained' : 'outlined'}
        disabled={change.isPending}
        aria-label={label}
        onClick={() => confirm(question, toggle)}
        startIcon={<Icon path={paused ? mdiPlay : mdiPause} />}
        sx={{ '& .MuiButton-startIcon': { mr: { xs: 0, sm: 1.5 } }, minWidth: { xs: 36, sm: 64 } }}
      >
        <Span sx={{ display: { xs: 'none', sm: 'inline' } }}>{label}</Span>
      </Button>
      {dialog}
    </>
  );
}

/** On a phone, time zone and colour scheme are in Settings instead. */
export function TopBar({ onOpenNavigation, onOpenPalette }: { onOpenNavigation: () => void; onOpenPalette: () => void }) {
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
