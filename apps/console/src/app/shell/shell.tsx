import Box from '@mui/material/Box';
import { usePublishing } from '../../data/publishing/use-publishing';
import { SHELL_TEXT } from '../../text/shell.text';
import { formatDateTime } from '../../ui/format';
import { MessageBar } from '../../ui/message-bar';
import Button from '@mui/material/Button';
import { SIGN_IN_TEXT } from '../../text/sign-in.text';
import type { User } from '@autoposter/contracts';
import Drawer from '@mui/material/Drawer';
import Link from '@mui/material/Link';
import { Fragment, lazy, Suspense, useEffect, useState } from 'react';
import { Outlet, ScrollRestoration, type Location } from 'react-router-dom';
import { usePreferences } from '../../preferences/preferences';
import { useStageRuns } from '../../data/runs/stage-runs';
import { restoreFocus } from '../../ui/keyboard/restore-focus';
import { NotificationStack } from '../notifications/notification-stack';
import { RunBar } from './run-bar';
import { useGlobalShortcuts, type Overlay } from './global-shortcuts';
import { Navigation } from './navigation';
import { TopBar } from './top-bar';

/** While publishing is paused: since when, by whom, and, where the product paused by itself, why and what to do. */
export function PausedBanner() {
  const { data } = usePublishing();
  if (data?.paused !== true) return null;
  const byItself = data.reason !== undefined && data.reason !== null;
  return (
    <Box component="section" aria-label={SHELL_TEXT.paused} sx={{ maxWidth: 1440, mx: 'auto', px: { xs: 4, sm: 6, lg: 8 }, pt: 4 }}>
      <MessageBar tone={byItself ? 'red' : 'orange'}>
        <strong>{SHELL_TEXT.paused}.</strong> {byItself ? `${data.reason ?? ''} ${data.nextAction ?? ''} ` : null}
        {SHELL_TEXT.pausedHint}
        {data.by === null || data.since === null ? null : ` ${SHELL_TEXT.pausedSince(data.by, formatDateTime(data.since, { zone: true }))}`}
      </MessageBar>
    </Box>
  );
}

/** The session ended while somebody was at work: the page stays as it is, and signing in leads back to it. */
export function SessionBanner({ onSignIn }: { onSignIn: () => void }) {
  return (
    <Box sx={{ maxWidth: 1440, mx: 'auto', px: { xs: 4, sm: 6, lg: 8 }, pt: 4 }}>
      <MessageBar
        tone="red"
        action={
          <Button size="small" variant="contained" onClick={onSignIn} sx={{ flexShrink: 0 }}>
            {SIGN_IN_TEXT.button}
          </Button>
        }
      >
        <strong>{SHELL_TEXT.sessionEnded}</strong> {SHELL_TEXT.sessionEndedHint}
      </MessageBar>
    </Box>
  );
}

const SIDE_PX = 256;

/** Where the page was scrolled to is kept under this. The first address of a page that loads has no key of its own, whichever it is. */
const scrollKey = ({ key, pathname, search }: Location) => (key === 'default' ? `${pathname}${search}` : key);

const Palette = lazy(async () => ({ default: (await import('../command-palette/command-palette')).CommandPalette }));
const KeysSheet = lazy(async () => ({ default: (await import('../command-palette/shortcuts-dialog')).ShortcutsDialog }));

interface ShellProps {
  user: User;
  onLogout: () => void;
  /** There once the session is over. */
  onSignIn: (() => void) | null;
}

/** The frame around every admin screen: navigation, the bar on top, runs, notices, and what opens over all of it. */
export function Shell({ user, onLogout, onSignIn }: ShellProps) {
  const [open, setOpen] = useState(false);
  const [overlay, setOverlay] = useState<Overlay | null>(null);
  const { timeZone } = usePreferences();
  useStageRuns();
  useGlobalShortcuts(setOverlay);
  useEffect(restoreFocus, []);
  const close = () => setOverlay(null);
  const navigation = <Navigation user={user} onLogout={onLogout} onNavigate={() => setOpen(false)} />;
  return (
    <Box sx={{ display: { md: 'grid' }, gridTemplateColumns: { md: `${SIDE_PX}px minmax(0, 1fr)` }, minHeight: '100dvh' }}>
      <Link
        href="#content"
        sx={{ position: 'fixed', left: 12, top: -60, zIndex: 1600, bgcolor: 'background.paper', p: 2.5, '&:focus': { top: 12 } }}
      >
        {SHELL_TEXT.skip}
      </Link>
      <Box
        component="aside"
        aria-label="Autoposter"
        sx={{
          display: { xs: 'none', md: 'block' },
          position: 'sticky',
          top: 0,
          height: '100dvh',
          borderRight: 1,
          borderColor: 'line.main',
          bgcolor: 'background.paper',
        }}
      >
        {navigation}
      </Box>
      <Drawer
        open={open}
        onClose={() => setOpen(false)}
        sx={{ display: { md: 'none' } }}
        slotProps={{ paper: { 'aria-label': SHELL_TEXT.navigation, sx: { width: `min(${SIDE_PX + 24}px, 88vw)` } } }}
      >
        {navigation}
      </Drawer>
      <Box sx={{ minWidth: 0, display: 'flex', flexDirection: 'column', minHeight: '100dvh' }}>
        <TopBar onOpenNavigation={() => setOpen(true)} onOpenPalette={() => setOverlay('palette')} />
        <Box sx={{ flex: 1 }}>
          {onSignIn === null ? null : <SessionBanner onSignIn={onSignIn} />}
          <PausedBanner />
          <Suspense>
            {/* Another zone tells every time anew. */}
            <Fragment key={timeZone}>
              <Outlet />
            </Fragment>
          </Suspense>
        </Box>
        <RunBar />
      </Box>
      <NotificationStack />
      {/* What is typed while it is on its way is meant for it, and no shortcut. */}
      <Suspense fallback={<div role="dialog" hidden />}>
        {overlay === 'palette' ? <Palette onClose={close} onKeys={() => setOverlay('keys')} /> : null}
        {overlay === 'keys' ? <KeysSheet onClose={close} /> : null}
      </Suspense>
      <ScrollRestoration getKey={scrollKey} />
    </Box>
  );
}
