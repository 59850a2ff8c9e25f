import Box from '@mui/material/Box';
import CircularProgress from '@mui/material/CircularProgress';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useLocation } from 'react-router-dom';
import { logout, signIn, useSession } from '../data/session/use-session';
import { useLiveUpdates } from '../data/live/use-live-updates';
import { GUARD_TEXT, SIGN_IN_TEXT } from '../text/sign-in.text';
import { CentredCard } from '../ui/centred-card';
import { GoogleButton } from '../ui/google-button';
import { Shell } from './shell/shell';

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
