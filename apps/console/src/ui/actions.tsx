import type { ButtonProps } from '@mui/material/Button';
import { type ReactNode, useRef } from 'react';
import { Box, Button } from './mui';

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

const PICTURES = 'image/jpeg,image/png,image/webp,image/gif,image/avif';
/** Types that the file dialog offers for each purpose; the server decides by the bytes. */
const ACCEPTED = {
  work: `video/mp4,video/quicktime,video/webm,video/x-matroska,${PICTURES}`,
  proof: `${PICTURES},application/pdf,.pdf,message/rfc822,.eml,text/plain,.txt`,
  cover: 'image/jpeg',
};

interface FileButtonProps {
  label: string;
  loading?: boolean;
  small?: boolean;
  /** What the file is for. */
  purpose: keyof typeof ACCEPTED;
  onChosen: (file: File) => void;
}

/** A button that opens the file dialog. */
export function FileButton({ label, loading = false, small = false, purpose, onChosen }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <Box>
      <ActionButton small={small} label={label} loading={loading} onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        hidden
        accept={ACCEPTED[purpose]}
        aria-label={label}
        onChange={(event) => {
          const chosen = event.currentTarget.files?.[0];
          event.currentTarget.value = '';
          if (chosen !== undefined) onChosen(chosen);
        }}
      />
    </Box>
  );
}
