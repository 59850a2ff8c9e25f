import type { ScheduledTask } from '@autoposter/contracts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { Fragment, useId, type ReactNode } from 'react';
import { SCHEDULER_TEXT } from '../../../text/operations.text';
import { CopyButton } from '../../../ui/export-text';
import { count, formatDateTime } from '../../../ui/format';
import { MessageBar } from '../../../ui/message-bar';
import { RunDots } from './run-dots';

const errorOf = (id: string, { timestamp, error }: NonNullable<ScheduledTask['lastError']>): string => `${id}, ${timestamp}: ${error}`;

/** All that is known of a task. */
export function TaskDialog({ task, next, onClose }: { task: ScheduledTask; next: string; onClose: () => void }) {
  const id = useId();
  const facts: [string, ReactNode][] = [
    ['Description', task.description],
    ['Total runs', count(task.runCount)],
    ['Last run', task.lastRun === null ? SCHEDULER_TEXT.never : formatDateTime(task.lastRun)],
    [SCHEDULER_TEXT.next, next],
    ...(task.recentRuns.length === 0
      ? []
      : [[SCHEDULER_TEXT.lastRuns, <RunDots key="runs" runs={task.recentRuns} />] as [string, ReactNode]]),
    [SCHEDULER_TEXT.hasErrors, task.hasErrors ? 'Yes' : 'No'],
  ];
  return (
    <Dialog open onClose={onClose} maxWidth="sm" fullWidth aria-labelledby={id}>
      <DialogTitle id={id} sx={{ fontSize: 18, fontWeight: 620 }}>
        {task.id}
      </DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 4 }}>
        <Box
          component="dl"
          className="tabular"
          sx={{
            m: 0,
            display: 'grid',
            gridTemplateColumns: '120px minmax(0, 1fr)',
            gap: 2,
            fontSize: 13,
            '& dt': { color: 'text.secondary' },
            '& dd': { m: 0 },
          }}
        >
          {facts.map(([name, value]) => (
            <Fragment key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </Fragment>
          ))}
        </Box>
        {task.lastError === null ? null : (
          <MessageBar tone="red">
            <strong>Last error, {formatDateTime(task.lastError.timestamp)}</strong>
            <Box sx={{ whiteSpace: 'pre-wrap' }}>{task.lastError.error}</Box>
          </MessageBar>
        )}
      </DialogContent>
      <DialogActions sx={{ p: 4 }}>
        {task.lastError === null ? null : <CopyButton text={errorOf(task.id, task.lastError)} label={SCHEDULER_TEXT.copyError} />}
        <Button variant="outlined" onClick={onClose}>
          Close
        </Button>
      </DialogActions>
    </Dialog>
  );
}
