import { mdiClockOutline } from '@mdi/js';
import { LIMITS, type ScheduledTask, type SchedulerStatus } from '@autoposter/contracts';
import { useSearchParams } from 'react-router-dom';
import { notifyResult } from '../../app/notifications/notify-result';
import { useSchedulerStatistics, useSchedulerStatus, useSetScheduler } from '../../data/scheduler/use-scheduler';
import { SCHEDULER_TEXT as TEXT } from '../../text/operations.text';
import { ActionButton } from '../../ui/actions';
import { LoadState, MessageBar } from '../../ui/feedback';
import { count, duration, formatDateTime } from '../../ui/format';
import { Page, Stat, StatGrid } from '../../ui/layout';
import { Box, Span, Stack } from '../../ui/mui';
import { StatusPill } from '../../ui/status';
import { useNow } from '../../ui/timers';
import { TaskCard, TaskDialog } from './scheduled-task';

const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;
/** Intervals without a run before the scheduler counts as late. */
const LATE_AFTER = 2;

interface Tick {
  text: string;
  late: boolean;
}

/** When a task last ran; `null` before the first run. */
export function lastTick({ tasks, intervalMinutes, isRunning }: SchedulerStatus, now: number): Tick | null {
  const last = Math.max(...tasks.map(({ lastRun }) => (lastRun === null ? 0 : Date.parse(lastRun))), 0);
  if (last === 0) return null;
  const passed = Math.max(0, now - last);
  return { text: TEXT.lastTick(duration(passed / SECOND_MS)), late: isRunning && passed > LATE_AFTER * intervalMinutes * MINUTE_MS };
}

/** "21 Nov, 14:30 (in 5 min)", or when it will be known. */
export function nextRunText({ nextRun }: Pick<ScheduledTask, 'nextRun'>, isRunning: boolean, now: number): string {
  if (nextRun === null) return isRunning ? TEXT.nextSoon : TEXT.nextStopped;
  const left = Date.parse(nextRun) - now;
  return left < SECOND_MS ? TEXT.nextSoon : TEXT.nextAt(formatDateTime(nextRun), duration(left / SECOND_MS));
}

const DECIMALS = 1;

function Lead({ status, now }: { status: SchedulerStatus | undefined; now: number }) {
  const tick = status === undefined ? null : lastTick(status, now);
  return (
    <Stack direction="row" sx={{ gap: 3, alignItems: 'center', flexWrap: 'wrap', mt: 1 }}>
      {status === undefined ? null : (
        <StatusPill
          status={status.isRunning ? 'running' : 'stopped'}
          tone={status.isRunning ? 'green' : 'grey'}
          label={status.isRunning ? TEXT.running : TEXT.halted}
        />
      )}
      <span>{TEXT.every(status?.intervalMinutes ?? LIMITS.scheduler.intervalMinutes)}</span>
      {status === undefined ? null : <span>{TEXT.registered(status.registeredTasks)}</span>}
      {tick === null ? null : <Span sx={tick.late ? { color: 'status.orange.text', fontWeight: 600 } : {}}>{tick.text}</Span>}
    </Stack>
  );
}

export function SchedulerScreen() {
  const status = useSchedulerStatus();
  const statistics = useSchedulerStatistics();
  const set = useSetScheduler();
  const [query, setQuery] = useSearchParams();
  const data = status.data;
  const now = useNow(SECOND_MS);
  const numbers = statistics.data;
  const opened = data?.tasks.find((task) => task.id === query.get('task'));
  const setTask = (task: { task?: string }) => setQuery(task, { replace: true, preventScrollReset: true });

  const refetch = () => {
    void status.refetch();
    void statistics.refetch();
  };
  const change = (run: boolean) =>
    void notifyResult(set.mutateAsync(run), run ? TEXT.started : TEXT.stopped, run ? TEXT.startFailed : TEXT.stopFailed);
  return (
    <Page
      title={TEXT.title}
      lead={<Lead status={data} now={now} />}
      actions={
        <>
          <ActionButton
            label={TEXT.start}
            variant="contained"
            disabled={data?.isRunning !== false || set.isPending}
            onClick={() => change(true)}
          />
          <ActionButton label={TEXT.stop} disabled={data?.isRunning !== true || set.isPending} onClick={() => change(false)} />
        </>
      }
    >
      <Box sx={{ display: 'grid', gap: 5 }}>
        <LoadState
          query={{ isPending: status.isPending, error: status.error ?? statistics.error, refetch }}
          loading={{ rows: 4, height: 96, label: TEXT.loading }}
          error={TEXT.error}
          empty={data?.tasks.length === 0 && { icon: mdiClockOutline, title: TEXT.none }}
        />
        {data !== undefined && lastTick(data, now)?.late === true ? <MessageBar tone="orange">{TEXT.late}</MessageBar> : null}

        {numbers === undefined ? null : (
          <StatGrid>
            <Stat label="Total Tasks" value={count(numbers.totalTasks)} />
            <Stat label="Total Runs" value={count(numbers.totalRuns)} />
            <Stat label="Total Errors" value={count(numbers.totalErrors)} {...(numbers.totalErrors > 0 ? { tone: 'red' as const } : {})} />
            <Stat label="Avg Runs/Task" value={numbers.averageRunsPerTask.toFixed(DECIMALS)} />
          </StatGrid>
        )}

        <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 300px), 1fr))' }}>
          {data?.tasks.map((task) => (
            <TaskCard key={task.id} task={task} next={nextRunText(task, data.isRunning, now)} onOpen={() => setTask({ task: task.id })} />
          ))}
        </Box>
      </Box>
      {opened === undefined ? null : (
        <TaskDialog task={opened} next={nextRunText(opened, data?.isRunning === true, now)} onClose={() => setTask({})} />
      )}
    </Page>
  );
}
