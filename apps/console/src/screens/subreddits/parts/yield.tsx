import { LIMITS } from '@autoposter/contracts';
import Box from '@mui/material/Box';
import { SUBREDDITS_TEXT } from '../../../text/subreddits.text';
import { plural } from '../../../ui/format';

const DAY_MINUTES = 1440;
const { intervalMinutes } = LIMITS.subreddit;

/** "About 24 runs a day, up to 2,400 posts."; nothing while a number is missing or out of its limits. */
export function yieldText(interval: number, posts: number): string | null {
  if (!(interval >= intervalMinutes.min && interval <= intervalMinutes.max) || !(posts >= 1)) return null;
  const runs = Math.max(1, Math.round(DAY_MINUTES / interval));
  return SUBREDDITS_TEXT.yield(plural(runs, 'run'), plural(runs * posts, 'post'));
}

export function Yield({ interval, posts }: { interval: number; posts: number }) {
  return (
    <Box role="status" className="tabular" sx={{ fontSize: 13, color: 'text.secondary', minHeight: 20 }}>
      {yieldText(interval, posts)}
    </Box>
  );
}
