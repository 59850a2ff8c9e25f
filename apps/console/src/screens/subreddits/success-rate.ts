import type { Subreddit } from '@autoposter/contracts';

const PERCENT = 100;

/** Share of runs that went well, with one decimal; 0% without runs. */
export const successRate = ({ totalRuns, successfulRuns }: Subreddit['stats']): string =>
  totalRuns === 0 ? '0%' : `${((successfulRuns / totalRuns) * PERCENT).toFixed(1)}%`;
