import { LIMITS, type QueueItem, type QueueStatusView, type SettleBody } from '@autoposter/contracts';
import { type FormEvent, useId, useState } from 'react';
import { errorText } from '../../data/http/client';
import { useSettleOutcome } from '../../data/instagram-queue/use-change-queue';
import { useQueuePreview } from '../../data/instagram-queue/use-queue';
import { QUEUE_TEXT, QUEUE_TEXT as TEXT } from '../../text/instagram-queue.text';
import { formatDateTime, parseWholeNumber } from '../../ui/format';
import { Poster } from '../../ui/media';
import { Box, Button, ButtonBase, Dialog, DialogActions, DialogContent, DialogTitle, Link, Stack, TextField } from '../../ui/mui';
import { notify } from '../../ui/notifications';
import { StatusPill } from '../../ui/status';
import { fromLocalText, localText } from './calendar/calendar-days';
import { immovableReason, type QueueRules, refusalAt, startOfMove } from './calendar/move-rules';
import { canPrioritise, canRemove, type QueueActions, titleOf } from './use-queue-actions';

/** The scheduling rules, for a post beyond the slots that the server explains. */
function rulesText(item: QueueItem, status: QueueStatusView | undefined): string {
  if (item.scheduling.pinned === true) return QUEUE_TEXT.why.pinned;
  if (status === undefined) return '';
  const { intervalMinutes, randomization, timeBlocking: blocked } = status;
  const parts = [QUEUE_TEXT.why.interval(intervalMinutes)];
  if (randomization.enabled) parts.push(QUEUE_TEXT.why.delay(randomization.maxDelayMinutes));
  if (blocked.enabled) parts.push(QUEUE_TEXT.why.blocked(`${blocked.startTime}–${blocked.endTime}`, blocked.timeZone ?? 'UTC'));
  return `${parts.join(', ')}.`;
}

/** Explains on demand why a post has its scheduled time. */
export function ScheduleReason({ item, status }: { item: QueueItem; status: QueueStatusView | undefined }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const preview = useQueuePreview(open);
  const explanation = preview.data?.slots.find((slot) => slot.queueItemId === item._id)?.why.text;
  return (
    <Box sx={{ fontSize: 12 }}>
      <ButtonBase
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
        sx={{
          minHeight: 24,
          justifyContent: 'flex-start',
          textAlign: 'left',
          whiteSpace: 'nowrap',
          borderRadius: 1,
          fontSize: 12,
          fontWeight: 540,
          color: 'accent.text',
          textDecoration: 'underline',
        }}
      >
        {QUEUE_TEXT.why.open}
      </ButtonBase>
      <Box id={id} role="status" sx={{ color: 'text.secondary', maxWidth: 260, whiteSpace: 'normal' }}>
        {open && !preview.isPending ? (explanation ?? rulesText(item, status)) : null}
      </Box>
    </Box>
  );
}

/** Why a post is not published: an unconfirmed result, a wait, or a failure with its next action. */
export function QueueItemProblems({ item, timeZone }: { item: QueueItem; timeZone: string }) {
  const { failure, waiting, outcome } = item;
  return (
    <>
      {outcome === 'unknown' ? <Box sx={{ fontSize: 12, color: 'status.orange.text' }}>{QUEUE_TEXT.unknown}</Box> : null}
      {waiting === null || waiting === undefined ? null : (
        <Box sx={{ fontSize: 12, color: 'status.orange.text' }}>
          {QUEUE_TEXT.waits(waiting.reason, waiting.until === null ? null : formatDateTime(waiting.until, { timeZone, zone: true }))}
        </Box>
      )}
      {failure === null || failure === undefined ? null : (
        <Box sx={{ fontSize: 12, color: 'status.red.text' }}>
          {failure.message} {failure.nextAction}
        </Box>
      )}
    </>
  );
}

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

interface ItemDialogProps {
  item: QueueItem;
  rules: QueueRules;
  actions: QueueActions;
  status: QueueStatusView | undefined;
  onClose: () => void;
}

export function ItemDialog({ item, rules, actions, status, onClose }: ItemDialogProps) {
  const id = useId();
  const { scheduledFor } = item.scheduling;
  return (
    <Dialog open onClose={onClose} maxWidth="sm" fullWidth aria-labelledby={id}>
      <DialogTitle id={id} sx={{ fontSize: 18, fontWeight: 620, overflowWrap: 'anywhere' }}>
        {titleOf(item)}
      </DialogTitle>
      <DialogContent>
        <Stack direction="row" sx={{ gap: 4 }}>
          <Poster src={item.posterUrl} width={92} />
          <Stack sx={{ gap: 3, minWidth: 0, fontSize: 13, alignItems: 'flex-start' }}>
            <StatusPill status={item.status} />
            <Box className="tabular" sx={{ fontWeight: 580 }}>
              {scheduledFor === null ? TEXT.notScheduled : formatDateTime(scheduledFor, { timeZone: rules.timeZone, zone: true })}
            </Box>
            {immovableReason(item) === null && scheduledFor !== null ? <ScheduleReason item={item} status={status} /> : null}
            <QueueItemProblems item={item} timeZone={rules.timeZone} />
            <Box sx={{ color: 'text.secondary' }}>
              {item.sourceData.subreddit === null ? TEXT.unknownSource : `r/${item.sourceData.subreddit}`} · {item.postData.mediaType}
            </Box>
            <Stack direction="row" sx={{ gap: 2.5, alignItems: 'center' }}>
              <Box component="span" aria-hidden sx={{ color: 'text.secondary' }}>
                {TEXT.priority}
              </Box>
              <PriorityField key={item.priority} item={item} actions={actions} />
            </Stack>
          </Stack>
        </Stack>
      </DialogContent>
      <DialogActions sx={{ p: 4, gap: 2, flexWrap: 'wrap' }}>
        <ItemActions item={item} rules={rules} actions={actions} />
        <Button variant="outlined" onClick={onClose}>
          {TEXT.actions.close}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
