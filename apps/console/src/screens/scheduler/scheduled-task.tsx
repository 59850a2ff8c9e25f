import { mdiAlertOutline, mdiCheck, mdiPause } from '@mdi/js';
import type { RecentTaskRun, ScheduledTask } from '@autoposter/contracts';
import type { ReactNode } from 'react';
import { SCHEDULER_TEXT as TEXT } from '../../text/operations.text';
import { CARD } from '../../theme/tokens';
import { ActionButton } from '../../ui/actions';
import { DialogFrame } from '../../ui/dialogs';
import { CopyButton } from '../../ui/export-text';
import { count, formatDateTime, plural } from '../../ui/format';
import { Facts } from '../../ui/layout';
import { IconTile } from '../../ui/icons';
import { MessageBar } from '../../ui/feedback';
import { Box, ButtonBase, Span } from '../../ui/mui';
import { Tag } from '../../ui/status';

const SIZE = 8;

/** The latest runs, newest at the right. A failed run differs in shape as well as in colour. */
function RunHistory({ runs }: { runs: readonly RecentTaskRun[] }) {
  const [newest] = runs;
  if (newest === undefined) return null;
  const failed = runs.filter(({ ok }) => !ok).length;
  return (
    <Span
      role="img"
      aria-label={TEXT.recent(runs.length, failed, newest.ok)}
      sx={{ display: 'inline-flex', flexWrap: 'wrap', gap: 0.75, alignItems: 'center' }}
    >
      {runs.toReversed().map(({ startedAt, durationMs, ok }, index) => (
        <Box
          key={`${startedAt} ${index}`}
          component="span"
          data-ok={ok}
          title={TEXT.recentRun(formatDateTime(startedAt), durationMs, ok)}
          sx={{ width: SIZE, height: SIZE, borderRadius: ok ? '50%' : '1px', bgcolor: ok ? 'status.green.dot' : 'status.red.dot' }}
        />
      ))}
    </Span>
  );
}

const iconOf = ({ hasErrors, runCount }: ScheduledTask) => {
  if (hasErrors) return { tone: 'red', path: mdiAlertOutline, title: 'Warning' } as const;
  if (runCount === 0) return { tone: 'grey', path: mdiPause, title: 'Paused' } as const;
  return { tone: 'green', path: mdiCheck, title: 'OK' } as const;
};

export function TaskCard({ task, next, onOpen }: { task: ScheduledTask; next: string; onOpen: () => void }) {
  const icon = iconOf(task);
  return (
    <ButtonBase
      onClick={onOpen}
      sx={{
        display: 'flex',
        alignItems: 'flex-start',
        justifyContent: 'flex-start',
        gap: 3.5,
        p: 4.5,
        textAlign: 'left',
        ...CARD,
        '&:hover': { borderColor: 'line.strong' },
        '&:focus-visible': { outline: '2px solid', outlineColor: 'primary.main', outlineOffset: 2 },
      }}
    >
      <IconTile {...icon} />
      <Box sx={{ minWidth: 0, flex: 1 }}>
        <Box sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>{task.id}</Box>
        <Box sx={{ fontSize: 13, lineHeight: 1.45, color: 'text.secondary', mt: 0.5, mb: 2 }}>{task.description}</Box>
        <Box
          sx={{ fontSize: 12, color: 'text.secondary', display: 'flex', columnGap: 3, rowGap: 1, flexWrap: 'wrap', alignItems: 'center' }}
        >
          <span>{plural(task.runCount, 'run')}</span>
          <span>Last run: {task.lastRun === null ? TEXT.never : formatDateTime(task.lastRun)}</span>
          <span>
            {TEXT.next}: {next}
          </span>
          {task.hasErrors ? <Tag tone="red">{TEXT.hasErrors}</Tag> : null}
        </Box>
        {task.recentRuns.length === 0 ? null : (
          <Box sx={{ mt: 2 }}>
            <RunHistory runs={task.recentRuns} />
          </Box>
        )}
      </Box>
    </ButtonBase>
  );
}

const errorOf = (id: string, { timestamp, error }: NonNullable<ScheduledTask['lastError']>): string => `${id}, ${timestamp}: ${error}`;

export function TaskDialog({ task, next, onClose }: { task: ScheduledTask; next: string; onClose: () => void }) {
  const facts: [string, ReactNode][] = [
    ['Description', task.description],
    ['Total runs', count(task.runCount)],
    ['Last run', task.lastRun === null ? TEXT.never : formatDateTime(task.lastRun)],
    [TEXT.next, next],
    ...(task.recentRuns.length === 0 ? [] : [[TEXT.lastRuns, <RunHistory key="runs" runs={task.recentRuns} />] as [string, ReactNode]]),
    [TEXT.hasErrors, task.hasErrors ? 'Yes' : 'No'],
  ];
  return (
    <DialogFrame
      large
      maxWidth="sm"
      title={task.id}
      onClose={onClose}
      actions={
        <>
          {task.lastError === null ? null : <CopyButton text={errorOf(task.id, task.lastError)} label={TEXT.copyError} />}
          <ActionButton label="Close" onClick={onClose} />
        </>
      }
    >
      <Facts facts={facts} />
      {task.lastError === null ? null : (
        <MessageBar tone="red">
          <strong>Last error, {formatDateTime(task.lastError.timestamp)}</strong>
          <Box sx={{ whiteSpace: 'pre-wrap' }}>{task.lastError.error}</Box>
        </MessageBar>
      )}
    </DialogFrame>
  );
}
