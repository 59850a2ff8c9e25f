import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import { useId, useState } from 'react';
import { errorText } from '../../../data/http/client';
import { useClearAll } from '../../../data/status/use-clear-all';
import { DASHBOARD_TEXT } from '../../../text/dashboard.text';
import { notify } from '../../../ui/notices/notice-store';
import { Panel } from '../../../ui/panel';

const TEXT = DASHBOARD_TEXT.clear;

function ClearDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const id = useId();
  const clear = useClearAll();
  const [typed, setTyped] = useState('');
  const close = () => {
    setTyped('');
    onClose();
  };
  const run = () =>
    clear.mutate(undefined, {
      onSuccess: () => notify.success(TEXT.done),
      onError: (error) => notify.failure(TEXT.failed(errorText(error))),
      onSettled: close,
    });
  return (
    <Dialog open={open} onClose={close} maxWidth="xs" fullWidth role="alertdialog" aria-labelledby={id}>
      <DialogTitle id={id} sx={{ fontSize: 16, fontWeight: 620 }}>
        {TEXT.question}
      </DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 3, fontSize: 13 }}>
        <Box sx={{ color: 'status.red.text', fontWeight: 560 }}>{TEXT.warning}</Box>
        <Box>{TEXT.goes}</Box>
        <Box sx={{ color: 'text.secondary' }}>{TEXT.stays}</Box>
        <TextField label={TEXT.typeIt} value={typed} onChange={(event) => setTyped(event.target.value)} autoComplete="off" sx={{ mt: 2 }} />
      </DialogContent>
      <DialogActions sx={{ p: 4 }}>
        <Button variant="outlined" onClick={close} autoFocus>
          Cancel
        </Button>
        <Button variant="contained" color="error" disabled={typed.trim() !== TEXT.typed} loading={clear.isPending} onClick={run}>
          {TEXT.title}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

export function ClearCard() {
  const [open, setOpen] = useState(false);
  return (
    <Panel title={TEXT.title} tone="danger">
      <Stack direction={{ xs: 'column', sm: 'row' }} sx={{ gap: 4, alignItems: { sm: 'center' }, justifyContent: 'space-between' }}>
        <Box sx={{ fontSize: 13, maxWidth: 720 }}>
          <Box sx={{ fontWeight: 560 }}>{TEXT.warning}</Box>
          <Box sx={{ color: 'text.secondary' }}>{TEXT.stays}</Box>
        </Box>
        <Button variant="outlined" color="error" onClick={() => setOpen(true)} sx={{ color: 'status.red.text' }}>
          {TEXT.title}
        </Button>
      </Stack>
      <ClearDialog open={open} onClose={() => setOpen(false)} />
    </Panel>
  );
}
