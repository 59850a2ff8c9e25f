import type { QueueItem, QueueStatusView } from '@autoposter/contracts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Stack from '@mui/material/Stack';
import { useId } from 'react';
import { QUEUE_TEXT as TEXT } from '../../../text/instagram-queue.text';
import { formatDateTime } from '../../../ui/format';
import { Poster } from '../../../ui/poster';
import { StatusPill } from '../../../ui/status-pill';
import { ItemActions, PriorityField } from '../queue-item-actions';
import { QueueItemProblems, ScheduleReason } from '../queue-item-status';
import { type QueueActions, titleOf } from '../use-queue-actions';
import { type QueueRules, immovableReason } from './move-rules';

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
