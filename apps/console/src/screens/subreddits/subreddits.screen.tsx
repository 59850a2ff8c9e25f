import { mdiForumOutline } from '@mdi/js';
import { useState } from 'react';
import { errorText } from '../../data/http/client';
import { useSetSubredditScheduler, useSubreddits, useSubredditScheduler } from '../../data/subreddits/use-subreddits';
import { SUBREDDITS_TEXT as TEXT } from '../../text/subreddits.text';
import { EmptyState, LoadErrorBar, LoadingRows, MessageBar } from '../../ui/feedback';
import { Page } from '../../ui/layout';
import { Box, Button } from '../../ui/mui';
import { notify } from '../../ui/notifications';
import { StatusPill, Tag } from '../../ui/status';
import { SubredditCard } from './subreddit-card';
import { SubredditForm } from './subreddit-form';

function SchedulerControls() {
  const { data } = useSubredditScheduler();
  const set = useSetSubredditScheduler();
  if (data === undefined) return null;
  const flip = () => set.mutate(!data.isRunning, { onError: (error) => notify.failure(TEXT.error(errorText(error))) });
  return (
    <>
      <StatusPill status={data.isRunning ? 'running' : 'stopped'} tone={data.isRunning ? 'green' : 'grey'} />
      {data.activeJobs.count > 0 ? <Tag tone="orange">{TEXT.activeJobs(data.activeJobs.count)}</Tag> : null}
      <Button variant="outlined" loading={set.isPending} onClick={flip}>
        {data.isRunning ? TEXT.stop : TEXT.start}
      </Button>
    </>
  );
}

export function SubredditsScreen() {
  const subreddits = useSubreddits();
  const scheduler = useSubredditScheduler();
  const error = subreddits.error ?? scheduler.error;
  const [adding, setAdding] = useState(false);
  const items = subreddits.data ?? [];
  const refresh = () => {
    void subreddits.refetch();
    void scheduler.refetch();
  };
  return (
    <Page
      title={TEXT.title}
      lead="Subreddits that are collected on a schedule."
      actions={
        <>
          <SchedulerControls />
          <Button variant="outlined" disabled={subreddits.isFetching} onClick={refresh}>
            {TEXT.refresh}
          </Button>
          <Button variant={adding ? 'outlined' : 'contained'} aria-expanded={adding} onClick={() => setAdding(!adding)}>
            {adding ? TEXT.cancel : TEXT.add}
          </Button>
        </>
      }
    >
      <Box sx={{ display: 'grid', gap: 5 }}>
        {scheduler.data?.idle ? (
          <MessageBar tone="orange">{TEXT.idle(scheduler.data.idle.reason, scheduler.data.idle.nextAction)}</MessageBar>
        ) : null}
        {adding ? <SubredditForm onDone={() => setAdding(false)} /> : null}
        {subreddits.isPending ? <LoadingRows rows={3} height={210} label={TEXT.loading} /> : null}
        {error === null ? null : <LoadErrorBar onRetry={refresh}>{TEXT.error(errorText(error))}</LoadErrorBar>}
        {subreddits.isSuccess && items.length === 0 ? (
          <EmptyState
            icon={mdiForumOutline}
            title={TEXT.empty}
            hint={TEXT.emptyHint}
            {...(adding ? {} : { action: <Button variant="outlined" onClick={() => setAdding(true)}>{`+ ${TEXT.add}`}</Button> })}
          />
        ) : null}
        <Box
          sx={{
            display: 'grid',
            gap: 5,
            gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' },
            alignItems: 'start',
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
