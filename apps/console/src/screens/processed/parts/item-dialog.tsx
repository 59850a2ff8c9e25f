import { mdiClose } from '@mdi/js';
import Box from '@mui/material/Box';
import Dialog from '@mui/material/Dialog';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import IconButton from '@mui/material/IconButton';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useId, type ReactNode } from 'react';
import { errorText } from '../../../data/http/client';
import { PROCESSED_TEXT as TEXT } from '../../../text/processed.text';
import { Icon } from '../../../ui/icon';
import { LoadingRows } from '../../../ui/loading-rows';
import { MessageBar } from '../../../ui/message-bar';

interface ItemDialogProps {
  title: ReactNode;
  /** Not everything is there yet. */
  reading: boolean;
  error: Error | null;
  onClose: () => void;
  children: ReactNode;
}

/** The frame of the dialogs about one post; on a phone it fills the screen. */
export function ItemDialog({ title, reading, error, onClose, children }: ItemDialogProps) {
  const id = useId();
  const narrow = useMediaQuery('(max-width: 720px)');
  return (
    <Dialog open onClose={onClose} maxWidth="md" fullWidth fullScreen={narrow} aria-labelledby={id}>
      <DialogTitle id={id} sx={{ fontSize: 18, fontWeight: 620, pr: 14, overflowWrap: 'anywhere' }}>
        {title}
      </DialogTitle>
      <IconButton aria-label="Close" onClick={onClose} sx={{ position: 'absolute', top: 12, right: 12 }}>
        <Icon path={mdiClose} />
      </IconButton>
      <DialogContent tabIndex={0}>
        {children}
        {reading ? (
          <Box sx={{ mt: 4 }}>
            <LoadingRows rows={2} height={56} label={TEXT.loading} />
          </Box>
        ) : null}
        {error === null ? null : (
          <Box sx={{ mt: 4 }}>
            <MessageBar tone="red">{errorText(error)}</MessageBar>
          </Box>
        )}
      </DialogContent>
    </Dialog>
  );
}
