import type { User } from '@autoposter/contracts';
import Box from '@mui/material/Box';
import Drawer from '@mui/material/Drawer';
import Link from '@mui/material/Link';
import { Suspense, useState } from 'react';
import { Outlet, ScrollRestoration } from 'react-router-dom';
import { usePublishing } from '../../data/publishing/use-publishing';
import { SHELL_TEXT } from '../../text/shell.text';
import { MessageBar } from '../../ui/message-bar';
import { NoticeStack } from '../../ui/notices/notice-stack';
import { RunBar } from '../../ui/runs/run-bar';
import { useStageRuns } from '../../data/runs/stage-runs';
import { Navigation } from './navigation';
import { TopBar } from './top-bar';

export const SIDE_PX = 248;

/** The frame around every admin screen: navigation, the bar on top, notices. */
export function Shell({ user, onLogout }: { user: User; onLogout: () => void }) {
  const [open, setOpen] = useState(false);
  const publishing = usePublishing();
  useStageRuns();
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
        slotProps={{ paper: { 'aria-label': SHELL_TEXT.navigation, sx: { width: SIDE_PX + 24 } } }}
      >
        {navigation}
      </Drawer>
      <Box sx={{ minWidth: 0, display: 'flex', flexDirection: 'column', minHeight: '100dvh' }}>
        <TopBar onOpenNavigation={() => setOpen(true)} />
        {publishing.data?.paused === true ? (
          <Box component="section" aria-label={SHELL_TEXT.paused} sx={{ maxWidth: 1440, mx: 'auto', px: { xs: 4, sm: 6, lg: 8 }, pt: 4 }}>
            <MessageBar tone="orange">
              <strong>{SHELL_TEXT.paused}.</strong> {SHELL_TEXT.pausedHint}
            </MessageBar>
          </Box>
        ) : null}
        <Box sx={{ flex: 1 }}>
          <Suspense>
            <Outlet />
          </Suspense>
        </Box>
        <RunBar />
      </Box>
      <NoticeStack />
      <ScrollRestoration />
    </Box>
  );
}
