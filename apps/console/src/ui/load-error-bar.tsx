import Button from '@mui/material/Button';
import { TRY_AGAIN } from '../text/shell.text';
import { MessageBar } from './message-bar';

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
