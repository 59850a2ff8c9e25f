import { LIMITS, type QueueItem } from '@autoposter/contracts';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { errorText } from '../../../data/http/client';
import { useSetPriority } from '../../../data/instagram-queue/use-change-queue';
import { QUEUE_TEXT } from '../../../text/instagram-queue.text';
import { notify } from '../../../ui/notices/notice-store';
import { wholeWithin } from '../../../ui/whole-number';

const { min, max } = LIMITS.queue.priority;

/** The priority, saved when the field is left or Enter is pressed; put back when it is not acceptable. */
export function PriorityField({ item }: { item: QueueItem }) {
  const [value, setValue] = useState(String(item.priority));
  const save = useSetPriority();
  const settled = item.status === 'posting' || item.status === 'posted';
  const commit = () => {
    const priority = wholeWithin(value, LIMITS.queue.priority);
    if (priority === null) return setValue(String(item.priority));
    if (priority === item.priority) return;
    save.mutate(
      { id: item._id, priority },
      {
        onError: (error) => {
          setValue(String(item.priority));
          notify.failure(QUEUE_TEXT.error(errorText(error)));
        },
      },
    );
  };
  return (
    <TextField
      type="number"
      hiddenLabel
      value={value}
      disabled={settled || save.isPending}
      onChange={(event) => setValue(event.target.value)}
      onBlur={commit}
      onKeyDown={(event) => event.key === 'Enter' && commit()}
      slotProps={{ htmlInput: { min, max, 'aria-label': `Priority of ${item.sourceData.postTitle ?? QUEUE_TEXT.untitled}` } }}
      sx={{ width: 84 }}
    />
  );
}
