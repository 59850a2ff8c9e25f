import { LIMITS, type QueueItem, type SettleBody } from '@autoposter/contracts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Link from '@mui/material/Link';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import { type FormEvent, useId, useState } from 'react';
import { errorText } from '../../data/http/client';
import { useSettleOutcome } from '../../data/instagram-queue/use-change-queue';
import { QUEUE_TEXT } from '../../text/instagram-queue.text';
import { parseWholeNumber } from '../../ui/format';
import { notify } from '../../ui/notifications';
import { fromLocalText, localText } from './calendar/calendar-days';
import { type QueueRules, startOfMove, immovableReason, refusalAt } from './calendar/move-rules';
import { canPrioritise, canRemove, type QueueActions, titleOf } from './use-queue-actions';

/** Lets an administrator state whether an unconfirmed post was published. */
function ResolveUnconfirmedPost({ item }: { item: QueueItem }) {
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
        {QUEUE_TEXT.resolve.open}
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} maxWidth="xs" fullWidth aria-labelledby={id}>
        <DialogTitle id={id} sx={{ fontSize: 16, fontWeight: 620 }}>
          {QUEUE_TEXT.resolve.question}
        </DialogTitle>
        <DialogContent sx={{ display: 'grid', gap: 4, color: 'text.secondary', fontSize: 13 }}>
          {QUEUE_TEXT.resolve.detail}
          <TextField
            size="small"
            label={QUEUE_TEXT.resolve.link}
            value={permalink}
            onChange={(event) => setPermalink(event.target.value)}
          />
        </DialogContent>
        <DialogActions sx={{ p: 4, gap: 1 }}>
          <Button variant="outlined" onClick={() => setOpen(false)}>
            {QUEUE_TEXT.resolve.cancel}
          </Button>
          <Button variant="outlined" disabled={settle.isPending || link !== ''} onClick={() => send({ outcome: 'absent' })}>
            {QUEUE_TEXT.resolve.absent}
          </Button>
          <Button
            variant="contained"
            disabled={settle.isPending}
            onClick={() => send({ outcome: 'live', ...(link === '' ? {} : { permalink: link }) })}
          >
            {QUEUE_TEXT.resolve.live}
          </Button>
        </DialogActions>
      </Dialog>
    </>
  );
}

interface MoveDialogProps {
  item: QueueItem;
  rules: QueueRules;
  actions: QueueActions;
  onClose: () => void;
}

/** Moves a post without dragging: to a time in the queue's time zone, or back to the planner. */
function MoveDialog({ item, rules, actions, onClose }: MoveDialogProps) {
  const id = useId();
  const [now] = useState(() => Date.now());
  const [text, setText] = useState(() => localText(startOfMove(item, now), rules.timeZone));
  const at = fromLocalText(text, rules.timeZone);
  const refusal = at === null ? null : refusalAt(at, rules, now);
  const send = (to: Date | null) => void actions.move(item, to).then((done) => done && onClose());
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (at !== null && refusal === null) send(at);
  };
  return (
    <Dialog open onClose={onClose} maxWidth="xs" fullWidth aria-labelledby={id}>
      <Box component="form" noValidate onSubmit={submit}>
        <DialogTitle id={id} sx={{ fontSize: 16, fontWeight: 620 }}>
          {QUEUE_TEXT.move.title}
        </DialogTitle>
        <DialogContent sx={{ display: 'grid', gap: 4, fontSize: 13 }}>
          <Box sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>{titleOf(item)}</Box>
          <TextField
            type="datetime-local"
            label={QUEUE_TEXT.move.field(rules.timeZone)}
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
            {QUEUE_TEXT.move.planner}
          </Button>
          <Button variant="outlined" onClick={onClose}>
            {QUEUE_TEXT.move.cancel}
          </Button>
          <Button type="submit" variant="contained" disabled={at === null || refusal !== null} loading={actions.busy(item._id)}>
            {QUEUE_TEXT.move.save}
          </Button>
        </DialogActions>
      </Box>
    </Dialog>
  );
}

const { min, max } = LIMITS.queue.priority;

/** Saves the priority on blur or Enter; resets an invalid or rejected value. */
export function PriorityField({ item, actions }: { item: QueueItem; actions: QueueActions }) {
  const [value, setValue] = useState(String(item.priority));
  const commit = () => {
    const priority = parseWholeNumber(value, LIMITS.queue.priority);
    if (priority === null) return setValue(String(item.priority));
    if (priority === item.priority) return;
    void actions.prioritise(item, priority).then((done) => (done ? undefined : setValue(String(item.priority))));
  };
  return (
    <TextField
      type="number"
      hiddenLabel
      value={value}
      disabled={!canPrioritise(item) || actions.busy(item._id)}
      onChange={(event) => setValue(event.target.value)}
      onBlur={commit}
      onKeyDown={(event) => event.key === 'Enter' && commit()}
      slotProps={{ htmlInput: { min, max, 'aria-label': QUEUE_TEXT.priorityOf(titleOf(item)) } }}
      sx={{ width: 64 }}
    />
  );
}

export function ItemActions({ item, rules, actions }: { item: QueueItem; rules: QueueRules; actions: QueueActions }) {
  const [moving, setMoving] = useState(false);
  const original = item.sourceData.originalRedditUrl;
  const busy = actions.busy(item._id);
  return (
    <Stack direction="row" sx={{ gap: 2, alignItems: 'center', flexWrap: 'wrap' }}>
      {immovableReason(item) === null ? (
        <Button size="small" variant="outlined" disabled={busy} onClick={() => setMoving(true)}>
          {QUEUE_TEXT.move.open}
        </Button>
      ) : null}
      {item.status === 'failed' ? (
        <Button size="small" variant="contained" loading={busy} onClick={() => void actions.retry(item)}>
          {QUEUE_TEXT.actions.retry}
        </Button>
      ) : null}
      {canRemove(item) ? (
        <Button size="small" variant="outlined" disabled={busy} onClick={() => void actions.remove(item)}>
          {QUEUE_TEXT.actions.remove}
        </Button>
      ) : null}
      {item.outcome === 'unknown' ? <ResolveUnconfirmedPost item={item} /> : null}
      {original === null ? null : (
        <Link href={original} target="_blank" rel="noreferrer" variant="body2" sx={{ py: 1 }}>
          {QUEUE_TEXT.actions.original}
        </Link>
      )}
      {moving ? <MoveDialog item={item} rules={rules} actions={actions} onClose={() => setMoving(false)} /> : null}
    </Stack>
  );
}
