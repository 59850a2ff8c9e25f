import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { type ReactNode, useEffect, useRef } from 'react';

interface PageProps {
  title: string;
  /** One line about the purpose of the screen. */
  lead?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** A screen with its only h1, which receives the focus when the screen opens. */
export function Page({ title, lead, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Autoposter`;
    heading.current?.focus({ preventScroll: true });
  }, [title]);
  return (
    <Box component="main" id="content" sx={{ maxWidth: 1440, mx: 'auto', px: { xs: 4, sm: 6, lg: 8 }, pt: { xs: 4, md: 7 }, pb: 16 }}>
      <Stack
        direction={{ xs: 'column', md: 'row' }}
        sx={{ alignItems: { md: 'flex-end' }, justifyContent: 'space-between', gap: 4, mb: { xs: 5, md: 7 } }}
      >
        <Box sx={{ minWidth: 0 }}>
          <Typography variant="h1" ref={heading} tabIndex={-1} sx={{ outline: 'none', '&:focus-visible': { outline: 'none' } }}>
            {title}
          </Typography>
          {lead === undefined ? null : (
            <Typography component="div" sx={{ color: 'text.secondary', mt: 1 }}>
              {lead}
            </Typography>
          )}
        </Box>
        {actions === undefined ? null : (
          <Stack direction="row" sx={{ gap: 2, flexWrap: 'wrap', alignItems: 'center' }}>
            {actions}
          </Stack>
        )}
      </Stack>
      {children}
    </Box>
  );
}
