import { mdiAlertOutline } from '@mdi/js';
import Button from '@mui/material/Button';
import { TRY_AGAIN } from '../text/shell.text';
import { EmptyState } from './empty-state';

interface LoadErrorStateProps {
  title: string;
  /** Why, where the title does not say it. */
  hint?: string | undefined;
  onRetry: () => void;
  /** Something that was read before still stands below. */
  compact?: boolean;
}

/** Stands where a whole screen could not be read: what failed, and the way to read it again. */
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
