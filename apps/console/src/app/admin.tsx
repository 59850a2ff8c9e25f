import Box from '@mui/material/Box';
import CircularProgress from '@mui/material/CircularProgress';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useLocation, useRouteError } from 'react-router-dom';
import { logout, signIn, useSession } from '../data/session/use-session';
import { useLiveUpdates } from '../data/live/use-live-updates';
import { GUARD_TEXT, SIGN_IN_TEXT, SCREEN_ERROR_TEXT as TEXT } from '../text/sign-in.text';
import { CentredCard, GoogleButton } from '../ui/centred-card';
import { Shell } from './shell/shell';
import { onlineManager, QueryClientContext, QueryClientProvider } from '@tanstack/react-query';
import { useContext, useEffect, useState } from 'react';
import { createQueryClient } from '../data/http/cache';
import { mdiAlertOutline } from '@mdi/js';
import Button from '@mui/material/Button';
import { EmptyState } from '../ui/empty-state';
import { Page } from '../ui/page';

/** Lets administrators in; others see how to sign in, and come back to the page they asked for. */
export function AdminGuard() {
  const session = useSession();
  const location = useLocation();
  const here = `${location.pathname}${location.search}`;
  useLiveUpdates(session.user !== null && !session.ended);
  if (session.loading) {
    return (
      <Box component="main" sx={{ minHeight: '100dvh', display: 'grid', placeItems: 'center' }}>
        <Stack role="status" sx={{ alignItems: 'center', gap: 3, color: 'text.secondary' }}>
          <CircularProgress size={28} aria-hidden />
          {SIGN_IN_TEXT.loading}
        </Stack>
      </Box>
    );
  }
  if (session.user === null) {
    return (
      <CentredCard title={GUARD_TEXT.title}>
        <Typography sx={{ color: 'text.secondary' }}>{GUARD_TEXT.prompt}</Typography>
        <GoogleButton onClick={() => signIn(here)} />
      </CentredCard>
    );
  }
  return <Shell user={session.user} onLogout={logout} onSignIn={session.ended ? () => signIn(here) : null} />;
}

/** Everything behind the sign-in, on one cache (the one above it, where there is one). When a session ends, nothing more is asked until the next. */
export function Admin() {
  const above = useContext(QueryClientContext);
  const [client] = useState(() => above ?? createQueryClient());
  const { ended } = useSession();
  useEffect(() => {
    if (!ended) return;
    onlineManager.setOnline(false);
    return () => onlineManager.setOnline(true);
  }, [ended]);
  return (
    <QueryClientProvider client={client}>
      <AdminGuard />
    </QueryClientProvider>
  );
}

/** A screen that broke inside the frame: the other screens can still be reached. */
export function ScreenProblem() {
  const error = useRouteError();
  return (
    <Page title={TEXT.title}>
      <EmptyState
        icon={mdiAlertOutline}
        title={error instanceof Error ? error.message : TEXT.unknown}
        hint={TEXT.hint}
        action={
          <Button variant="contained" onClick={() => window.location.reload()}>
            {TEXT.again}
          </Button>
        }
      />
    </Page>
  );
}
