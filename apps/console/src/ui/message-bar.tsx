import { mdiAlertCircleOutline, mdiCheckCircleOutline, mdiInformationOutline } from '@mdi/js';
import Box from '@mui/material/Box';
import type { ReactNode } from 'react';
import type { StatusTone } from '../theme/tokens';
import { Icon } from './icon';
import Button from '@mui/material/Button';
import { TRY_AGAIN } from '../text/shell.text';

export type MessageTone = Extract<StatusTone, 'red' | 'orange' | 'green' | 'blue'>;
const ICONS: Record<MessageTone, string> = {
  red: mdiAlertCircleOutline,
  orange: mdiAlertCircleOutline,
  green: mdiCheckCircleOutline,
  blue: mdiInformationOutline,
};

/** A sentence in place: what happened and what can be done. Failures are announced at once. */
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

/** Stands where a list could not be read: why, and the way to read it again. */
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
