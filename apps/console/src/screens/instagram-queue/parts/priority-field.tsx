import { LIMITS, type QueueItem } from '@autoposter/contracts';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { QUEUE_TEXT } from '../../../text/instagram-queue.text';
import { parseWholeNumber } from '../../../ui/format';
import { canPrioritise, titleOf, type QueueActions } from '../use-queue-actions';

const { min, max } = LIMITS.queue.priority;

/** The priority, saved when the field is left or Enter is pressed; put back when it is not acceptable. */
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
