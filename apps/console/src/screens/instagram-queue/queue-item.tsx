import { LIMITS, type QueueItem, type QueueStatusView, type SettleBody } from '@autoposter/contracts';
import { useId, useState } from 'react';
import { notifyResult } from '../../app/notifications/notify-result';
import { usePostNow, usePublishedInApp, useSettleOutcome, usePublishAnyway } from '../../data/instagram-queue/use-change-queue';
import { useInAppTask, useQueuePreview } from '../../data/instagram-queue/use-queue';
import { serverNow } from '../../store/clock';
import { QUEUE_TEXT as TEXT } from '../../text/instagram-queue.text';
import { ActionButton } from '../../ui/actions';
import { DialogFrame, useConfirm } from '../../ui/dialogs';
import { CopyButton } from '../../ui/export-text';
import { LoadState } from '../../ui/feedback';
import { formatDateTime, parseWholeNumber } from '../../ui/format';
import { Poster } from '../../ui/media';
import { Box, ButtonBase, Link, Span, Stack, TextField } from '../../ui/mui';
import { StatusPill } from '../../ui/status';
import { FailureFacts } from './failure-causes';
import { PublishOptionsDialog } from './publish-options';
import { fromLocalText, localText } from './calendar/calendar-days';
import { immovableReason, type QueueRules, refusalAt, startOfMove } from './calendar/move-rules';
import { canPrioritise, canRemove, type QueueActions, sourceOf, titleOf, waits } from './use-queue-actions';

/** The scheduling rules, for a post beyond the slots that the server explains. */
function rulesText(item: QueueItem, status: QueueStatusView | undefined): string {
  if (item.scheduling.pinned === true) return TEXT.why.pinned;
  if (status === undefined) return '';
  const { intervalMinutes, randomization, timeBlocking: blocked } = status;
  const parts = [TEXT.why.interval(intervalMinutes)];
  if (randomization.enabled) parts.push(TEXT.why.delay(randomization.maxDelayMinutes));
  if (blocked.enabled) parts.push(TEXT.why.blocked(`${blocked.startTime}–${blocked.endTime}`, blocked.timeZone ?? 'UTC'));
  return `${parts.join(', ')}.`;
}

const WHY_LINK = {
  minHeight: 24,
  justifyContent: 'flex-start',
  textAlign: 'left',
  whiteSpace: 'nowrap',
  borderRadius: 1,
  fontSize: 12,
  fontWeight: 540,
  color: 'accent.text',
  textDecoration: 'underline',
} as const;

export function ScheduleReason({ item, status }: { item: QueueItem; status: QueueStatusView | undefined }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const preview = useQueuePreview(open);
  const explanation = preview.data?.slots.find((slot) => slot.queueItemId === item._id)?.why.text;
  return (
    <Box sx={{ fontSize: 12 }}>
      <ButtonBase aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)} sx={WHY_LINK}>
        {TEXT.why.open}
      </ButtonBase>
      <Box id={id} role="status" sx={{ color: 'text.secondary', maxWidth: 260, whiteSpace: 'normal' }}>
        {open && !preview.isPending ? (explanation ?? rulesText(item, status)) : null}
      </Box>
    </Box>
  );
}

/** Why a post is not published: an unconfirmed result, a wait, or a failure with its next action. */
export function QueueItemProblems({ item: { failure, waiting, outcome }, timeZone }: { item: QueueItem; timeZone: string }) {
  const until = waiting?.until ? formatDateTime(waiting.until, { timeZone, zone: true }) : null;
  return (
    <>
      {outcome === 'unknown' ? <Box sx={{ fontSize: 12, color: 'status.orange.text' }}>{TEXT.unknown}</Box> : null}
      {waiting ? <Box sx={{ fontSize: 12, color: 'status.orange.text' }}>{TEXT.waits(waiting.reason, until)}</Box> : null}
      {failure ? (
        <Box sx={{ fontSize: 12, color: 'status.red.text' }}>
          {failure.message} {failure.nextAction}
          <FailureFacts {...failure} />
        </Box>
      ) : null}
    </>
  );
}

/** Lets an administrator state whether an unconfirmed post was published. */
function ResolveUnconfirmedPost({ item }: { item: QueueItem }) {
  const settle = useSettleOutcome();
  const [open, setOpen] = useState(false);
  const [permalink, setPermalink] = useState('');
  const close = () => setOpen(false);
  const send = (body: SettleBody) =>
    void notifyResult(settle.mutateAsync({ id: item._id, body }), null, TEXT.error).then((done) => done && close());
  const link = permalink.trim();
  const busy = settle.isPending;
  const live: SettleBody = { outcome: 'live', ...(link === '' ? {} : { permalink: link }) };
  return (
    <>
      <ActionButton small label={TEXT.resolve.open} onClick={() => setOpen(true)} />
      {open ? (
        <DialogFrame
          title={TEXT.resolve.question}
          onClose={close}
          actions={
            <>
              <ActionButton label={TEXT.resolve.cancel} onClick={close} />
              <ActionButton label={TEXT.resolve.absent} disabled={busy || link !== ''} onClick={() => send({ outcome: 'absent' })} />
              <ActionButton label={TEXT.resolve.live} variant="contained" disabled={busy} onClick={() => send(live)} />
            </>
          }
        >
          <Box sx={{ color: 'text.secondary' }}>{TEXT.resolve.detail}</Box>
          <TextField label={TEXT.resolve.link} value={permalink} onChange={(event) => setPermalink(event.target.value)} />
        </DialogFrame>
      ) : null}
    </>
  );
}

/** The way out when the API refuses a post for good: its files and caption, and the record that a person published it. */
function FinishInApp({ item }: { item: QueueItem }) {
  const [open, setOpen] = useState(false);
  const [permalink, setPermalink] = useState('');
  const task = useInAppTask(open ? item._id : null);
  const record = usePublishedInApp();
  const close = () => setOpen(false);
  const link = permalink.trim();
  const send = () =>
    void notifyResult(
      record.mutateAsync({ id: item._id, body: link === '' ? {} : { permalink: link } }),
      TEXT.inApp.recorded(titleOf(item)),
      TEXT.error,
    ).then((done) => done && close());
  return (
    <>
      <ActionButton small label={TEXT.inApp.open} onClick={() => setOpen(true)} />
      {open ? (
        <DialogFrame
          title={TEXT.inApp.title}
          onClose={close}
          onSubmit={send}
          actions={
            <>
              <ActionButton label={TEXT.inApp.cancel} onClick={close} />
              <ActionButton label={TEXT.inApp.done} type="submit" variant="contained" loading={record.isPending} />
            </>
          }
        >
          <Box sx={{ color: 'text.secondary' }}>{TEXT.inApp.detail}</Box>
          <LoadState query={task} loading={{ rows: 2, height: 48, label: TEXT.inApp.loading }} error={TEXT.error} empty={false} />
          {task.data === undefined ? null : (
            <Stack sx={{ gap: 2, alignItems: 'flex-start' }}>
              {task.data.files.map(({ url, fileName }, index) => (
                <Link key={url} href={url} download={fileName} sx={{ py: 1, overflowWrap: 'anywhere' }}>
                  {TEXT.inApp.file(index + 1, fileName)}
                </Link>
              ))}
              <TextField
                label={TEXT.inApp.caption}
                value={task.data.caption}
                multiline
                maxRows={6}
                fullWidth
                slotProps={{ input: { readOnly: true } }}
              />
              <CopyButton text={task.data.caption} label={TEXT.inApp.copy} />
              {task.data.collaborators.length === 0 ? null : (
                <Box sx={{ overflowWrap: 'anywhere' }}>{TEXT.inApp.collaborators(task.data.collaborators)}</Box>
              )}
            </Stack>
          )}
          <TextField label={TEXT.inApp.link} value={permalink} onChange={(event) => setPermalink(event.target.value)} />
        </DialogFrame>
      ) : null}
    </>
  );
}

function PostNow({ item, itemId, disabled }: { item: QueueItem; itemId: string; disabled: boolean }) {
  const post = usePostNow();
  const { confirm, dialog } = useConfirm();
  const detail = (
    <Box sx={{ display: 'grid', gap: 3 }}>
      <Box dir="auto" sx={{ color: 'text.primary', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {item.postData.caption}
      </Box>
      <Box>{TEXT.postNow.detail}</Box>
    </Box>
  );
  const ask = () =>
    confirm(
      { question: TEXT.postNow.question, detail, confirm: TEXT.postNow.open },
      () => void notifyResult(post.mutateAsync(itemId), TEXT.postNow.done(titleOf(item)), TEXT.error),
    );
  return (
    <>
      <ActionButton small label={TEXT.postNow.open} disabled={disabled} loading={post.isPending} onClick={ask} />
      {dialog}
    </>
  );
}

/** Publishes a post that is held because Instagram's copyright check has no result. */
function PublishAnyway({ item }: { item: QueueItem }) {
  const release = usePublishAnyway();
  const { confirm, dialog } = useConfirm();
  const ask = () =>
    confirm(
      { question: TEXT.rights.question, detail: TEXT.rights.detail, confirm: TEXT.rights.open, danger: true },
      () => void notifyResult(release.mutateAsync(item._id), TEXT.rights.done, TEXT.error),
    );
  return (
    <>
      <ActionButton small label={TEXT.rights.open} loading={release.isPending} onClick={ask} />
      {dialog}
    </>
  );
}

interface ItemProps {
  item: QueueItem;
  rules: QueueRules;
  actions: QueueActions;
}

/** Moves a post without dragging: to a time in the queue's time zone, or back to the planner. */
function MoveDialog({ item, rules, actions, onClose }: ItemProps & { onClose: () => void }) {
  const [now] = useState(serverNow);
  const [start] = useState(() => startOfMove(item, now));
  const startText = localText(start, rules.timeZone);
  const [text, setText] = useState(startText);
  // An unchanged text means the second occurrence too, where clocks are set back.
  const at = text === startText ? start : fromLocalText(text, rules.timeZone);
  const refusal = at === null ? null : refusalAt(at, rules, now);
  const busy = actions.busy(item._id);
  const send = (to: Date | null) => void actions.move(item, to).then((done) => done && onClose());
  const submit = () => (at !== null && refusal === null ? send(at) : undefined);
  return (
    <DialogFrame
      title={TEXT.move.title}
      onClose={onClose}
      onSubmit={submit}
      actions={
        <>
          <ActionButton label={TEXT.move.planner} variant="text" sx={{ mr: 'auto' }} disabled={busy} onClick={() => send(null)} />
          <ActionButton label={TEXT.move.cancel} onClick={onClose} />
          <ActionButton
            label={TEXT.move.save}
            type="submit"
            variant="contained"
            disabled={at === null || refusal !== null}
            loading={busy}
          />
        </>
      }
    >
      <Box sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>{titleOf(item)}</Box>
      <TextField
        type="datetime-local"
        label={TEXT.move.field(rules.timeZone)}
        value={text}
        autoFocus
        error={refusal !== null}
        helperText={refusal ?? ' '}
        onChange={(event) => setText(event.target.value)}
        slotProps={{ inputLabel: { shrink: true }, htmlInput: { min: localText(new Date(now), rules.timeZone) } }}
      />
    </DialogFrame>
  );
}

const { min, max } = LIMITS.queue.priority;

/** Saves the priority on blur or Enter; resets an invalid or rejected value. */
export function PriorityField({ item, actions }: Omit<ItemProps, 'rules'>) {
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
      slotProps={{ htmlInput: { min, max, 'aria-label': TEXT.priorityOf(titleOf(item)) } }}
      sx={{ width: 64 }}
    />
  );
}

export function ItemActions({ item, rules, actions }: ItemProps) {
  const [moving, setMoving] = useState(false);
  const [choosing, setChoosing] = useState(false);
  const original = item.sourceData.originalRedditUrl;
  const busy = actions.busy(item._id);
  return (
    <Stack direction="row" sx={{ gap: 2, alignItems: 'center', flexWrap: 'wrap' }}>
      {waits(item) && item.itemId !== undefined ? <PostNow item={item} itemId={item.itemId} disabled={busy} /> : null}
      {immovableReason(item) === null ? (
        <ActionButton small label={TEXT.move.open} disabled={busy} onClick={() => setMoving(true)} />
      ) : null}
      {waits(item) || item.status === 'failed' ? (
        <ActionButton small label={TEXT.options.open} disabled={busy} onClick={() => setChoosing(true)} />
      ) : null}
      {item.status === 'failed' ? (
        <ActionButton small label={TEXT.actions.retry} variant="contained" loading={busy} onClick={() => void actions.retry(item)} />
      ) : null}
      {canRemove(item) ? (
        <ActionButton small label={TEXT.actions.remove} disabled={busy} onClick={() => void actions.remove(item)} />
      ) : null}
      {item.finishInApp === true ? <FinishInApp item={item} /> : null}
      {item.waiting?.held === true ? <PublishAnyway item={item} /> : null}
      {item.outcome === 'unknown' ? <ResolveUnconfirmedPost item={item} /> : null}
      {original === null ? null : (
        <Link href={original} target="_blank" rel="noreferrer" variant="body2" sx={{ py: 1 }}>
          {TEXT.actions.original}
        </Link>
      )}
      {choosing ? <PublishOptionsDialog item={item} onClose={() => setChoosing(false)} /> : null}
      {moving ? <MoveDialog item={item} rules={rules} actions={actions} onClose={() => setMoving(false)} /> : null}
    </Stack>
  );
}

/** A post of the calendar with everything that its row of the table shows. */
export function QueueItemDialog({
  item,
  rules,
  actions,
  status,
  onClose,
}: ItemProps & { status: QueueStatusView | undefined; onClose: () => void }) {
  const { scheduledFor } = item.scheduling;
  return (
    <DialogFrame
      large
      maxWidth="sm"
      title={titleOf(item)}
      onClose={onClose}
      actions={
        <>
          <ItemActions item={item} rules={rules} actions={actions} />
          <ActionButton label={TEXT.actions.close} onClick={onClose} />
        </>
      }
    >
      <Stack direction="row" sx={{ gap: 4 }}>
        <Poster src={item.posterUrl} width={92} />
        <Stack sx={{ gap: 3, minWidth: 0, alignItems: 'flex-start' }}>
          <StatusPill status={item.status} />
          <Box sx={{ fontWeight: 580 }}>
            {scheduledFor === null ? TEXT.notScheduled : formatDateTime(scheduledFor, { timeZone: rules.timeZone, zone: true })}
          </Box>
          {immovableReason(item) === null && scheduledFor !== null ? <ScheduleReason item={item} status={status} /> : null}
          <QueueItemProblems item={item} timeZone={rules.timeZone} />
          <Box sx={{ color: 'text.secondary' }}>
            {sourceOf(item)} · {item.postData.mediaType}
          </Box>
          <Stack direction="row" sx={{ gap: 2.5, alignItems: 'center' }}>
            <Span aria-hidden sx={{ color: 'text.secondary' }}>
              {TEXT.priority}
            </Span>
            <PriorityField key={item.priority} item={item} actions={actions} />
          </Stack>
        </Stack>
      </Stack>
    </DialogFrame>
  );
}
