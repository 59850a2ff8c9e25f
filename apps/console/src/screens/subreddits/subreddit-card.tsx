import { type AutoProcessStage, FULL_AUTOMATION, type Subreddit } from '@autoposter/contracts';
import { Link as RouterLink } from 'react-router-dom';
import { notifyResult } from '../../app/notifications/notify-result';
import {
  undoInSubreddits,
  useAutoProcessStages,
  useChangeNeedsPermission,
  useChangeStage,
  useDeleteSubreddit,
  useRunSubreddit,
  useToggleSubreddit,
} from '../../data/subreddits/use-subreddits';
import { SUBREDDITS_TEXT as TEXT } from '../../text/subreddits.text';
import { CARD } from '../../theme/tokens';
import { ActionButton } from '../../ui/actions';
import { useConfirm } from '../../ui/dialogs';
import { capitalised, count, formatDateTime, nextRun } from '../../ui/format';
import { Stat } from '../../ui/layout';
import { MessageBar } from '../../ui/feedback';
import { Box, Link, Span, Stack, Typography } from '../../ui/mui';
import { CheckboxField, SelectField } from '../../ui/fields';
import { StatusPill } from '../../ui/status';
import { useNow } from '../../ui/timers';

const PERCENT = 100;

/** Share of successful runs with one decimal; 0% without runs. */
export const successRate = ({ totalRuns, successfulRuns }: Subreddit['stats']): string =>
  totalRuns === 0 ? '0%' : `${((successfulRuns / totalRuns) * PERCENT).toFixed(1)}%`;

function LastRun({ subreddit }: { subreddit: Subreddit }) {
  const run = subreddit.lastRun;
  const { isRunning } = subreddit.scheduling;
  if (run === null || run === undefined) return null;
  if (!isRunning && run.error !== null) return <MessageBar tone="red">{TEXT.runFailed(run.error)}</MessageBar>;
  if (isRunning && (run.listed === null || run.finishedAt !== null)) {
    return (
      <Typography variant="body2" role="status" sx={{ color: 'status.orange.text' }}>
        {TEXT.begun}
      </Typography>
    );
  }
  if (run.listed === null) return null;
  const [kept, skipped] = [run.accepted ?? 0, run.skipped ?? 0];
  /** During a run the others are still to be read. */
  const known = isRunning ? 0 : run.listed - kept - skipped;
  return (
    <Typography variant="body2" role="status" sx={{ color: isRunning ? 'status.orange.text' : 'text.secondary' }}>
      {isRunning ? TEXT.thisRun : TEXT.lastRun} {TEXT.found(run.listed)}, {TEXT.kept(kept)},{' '}
      <Link component={RouterLink} to={`/admin/skipped-posts?subreddit=${encodeURIComponent(subreddit.name)}`}>
        {TEXT.skipped(skipped)}
      </Link>
      {known > 0 ? `, ${TEXT.known(known)}` : null}
    </Typography>
  );
}

function AutoProcessStageSelect({ subreddit }: { subreddit: Subreddit }) {
  const stages = useAutoProcessStages().data ?? [];
  const change = useChangeStage();
  const value = change.isPending ? change.variables.autoProcessStage : subreddit.config.autoProcessStage;
  return (
    <SelectField
      label="Auto-processing stage"
      value={value}
      options={stages.map((option) => [option.value, option.label])}
      helperText={stages.find((option) => option.value === value)?.description}
      onChange={(next) =>
        void notifyResult(
          change.mutateAsync({ id: subreddit._id, autoProcessStage: next as AutoProcessStage }),
          TEXT.staged(subreddit.name, stages.find((option) => option.value === next)?.label ?? next),
          TEXT.error,
          undoInSubreddits.stage(subreddit),
        )
      }
    />
  );
}

function NeedsPermission({ subreddit: { _id: id, name, config } }: { subreddit: Subreddit }) {
  const change = useChangeNeedsPermission();
  const isNeeded = change.isPending ? change.variables.needsPermission : config.needsPermission;
  return (
    <CheckboxField
      label={TEXT.needsPermission}
      checked={isNeeded}
      onChange={(needsPermission) =>
        void notifyResult(change.mutateAsync({ id, needsPermission }), TEXT.permissionChanged(name, needsPermission), TEXT.error)
      }
    />
  );
}

function Actions({ subreddit, running }: { subreddit: Subreddit; running: boolean }) {
  const toggle = useToggleSubreddit();
  const run = useRunSubreddit();
  const remove = useDeleteSubreddit();
  const { confirm, dialog } = useConfirm();
  const id = subreddit._id;
  const flip = () => {
    const isActive = !subreddit.config.isActive;
    const text = isActive ? TEXT.enabled : TEXT.disabled;
    void notifyResult(toggle.mutateAsync({ id, isActive }), text(subreddit.name), TEXT.error, undoInSubreddits.toggle(subreddit));
  };
  const ask = () =>
    confirm(
      { question: TEXT.removeQuestion, detail: `r/${subreddit.name}`, confirm: TEXT.remove, danger: true },
      () => void notifyResult(remove.mutateAsync(id), null, TEXT.error),
    );
  return (
    <Stack direction="row" sx={{ gap: 1.5, flexWrap: 'wrap', mt: 'auto' }}>
      <ActionButton
        small
        label={running || run.isPending ? TEXT.running : TEXT.runNow}
        variant="contained"
        disabled={running || run.isPending}
        onClick={() => void notifyResult(run.mutateAsync(id), null, TEXT.error)}
      />
      <ActionButton small label={subreddit.config.isActive ? TEXT.disable : TEXT.enable} loading={toggle.isPending} onClick={flip} />
      <ActionButton small label={TEXT.remove} variant="text" loading={remove.isPending} onClick={ask} />
      {dialog}
    </Stack>
  );
}

export function SubredditCard({ subreddit }: { subreddit: Subreddit }) {
  const now = useNow();
  const { config, scheduling, stats } = subreddit;
  const status = scheduling.isRunning ? 'running' : config.isActive ? 'active' : 'inactive';
  return (
    <Stack component="article" aria-label={`r/${subreddit.name}`} sx={{ gap: 4, p: 5, ...CARD }}>
      <Stack direction="row" sx={{ gap: 2.5, alignItems: 'center', justifyContent: 'space-between', flexWrap: 'wrap' }}>
        <Typography component="h2" sx={{ fontSize: 18, fontWeight: 640, letterSpacing: '-0.015em' }}>
          r/{subreddit.name}
        </Typography>
        <StatusPill status={status} />
      </Stack>
      <Box component="dl" sx={{ m: 0, display: 'grid', gap: 3.5, gridTemplateColumns: 'repeat(auto-fill, minmax(116px, 1fr))' }}>
        <Stat small label="Interval" value={`${config.interval} minutes`} />
        <Stat small label="Posts per run" value={config.postsToFetch} />
        <Stat small label="Time period" value={capitalised(config.timePeriod)} />
        <Stat small label="Total Runs" value={count(stats.totalRuns)} />
        <Stat small label="Posts Scraped" value={count(stats.totalPostsScraped)} />
        <Stat small label="Success Rate" value={successRate(stats)} />
      </Box>
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        Next run: <Span sx={{ color: 'text.primary', fontWeight: 560 }}>{nextRun(scheduling.nextRun, now)}</Span>
        {scheduling.nextRun === null ? '' : ` (${formatDateTime(scheduling.nextRun, { zone: true })})`}
      </Typography>
      <LastRun subreddit={subreddit} />
      <AutoProcessStageSelect subreddit={subreddit} />
      <NeedsPermission subreddit={subreddit} />
      {config.autoProcessStage === FULL_AUTOMATION.value ? <MessageBar tone="orange">{TEXT.automation}</MessageBar> : null}
      <Actions subreddit={subreddit} running={scheduling.isRunning} />
    </Stack>
  );
}
