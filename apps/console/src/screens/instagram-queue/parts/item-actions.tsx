import type { QueueItem } from '@autoposter/contracts';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Stack from '@mui/material/Stack';
import { useState } from 'react';
import { QUEUE_TEXT } from '../../../text/instagram-queue.text';
import { whyFixed, type QueueRules } from '../calendar/move-rules';
import { canRemove, type QueueActions } from '../use-queue-actions';
import { MoveDialog } from './move-dialog';
import { SettleOutcome } from './settle-outcome';

const TEXT = QUEUE_TEXT.actions;

/** What can be done with a post where it stands. */
export function ItemActions({ item, rules, actions }: { item: QueueItem; rules: QueueRules; actions: QueueActions }) {
  const [moving, setMoving] = useState(false);
  const original = item.sourceData.originalRedditUrl;
  const busy = actions.busy(item._id);
  return (
    <Stack direction="row" sx={{ gap: 2, alignItems: 'center', flexWrap: 'wrap' }}>
      {whyFixed(item) === null ? (
        <Button size="small" variant="outlined" disabled={busy} onClick={() => setMoving(true)}>
          {QUEUE_TEXT.move.open}
        </Button>
      ) : null}
      {item.status === 'failed' ? (
        <Button size="small" variant="contained" loading={busy} onClick={() => void actions.retry(item)}>
          {TEXT.retry}
        </Button>
      ) : null}
      {canRemove(item) ? (
        <Button size="small" variant="outlined" disabled={busy} onClick={() => void actions.remove(item)}>
          {TEXT.remove}
        </Button>
      ) : null}
      {item.outcome === 'unknown' ? <SettleOutcome item={item} /> : null}
      {original === null ? null : (
        <Link href={original} target="_blank" rel="noreferrer" variant="body2" sx={{ py: 1 }}>
          {TEXT.original}
        </Link>
      )}
      {moving ? <MoveDialog item={item} rules={rules} actions={actions} onClose={() => setMoving(false)} /> : null}
    </Stack>
  );
}
