import { mdiClose } from '@mdi/js';
import { cancelRun, dismissRun, type Run, secondsLeft, useRuns } from '../../data/runs/run-store';
import { RUN_TEXT as TEXT } from '../../text/shell.text';
import { ActionButton } from '../../ui/actions';
import { duration } from '../../ui/format';
import { Icon } from '../../ui/icons';
import { Box, IconButton, Span } from '../../ui/mui';
import { useLocalNow } from '../../ui/timers';

const TICK_MS = 1_000;

const statusOf = (run: Run, now: number): string => {
  const finished = run.done + run.failed;
  if (run.endedAt !== null) return run.cancelling ? TEXT.stopped(finished, run.total) : TEXT.finished(run.done, run.total);
  const left = secondsLeft(run, now);
  return [TEXT.of(finished, run.total), left === null ? null : TEXT.left(duration(left)), run.detail].filter(Boolean).join(' · ');
};

function Line({ run, now }: { run: Run; now: number }) {
  const share = (count: number) => `${(100 * count) / Math.max(1, run.total)}%`;
  const running = run.endedAt === null;
  return (
    <Box role="group" aria-label={run.title} sx={{ position: 'relative', pt: 0.75 }}>
      <Box
        role="progressbar"
        aria-label={run.title}
        aria-valuemin={0}
        aria-valuemax={run.total}
        aria-valuenow={run.done + run.failed}
        sx={{ position: 'absolute', inset: '0 0 auto', height: 3, display: 'flex', bgcolor: 'sunken.main' }}
      >
        <Box sx={{ width: share(run.done), bgcolor: running ? 'primary.main' : 'status.green.dot', transition: 'width 180ms' }} />
        <Box sx={{ width: share(run.failed), bgcolor: 'status.red.dot', transition: 'width 180ms' }} />
      </Box>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: { xs: 2, sm: 4 }, px: { xs: 4, sm: 6, lg: 8 }, minHeight: 48, fontSize: 13 }}>
        <Box sx={{ flex: 1, minWidth: 0, py: 1, overflowWrap: 'anywhere' }}>
          <Span sx={{ fontWeight: 600, mr: 2 }}>{run.title}</Span>
          <Span sx={{ color: 'text.secondary' }}>{statusOf(run, now)}</Span>
          {run.failed > 0 ? <Span sx={{ color: 'status.red.text', fontWeight: 600 }}>{` · ${TEXT.failed(run.failed)}`}</Span> : null}
        </Box>
        {running && run.cancel !== null ? (
          <ActionButton
            small
            label={run.cancelling ? TEXT.cancelling : TEXT.cancel}
            disabled={run.cancelling}
            onClick={() => cancelRun(run.id)}
          />
        ) : (
          <IconButton size="small" aria-label={TEXT.hide(run.title)} onClick={() => dismissRun(run.id)}>
            <Icon path={mdiClose} />
          </IconButton>
        )}
      </Box>
    </Box>
  );
}

function Lines({ runs }: { runs: readonly Run[] }) {
  const now = useLocalNow(TICK_MS);
  return runs.map((run) => <Line key={run.id} run={run} now={now} />);
}

export function RunBar() {
  const runs = useRuns();
  return (
    <Box
      component="section"
      aria-label={TEXT.label}
      sx={{
        position: 'sticky',
        bottom: 0,
        zIndex: 1090,
        ...(runs.length === 0 ? {} : { bgcolor: 'background.paper', borderTop: 1, borderColor: 'line.main' }),
      }}
    >
      {runs.length === 0 ? null : <Lines runs={runs} />}
    </Box>
  );
}
