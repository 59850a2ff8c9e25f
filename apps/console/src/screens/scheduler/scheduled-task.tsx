import { mdiAlertOutline, mdiCheck, mdiPause } from '@mdi/js';
import type { RecentTaskRun, ScheduledTask } from '@autoposter/contracts';
import { Fragment, type ReactNode, useId } from 'react';
import { SCHEDULER_TEXT, SCHEDULER_TEXT as TEXT } from '../../text/operations.text';
import { CopyButton } from '../../ui/export-text';
import { count, formatDateTime, plural } from '../../ui/format';
import { Icon } from '../../ui/icons';
import { MessageBar } from '../../ui/feedback';
import { Box, Button, ButtonBase, Dialog, DialogActions, DialogContent, DialogTitle } from '../../ui/mui';
import { Tag } from '../../ui/status';

const SIZE = 8;

/** The latest runs, newest at the right. A failed run differs in shape as well as in colour. */
function RunHistory({ runs }: { runs: readonly RecentTaskRun[] }) {
  const [newest] = runs;
  if (newest === undefined) return null;
  const failed = runs.filter(({ ok }) => !ok).length;
  return (
    <Box
      component="span"
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
    </Box>
  );
}

const iconOf = (task: ScheduledTask) => {
  if (task.hasErrors) return { tone: 'red', path: mdiAlertOutline, title: 'Warning' };
  if (task.runCount === 0) return { tone: 'grey', path: mdiPause, title: 'Paused' };
  return { tone: 'green', path: mdiCheck, title: 'OK' };
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
        bgcolor: 'background.paper',
        border: 1,
        borderColor: 'line.main',
        borderRadius: 2.5,
        '&:hover': { borderColor: 'line.strong' },
        '&:focus-visible': { outline: '2px solid', outlineColor: 'primary.main', outlineOffset: 2 },
      }}
    >
      <Box
        sx={{
          width: 34,
          height: 34,
          borderRadius: 2,
          display: 'grid',
          placeItems: 'center',
          flexShrink: 0,
          bgcolor: `status.${icon.tone}.tint`,
          color: `status.${icon.tone}.text`,
        }}
      >
        <Icon path={icon.path} title={icon.title} />
      </Box>
      <Box sx={{ minWidth: 0, flex: 1 }}>
        <Box sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>{task.id}</Box>
        <Box sx={{ fontSize: 13, lineHeight: 1.45, color: 'text.secondary', mt: 0.5, mb: 2 }}>{task.description}</Box>
        <Box
          className="tabular"
          sx={{ fontSize: 12, color: 'text.secondary', display: 'flex', columnGap: 3, rowGap: 1, flexWrap: 'wrap', alignItems: 'center' }}
        >
          <span>{plural(task.runCount, 'run')}</span>
          <span>Last run: {task.lastRun === null ? SCHEDULER_TEXT.never : formatDateTime(task.lastRun)}</span>
          <span>
            {SCHEDULER_TEXT.next}: {next}
          </span>
          {task.hasErrors ? <Tag tone="red">{SCHEDULER_TEXT.hasErrors}</Tag> : null}
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
  const id = useId();
  const facts: [string, ReactNode][] = [
    ['Description', task.description],
    ['Total runs', count(task.runCount)],
    ['Last run', task.lastRun === null ? SCHEDULER_TEXT.never : formatDateTime(task.lastRun)],
    [SCHEDULER_TEXT.next, next],
    ...(task.recentRuns.length === 0
      ? []
      : [[SCHEDULER_TEXT.lastRuns, <RunHistory key="runs" runs={task.recentRuns} />] as [string, ReactNode]]),
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
