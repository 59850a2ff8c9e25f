import { mdiAlertCircleOutline, mdiCheckCircleOutline, mdiInformationOutline } from '@mdi/js';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import type { ReactNode } from 'react';
import { TRY_AGAIN } from '../text/shell.text';
import type { StatusTone } from '../theme/tokens';
import { Icon } from './icon';

export type MessageTone = Extract<StatusTone, 'red' | 'orange' | 'green' | 'blue'>;
const ICONS: Record<MessageTone, string> = {
  red: mdiAlertCircleOutline,
  orange: mdiAlertCircleOutline,
  green: mdiCheckCircleOutline,
  blue: mdiInformationOutline,
};

/** Red messages are alerts, so that screen readers announce them immediately. */
export function MessageBar({ tone, children, action }: { tone: MessageTone; children: ReactNode; action?: ReactNode }) {
  return (
    <Box
      role={tone === 'red' ? 'alert' : 'status'}
      sx={{
        display: 'flex',
        alignItems: 'flex-start',
        gap: 2.5,
        px: 4,
        py: 3,
        borderRadius: 2,
        fontSize: 13,
        color: `status.${tone}.text`,
        bgcolor: `status.${tone}.tint`,
        overflowWrap: 'anywhere',
      }}
    >
      <Icon path={ICONS[tone]} sx={{ mt: '1px', color: `status.${tone}.dot` }} />
      <Box sx={{ flex: 1, minWidth: 0 }}>{children}</Box>
      {action}
    </Box>
  );
}

/** Replaces a list that could not be loaded. */
export function LoadErrorBar({ children, onRetry }: { children: string; onRetry: () => void }) {
  return (
    <MessageBar
      tone="red"
      action={
        <Button size="small" variant="outlined" onClick={onRetry}>
          {TRY_AGAIN}
        </Button>
      }
    >
      {children}
    </MessageBar>
  );
}
