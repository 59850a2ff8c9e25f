import type { QueueItem, SettleBody } from '@autoposter/contracts';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import TextField from '@mui/material/TextField';
import { useId, useState } from 'react';
import { errorText } from '../../../data/http/client';
import { useSettleOutcome } from '../../../data/instagram-queue/use-change-queue';
import { QUEUE_TEXT } from '../../../text/instagram-queue.text';
import { notify } from '../../../ui/notifications';

const TEXT = QUEUE_TEXT.settle;

/** Takes a person's word on a post of which nobody knows whether it is out. */
export function SettleOutcome({ item }: { item: QueueItem }) {
  const id = useId();
  const settle = useSettleOutcome();
  const [open, setOpen] = useState(false);
  const [permalink, setPermalink] = useState('');
  const send = (body: SettleBody) =>
    settle.mutate(
      { id: item._id, body },
      { onSuccess: () => setOpen(false), onError: (error) => notify.failure(QUEUE_TEXT.error(errorText(error))) },
    );
  const link = permalink.trim();
  return (
    <>
      <Button size="small" variant="outlined" onClick={() => setOpen(true)}>
        {TEXT.open}
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} maxWidth="xs" fullWidth aria-labelledby={id}>
        <DialogTitle id={id} sx={{ fontSize: 16, fontWeight: 620 }}>
          {TEXT.question}
        </DialogTitle>
        <DialogContent sx={{ display: 'grid', gap: 4, color: 'text.secondary', fontSize: 13 }}>
          {TEXT.detail}
          <TextField size="small" label={TEXT.link} value={permalink} onChange={(event) => setPermalink(event.target.value)} />
        </DialogContent>
        <DialogActions sx={{ p: 4, gap: 1 }}>
          <Button variant="outlined" onClick={() => setOpen(false)}>
            {TEXT.cancel}
          </Button>
          <Button variant="outlined" disabled={settle.isPending || link !== ''} onClick={() => send({ outcome: 'absent' })}>
            {TEXT.absent}
          </Button>
          <Button
            variant="contained"
            disabled={settle.isPending}
            onClick={() => send({ outcome: 'live', ...(link === '' ? {} : { permalink: link }) })}
          >
            {TEXT.live}
          </Button>
        </DialogActions>
      </Dialog>
    </>
  );
}
