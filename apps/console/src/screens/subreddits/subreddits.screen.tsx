import { mdiForumOutline } from '@mdi/js';
import { useState } from 'react';
import { notifyResult } from '../../app/notifications/notify-result';
import { useSetSubredditScheduler, useSubreddits, useSubredditScheduler } from '../../data/subreddits/use-subreddits';
import { SUBREDDITS_TEXT as TEXT } from '../../text/subreddits.text';
import { ActionButton, RefreshButton } from '../../ui/actions';
import { LoadState, MessageBar } from '../../ui/feedback';
import { Page } from '../../ui/layout';
import { Box } from '../../ui/mui';
import { StatusPill, Tag } from '../../ui/status';
import { SubredditCard } from './subreddit-card';
import { SubredditForm } from './subreddit-form';

function SchedulerControls() {
  const { data } = useSubredditScheduler();
  const set = useSetSubredditScheduler();
  if (data === undefined) return null;
  const flip = () => void notifyResult(set.mutateAsync(!data.isRunning), null, TEXT.error);
  return (
    <>
      <StatusPill status={data.isRunning ? 'running' : 'stopped'} tone={data.isRunning ? 'green' : 'grey'} />
      {data.activeJobs.count > 0 ? <Tag tone="orange">{TEXT.activeJobs(data.activeJobs.count)}</Tag> : null}
      <ActionButton label={data.isRunning ? TEXT.stop : TEXT.start} loading={set.isPending} onClick={flip} />
    </>
  );
}

export function SubredditsScreen() {
  const subreddits = useSubreddits();
  const scheduler = useSubredditScheduler();

  const [adding, setAdding] = useState(false);
  const items = subreddits.data ?? [];
  const refresh = () => Promise.all([subreddits.refetch(), scheduler.refetch()]);
  return (
    <Page
      title={TEXT.title}
      lead="Subreddits that are collected on a schedule."
      actions={
        <>
          <SchedulerControls />
          <RefreshButton label={TEXT.refresh} onRefresh={refresh} />
          <ActionButton
            label={adding ? TEXT.cancel : TEXT.add}
            variant={adding ? 'outlined' : 'contained'}
            aria-expanded={adding}
            onClick={() => setAdding(!adding)}
          />
        </>
      }
    >
      <Box sx={{ display: 'grid', gap: 5 }}>
        {scheduler.data?.idle ? (
          <MessageBar tone="orange">{TEXT.idle(scheduler.data.idle.reason, scheduler.data.idle.nextAction)}</MessageBar>
        ) : null}
        {adding ? <SubredditForm onDone={() => setAdding(false)} /> : null}
        <LoadState
          query={{ isPending: subreddits.isPending, error: subreddits.error ?? scheduler.error, refetch: refresh }}
          loading={{ rows: 3, height: 210, label: TEXT.loading }}
          error={TEXT.error}
          empty={
            items.length === 0 && {
              icon: mdiForumOutline,
              title: TEXT.empty,
              hint: TEXT.emptyHint,
              action: adding ? undefined : <ActionButton label={`+ ${TEXT.add}`} onClick={() => setAdding(true)} />,
            }
          }
        />
        <Box
          sx={{
            display: 'grid',
            gap: 5,
            gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' },
          }}
        >
          {items.map((subreddit) => (
            <SubredditCard key={subreddit._id} subreddit={subreddit} />
          ))}
        </Box>
      </Box>
    </Page>
  );
}
