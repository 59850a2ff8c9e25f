import { LIMITS, type PipelineStage, type PipelineWorker, type WaitingSource } from '@autoposter/contracts';
import { useId } from 'react';
import { PIPELINE_TEXT as TEXT } from '../../text/pipeline.text';
import { CARD, type StatusTone } from '../../theme/tokens';
import { count, duration, timeAgo } from '../../ui/format';
import { MessageBar } from '../../ui/feedback';
import { Box } from '../../ui/mui';
import { Tag } from '../../ui/status';
import { useNow } from '../../ui/timers';

/** The sum of counts of jobs or messages; "+" where one of them has reached the limit of counting. */
export const countUpToLimit = (...counts: readonly number[]): string =>
  `${count(counts.reduce((sum, one) => sum + one, 0))}${counts.some((one) => one >= LIMITS.countedJobs) ? '+' : ''}`;

function Count({ label, value, tone }: { label: string; value: number; tone?: StatusTone }) {
  const colour = tone === undefined || value === 0 ? 'text.primary' : `status.${tone}.text`;
  return (
    <Box sx={{ flex: 1, px: 4, py: 3, minWidth: 0 }}>
      <Box component="dt" sx={{ fontSize: 12, color: 'text.secondary' }}>
        {label}
      </Box>
      <Box
        component="dd"
        data-number=""
        sx={{ m: 0, fontSize: 22, fontWeight: 630, letterSpacing: '-0.02em', color: value === 0 ? 'text.secondary' : colour }}
      >
        {countUpToLimit(value)}
      </Box>
    </Box>
  );
}

function Workers({ workers }: { workers: readonly PipelineWorker[] }) {
  const now = useNow();
  const alive = workers.filter((worker) => worker.alive);
  const busy = alive.flatMap(({ workingOn }) => workingOn);
  const unresponsive = workers.length - alive.length;
  return (
    <Box sx={{ px: 4, py: 3, borderTop: 1, borderColor: 'line.main', fontSize: 13, display: 'grid', gap: 1.5, alignContent: 'start' }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, alignItems: 'center', fontSize: 12 }}>
        {workers.length === 0 ? <Tag tone="orange">{TEXT.noWorker}</Tag> : <Tag>{TEXT.workers(alive.length)}</Tag>}
        {unresponsive > 0 ? (
          <span title={TEXT.unresponsiveHint}>
            <Tag tone="orange">{TEXT.unresponsive(unresponsive)}</Tag>
          </span>
        ) : null}
      </Box>
      {busy.length === 0 && alive.length > 0 ? <Box sx={{ color: 'text.secondary' }}>{TEXT.idle}</Box> : null}
      {busy.map((job) => (
        <Box key={job.jobId} sx={{ display: 'flex', gap: 3, minWidth: 0 }}>
          <Box sx={{ flex: 1, minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>
            {TEXT.workingOn(job.title ?? job.jobId, job.attempt)}
          </Box>
          <Box sx={{ color: 'text.secondary', whiteSpace: 'nowrap', fontSize: 12 }}>{timeAgo(job.startedAt, now)}</Box>
        </Box>
      ))}
    </Box>
  );
}

function WaitingSources({ sources, waiting: all }: { sources: readonly WaitingSource[]; waiting: number }) {
  if (sources.length < 2) return null;
  return (
    <Box
      component="ul"
      aria-label={all > LIMITS.jobsWithSource ? TEXT.nextBySource(count(LIMITS.jobsWithSource)) : TEXT.waitingBySource}
      sx={{ m: 0, px: 4, pb: 3, display: 'flex', flexWrap: 'wrap', gap: 1.5, listStyle: 'none' }}
    >
      {sources.map(({ source, forPerson, waiting }) => (
        <li key={`${source} ${forPerson}`}>
          <Tag>{`${forPerson ? TEXT.people : (source ?? TEXT.otherSources)} ${count(waiting)}`}</Tag>
        </li>
      ))}
    </Box>
  );
}

export function StageCard({ stage }: { stage: PipelineStage }) {
  const id = useId();
  const { numbers } = TEXT;
  return (
    <Box component="article" aria-labelledby={id} sx={{ ...CARD, display: 'grid', alignContent: 'start' }}>
      <Box sx={{ px: 4, pt: 4, pb: 2 }}>
        <Box component="h2" id={id} sx={{ m: 0, fontSize: 16, fontWeight: 620 }}>
          {TEXT.stages[stage.stage]}
        </Box>
        <Box sx={{ fontSize: 13, color: 'text.secondary' }}>{TEXT.does[stage.stage]}</Box>
      </Box>
      <Box
        component="dl"
        sx={{ m: 0, display: 'flex', borderTop: 1, borderColor: 'line.main', '& > * + *': { borderLeft: 1, borderColor: 'line.main' } }}
      >
        <Count label={numbers.waiting} value={stage.waiting} />
        <Count label={numbers.running} value={stage.running} tone="orange" />
        <Count label={numbers.deadLetters} value={stage.deadLetters} tone="red" />
      </Box>
      <Box
        sx={{
          px: 4,
          py: 2.5,
          borderTop: 1,
          borderColor: 'line.main',
          fontSize: 12,
          color: 'text.secondary',
          display: 'flex',
          flexWrap: 'wrap',
          columnGap: 4,
        }}
      >
        <span>{`${numbers.retrying} ${countUpToLimit(stage.retrying)}`}</span>
        <span>{`${numbers.postponed} ${countUpToLimit(stage.postponed)}`}</span>
        <span>{`${numbers.lag} ${stage.lag === null ? TEXT.lagUnknown : countUpToLimit(stage.lag)}`}</span>
        {stage.oldestWaitingSeconds === null ? null : <span>{TEXT.oldest(duration(stage.oldestWaitingSeconds))}</span>}
      </Box>
      <WaitingSources sources={stage.waitingBySource ?? []} waiting={stage.waiting} />
      {stage.notice === null || stage.notice === undefined ? null : (
        <Box sx={{ px: 4, pb: 3 }}>
          <MessageBar tone="orange">{stage.notice}</MessageBar>
        </Box>
      )}
      <Workers workers={stage.workers} />
    </Box>
  );
}
