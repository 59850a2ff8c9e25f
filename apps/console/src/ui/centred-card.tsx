import { mdiGoogle } from '@mdi/js';
import type { ReactNode } from 'react';
import { SIGN_IN_TEXT } from '../text/sign-in.text';
import { Icon, Logo } from './icons';
import { Box, Button, CircularProgress, Stack, Typography } from './mui';

/** Shown until the signed-in part of the console and its user are loaded. */
export function LoadingPage() {
  return (
    <Box component="main" sx={{ minHeight: '100dvh', display: 'grid', placeItems: 'center' }}>
      <Stack role="status" sx={{ alignItems: 'center', gap: 3, color: 'text.secondary' }}>
        <CircularProgress size={28} aria-hidden />
        {SIGN_IN_TEXT.loading}
      </Stack>
    </Box>
  );
}

/** A page with a single card: sign-in, access denied, errors. */
export function CentredCard({ title, eyebrow, children }: { title: string; eyebrow?: string; children: ReactNode }) {
  return (
    <Box
      component="main"
      sx={{
        minHeight: '100dvh',
        display: 'grid',
        placeItems: 'center',
        p: 4,
        backgroundImage: (theme) => `radial-gradient(56rem 34rem at 50% 38%, ${theme.vars?.palette.accent.tint ?? ''}, transparent 70%)`,
      }}
    >
      <Stack
        sx={{
          width: 1,
          maxWidth: 440,
          gap: 4,
          p: { xs: 6, sm: 9 },
          bgcolor: 'background.paper',
          border: 1,
          borderColor: 'line.main',
          borderRadius: 4,
          alignItems: 'flex-start',
        }}
      >
        <Logo size={36} />
        <Box>
          {eyebrow === undefined ? null : (
            <Typography variant="overline" component="p" sx={{ color: 'accent.text' }}>
              {eyebrow}
            </Typography>
          )}
          <Typography variant="h1">{title}</Typography>
        </Box>
        {children}
      </Stack>
    </Box>
  );
}

export function GoogleButton({ onClick }: { onClick: () => void }) {
  return (
    <Button variant="contained" size="large" fullWidth startIcon={<Icon path={mdiGoogle} />} onClick={onClick} sx={{ minHeight: 46 }}>
      {SIGN_IN_TEXT.button}
    </Button>
  );
}
