import type { Subreddit } from '@autoposter/contracts';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { Link as RouterLink } from 'react-router-dom';
import { SUBREDDITS_TEXT as TEXT } from '../../../text/subreddits.text';
import { MessageBar } from '../../../ui/message-bar';

/** What the run that goes on, or the last one, found, kept and skipped, or why it failed. */
export function LastRun({ subreddit }: { subreddit: Subreddit }) {
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
  return (
    <Typography variant="body2" className="tabular" role="status" sx={{ color: isRunning ? 'status.orange.text' : 'text.secondary' }}>
      {isRunning ? TEXT.thisRun : TEXT.lastRun} {TEXT.found(run.listed)}, {TEXT.kept(run.accepted ?? 0)},{' '}
      <Link component={RouterLink} to={`/admin/skipped-posts?subreddit=${encodeURIComponent(subreddit.name)}`}>
        {TEXT.skipped(run.skipped ?? 0)}
      </Link>
    </Typography>
  );
}
