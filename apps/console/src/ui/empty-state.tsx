import { mdiAlertOutline } from '@mdi/js';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { TRY_AGAIN } from '../text/shell.text';
import { Icon } from './icon';

interface EmptyStateProps {
  icon: string;
  title: string;
  hint?: ReactNode;
  action?: ReactNode;
  compact?: boolean;
}

export function EmptyState({ icon, title, hint, action, compact = false }: EmptyStateProps) {
  return (
    <Stack sx={{ alignItems: 'center', textAlign: 'center', gap: 2, py: compact ? 5 : 14, px: 4 }}>
      <Box
        sx={{
          display: 'grid',
          placeItems: 'center',
          width: compact ? 40 : 56,
          height: compact ? 40 : 56,
          borderRadius: 3.5,
          bgcolor: 'accent.tint',
          color: 'accent.text',
          mb: 1,
        }}
      >
        <Icon path={icon} sx={{ fontSize: compact ? 22 : 28 }} />
      </Box>
      <Typography sx={{ fontWeight: 600 }}>{title}</Typography>
      {hint === undefined ? null : (
        <Typography variant="body2" component="div" sx={{ color: 'text.secondary', maxWidth: 460 }}>
          {hint}
        </Typography>
      )}
      {action === undefined ? null : <Box sx={{ mt: 2 }}>{action}</Box>}
    </Stack>
  );
}

interface LoadErrorStateProps {
  title: string;
  /** The reason, unless the title states it. */
  hint?: string | undefined;
  onRetry: () => void;
  /** Smaller, above data that was loaded earlier. */
  compact?: boolean;
}

/** Replaces a screen that could not be loaded. */
export function LoadErrorState({ title, hint, onRetry, compact = false }: LoadErrorStateProps) {
  return (
    <EmptyState
      compact={compact}
      icon={mdiAlertOutline}
      title={title}
      hint={hint}
      action={
        <Button variant="contained" onClick={onRetry}>
          {TRY_AGAIN}
        </Button>
      }
    />
  );
}
