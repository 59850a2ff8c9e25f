import { mdiAlertOutline, mdiCheck, mdiPause } from '@mdi/js';
import type { ScheduledTask } from '@autoposter/contracts';
import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import { SCHEDULER_TEXT } from '../../../text/operations.text';
import { formatDateTime, plural } from '../../../ui/format';
import { Icon } from '../../../ui/icon';
import { Tag } from '../../../ui/tag';
import { RunDots } from './run-dots';

const signOf = (task: ScheduledTask) => {
  if (task.hasErrors) return { tone: 'red', path: mdiAlertOutline, title: 'Warning' };
  if (task.runCount === 0) return { tone: 'grey', path: mdiPause, title: 'Paused' };
  return { tone: 'green', path: mdiCheck, title: 'Fine' };
};

/** One task of the clock; a press opens its details. */
export function TaskCard({ task, next, onOpen }: { task: ScheduledTask; next: string; onOpen: () => void }) {
  const sign = signOf(task);
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
          bgcolor: `status.${sign.tone}.tint`,
          color: `status.${sign.tone}.text`,
        }}
      >
        <Icon path={sign.path} title={sign.title} />
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
            <RunDots runs={task.recentRuns} />
          </Box>
        )}
      </Box>
    </ButtonBase>
  );
}
