import type { ButtonProps } from '@mui/material/Button';
import { type ReactNode, useState } from 'react';
import { Button } from './mui';

interface ActionButtonProps extends Omit<ButtonProps, 'children' | 'size'> {
  label: ReactNode;
  /** For rows, cards and bars. */
  small?: boolean;
}

/** A button that starts an action; outlined unless `variant` says otherwise. `loading` shows that the action runs. */
export function ActionButton({ label, small = false, ...rest }: ActionButtonProps) {
  return (
    <Button variant="outlined" size={small ? 'small' : 'medium'} {...rest}>
      {label}
    </Button>
  );
}

interface RefreshButtonProps extends Omit<ActionButtonProps, 'onClick'> {
  /** Resolves when the data are loaded. */
  onRefresh: () => Promise<unknown>;
}

/**
 * A button that loads the data of a screen again. It is never disabled, because a disabled button loses the focus and is skipped by Tab.
 */
export function RefreshButton({ onRefresh, ...rest }: RefreshButtonProps) {
  const [running, setRunning] = useState(0);
  const refresh = () => {
    setRunning((count) => count + 1);
    void onRefresh().finally(() => setRunning((count) => count - 1));
  };
  return <ActionButton aria-busy={running > 0} sx={{ '&[aria-busy=true]': { opacity: 0.6 } }} {...rest} onClick={refresh} />;
}
