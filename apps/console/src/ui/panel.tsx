import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { type ReactNode, useId } from 'react';

interface PanelProps {
  title?: ReactNode;
  lead?: ReactNode;
  actions?: ReactNode;
  tone?: 'plain' | 'danger';
  children?: ReactNode;
  /** Without padding, for tables and lists. */
  flush?: boolean;
}

export function Panel({ title, lead, actions, tone = 'plain', children, flush = false }: PanelProps) {
  const id = useId();
  const head = title !== undefined;
  return (
    <Box
      component="section"
      {...(head ? { 'aria-labelledby': id } : {})}
      sx={{
        bgcolor: 'background.paper',
        border: 1,
        borderColor: tone === 'danger' ? 'status.red.dot' : 'line.main',
        borderRadius: 2.5,
        overflow: 'hidden',
        minWidth: 0,
      }}
    >
      {head ? (
        <Stack
          direction="row"
          sx={{ flexWrap: 'wrap', alignItems: 'center', justifyContent: 'space-between', gap: 3, px: 5, pt: 4, pb: flush ? 4 : 0 }}
        >
          <Box sx={{ minWidth: 0 }}>
            <Typography id={id} variant="h2">
              {title}
            </Typography>
            {lead === undefined ? null : (
              <Typography variant="body2" component="div" sx={{ color: 'text.secondary', mt: 0.5 }}>
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
      ) : null}
      <Box sx={flush ? {} : { p: 5 }}>{children}</Box>
    </Box>
  );
}
