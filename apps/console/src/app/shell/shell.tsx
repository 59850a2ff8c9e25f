import type { User } from '@autoposter/contracts';
import Box from '@mui/material/Box';
import Drawer from '@mui/material/Drawer';
import Link from '@mui/material/Link';
import { Fragment, lazy, Suspense, useEffect, useState } from 'react';
import { Outlet, ScrollRestoration, type Location } from 'react-router-dom';
import { usePreferences } from '../../preferences/preferences';
import { useStageRuns } from '../../data/runs/stage-runs';
import { SHELL_TEXT } from '../../text/shell.text';
import { keepFocus } from '../../ui/keyboard/keep-focus';
import { NoticeStack } from '../notices/notice-stack';
import { RunBar } from './run-bar';
import { useGlobalKeys, type Overlay } from './global-keys';
import { Navigation } from './navigation';
import { PausedBanner } from './paused-banner';
import { SessionBanner } from './session-banner';
import { TopBar } from './top-bar';

const SIDE_PX = 256;

/** Where the page was scrolled to is kept under this. The first address of a page that loads has no key of its own, whichever it is. */
const scrollKey = ({ key, pathname, search }: Location) => (key === 'default' ? `${pathname}${search}` : key);

const Palette = lazy(async () => ({ default: (await import('../palette/palette')).Palette }));
const KeysSheet = lazy(async () => ({ default: (await import('../palette/keys-sheet')).KeysSheet }));

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
  useGlobalKeys(setOverlay);
  useEffect(keepFocus, []);
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
      <NoticeStack />
      {/* What is typed while it is on its way is meant for it, and no shortcut. */}
      <Suspense fallback={<div role="dialog" hidden />}>
        {overlay === 'palette' ? <Palette onClose={close} onKeys={() => setOverlay('keys')} /> : null}
        {overlay === 'keys' ? <KeysSheet onClose={close} /> : null}
      </Suspense>
      <ScrollRestoration getKey={scrollKey} />
    </Box>
  );
}
