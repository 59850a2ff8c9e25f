import type { QueueStatusView } from '@autoposter/contracts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import type { ReactNode } from 'react';
import { errorText } from '../../../data/http/client';
import { useSetQueue } from '../../../data/instagram-queue/use-change-queue';
import { QUEUE_TEXT as TEXT } from '../../../text/instagram-queue.text';
import { timeUntil } from '../../../ui/format';
import { notify } from '../../../ui/notifications';
import { Panel } from '../../../ui/panel';
import { StatusPill } from '../../../ui/status-pill';
import { useNow } from '../../../ui/use-now';

const Cell = ({ name, grow = false, children }: { name: string; grow?: boolean; children: ReactNode }) => (
  <Box sx={{ minWidth: 120, ...(grow ? { flex: '1 1 200px' } : {}) }}>
    <Box sx={{ fontSize: 12, color: 'text.secondary', mb: 1 }}>{name}</Box>
    <Box className="tabular" sx={{ fontWeight: 580, minHeight: 24, overflowWrap: 'anywhere' }}>
      {children}
    </Box>
  </Box>
);

export function QueueStatusPanel({ status }: { status: QueueStatusView }) {
  const set = useSetQueue();
  const now = useNow();
  const { isRunning, nextPost } = status;
  const flip = () => set.mutate(!isRunning, { onError: (error) => notify.failure(TEXT.error(errorText(error))) });
  return (
    <Panel>
      <Stack direction="row" sx={{ flexWrap: 'wrap', columnGap: 9, rowGap: 4, alignItems: 'center' }}>
        <Cell name={TEXT.status}>
          <StatusPill
            status={isRunning ? 'running' : 'stopped'}
            tone={isRunning ? 'green' : 'grey'}
            label={isRunning ? TEXT.running : TEXT.stopped}
          />
        </Cell>
        <Cell name={TEXT.interval}>{status.intervalMinutes} minutes</Cell>
        <Cell name={TEXT.next} grow>
          {nextPost === null ? (
            <Box sx={{ color: 'text.secondary', fontWeight: 450 }}>None</Box>
          ) : (
            <>
              {nextPost.title}{' '}
              <Box component="span" sx={{ color: 'accent.text' }}>
                {timeUntil(nextPost.scheduledFor, now)}
              </Box>
            </>
          )}
        </Cell>
        {status.totalInQueue > 0 ? <Cell name={TEXT.inQueue}>{status.totalInQueue}</Cell> : null}
        <Button variant={isRunning ? 'outlined' : 'contained'} loading={set.isPending} onClick={flip}>
          {isRunning ? TEXT.stop : TEXT.start}
        </Button>
      </Stack>
    </Panel>
  );
}
