import type { RecentTaskRun } from '@autoposter/contracts';
import Box from '@mui/material/Box';
import { SCHEDULER_TEXT as TEXT } from '../../../text/operations.text';
import { formatDateTime } from '../../../ui/format';

const SIZE = 8;

/** The last runs of a task, the newest at the right; a failed one has another shape as well as another colour. */
export function RunDots({ runs }: { runs: readonly RecentTaskRun[] }) {
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
