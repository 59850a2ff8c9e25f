import type { QueueItem } from '@autoposter/contracts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import TextField from '@mui/material/TextField';
import { useId, useState, type FormEvent } from 'react';
import { QUEUE_TEXT } from '../../../text/instagram-queue.text';
import { fromLocalText, localText } from '../calendar/calendar-days';
import { startOfMove, whyNotAt, type QueueRules } from '../calendar/move-rules';
import { titleOf, type QueueActions } from '../use-queue-actions';

const TEXT = QUEUE_TEXT.move;

interface MoveDialogProps {
  item: QueueItem;
  rules: QueueRules;
  actions: QueueActions;
  onClose: () => void;
}

/** Moves a post without dragging: a time on the clock of the queue, or back to the planner. */
export function MoveDialog({ item, rules, actions, onClose }: MoveDialogProps) {
  const id = useId();
  const [now] = useState(() => Date.now());
  const [text, setText] = useState(() => localText(startOfMove(item, now), rules.timeZone));
  const at = fromLocalText(text, rules.timeZone);
  const refusal = at === null ? null : whyNotAt(at, rules, now);
  const send = (to: Date | null) => void actions.move(item, to).then((done) => done && onClose());
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (at !== null && refusal === null) send(at);
  };
  return (
    <Dialog open onClose={onClose} maxWidth="xs" fullWidth aria-labelledby={id}>
      <Box component="form" noValidate onSubmit={submit}>
        <DialogTitle id={id} sx={{ fontSize: 16, fontWeight: 620 }}>
          {TEXT.title}
        </DialogTitle>
        <DialogContent sx={{ display: 'grid', gap: 4, fontSize: 13 }}>
          <Box sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>{titleOf(item)}</Box>
          <TextField
            type="datetime-local"
            label={TEXT.field(rules.timeZone)}
            value={text}
            autoFocus
            error={refusal !== null}
            helperText={refusal ?? ' '}
            onChange={(event) => setText(event.target.value)}
            slotProps={{ inputLabel: { shrink: true }, htmlInput: { min: localText(new Date(now), rules.timeZone) } }}
          />
        </DialogContent>
        <DialogActions sx={{ p: 4, gap: 1, flexWrap: 'wrap' }}>
          <Button variant="text" sx={{ mr: 'auto' }} disabled={actions.busy(item._id)} onClick={() => send(null)}>
            {TEXT.planner}
          </Button>
          <Button variant="outlined" onClick={onClose}>
            {TEXT.cancel}
          </Button>
          <Button type="submit" variant="contained" disabled={at === null || refusal !== null} loading={actions.busy(item._id)}>
            {TEXT.save}
          </Button>
        </DialogActions>
      </Box>
    </Dialog>
  );
}
