import type { User } from '@autoposter/contracts';
import { Fragment, lazy, type MouseEvent, Suspense, useEffect, useState } from 'react';
import { type Location, Outlet, ScrollRestoration } from 'react-router-dom';
import { usePublishing } from '../../data/publishing/use-publishing';
import { useStageRuns } from '../../data/runs/stage-runs';
import { usePreferences } from '../../preferences/preferences';
import { SHELL_TEXT } from '../../text/shell.text';
import { SIGN_IN_TEXT } from '../../text/sign-in.text';
import { ActionButton } from '../../ui/actions';
import { formatDateTime } from '../../ui/format';
import { restoreFocus } from '../../ui/keyboard/restore-focus';
import { MessageBar } from '../../ui/feedback';
import { NavigationGuard } from '../navigation-guard';
import { NotificationStack } from '../notifications/notifications';
import { type Overlay, useGlobalShortcuts } from './global-shortcuts';
import { Navigation } from './navigation';
import { RunBar } from './run-bar';
import { TopBar } from './top-bar';
import { Drawer } from '../../ui/back-button';
import { Box, Link } from '../../ui/mui';

/** Shown while publishing is paused; an automatic pause also shows its reason and the next action. */
function PausedBanner() {
  const { data } = usePublishing();
  if (data?.paused !== true) return null;
  const automatic = data.reason !== undefined && data.reason !== null;
  return (
    <Box component="section" aria-label={SHELL_TEXT.paused} sx={{ maxWidth: 1440, mx: 'auto', px: { xs: 4, sm: 6, lg: 8 }, pt: 4 }}>
      <MessageBar tone={automatic ? 'red' : 'orange'}>
        <strong>{SHELL_TEXT.paused}.</strong> {automatic ? `${data.reason ?? ''} ${data.nextAction ?? ''} ` : null}
        {SHELL_TEXT.pausedHint}
        {data.by === null || data.since === null ? null : ` ${SHELL_TEXT.pausedSince(data.by, formatDateTime(data.since, { zone: true }))}`}
      </MessageBar>
    </Box>
  );
}

function SessionBanner({ onSignIn }: { onSignIn: () => void }) {
  return (
    <Box sx={{ maxWidth: 1440, mx: 'auto', px: { xs: 4, sm: 6, lg: 8 }, pt: 4 }}>
      <MessageBar
        tone="red"
        action={<ActionButton small label={SIGN_IN_TEXT.button} variant="contained" onClick={onSignIn} sx={{ flexShrink: 0 }} />}
      >
        <strong>{SHELL_TEXT.sessionEnded}</strong> {SHELL_TEXT.sessionEndedHint}
      </MessageBar>
    </Box>
  );
}

/** Without an entry in the history, which only Back would leave. */
function skipToContent(event: MouseEvent): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('main h1')?.focus();
}

const SIDEBAR_PX = 256;

/** Key of a stored scroll position. After a reload, the history key of every page is "default". */
const scrollKey = ({ key, pathname, search }: Location) => (key === 'default' ? `${pathname}${search}` : key);

const Palette = lazy(async () => ({ default: (await import('../command-palette/command-palette')).CommandPalette }));
const KeysSheet = lazy(async () => ({ default: (await import('../command-palette/shortcuts-dialog')).ShortcutsDialog }));

interface ShellProps {
  user: User;
  onLogout: () => void;
  /** Set once the session has ended. */
  onSignIn: (() => void) | null;
}

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
    <Box sx={{ display: { md: 'grid' }, gridTemplateColumns: { md: `${SIDEBAR_PX}px minmax(0, 1fr)` }, minHeight: '100dvh' }}>
      <Link
        href="#content"
        onClick={skipToContent}
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
        slotProps={{ paper: { 'aria-label': SHELL_TEXT.navigation, sx: { width: `min(${SIDEBAR_PX + 24}px, 88vw)` } } }}
      >
        {navigation}
      </Drawer>
      <Box sx={{ minWidth: 0, display: 'flex', flexDirection: 'column', minHeight: '100dvh' }}>
        <TopBar onOpenNavigation={() => setOpen(true)} onOpenPalette={() => setOverlay('palette')} />
        <Box sx={{ flex: 1 }}>
          {onSignIn === null ? null : <SessionBanner onSignIn={onSignIn} />}
          <PausedBanner />
          <Suspense>
            {/* Another time zone renders all times again. */}
            <Fragment key={timeZone}>
              <Outlet />
            </Fragment>
          </Suspense>
        </Box>
        <RunBar />
      </Box>
      <NotificationStack />
      {/* While the overlay loads, an empty dialog keeps shortcuts from handling what is typed for it. */}
      <Suspense fallback={<div role="dialog" hidden />}>
        {overlay === 'palette' ? <Palette onClose={close} onKeys={() => setOverlay('keys')} /> : null}
        {overlay === 'keys' ? <KeysSheet onClose={close} /> : null}
      </Suspense>
      <NavigationGuard />
      <ScrollRestoration getKey={scrollKey} />
    </Box>
  );
}
