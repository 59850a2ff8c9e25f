import type { ButtonProps } from '@mui/material/Button';
import type { ReactNode } from 'react';
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
