import { mdiAlertOutline } from '@mdi/js';
import { onlineManager, QueryClientContext, QueryClientProvider } from '@tanstack/react-query';
import { useContext, useEffect, useState } from 'react';
import { useLocation, useRouteError } from 'react-router-dom';
import { createQueryClient } from '../data/http/cache';
import { useLiveUpdates } from '../data/live/use-live-updates';
import { logout, signIn, useSession } from '../data/session/use-session';
import { GUARD_TEXT, SCREEN_ERROR_TEXT as TEXT } from '../text/sign-in.text';
import { ActionButton } from '../ui/actions';
import { CentredCard, GoogleButton, LoadingPage } from '../ui/centred-card';
import { EmptyState } from '../ui/feedback';
import { Page } from '../ui/layout';
import { Shell } from './shell/shell';
import { Typography } from '../ui/mui';

/** Without a session, shows a sign-in prompt that returns to the requested page. */
function AdminGuard() {
  const session = useSession();
  const location = useLocation();
  const returnTo = `${location.pathname}${location.search}`;
  useLiveUpdates(session.user !== null && !session.ended);
  if (session.loading) return <LoadingPage />;
  if (session.user === null) {
    return (
      <CentredCard title={GUARD_TEXT.title}>
        <Typography sx={{ color: 'text.secondary' }}>{GUARD_TEXT.prompt}</Typography>
        <GoogleButton onClick={() => signIn(returnTo)} />
      </CentredCard>
    );
  }
  return <Shell user={session.user} onLogout={logout} onSignIn={session.ended ? () => signIn(returnTo) : null} />;
}

/** The signed-in part of the console. An ended session pauses all queries until the next sign-in. */
export function Admin() {
  // Tests provide a client of their own.
  const provided = useContext(QueryClientContext);
  const [client] = useState(() => provided ?? createQueryClient());
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

/** Error boundary of a screen inside the shell; the navigation stays usable. */
export function ScreenProblem() {
  const error = useRouteError();
  return (
    <Page title={TEXT.title}>
      <EmptyState
        icon={mdiAlertOutline}
        title={error instanceof Error ? error.message : TEXT.unknown}
        hint={TEXT.hint}
        action={<ActionButton label={TEXT.again} variant="contained" onClick={() => window.location.reload()} />}
      />
    </Page>
  );
}
