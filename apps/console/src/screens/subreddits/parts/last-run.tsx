import type { Subreddit } from '@autoposter/contracts';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { Link as RouterLink } from 'react-router-dom';
import { MessageBar } from '../../../ui/message-bar';

/** What the last run found: how many posts were listed, taken and skipped, or why it failed. */
export function LastRun({ subreddit }: { subreddit: Subreddit }) {
  const run = subreddit.lastRun;
  if (run === null || run === undefined) return null;
  if (run.error !== null) return <MessageBar tone="red">The last run failed: {run.error}</MessageBar>;
  if (run.listed === null) return null;
  return (
    <Typography variant="body2" className="tabular" sx={{ color: 'text.secondary' }}>
      Last run: {run.listed} found, {run.accepted ?? 0} taken,{' '}
      <Link component={RouterLink} to={`/admin/skipped-posts?subreddit=${encodeURIComponent(subreddit.name)}`}>
        {run.skipped ?? 0} skipped
      </Link>
    </Typography>
  );
}
