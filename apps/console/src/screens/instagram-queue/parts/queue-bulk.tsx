import { LIMITS, type QueueItem } from '@autoposter/contracts';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { BulkBar, useSelected, type Selection } from '../../../app/bulk/selection';
import { QUEUE_TEXT } from '../../../text/instagram-queue.text';
import { useConfirm, type Question } from '../../../ui/confirm-dialog';
import { parseWholeNumber } from '../../../ui/format';
import { canPrioritise, canRemove } from '../use-queue-actions';
import { useChangeManyInQueue } from '../use-change-many-in-queue';

const TEXT = QUEUE_TEXT.bulk;
const LIMIT = LIMITS.queue.priority;

/** What can be done with all posts that are selected, each after one question; there while any is. */
export function QueueBulk({ items, selection }: { items: readonly QueueItem[]; selection: Selection }) {
  const ids = useSelected(selection);
  const [typed, setTyped] = useState(String(LIMIT.default));
  const change = useChangeManyInQueue();
  const { confirm, dialog } = useConfirm();
  const chosen = items.filter((item) => ids.has(item._id));
  const removable = chosen.filter(canRemove);
  const open = chosen.filter(canPrioritise);
  const priority = parseWholeNumber(typed, LIMIT);
  const ask = (question: Question, work: () => void) =>
    confirm(question, () => {
      selection.clear();
      work();
    });
  const remove = () =>
    ask(
      { question: TEXT.removeQuestion(removable.length), detail: TEXT.removeDetail, confirm: QUEUE_TEXT.actions.remove, danger: true },
      () => change.remove(removable),
    );
  const prioritise = (to: number) =>
    ask({ question: TEXT.priorityQuestion(open.length, to), confirm: TEXT.setPriority }, () => change.prioritise(open, to));
  return (
    <>
      {chosen.length === 0 ? null : (
        <BulkBar selected={chosen.length} onClear={() => selection.clear()}>
          <TextField
            type="number"
            label={QUEUE_TEXT.priority}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            slotProps={{ htmlInput: { min: LIMIT.min, max: LIMIT.max } }}
            sx={{ width: 84 }}
          />
          <Button
            size="small"
            variant="contained"
            disabled={priority === null || open.length === 0}
            onClick={() => priority !== null && prioritise(priority)}
          >
            {TEXT.setPriority}
          </Button>
          <Button size="small" variant="outlined" disabled={removable.length === 0} onClick={remove}>
            {QUEUE_TEXT.actions.remove}
          </Button>
        </BulkBar>
      )}
      {dialog}
    </>
  );
}
